//! The standard's laws, and what is decided although something is open.

use super::*;
use crate::semantics::interpretation::{Function, Partial};
use crate::smtlib::parser::{ParseOptions, parse};

const DECLARATIONS: &str = "(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)(declare-fun p () Bool)\
     (declare-fun f (Int) Int)(declare-fun a () (Array Int Int))";

/// The values of the assertions of a script in which x is 7, y is -2 and `(f 7)` is 8.
fn outcomes(text: &str) -> Vec<Outcome> {
    let script = parse(&format!("{DECLARATIONS}{text}"), "test", &ParseOptions::default()).unwrap();
    let mut interpretation = Interpretation::new();
    interpretation.set(Symbol::new("x"), Value::int(7));
    interpretation.set(Symbol::new("y"), Value::int(-2));
    interpretation.set_at(Symbol::new("f"), vec![Value::int(7)], Value::int(8));
    let mut evaluator = Evaluator::new(&script, &interpretation);
    script.assertions().map(|term| evaluator.value(term)).collect()
}

fn outcome(term: &str) -> Outcome {
    outcomes(&format!("(assert {term})")).swap_remove(0)
}

fn assert_all(expected: bool, terms: &[&str]) {
    for term in terms {
        assert_eq!(outcome(term), Ok(Value::Bool(expected)), "{term}");
    }
}

#[test]
fn core_and_symbols() {
    assert_all(true, &["true", "(not false)", "(xor true false false)", "(= x 7)", "(distinct x y 3)", "(= (f x) 8)"]);
    assert_all(false, &["(= x y)", "(distinct x y 7)", "(=> true true false)", "(ite (< x y) true false)"]);
    assert_eq!(outcome("(= z 1)"), Err(Open::Silent(Symbol::new("z"))));
    assert_eq!(outcome("(= (f y) 1)"), Err(Open::Silent(Symbol::new("f"))));
}

#[test]
fn what_decides_decides_although_another_is_open() {
    assert_all(false, &["(and p (< x y))", "(and (< x y) p)", "(distinct p p)", "(distinct x z 7)", "(= x z y)"]);
    assert_all(
        true,
        &["(or p true)", "(=> p true)", "(=> false p)", "(= (div z 0) (div z 0))", "(ite p true (= x 7))"],
    );
    assert_all(true, &["(= (ite p x 7) 7)", "(let ((q (= z 1))) (or q (= x 7)))"]);
    for open in ["(and p true)", "(or p false)", "(=> p false)", "(=> true p)", "(not p)", "(ite p true false)"] {
        assert_eq!(outcome(open), Err(Open::Silent(Symbol::new("p"))), "{open}");
    }
}

#[test]
fn integer_division_is_that_of_the_standard() {
    assert_all(
        true,
        &[
            "(= (div 7 2) 3)",
            "(= (div (- 7) 2) (- 4))",
            "(= (div 7 (- 2)) (- 3))",
            "(= (div (- 7) (- 2)) 4)",
            "(= (mod (- 7) 2) 1)",
            "(= (mod (- 7) (- 2)) 1)",
            "(= (div 100 7 2) 7)",
            "((_ divisible 3) (- 9))",
            "(= (abs y) 2)",
            "(= (- 1 2 3) (- 4))",
            "(< 1 2 3)",
        ],
    );
    assert_all(false, &["(< 1 3 2)", "(>= 1 2)", "((_ divisible 3) 8)"]);
    for dividend in -9_i64..=9 {
        for divisor in (-4_i64..=4).filter(|&divisor| divisor != 0) {
            let number = |value: i64| if value < 0 { format!("(- {})", -value) } else { value.to_string() };
            let (m, n) = (number(dividend), number(divisor));
            assert_all(
                true,
                &[
                    &format!("(= {m} (+ (* {n} (div {m} {n})) (mod {m} {n})))"),
                    &format!("(<= 0 (mod {m} {n}) (- (abs {n}) 1))"),
                ],
            );
        }
    }
}

#[test]
fn reals_are_exact() {
    assert_all(
        true,
        &["(= (* 3.0 (/ 1.0 3.0)) 1.0)", "(= (to_int (- 0.5)) (- 1))", "(is_int (/ 4.0 2.0))", "(= (to_real x) 7.0)"],
    );
    assert_all(true, &["(< 0.1 (/ 1 9) 0.12)", "(= 0.50 0.5)"]);
    assert_all(false, &["(is_int 0.5)"]);
}

