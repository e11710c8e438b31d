//! What layered formulas look like.

use super::parameters::Division;
use super::*;
use crate::generator::grammar;
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::operator_set::OperatorSet;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::signature::Op;
use crate::smtlib::term::Head;

fn layered(preset: &Preset, parameters: Parameters) -> Layered {
    Layered::new(preset, parameters, &Fragment::standard().in_logic(preset.logic)).expect("sound parameters")
}

fn printed(script: &Script) -> String {
    print(script, Dialect::SmtLib26, &PrintOptions::default()).expect("the dialect spells everything")
}

fn operators_of(script: &Script, found: &mut OperatorSet) {
    for index in 0..script.terms.len() as u32 {
        if let Head::Operator(op) = script.terms.head(TermId(index)) {
            found.insert(op);
        }
    }
}

/// Reading checks every sort and every scope.
#[test]
fn every_formula_is_read_as_it_is_and_admitted_in_its_logic() {
    for preset in PRESETS {
        let generator = layered(preset, Parameters { max_array_equalities: 2, ..Parameters::default() });
        let fragment = Fragment::standard().in_logic(preset.logic);
        for slot in 0..60 {
            let script = generator.generate(&mut rng_for(1, 0, slot));
            let text = printed(&script);
            let read = parse(&text, preset.name, &ParseOptions { dialect: Some(Dialect::SmtLib26) });
            let read = read.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(read == script, "{}: {text}", preset.name);
            if let Err(violation) = fragment.admits(&script) {
                panic!("{}: {violation}\n{text}", preset.name);
            }
            assert_eq!(script.assertions().count(), 1);
        }
    }
}

#[test]
fn every_operator_of_bit_vectors_and_arrays_occurs() {
    const NO_BITS: [&str; 4] = ["bv2nat", "sbv_to_int", "int2bv", "distinct"];
    for (preset, overflows) in [("qf-bv", true), ("qf-abv", false), ("qf-aufbv", false)] {
        let preset = Preset::named(preset).expect("a preset");
        let parameters = Parameters { overflows, max_array_equalities: 2, ..Parameters::default() };
        let generator = layered(preset, parameters);
        let mut found = OperatorSet::new();
        for slot in 0..300 {
            operators_of(&generator.generate(&mut rng_for(2, 0, slot)), &mut found);
        }
        let wanted = Fragment::standard().in_logic(preset.logic).operators;
        let missing: Vec<&str> = wanted
            .difference(&found)
            .iter()
            .map(Op::name)
            .filter(|name| !NO_BITS.contains(name) && (overflows || !name.ends_with('o') && !name.starts_with("bvred")))
            .collect();
        assert_eq!(missing, ["true", "false"], "{}", preset.name);
    }
}

#[test]
fn division_is_left_out_guarded_or_free() {
    let preset = Preset::named("qf-bv").expect("a preset");
    let texts = |division| -> Vec<String> {
        let generator = layered(preset, Parameters { division, ..Parameters::default() });
        (0..80).map(|slot| printed(&generator.generate(&mut rng_for(3, 0, slot)))).collect()
    };
    let divides =
        |text: &&String| ["bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"].iter().any(|it| text.contains(it));
    assert_eq!(texts(Division::None).iter().filter(divides).count(), 0);
    assert!(texts(Division::Free).iter().filter(divides).count() > 20);
    // No divisor of a guarded division is 0 in any model: the guards say so at the top.
    let guarded = texts(Division::Guarded);
    assert!(guarded.iter().filter(divides).all(|text| text.contains("(distinct ")));
}

#[test]
fn no_term_is_wider_than_it_may_be() {
    for preset in ["qf-bv", "qf-abv"] {
        let generator =
            layered(Preset::named(preset).expect("a preset"), Parameters { max_width: 5, ..Parameters::default() });
        for slot in 0..60 {
            let script = generator.generate(&mut rng_for(4, 0, slot));
            for index in 0..script.terms.len() as u32 {
                let sort = script.terms.sort(TermId(index));
                assert!(sort.expression().indices.iter().all(|&width| width <= 5), "{}", printed(&script));
            }
        }
    }
}

#[test]
fn formulas_split_into_assertions_have_no_more_than_asked_for() {
    let preset = Preset::named("qf-bv").expect("a preset");
    let generator =
        layered(preset, Parameters { max_assertions: 4, division: Division::Free, ..Parameters::default() });
    let counts: Vec<usize> =
        (0..40).map(|slot| generator.generate(&mut rng_for(5, 0, slot)).assertions().count()).collect();
    assert!(counts.iter().all(|count| (1..=4).contains(count)) && counts.contains(&4), "{counts:?}");
}

#[test]
fn equal_generators_draw_equal_formulas() {
    for preset in PRESETS {
        let draw = || printed(&layered(preset, Parameters::default()).generate(&mut rng_for(6, 1, 2)));
        assert_eq!(draw(), draw());
    }
}

/// What mutation asks a grammar for.
#[test]
fn fresh_assertions_use_the_variables_of_the_script() {
    for preset in PRESETS {
        let fragment = Fragment::standard().in_logic(preset.logic);
        let grammar = grammar(&fragment);
        for slot in 0..60 {
            let rng = &mut rng_for(7, 0, slot);
            let mut script = grammar.generate(rng);
            let mut scope = Scope::of(&mut script);
            let Some(sort) = grammar.variable_sort(&scope, rng) else { panic!("{} has sorts", preset.name) };
            let variable = script.terms.constant(Symbol::new("fresh"), sort);
            scope.add(variable, sort);
            let assertion = grammar.assertion_using(&mut script.terms, &scope, variable, rng);
            let assertion = assertion.unwrap_or_else(|| panic!("{}: nothing takes {sort}", preset.name));
            assert!(script.terms.contains(assertion, variable));
            assert_eq!(script.terms.sort(assertion), Sort::BOOL);
            let other = grammar.assertion(&mut script.terms, &scope, rng);
            assert_eq!(script.terms.sort(other), Sort::BOOL);
        }
    }
}

#[test]
fn pairs_of_bounds_must_be_in_order() {
    let preset = Preset::named("qf-bv").expect("a preset");
    let parameters = Parameters { min_width: 9, max_width: 8, ..Parameters::default() };
    let error = Layered::new(preset, parameters, &Fragment::standard()).expect_err("nothing to draw from");
    assert_eq!(error.to_string(), "--min-width is 9 and --max-width 8: give both, the smaller one first");
}
