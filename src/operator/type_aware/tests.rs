//! Mutants of the paper's examples, and what holds for all.

use std::collections::BTreeSet;

use super::*;
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};

/// Figure 3a.
const REPLACE: &str = "(declare-fun x () String)(declare-fun y () String)\
    (assert (= (str.replace x \"B\" (str.++ \"B\" \"B\")) (str.++ y \"B\")))(check-sat)";
/// Figure 3b.
const REPLACED: &str = "(assert (= (str.replace (str.replace x \"B\" (str.++ \"B\" \"B\")) \"B\" (str.++ y \"B\")) \
    (str.++ y \"B\")))";
/// The example of Definition 2.
const QUANTIFIED: &str = "(declare-fun x () Int)(declare-fun y () Int)\
    (assert (and (> x 10) (forall ((z Int)) (< z y))))(check-sat)";

fn parsed(text: &str) -> Script {
    parse(text, "seed", &ParseOptions { dialect: Some(Dialect::SmtLib26) })
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn seed(text: &str) -> Seed {
    Seed::of(&parsed(text), &Fragment::standard().in_logic("ALL")).expect("a seed")
}

fn printed(script: &Script) -> String {
    print(script, Dialect::SmtLib26, &PrintOptions::default()).expect("the dialect spells everything")
}

/// The first assertion of a script, as it is printed.
fn assertion(script: &Script) -> String {
    printed(script).lines().find(|line| line.starts_with("(assert")).unwrap_or_default().to_owned()
}

/// The first assertions of all one-step mutants.
fn one_step(text: &str, way: Way) -> BTreeSet<String> {
    let (seed, settings) = (seed(text), Settings::new(way));
    let mut all = seed.one_step(&settings);
    (0..all.count()).filter_map(|number| all.mutant(number)).map(|script| assertion(&script)).collect()
}

/// How many steps from the seed alone are made until one gives `wanted`.
fn steps_until(wanted: &str, text: &str, way: Way, random: u64) -> Option<u32> {
    let (seed, settings) = (seed(text), Settings::new(way));
    (1..=100_000).find(|&number| {
        let mut chain = seed.chain(&settings);
        chain.step(&mut rng_for(random, 0, number)) && assertion(chain.script()) == wanted
    })
}

#[test]
fn the_paper_s_figures_are_one_step_from_their_seeds() {
    assert!(one_step(REPLACE, Way::Typefuzz).contains(REPLACED));
    let to_int = "(declare-fun x () String)(assert (> (- (str.to_int (str.++ x x))) 0))(check-sat)";
    let mutants = one_step(to_int, Way::Typefuzz);
    assert!(mutants.contains("(assert (> (- (str.to_int (str.++ (str.from_int 0) x))) 0))"));
    // Neither of the other two ways makes a further operator.
    assert!(!one_step(REPLACE, Way::Opfuzz).contains(REPLACED));
    assert!(!one_step(REPLACE, Way::Fuzzchick).contains(REPLACED));
}

#[test]
fn operators_of_the_paper_s_samples_are_exchanged() {
    let sample = |seed: &str, mutant: &str| {
        let declared = "(declare-fun a () Bool)(declare-fun b () Int)(declare-fun c () String)(declare-fun d () String)\
            (declare-fun e () Int)(declare-fun f () Int)";
        assert!(
            one_step(&format!("{declared}(assert {seed})(check-sat)"), Way::Opfuzz)
                .contains(&format!("(assert {mutant})"))
        );
    };
    // Figure 8a, c and g.
    sample(
        "(str.<= c (str.replace \"\" (str.replace \"B\" c \"\") d))",
        "(str.< c (str.replace \"\" (str.replace \"B\" c \"\") d))",
    );
    sample(
        "(= c (str.replace_all d (str.substr (ite a c d) 0 b) c))",
        "(= c (str.replace d (str.substr (ite a c d) 0 b) c))",
    );
    sample("(and (<= e 2 f) (= b 1))", "(and (>= e 2 f) (= b 1))");
    sample("(forall ((x Int)) (< x b))", "(exists ((x Int)) (< x b))");
}

/// Fixed seeds, so that a change of the mutation that makes the paper's example rarer is seen.
#[test]
fn figure_3b_is_drawn_within_its_share() {
    let numbers: Vec<Option<u32>> =
        (0..3).map(|random| steps_until(REPLACED, REPLACE, Way::Typefuzz, random)).collect();
    assert!(numbers.iter().all(|number| number.is_some_and(|number| number < 60_000)), "{numbers:?}");
}

#[test]
fn no_variable_leaves_its_scope() {
    for way in [Way::Fuzzchick, Way::Typefuzz] {
        let mutants = one_step(QUANTIFIED, way);
        assert!(mutants.iter().all(|text| !text.starts_with("(assert (and (< z")), "{mutants:#?}");
        // Inside its scope it moves.
        assert!(mutants.iter().any(|text| text.contains("(< z z)")), "{mutants:#?}");
    }
}

#[test]
fn every_one_step_mutant_is_another_well_sorted_script() {
    let shadowed = "(declare-fun x () Int)(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))\
        (declare-fun l () L)(declare-fun f (Int Int) Int)\
        (assert (let ((y (f x 1)) (b true)) (exists ((y Bool)) (and y b (forall ((b Int)) (= b x))))))\
        (assert (= x (match l ((nil 0) ((cons h t) (+ h 1))))))(check-sat)";
    for text in [REPLACE, QUANTIFIED, shadowed] {
        let seed = seed(text);
        let own = printed(seed.script());
        let mut settings = Settings::new(Way::Mixed);
        settings.neighbours = true;
        let mut all = seed.one_step(&settings);
        let mut different = BTreeSet::new();
        for mutant in (0..all.count()).filter_map(|number| all.mutant(number)) {
            let text = printed(&mutant);
            assert_eq!(parsed(&text), mutant, "{text}");
            assert_ne!(text, own);
            different.insert(text);
        }
        assert!(different.len() > 50, "{}", different.len());
    }
}

#[test]
fn a_mutant_outside_the_logic_of_its_seed_says_so() {
    let linear =
        "(set-logic QF_LIA)(declare-fun x () Int)(declare-fun y () Int)(assert (< (* 2 x) (+ y 1)))(check-sat)";
    let (seed, settings) = (seed(linear), Settings::new(Way::Typefuzz));
    let mut all = seed.one_step(&settings);
    let mutants: Vec<String> =
        (0..all.count()).filter_map(|number| all.mutant(number)).map(|it| printed(&it)).collect();
    let is_nonlinear = |text: &&String| text.contains("(* x y)");
    assert!(mutants.iter().filter(is_nonlinear).all(|text| text.starts_with("(set-logic ALL)")));
    assert!(mutants.iter().any(|text| text.contains("(* x y)")));
    assert!(mutants.iter().any(|text| text.starts_with("(set-logic QF_LIA)")));
}

#[test]
fn a_mutant_outside_difference_logic_says_so() {
    let text = "(set-logic QF_IDL)(declare-fun x () Int)(declare-fun y () Int)(assert (< (- x y) 3))(check-sat)";
    let (seed, settings) = (seed(text), Settings::new(Way::Typefuzz));
    let mut all = seed.one_step(&settings);
    let mutants: Vec<String> =
        (0..all.count()).filter_map(|number| all.mutant(number)).map(|it| printed(&it)).collect();
    let of_sums: Vec<&String> = mutants.iter().filter(|text| text.contains("(+ ")).collect();
    assert!(!of_sums.is_empty() && of_sums.iter().all(|text| text.starts_with("(set-logic ALL)")), "{of_sums:?}");
    assert!(mutants.iter().any(|text| text.starts_with("(set-logic QF_IDL)")));
}

#[test]
fn neighbours_of_literals_are_used_where_they_are_asked_for() {
    let text = "(declare-fun s () String)(declare-fun v () (_ BitVec 4))(assert (= s \"abc\"))(assert (= v #b0111))\
        (assert (< (str.len s) 7))(assert (< 1.5 2.0))(check-sat)";
    let seed = seed(text);
    let mut settings = Settings::new(Way::Fuzzchick);
    let literals =
        ["\"ab\"", "\"bc\"", "\"\"", "#b1000", "#b0110", "#b1111", "#b0000", " 6)", " 8)", " 3)", "0.5", "3.0"];
    let all = |settings: &Settings| {
        let mut all = seed.one_step(settings);
        (0..all.count()).filter_map(|number| all.mutant(number)).map(|it| printed(&it)).collect::<String>()
    };
    let plain = all(&settings);
    assert!(literals.iter().all(|literal| !plain.contains(literal)));
    settings.neighbours = true;
    let made = all(&settings);
    for literal in literals {
        assert!(made.contains(literal), "{literal}: {made}");
    }
}

#[test]
fn assertions_are_added_where_they_are_asked_for() {
    let mut settings = Settings::new(Way::Typefuzz);
    settings.new_assertions = 1.0;
    let seed = seed(QUANTIFIED);
    let mut chain = seed.chain(&settings);
    for number in 0..20 {
        assert!(chain.step(&mut rng_for(1, 0, number)));
    }
    assert_eq!(chain.script().assertions().count(), 21);
    assert_eq!(&parsed(&printed(chain.script())), chain.script());
}

#[test]
fn indexed_operators_are_instantiated() {
    let text = "(declare-fun v () (_ BitVec 4))(declare-fun w () (_ BitVec 8))(assert (= (bvnot v) ((_ extract 7 4) w)))(check-sat)";
    let exchanged = one_step(text, Way::Opfuzz);
    assert!(exchanged.contains("(assert (= ((_ rotate_left 3) v) ((_ extract 7 4) w)))"), "{exchanged:#?}");
    let made = one_step(text, Way::Typefuzz);
    for each in [
        "(assert (= (bvnot ((_ extract 3 0) w)) ((_ extract 7 4) w)))",
        "(assert (= (bvnot v) ((_ extract 7 4) (concat v v))))",
    ] {
        assert!(made.contains(each), "{each}");
    }
}

/// Each further argument of `concat` would widen it.
#[test]
fn further_arguments_leave_the_sort_as_it_is() {
    let text = "(declare-fun v () (_ BitVec 4))(declare-fun w () (_ BitVec 8))\
        (assert (= w (concat v (bvadd v #b0101))))(assert (bvult w (bvadd w w #x0f)))(check-sat)";
    let seed = seed(text);
    let mut settings = Settings::new(Way::Typefuzz);
    settings.more_arguments = true;
    let mut concatenations = 0;
    for number in 0..400 {
        let mut chain = seed.chain(&settings);
        if chain.step(&mut rng_for(1, 0, number)) {
            let mutant = printed(chain.script());
            assert_eq!(&parsed(&mutant), chain.script(), "{mutant}");
            concatenations += mutant.matches("(concat").count();
        }
    }
    assert!(concatenations > 400, "{concatenations} in 400 mutants of one");
}
