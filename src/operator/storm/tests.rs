//! Instances under a truth that needs no evaluator: a table of the seed's atoms.

use super::assignment::Assignments;
use super::*;
use crate::random::rng_for;
use crate::semantics::evaluate::Evaluator;
use crate::semantics::interpretation::Interpretation;
use crate::semantics::value::Value;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::term::{Head, Terms};

const SEED: &str = "(set-logic QF_UF)\n(set-info :status sat)\n(declare-fun p () Bool)\n(declare-fun q () Bool)\n\
    (declare-fun unused () Bool)\n(assert (let ((r (and p (not q)))) (or r (! (=> q p) :named n))))\n\
    (assert (forall ((x Bool)) (or x p)))\n(check-sat)\n(get-model)\n(exit)\n";

fn seed() -> Script {
    let script = parse(SEED, "seed", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a script");
    prepared(&script).expect("small lets")
}

/// Evaluates connectives with `p` true and `q` false; quantifiers stay open.
fn truth(terms: &Terms, term: TermId) -> Option<bool> {
    let values: Option<Vec<bool>> = terms.arguments(term).iter().map(|&argument| truth(terms, argument)).collect();
    match terms.head(term) {
        Head::Constant(name) => Some(name.as_str() == "p"),
        Head::Operator(op) => {
            let values = values?;
            Some(match op.name() {
                "and" => values.iter().all(|value| *value),
                "or" => values.iter().any(|value| *value),
                "not" => !values[0],
                "=>" => !values[0] || values[1],
                _ => return None,
            })
        }
        _ => None,
    }
}

fn pools(bounds: Bounds, seed_of_rng: u64) -> Pools {
    let script = seed();
    let terms = script.terms.clone();
    Pools::of(script, bounds, |term| truth(&terms, term), &mut rng_for(seed_of_rng, 0, 0)).expect("fragments")
}

#[test]
fn fragments_are_the_closed_boolean_subterms_whose_truth_is_known() {
    let pools = pools(Bounds::default(), 1);
    let terms = &pools.seed().terms;
    assert_eq!(pools.initial().len(), 6, "p, q, not q, and, =>, or; not what is below or is a quantifier");
    for formula in pools.initial() {
        assert_eq!(truth(terms, formula.term), Some(formula.holds));
    }
    assert_eq!(pools.initial().iter().map(|formula| formula.depth).max(), Some(3), "or over and over not");
    assert_eq!(pools.constructed().len(), constructed_for(6));
    assert!(pools.constructed().iter().all(|formula| truth(terms, formula.term) == Some(formula.holds)));
}

#[test]
fn every_instance_holds_and_keeps_its_bounds() {
    for number in 0..200 {
        let bounds = Bounds { depth: number % 5, assertions: 1 + number % 9 };
        let pools = pools(bounds, u64::from(number));
        let instance = pools.instance(bounds, number % 2 == 0, &mut rng_for(7, 0, number));
        let assertions: Vec<TermId> = instance.assertions().collect();
        assert!((1..=bounds.assertions as usize).contains(&assertions.len()));
        for assertion in assertions {
            assert_eq!(truth(&instance.terms, assertion), Some(true));
        }
        let text = print(&instance, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints");
        assert!(!text.contains("let") && !text.contains(":named") && !text.contains("unused"), "{text}");
        assert!(text.starts_with("(set-logic QF_UF)") && text.ends_with("(check-sat)\n"), "{text}");
        parse(&text, "instance", &ParseOptions { dialect: None }).expect("it sort-checks");
    }
}

#[test]
fn pushes_and_pops_of_incremental_instances_balance() {
    let bounds = Bounds { depth: 4, assertions: 40 };
    let pools = pools(bounds, 3);
    let mut questions = 0;
    for number in 0..50 {
        let mut levels = 0_i64;
        for command in pools.instance(bounds, true, &mut rng_for(11, 0, number)).commands {
            match command {
                Command::Push(count) => levels += i64::from(count),
                Command::Pop(count) => levels -= i64::from(count),
                Command::CheckSat => questions += 1,
                _ => {}
            }
            assert!(levels >= 0, "nothing is popped that was not pushed");
        }
    }
    assert!(questions > 200, "{questions} questions");
}

#[test]
fn a_depth_of_nought_leaves_atoms_and_few_constructions_end() {
    let bounds = Bounds { depth: 0, assertions: 4 };
    let pools = pools(bounds, 5);
    assert!(pools.initial().iter().all(|formula| formula.depth == 0));
    assert!(pools.constructed().is_empty());
}

#[test]
fn pools_grow_with_the_seed_within_the_papers_ranges() {
    assert_eq!([1, 20, 100, 150, 9999].map(constructed_for), [200, 200, 1000, 1500, 1500]);
    assert_eq!([1, 30, 50, 100, 9999].map(instances_for), [300, 300, 500, 1000, 1000]);
}

const STRINGS: &str = "(declare-sort A 0)\n(declare-fun a () String)\n(declare-fun x () Int)\n(declare-fun f (Int A) A)\n\
    (declare-fun e () A)\n(declare-fun m () (Array Int String))\n(declare-fun v () (_ BitVec 70))\n(declare-fun r () Real)\n\
    (assert (or (= x 0) (str.contains a \"needle\")))\n(assert (or (= x 1) (= (str.len a) x)))\n\
    (assert (or (= (f x e) e) (= (select m x) a) (bvult v (_ bv5 70)) (< r 2.5)))\n(assert (> x 2))\n(check-sat)\n";

#[test]
fn assignments_give_every_symbol_a_value_of_its_sort() {
    let script = parse(STRINGS, "seed", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a script");
    let assignments = Assignments::of(&script);
    for number in 0..200 {
        let drawn = assignments.draw(&mut rng_for(1, 0, number));
        for declaration in script.declarations().filter(|each| each.parameters.is_empty()) {
            assert_eq!(drawn.value(declaration.name).map(Value::sort), Some(declaration.sort));
        }
        let mut evaluator = Evaluator::new(&script, &drawn);
        for assertion in script.assertions() {
            assert!(evaluator.value(assertion).is_ok());
        }
    }
}

#[test]
fn inclined_assignments_hold_where_random_ones_hardly_do() {
    let script = parse(STRINGS, "seed", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a script");
    let assignments = Assignments::of(&script);
    let holding = |assignment: &Interpretation| {
        let mut evaluator = Evaluator::new(&script, assignment);
        script.assertions().filter(|&assertion| evaluator.value(assertion) == Ok(Value::Bool(true))).count()
    };
    let wholly = |count: usize| count == 4;
    let models = (0..20).filter(|&number| wholly(holding(&assignments.inclined(true, &mut rng_for(2, 0, number)))));
    let by_chance = (0..20).filter(|&number| wholly(holding(&assignments.draw(&mut rng_for(2, 0, number)))));
    let (models, by_chance) = (models.count(), by_chance.count());
    assert!(models > 10 && models > by_chance, "{models} of 20 satisfy the seed, {by_chance} by chance");
}
