//! What generated scripts look like.

use super::*;
use crate::random::rng_for;
use crate::smtlib::operator_set::OperatorSet;
use crate::smtlib::signature::Op;
use crate::smtlib::term::Head;

fn depth(terms: &Terms, term: TermId) -> u32 {
    let below = terms.arguments(term).iter().map(|&argument| depth(terms, argument)).max();
    below.map_or(0, |below| below + 1)
}

fn operators_of(script: &Script, found: &mut OperatorSet) {
    for index in 0..script.terms.len() as u32 {
        if let Head::Operator(op) = script.terms.head(TermId(index)) {
            found.insert(op);
        }
    }
}

#[test]
fn every_operator_of_the_fragment_is_drawn_and_no_other() {
    for fragment in [Fragment::paper(), Fragment::standard()] {
        let generator = StringGenerator::new(Parameters { string_weight: 1, ..Parameters::default() }, &fragment);
        let mut found = OperatorSet::new();
        for slot in 0..3000 {
            operators_of(&generator.generate(&mut rng_for(1, 0, slot)), &mut found);
        }
        let missing: Vec<&str> = fragment.operators.difference(&found).iter().map(Op::name).collect();
        assert_eq!(missing, Vec::<&str>::new());
        assert!(found.difference(&fragment.operators).is_empty());
    }
}

#[test]
fn assertions_nest_no_deeper_than_they_may() {
    let parameters = Parameters { depth: 2, ..Parameters::default() };
    let generator = StringGenerator::new(parameters, &Fragment::paper());
    for slot in 0..200 {
        let script = generator.generate(&mut rng_for(2, 0, slot));
        for root in script.assertions() {
            // A leaf that is a regular expression of one string is one application more.
            assert!((1..=3).contains(&depth(&script.terms, root)));
        }
    }
}

#[test]
fn a_script_has_a_variable_even_if_leaves_are_literals() {
    let parameters = Parameters { literal_probability: 1.0, ..Parameters::default() };
    let generator = StringGenerator::new(parameters, &Fragment::paper());
    for slot in 0..100 {
        assert_eq!(generator.generate(&mut rng_for(3, 0, slot)).declarations().count().min(1), 1);
    }
}

#[test]
fn more_variables_than_are_tracked_are_pruned_too() {
    let parameters = Parameters { variables: 100, ..Parameters::default() };
    let generator = StringGenerator::new(parameters, &Fragment::paper());
    let script = generator.generate(&mut rng_for(4, 0, 0));
    let tidied = script.compacted();
    let used: Vec<Symbol> = (0..tidied.terms.len() as u32)
        .filter_map(|index| match tidied.terms.head(TermId(index)) {
            Head::Constant(name) => Some(name),
            _ => None,
        })
        .collect();
    assert_eq!(script.declarations().filter(|each| !used.contains(&each.name)).count(), 0);
}

#[test]
fn memory_is_reused_without_leaving_traces() {
    let generator = StringGenerator::new(Parameters::default(), &Fragment::paper());
    let mut reused = Script::new();
    for slot in 0..50 {
        generator.generate_into(&mut reused, &mut rng_for(5, 0, slot));
        assert_eq!(reused, generator.generate(&mut rng_for(5, 0, slot)));
    }
}

#[test]
fn a_forced_assertion_has_its_variable() {
    let parameters = Parameters { literal_probability: 1.0, ..Parameters::default() };
    let generator = StringGenerator::new(parameters, &Fragment::standard());
    let mut rng = rng_for(6, 0, 0);
    for sort in [Sort::BOOL, Sort::INT, Sort::STRING] {
        for _ in 0..100 {
            let mut terms = Terms::new();
            let variable = terms.constant(Symbol::new("v"), sort);
            let mut scope = Scope::default();
            scope.add(variable, sort);
            let root = generator.assertion_using(&mut terms, &scope, variable, &mut rng).expect("the sort has takers");
            assert!(terms.contains(root, variable));
        }
    }
}
