//! `DeltaSMT` on what section 3 of its paper describes: which candidates are tried, in which order, and what is left.

use std::sync::Mutex;

use crate::oracle::OracleError;
use crate::reduce::property::{Judgement, Property, Rigour};
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Plan, Reduction, reduce};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

const DECLARATIONS: &str = "(declare-fun p () Bool)\n(declare-fun q () Bool)\n(declare-fun x () (_ BitVec 4))\n\
    (declare-fun y () (_ BitVec 4))\n(declare-fun b () (_ BitVec 1))\n\
    (declare-fun m () (Array (_ BitVec 4) (_ BitVec 4)))\n";

/// Holds for scripts whose assertions the rule lets through; remembers the assertions of all that were judged.
struct Rule<F> {
    holds: F,
    judged: Mutex<Vec<String>>,
}

impl<F: Fn(&str) -> bool + Sync> Property for Rule<F> {
    fn judge(&self, script: &Script, rigour: Rigour, _: &Interrupt) -> Result<Judgement, OracleError> {
        let text = print(script, Dialect::SmtLib26, &PrintOptions::default()).expect("the dialect spells it");
        let assertions: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("(assert ")).collect();
        let assertions: Vec<&str> = assertions.iter().filter_map(|line| line.strip_suffix(')')).collect();
        let assertions = assertions.join("; ");
        if rigour == Rigour::Look {
            self.judged.lock().expect("one thread").push(assertions.clone());
        }
        Ok(if (self.holds)(&assertions) { Judgement::Holds } else { Judgement::Fails })
    }
}

/// What is left of these assertions, and the candidates, both as assertions.
fn reduced(assertions: &str, holds: impl Fn(&str) -> bool + Sync) -> (String, Vec<String>, Reduction) {
    let text = format!("{DECLARATIONS}{assertions}\n(check-sat)\n");
    let script = parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script");
    let property = Rule { holds, judged: Mutex::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let plan = Plan {
        strategy: Strategy::DeltaSmt,
        freedom: Freedom { keep_names: true, ..Freedom::default() },
        dialect: Dialect::SmtLib26,
        seed: 0,
        most_tests: u64::MAX,
        trusting: false,
        enough: &|| false,
        pool: &pool,
    };
    let reduction = reduce(&script, &property, &plan, &|_, _, _| {}, &Interrupt::new());
    let reduction = reduction.expect("no solver is asked").expect("the input has the property");
    let text = print(&reduction.script, Dialect::SmtLib26, &PrintOptions::default()).expect("the dialect spells it");
    let left: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("(assert ")).collect();
    let left: Vec<&str> = left.iter().filter_map(|line| line.strip_suffix(')')).collect();
    (left.join("; "), property.judged.into_inner().expect("one thread"), reduction)
}

/// The candidates of a script of which nothing can be taken away.
fn tried(assertions: &str) -> Vec<String> {
    let first = Mutex::new(None);
    let (left, judged, _) = reduced(assertions, |text| {
        let mut first = first.lock().expect("one thread");
        first.get_or_insert_with(|| text.to_owned()) == text
    });
    assert_eq!(Some(left), first.into_inner().expect("one thread"));
    judged
}

#[test]
fn the_boolean_layer_is_searched_before_anything_else() {
    let (left, judged, _) =
        reduced("(assert (or (and p q) (and q (not (bvult x y)))))", |text| text.contains("(bvult x y)"));
    assert_eq!(left, "(bvult x y)");
    assert_eq!(judged[..5], ["(and p q)", "(and q (not (bvult x y)))", "q", "(not (bvult x y))", "(bvult x y)"]);
}

#[test]
fn several_assertions_are_children_of_one_root() {
    let (left, judged, _) = reduced("(assert (not p))\n(assert (bvult x y))", |text| text.contains("bvult"));
    assert_eq!(judged[..2], ["(not p)", "(bvult x y)"]);
    assert_eq!(left, "(bvult #x0 #x0)");
}