#[test]
fn division_by_zero_is_free_unless_the_interpretation_says_what_it_is() {
    for free in ["(= (div x 0) 1)", "(= (mod x 0) 1)", "(= (/ 1.0 0.0) 1.0)"] {
        assert_eq!(outcome(free), Err(Open::Free), "{free}");
    }
    let script = parse("(assert (= (div 5 0) 3))(assert (= (div 6 0) 3))", "test", &ParseOptions::default()).unwrap();
    let mut interpretation = Interpretation::new();
    let entries = [(vec![Value::int(5), Value::int(0)], Value::int(3))].into();
    interpretation.set_free(Partial::Div, Function::Table { entries, default: None });
    let mut evaluator = Evaluator::new(&script, &interpretation);
    let values: Vec<Outcome> = script.assertions().map(|term| evaluator.value(term)).collect();
    assert_eq!(values, [Ok(Value::Bool(true)), Err(Open::Free)]);
}

#[test]
fn arrays_are_functions() {
    assert_all(
        true,
        &[
            "(= (select (store ((as const (Array Int Int)) 1) x 5) 7) 5)",
            "(= (select (store ((as const (Array Int Int)) 1) x 5) 8) 1)",
            "(= (store ((as const (Array Int Int)) 1) x 1) ((as const (Array Int Int)) 1))",
            "(= (store (store ((as const (Array Bool Int)) 1) true 2) false 2) ((as const (Array Bool Int)) 2))",
            "(= (select ((as const (Array Int Real)) 1) 3) 1.0)",
            "(= a a)",
        ],
    );
    assert_all(false, &["(= ((as const (Array Int Int)) 1) ((as const (Array Int Int)) 2))"]);
    let unknown = "(declare-sort A 0)(assert (= ((as const (Array A Int)) 1) ((as const (Array A Int)) 1)))\
                   (declare-fun e () A)(assert (= ((as const (Array A Int)) 1) (store ((as const (Array A Int)) 2) e 1)))";
    assert_eq!(outcomes(unknown)[0], Ok(Value::Bool(true)));
    assert!(outcomes(unknown)[1].is_err(), "nobody knows whether A has another element");
}

#[test]
fn definitions_lets_and_named_terms() {
    assert_all(true, &["(let ((x 1) (q x)) (= (+ x q) 8))", "(let ((q 1)) (let ((q (+ q q))) (= q 2)))"]);
    let text = "(define-fun twice ((q Int)) Int (+ q q))(define-fun four () Int (twice 2))(assert (= (twice four) 8))\
        (define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))(assert (= (sum 1000) 500500))\
        (define-fun-rec endless ((n Int)) Bool (endless (+ n 1)))(assert (endless 0))\
        (define-fun-rec stops ((n Int)) Bool (or (= n 5) (stops (+ n 1))))(assert (stops 0))\
        (assert (! (= x 7) :named seven))(assert (and seven (= y (- 2))))";
    let found = outcomes(text);
    let yes = Ok(Value::Bool(true));
    assert_eq!(found[..2], [yes.clone(), yes.clone()]);
    assert_eq!(found[2], Err(Open::GaveUp("calls that nest deeply")));
    assert_eq!(found[3..], [yes.clone(), yes.clone(), yes]);
}

#[test]
fn a_chain_of_growing_values_is_given_up_before_the_memory_is() {
    // The values of the terms inside would take 2 * 20,000² bytes.
    let chain = |length: usize| {
        let (before, after) = ("(str.++ \"a\" ".repeat(length), ")".repeat(length));
        outcomes(&format!("(assert (= (str.len {before}\"a\"{after}) {}))", length + 1))
    };
    assert_eq!(chain(20_000)[0], Err(Open::GaveUp("values of 256 MB in all")));
    assert_eq!(chain(1_000)[0], Ok(Value::Bool(true)));
}

#[test]
fn a_shared_let_is_evaluated_once_a_scope() {
    let mut text = String::from("(= q 1)");
    for level in 0..60 {
        text = format!("(let ((w{level} (and {text} {text}))) (or w{level} w{level}))");
        if text.len() > 5000 {
            break;
        }
    }
    // Sixty times over by names: each level means the one before twice.
    let mut chain = String::from("(= x v59)");
    for level in (1..60).rev() {
        chain = format!("(let ((v{level} (+ v{} v{}))) {chain})", level - 1, level - 1);
    }
    assert_eq!(outcome(&format!("(let ((v0 1)) {chain})")), Ok(Value::Bool(false)));
    assert_all(true, &[&format!("(let ((q 1)) {text})")]);
}

