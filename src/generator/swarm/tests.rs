//! What scripts of a swarm are like, and that they leave out what others have.

use std::collections::BTreeSet;

use super::*;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::term::{Head, TermId};

/// What the assertions of a script hold: its operators' names, and whether there is a variable.
fn contents(script: &Script) -> (BTreeSet<&'static str>, bool) {
    let mut used = vec![false; script.terms.len()];
    script.terms.mark_used(script.assertions(), &mut used);
    let (mut operators, mut has_variable) = (BTreeSet::new(), false);
    for index in (0..used.len()).filter(|&index| used[index]) {
        match script.terms.head(TermId(index as u32)) {
            Head::Operator(op) => drop(operators.insert(op.name())),
            Head::Constant(_) => has_variable = true,
            _ => {}
        }
    }
    (operators, has_variable)
}

#[test]
fn scripts_are_sound_have_a_variable_and_are_the_same_for_the_same_seed() {
    let fragments = [Fragment::paper(), Fragment::standard(), Fragment::paper().spelled_in(Dialect::SmtLib20)];
    for (fragment, seed) in fragments.iter().flat_map(|each| [0, 3, u64::MAX].map(|seed| (each, seed))) {
        let (swarm, again) = (Swarm::new(fragment, seed), Swarm::new(fragment, seed));
        let mut reused = Script::new();
        for slot in 0..150 {
            let script = swarm.generate(&mut rng_for(seed, 1, slot));
            again.generate_into(&mut reused, &mut rng_for(seed, 1, slot));
            assert_eq!(script, reused, "memory that is reused leaves no traces");
            assert_eq!(fragment.admits(&script), Ok(()));
            assert!(contents(&script).1, "no variable in slot {slot}");
            let dialect = fragment.dialects[0];
            let text = print(&script, dialect, &PrintOptions::default()).expect("the dialect spells it");
            let read = parse(&text, "swarm", &ParseOptions { dialect: Some(dialect) }).expect("a well-sorted script");
            assert_eq!(print(&read, dialect, &PrintOptions::default()).expect("as before"), text);
        }
    }
}

#[test]
fn other_seeds_have_other_configurations() {
    let fragment = Fragment::paper();
    let (one, other) = (Swarm::new(&fragment, 1), Swarm::new(&fragment, 2));
    let differ = |slot: &u32| one.generate(&mut rng_for(1, 0, *slot)) != other.generate(&mut rng_for(1, 0, *slot));
    // A recipe of StringFuzz is the same in every swarm.
    assert!((0..60).filter(differ).count() > 40);
}

#[test]
fn each_operator_of_strings_is_left_out_by_about_half_and_no_other_by_any() {
    let fragment = Fragment::paper();
    let draws: Vec<OperatorSet> = (0..200).map(|slot| kept(&fragment, &mut rng_for(1, CONFIGURING, slot))).collect();
    for op in fragment.operators.iter() {
        let with = draws.iter().filter(|kept| kept.contains(op)).count();
        let of_strings = op.signature().theory.as_str() == "Strings";
        assert!(if of_strings { (65..=135).contains(&with) } else { with == 200 }, "{}: {with}", op.name());
    }
}

#[test]
fn many_scripts_are_without_what_nearly_all_hold_otherwise() {
    let fragment = Fragment::paper();
    let plain = StringGenerator::new(Parameters { depth: 4, ..Parameters::default() }, &fragment);
    let swarm = Swarm::new(&fragment, 1);
    let share = |generator: &dyn Generator| {
        let holds = |slot: &u32| contents(&generator.generate(&mut rng_for(1, 0, *slot))).0.contains("str.++");
        (0..300).filter(holds).count()
    };
    let (before, now) = (share(&plain), share(&swarm));
    assert!(now * 3 < before * 2, "{now} of 300 against {before}");
}

#[test]
fn recipes_fit_together_whatever_is_drawn_and_all_kinds_are() {
    let fragment = Fragment::paper();
    let mut rng = rng_for(4, 0, 0);
    let mut kinds = BTreeSet::new();
    let mut script = Script::new();
    for _ in 0..300 {
        let recipe = recipe::drawn(&mut rng);
        kinds.insert(recipe.name());
        recipe.prepare(&fragment).expect("parameters that fit together").generate_into(&mut script, &mut rng);
        assert!(fragment.admits(&script).is_ok(), "{recipe:?}");
        assert!(script.terms.len() < 400, "{recipe:?}");
    }
    assert_eq!(kinds.len(), 5);
}

#[test]
fn without_strings_the_recipes_are_left_out() {
    let fragment = Fragment::for_pair(["str.len", "str.++", "str.in_re"], &[Dialect::SmtLib25], "QF_S").expect("names");
    let swarm = Swarm::new(&fragment, 5);
    for slot in 0..100 {
        let script = swarm.generate(&mut rng_for(5, 0, slot));
        assert_eq!(fragment.admits(&script), Ok(()));
    }
}