#[test]
fn zero_comes_before_one_and_both_before_children() {
    let candidates = tried("(assert (= (bvmul x y) #xf))");
    // Nothing is boolean below the root, so that the first phase tries nothing. `#xf` is as short as any other constant, and
    // `(= y #xf)` is `(= x #xf)` by another name.
    insta::assert_snapshot!(candidates.join("\n"), @r"
    false

    (= #x0 #xf)
    (= #x1 #xf)
    (= x #xf)
    (= (bvmul #x0 y) #xf)
    (= (bvmul #x1 y) #xf)
    (= (bvmul x #x0) #xf)
    (= (bvmul x #x1) #xf)
    ");
}

#[test]
fn a_bit_has_both_constants_and_an_array_none() {
    let candidates = tried("(assert (= (select m (concat #b000 b)) (select (store m x y) x)))");
    let with = |part: &str| candidates.iter().any(|candidate| candidate.contains(part));
    assert!(with("(concat #b000 #b0)") && with("(concat #b000 #b1)"), "{candidates:#?}");
    assert!(with("(select m x)") && with("(select m #x0)"), "a write gives way to the array: {candidates:#?}");
    assert!(candidates.iter().all(|candidate| !candidate.contains("as const")), "{candidates:#?}");
    // The root, the two reads, the concatenation, its bit, the write, x and y have two each; the array has none.
    let (left, ..) = reduced("(assert (= m (store m x y)))", |text| text.contains("(= m"));
    assert_eq!(left, "(= m m)");
}

#[test]
fn a_predicate_gives_way_to_constants_but_not_to_what_it_compares() {
    let candidates = tried("(assert (not (bvult (bvnot x) y)))");
    assert_eq!(candidates[..2], ["(bvult (bvnot x) y)", "false"]);
    assert!(candidates.iter().all(|candidate| candidate != "(not x)" && candidate != "(not y)"), "{candidates:#?}");
}

#[test]
fn only_the_end_of_a_chain_is_tried_and_only_where_its_sort_fits() {
    let candidates = tried("(assert (bvult (bvadd (bvnot (bvneg (bvnot x))) y) y))");
    let of_sum: Vec<&String> = candidates.iter().filter(|candidate| !candidate.contains("bvadd")).collect();
    insta::assert_snapshot!(of_sum.into_iter().cloned().collect::<Vec<_>>().join("\n"), @r"
    false

    (bvult #x0 y)
    (bvult #x1 y)
    (bvult (bvnot (bvneg (bvnot x))) y)
    (bvult y y)
    (bvult x y)
    ");
    // The chain of `concat`'s child ends in a single bit.
    let candidates = tried("(assert (bvult (concat (bvnot ((_ sign_extend 1) b)) #b00) y))");
    assert!(candidates.iter().all(|candidate| candidate != "(bvult b y)"), "{candidates:#?}");
}

#[test]
fn deeply_nested_writes_go_in_one_step() {
    let write = |inner: &str, index: &str| format!("(store {inner} {index} y)");
    let chain =
        ["#x1", "#x2", "#x3", "#x4", "#x5", "#x6"].iter().fold("m".to_owned(), |inner, index| write(&inner, index));
    let (left, judged, reduction) = reduced(&format!("(assert (= (select {chain} x) #x7))"), |text| {
        // None but all of them or no write is what is wrong.
        text.contains("(select") && text.contains('m') && [0, 6].contains(&text.matches("(store").count())
    });
    assert_eq!(left, "(= (select m #x0) #x7)");
    assert!(judged.iter().any(|candidate| candidate.matches("(store").count() == 5), "{judged:#?}");
    assert!(reduction.tally.accepted < 6, "{:?}", reduction.tally);
}

#[test]
fn what_was_refused_is_not_tried_again_above_something_new() {
    let (left, judged, _) = reduced("(assert (= (bvmul x y) (bvudiv y (bvnot #x9))))", |text| {
        text.contains("(bvmul x y)") && text.contains("(bvudiv y")
    });
    assert_eq!(left, "(= (bvmul x y) (bvudiv y #x0))");
    let of_product: Vec<&String> = judged.iter().filter(|candidate| candidate.starts_with("(= x ")).collect();
    assert_eq!(of_product, ["(= x (bvudiv y (bvnot #x9)))"], "the product is the same node after the substitution");
    let of_quotient = judged.iter().filter(|candidate| candidate.as_str() == "(= (bvmul x y) y)").count();
    assert_eq!(of_quotient, 1, "the quotient is a new node, but this candidate is known: {judged:#?}");
    let quotient_by_zero = judged.iter().filter(|candidate| candidate.starts_with("(= (bvmul x y) #x0")).count();
    assert_eq!(quotient_by_zero, 1, "{judged:#?}");
}

#[test]
fn a_condition_in_a_wrapped_predicate_becomes_the_root() {
    // The wrapper of section 2.1: no boolean child of the root leads to the predicate in it.
    let wrapped = "(assert (= (bvand (ite (bvult x y) #b1 #b0) b) #b1))";
    let (left, judged, _) = reduced(wrapped, |text| {
        let alone = text.starts_with("(bvult") && !text.contains("ite");
        alone || text.contains("(= (bvand (ite (bvult x y) #b1 #b0) b) #b1)")
    });
    assert_eq!(left, "(bvult x y)");
    assert_eq!(judged.last().map(String::as_str), Some("(bvult x y)"), "the last phase finds it");
}