#[test]
fn terms_may_nest_very_deep() {
    let depth = 100_000;
    let deep = format!("{}p{}", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(outcome(&deep), Err(Open::Silent(Symbol::new("p"))));
    let lets = format!("{}(= q 1){}", "(let ((q 1)) ".repeat(20_000), ")".repeat(20_000));
    assert_all(true, &[&lets]);
}

#[test]
fn small_domains_are_expanded() {
    assert_all(
        true,
        &[
            "(forall ((b Bool)) (or b (not b)))",
            "(exists ((v (_ BitVec 8))) (= (bvmul v #x03) #x01))",
            "(forall ((v (_ BitVec 6)) (w (_ BitVec 6))) (= (bvadd v w) (bvadd w v)))",
            "(forall ((i Int)) (=> (and (<= 0 i) (< i x)) (< (* i i) 49)))",
            "(forall ((i Int) (j Int)) (=> (and (<= 0 i) (< i x) (< i j) (<= j x)) (< i 7)))",
            "(forall ((i Int)) (or (< i 0) (> i 3) (= (div i 4) 0)))",
            "(forall ((i Int)) (=> (= i (+ x 1)) (= i 8)))",
            "(forall ((i Int)) (=> (< 5 i 4) false))",
        ],
    );
    assert_all(
        false,
        &["(forall ((i Int)) (=> (and (<= 0 i) (<= i x)) (< i 7)))", "(exists ((i Int)) (and (< x i) (< i 8)))"],
    );
}

#[test]
fn large_domains_are_decided_by_what_is_found() {
    assert_all(
        true,
        &["(exists ((i Int)) (> i x))", "(forall ((i Int)) (= x 7))", "(exists ((s String)) (= s \"ab\"))"],
    );
    assert_all(false, &["(forall ((i Int)) (<= i x))", "(forall ((r Real)) (not (= r 2.5)))"]);
    for open in ["(forall ((i Int)) (= (+ i 0) i))", "(exists ((i Int)) (= (* i i) 1000000))"] {
        assert_eq!(outcome(open), Err(Open::Quantifier), "{open}");
    }
    // The bound j is that of the quantifier, not the one outside, so that a large j refutes.
    let captured = "(let ((j 3)) (forall ((i Int) (j Int)) (=> (and (<= 0 i) (<= i j)) (< i 900))))";
    assert_ne!(outcome(captured), Ok(Value::Bool(true)));
}

#[test]
fn what_has_no_semantics_is_said_by_name() {
    let float = "(fp.isNaN ((_ to_fp 8 24) RNE 1.0))";
    assert!(matches!(outcome(float), Err(Open::Unsupported(_))), "{:?}", outcome(float));
}

#[test]
fn all_closed_terms_get_their_values() {
    let script = parse("(assert (let ((q 2)) (< 1 q 3)))", "test", &ParseOptions::default()).unwrap();
    let interpretation = Interpretation::new();
    let values = Evaluator::new(&script, &interpretation).values();
    assert_eq!(values.len(), script.terms.len());
    let open = values.iter().filter(|value| value.is_none()).count();
    assert_eq!(open, 2, "q, and the comparison in which it occurs");
    assert!(values.iter().flatten().all(Result::is_ok));
}

#[test]
fn an_overloaded_name_has_no_value_and_a_named_term_keeps_its_own() {
    let text = "(declare-fun f (Int) Bool)(declare-fun f (String) Int)(declare-fun x () Int)\
                (assert (= (f 3) true))(assert (or (! (> x 0) :named n) true))(assert n)(check-sat)";
    let script = parse(text, "test", &ParseOptions::default()).unwrap();
    let mut interpretation = Interpretation::new();
    interpretation.set(Symbol::new("x"), Value::int(-1));
    interpretation.set(Symbol::new("n"), Value::Bool(true));
    interpretation.set_at(Symbol::new("f"), vec![Value::int(3)], Value::int(7));
    let mut evaluator = Evaluator::new(&script, &interpretation);
    let outcomes: Vec<Outcome> = script.assertions().map(|assertion| evaluator.value(assertion)).collect();
    let silent = Err(Open::Silent(Symbol::new("f")));
    assert_eq!(outcomes, [silent, Ok(Value::Bool(true)), Ok(Value::Bool(false))]);
}
