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

/// The logics that are set where a script sets none: the smallest for its sorts, and what the form is called.
const LOGICS: [(&str, &str); 5] = [
    ("QF_S", "with (set-logic QF_S)"),
    ("QF_BV", "with (set-logic QF_BV)"),
    ("QF_UFBV", "with (set-logic QF_UFBV)"),
    ("QF_ABV", "with (set-logic QF_ABV)"),
    ("QF_AUFBV", "with (set-logic QF_AUFBV)"),
];

/// The smallest logic of [`LOGICS`] that has a script's sorts and functions; none if there is no such one. Integers are a part
/// of the logic of strings.
fn logic_for(script: &Script) -> Option<(&'static str, &'static str)> {
    let terms = (0..script.terms.len() as u32).map(TermId);
    let names: HashSet<&str> = terms.map(|term| script.terms.sort(term).expression().name.as_str()).collect();
    let all_of = |known: &[&str]| names.iter().all(|name| known.contains(name));
    let has_functions = script.declarations().any(|declared| !declared.parameters.is_empty());
    let number = match names.contains("Array") {
        _ if names.contains("String") => {
            return (all_of(&["Bool", "Int", "String", "RegLan"]) && !has_functions).then_some(LOGICS[0]);
        }
        false => 1,
        true => 3,
    };
    let is_of_vectors = names.contains("BitVec") && all_of(&["Bool", "BitVec", "Array"]);
    is_of_vectors.then(|| LOGICS[number + usize::from(has_functions)])
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
        (None, Some((logic, name))) => {
            let mut with = script.clone();
            with.commands.insert(0, Command::SetLogic(Symbol::new(logic)));
            Some((name, with))
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
            logic_for(&script).map(|(logic, _)| logic)
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
