//! What each operator does to a script, and that the steps of the paper's Fig. 1 are among them.

use super::*;
use crate::generator::{Parameters, StringGenerator};
use crate::random::rng_for;
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};

fn script(text: &str) -> Script {
    parse(text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib25) }).expect("a well-sorted script")
}

/// A script over three variables, with these assertions.
fn asserting(assertions: &[&str]) -> Script {
    let assertions: Vec<String> = assertions.iter().map(|each| format!("(assert {each})\n")).collect();
    let mut parsed = script(&format!(
        "(set-logic QF_S)\n(declare-fun n () Int)\n(declare-fun s () String)\n(declare-fun t () String)\n{}(check-sat)\n",
        assertions.concat()
    ));
    declarations::tidy(&mut parsed);
    parsed
}

/// All different scripts that some thousand applications of an operator to `script` give.
fn reachable(from: &Script, mutator: &dyn Mutator) -> Vec<Script> {
    let fragment = Fragment::paper();
    let generator = StringGenerator::new(Parameters::default(), &fragment);
    let context = Context { fragment: &fragment, grammar: &generator };
    let mut found: std::collections::BTreeMap<u128, Script> = std::collections::BTreeMap::new();
    for slot in 0..2000 {
        let mut mutant = from.clone();
        if mutate_once(&mut mutant, &[mutator], &mut rng_for(1, 0, slot), &context).is_some() {
            found.entry(canonical_hash(&mutant)).or_insert(mutant);
        }
    }
    found.into_values().collect()
}

fn text(script: &Script) -> String {
    print(script, Dialect::SmtLib25, &PrintOptions::default()).expect("the dialect spells it")
}

fn assert_reaches(from: &Script, mutator: &dyn Mutator, to: &Script) {
    let found = reachable(from, mutator);
    assert!(found.contains(to), "{} does not lead to\n{}", mutator.name(), text(to));
}

#[test]
fn the_steps_of_figure_1_are_mutations() {
    let a = asserting(&["(< (str.to.int t) (str.to.int s))", r#"(> (str.indexof "ab1c1" "1c1" n) 9)"#]);
    let b = asserting(&["(< (str.to.int t) 9)", r#"(> (str.indexof "ab1c1" "1c1" n) (str.to.int s))"#]);
    let c = asserting(&[r#"(< (str.to.int "1c1") 9)"#, r#"(> (str.indexof "ab1c1" t n) (str.to.int s))"#]);
    let d = asserting(&[r#"(> (str.indexof "ab1c1" t n) (str.to.int s))"#]);
    assert_reaches(&a, &ExchangeSubterms, &b);
    assert_reaches(&b, &ExchangeSubterms, &c);
    assert_reaches(&c, &DeleteAssertion, &d);
}

#[test]
fn the_last_assertion_stays() {
    let one = asserting(&["(= s t)"]);
    assert!(reachable(&one, &DeleteAssertion).is_empty());
}

#[test]
fn a_variable_is_deleted_only_if_its_sort_has_another() {
    let alone = asserting(&["(= (str.len s) n)"]);
    assert!(reachable(&alone, &DeleteVariable).is_empty());
    let two = asserting(&["(= (str.len s) n)", "(str.prefixof s t)"]);
    let merged = asserting(&["(= (str.len s) n)", "(str.prefixof s s)"]);
    let found = reachable(&two, &DeleteVariable);
    assert_eq!(found.len(), 1);
    assert_eq!(canonical_hash(&found[0]), canonical_hash(&merged));
}

#[test]
fn a_new_variable_comes_with_an_assertion_that_uses_it() {
    let before = asserting(&["(= s t)"]);
    for mutant in reachable(&before, &NewVariable) {
        assert_eq!(mutant.assertions().count(), 2);
        assert_eq!(mutant.declarations().count(), 3, "{}", text(&mutant));
    }
}

#[test]
fn an_added_assertion_uses_declared_variables() {
    let before = asserting(&["(= s t)"]);
    let found = reachable(&before, &AddAssertion);
    assert!(found.len() > 100);
    for mutant in found {
        assert_eq!(mutant.assertions().count(), 2);
        assert_eq!(mutant.declarations().count(), 2, "{}", text(&mutant));
    }
}

#[test]
fn operators_give_way_to_those_of_the_same_signature() {
    let before = asserting(&["(str.prefixof s t)"]);
    for other in ["str.suffixof", "str.contains", "str.<", "=", "distinct"] {
        assert_reaches(&before, &ReplaceOperator, &asserting(&[&format!("({other} s t)")]));
    }
    let before = asserting(&["(= (str.len s) 1)"]);
    assert_reaches(&before, &ReplaceOperator, &asserting(&["(= (str.to.int s) 1)"]));
    assert_reaches(&before, &ReplaceOperator, &asserting(&["(>= (str.len s) 1)"]));
}

#[test]
fn literals_change_and_nothing_else() {
    let before = asserting(&[r#"(str.in.re s (re.++ (re.range "b" "d") ((_ re.loop 1 2) (str.to.re "xy"))))"#]);
    let found = reachable(&before, &FuzzLiterals);
    assert!(found.iter().any(|mutant| !text(mutant).contains("(re.range \"b\" \"d\")")));
    assert!(found.iter().any(|mutant| !text(mutant).contains(" 1 2)")));
    assert!(found.iter().any(|mutant| !text(mutant).contains("\"xy\"")));
    for mutant in &found {
        assert!(text(mutant).contains("(assert (str.in.re s (re.++ (re.range "), "{}", text(mutant));
    }
}

#[test]
fn bound_variables_stay_in_their_scope() {
    let before = script(
        "(set-logic QF_S)(declare-fun s () String)(declare-fun n () Int)\
         (assert (let ((x (str.len s))) (< x (+ x n))))(assert (= n 5))(check-sat)",
    );
    for mutant in reachable(&before, &ExchangeSubterms) {
        // Reading checks scopes and sorts.
        assert_eq!(script(&text(&mutant)), mutant);
    }
}
