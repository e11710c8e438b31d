//! The same instance in other words: what a maintainer tries first, so that nobody need ask.

use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;

use crate::evaluate::individual::Timed;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question};
use crate::reduce::cosmetics::renamed;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::symbol::Symbol;
use crate::solver::process::Interrupt;

/// The logic that is set where a script sets none.
const LOGIC: &str = "QF_S";

/// One form of an instance, run once on the target.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Variant {
    /// What is different.
    pub name: &'static str,
    /// What came of it.
    pub timed: Timed,
}

/// The forms: as it is, with and without `set-logic`, and with other names, of other lengths and in another order of the
/// alphabet.
pub fn forms(script: &Script) -> Vec<(&'static str, Script)> {
    let mut with = script.clone();
    let mut without = script.clone();
    without.commands.retain(|command| !matches!(command, Command::SetLogic(_)));
    if script.logic().is_none() {
        with.commands.insert(0, Command::SetLogic(Symbol::new(LOGIC)));
    }
    let logic = if script.logic().is_none() { "with (set-logic QF_S)" } else { "as it is, with its logic" };
    vec![(logic, with), ("without set-logic", without), ("with other names", other_names(script))]
}

/// Declared symbols get names that sort the other way round than theirs.
fn other_names(script: &Script) -> Script {
    // Names of one letter first, so that none of the new ones is taken.
    let mut script = renamed(script);
    let declared: Vec<Symbol> = script.declarations().map(|each| each.name).collect();
    let count = declared.len();
    let map = declared
        .into_iter()
        .enumerate()
        .map(|(number, name)| (name, Symbol::new(&format!("name_{:03}", count - number))));
    crate::reduce::cosmetics::rename(&mut script, &map.collect());
    script
}

/// Runs the target on each form.
///
/// # Errors
/// [`OracleError`] if it could not be run, or the user interrupted.
pub fn run(
    script: &Script,
    target: &dyn Prover,
    limit: Duration,
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
) -> Result<Vec<Variant>, OracleError> {
    let run = |(name, script): (&'static str, Script)| {
        let question = Question { script: &script, seed: None, limit, check_model: false };
        Ok(Variant { name, timed: target.ask(&question, interrupt)?.timed })
    };
    pool.install(|| forms(script).into_par_iter().map(run).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::smtlib::printer::{PrintOptions, print};

    #[test]
    fn the_forms_differ_in_logic_and_names_alone() {
        let text = "(declare-fun x () Int)\n(declare-fun y () Int)\n(assert (> x y))\n(check-sat)\n";
        let script = parse(text, "test", &ParseOptions::default()).expect("a sound script");
        let texts: Vec<String> = forms(&script)
            .iter()
            .map(|(_, form)| print(form, Dialect::SmtLib26, &PrintOptions::default()).expect("it can be spelled"))
            .collect();
        assert_eq!(texts[0], format!("(set-logic QF_S)\n{text}"));
        assert_eq!(texts[1], text);
        assert_eq!(texts[2], text.replace('x', "name_002").replace('y', "name_001"));
    }
}
