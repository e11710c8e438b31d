//! The same instance in other words: what a maintainer tries first, so that nobody need ask.

use std::collections::HashSet;
use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;

use crate::evaluate::individual::Timed;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question};
use crate::reduce::cosmetics::renamed;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::TermId;
use crate::solver::process::Interrupt;

/// A logic that is set where a script sets none.
struct Logic {
    name: &'static str,
    /// What the form is called.
    form: &'static str,
    /// Its sorts, the one first without which it is not meant.
    sorts: &'static [&'static str],
    has_functions: bool,
}

/// From smaller ones to larger. Integers are a part of the logic of strings.
const LOGICS: [Logic; 5] = [
    Logic {
        name: "QF_S",
        form: "with (set-logic QF_S)",
        sorts: &["String", "Bool", "Int", "RegLan"],
        has_functions: false,
    },
    Logic { name: "QF_BV", form: "with (set-logic QF_BV)", sorts: &["BitVec", "Bool"], has_functions: false },
    Logic { name: "QF_UFBV", form: "with (set-logic QF_UFBV)", sorts: &["BitVec", "Bool"], has_functions: true },
    Logic {
        name: "QF_ABV",
        form: "with (set-logic QF_ABV)",
        sorts: &["BitVec", "Bool", "Array"],
        has_functions: false,
    },
    Logic {
        name: "QF_AUFBV",
        form: "with (set-logic QF_AUFBV)",
        sorts: &["BitVec", "Bool", "Array"],
        has_functions: true,
    },
];

/// The name of the smallest logic of those known here that has a script's sorts and functions.
pub fn logic_name(script: &Script) -> Option<&'static str> {
    logic_for(script).map(|logic| logic.name)
}

/// The smallest of [`LOGICS`] that has a script's sorts and functions; none if there is no such one.
fn logic_for(script: &Script) -> Option<&'static Logic> {
    let terms = (0..script.terms.len() as u32).map(TermId);
    let sorts: HashSet<&str> = terms.map(|term| script.terms.sort(term).expression().name.as_str()).collect();
    let functions = script.declarations().any(|declared| !declared.parameters.is_empty());
    LOGICS.iter().find(|logic| {
        sorts.contains(logic.sorts[0])
            && sorts.iter().all(|sort| logic.sorts.contains(sort))
            && (logic.has_functions || !functions)
    })
}

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
    let mut without = script.clone();
    without.commands.retain(|command| !matches!(command, Command::SetLogic(_)));
    let with = match (script.logic(), logic_for(script)) {
        (Some(_), _) => Some(("as it is, with its logic", script.clone())),
        (None, Some(logic)) => {
            let mut with = script.clone();
            with.commands.insert(0, Command::SetLogic(Symbol::new(logic.name)));
            Some((logic.form, with))
        }
        (None, None) => None,
    };
    with.into_iter().chain([("without set-logic", without), ("with other names", other_names(script))]).collect()
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
        let text = "(declare-fun x () String)\n(declare-fun y () String)\n(assert (= x y))\n(check-sat)\n";
        let script = parse(text, "test", &ParseOptions::default()).expect("a sound script");
        let texts: Vec<String> = forms(&script)
            .iter()
            .map(|(_, form)| print(form, Dialect::SmtLib26, &PrintOptions::default()).expect("it can be spelled"))
            .collect();
        assert_eq!(texts[0], format!("(set-logic QF_S)\n{text}"));
        assert_eq!(texts[1], text);
        assert_eq!(texts[2], text.replace('x', "name_002").replace('y', "name_001"));
    }

    #[test]
    fn the_logic_that_is_set_is_that_of_the_sorts() {
        let logic = |text: &str| {
            let script = parse(text, "test", &ParseOptions::default()).expect("a sound script");
            logic_for(&script).map(|logic| logic.name)
        };
        assert_eq!(logic("(declare-fun x () String)(assert (< (str.len x) 3))"), Some("QF_S"));
        assert_eq!(logic("(declare-fun x () (_ BitVec 8))(assert (= x (bvmul x x)))"), Some("QF_BV"));
        let array = "(declare-fun a () (Array (_ BitVec 2) (_ BitVec 3)))(assert (= a (store a #b00 #b000)))";
        assert_eq!(logic(array), Some("QF_ABV"));
        let function = "(declare-fun f ((_ BitVec 8)) (_ BitVec 8))(assert (= #x00 (f #x01)))";
        assert_eq!(logic(function), Some("QF_UFBV"));
        assert_eq!(logic("(declare-fun x () Real)(assert (< x 1.0))"), None);
    }
}
