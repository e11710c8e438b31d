//! Models as the solvers print them.

use super::*;
use crate::semantics::evaluate::{Evaluator, Open, Outcome};
use crate::semantics::value::Value;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::symbol::Symbol;

const SCRIPT: &str = r#"
(declare-sort A 0)
(declare-fun a () A)
(declare-fun b () A)
(declare-fun f (Int) Int)
(declare-fun g (A Int) Bool)
(declare-fun m () (Array Int Int))
(declare-fun n () (Array Int (_ BitVec 8)))
(declare-fun x () Int)
(declare-fun r () Real)
(declare-fun v () (_ BitVec 8))
(declare-fun s () String)
(declare-fun |a b| () Bool)
(define-fun twice ((q Int)) Int (* 2 q))
(assert (distinct a b))
(assert (g a 3))
(assert (not (g b 3)))
(assert (= (f 1) 5))
(assert (= (f 2) 7))
(assert (= (select m 3) (twice 4)))
(assert (= (select m 9) (- 8)))
(assert (= (select n 9) #x0a))
(assert (= x (- 5)))
(assert (= (* 3.0 r) 1.0))
(assert (bvult v #x05))
(assert (= s "a\x01""\n"))
(assert |a b|)
"#;

fn values(script: &str, model: &str, dialect: Dialect) -> Vec<Outcome> {
    let script = parse(script, "script", &ParseOptions::default()).unwrap();
    let interpretation = read(model, "model", &script, dialect).unwrap_or_else(|error| panic!("{error}"));
    let mut evaluator = Evaluator::new(&script, &interpretation);
    script.assertions().map(|term| evaluator.value(term)).collect()
}

/// Also that the model holds that is written of what was read.
fn assert_holds(script: &str, model: &str, dialect: Dialect) {
    let parsed = parse(script, "script", &ParseOptions::default()).unwrap();
    let declarations: Vec<_> = parsed.declarations().cloned().collect();
    let written = write(&read(model, "model", &parsed, dialect).unwrap(), &declarations);
    for (number, value) in values(script, &written, Dialect::SmtLib26).into_iter().enumerate() {
        assert_eq!(value, Ok(Value::Bool(true)), "assertion {number} of what is written: {written}");
    }
    for (number, value) in values(script, model, dialect).into_iter().enumerate() {
        assert_eq!(value, Ok(Value::Bool(true)), "assertion {number}");
    }
}

const Z3: &str = r#"
  ;; universe for A:
  ;;   A!val!0 A!val!1
  ;; -----------
  ;; definitions for universe elements:
  (declare-fun A!val!0 () A)
  (declare-fun A!val!1 () A)
  ;; cardinality constraint:
  (forall ((x A)) (or (= x A!val!0) (= x A!val!1)))
  ;; -----------
  (define-fun v () (_ BitVec 8)
    #x04)
  (define-fun n () (Array Int (_ BitVec 8))
    ((as const (Array Int (_ BitVec 8))) #x0a))
  (define-fun a () A
    A!val!0)
  (define-fun b () A
    A!val!1)
  (define-fun m () (Array Int Int)
    (store ((as const (Array Int Int)) (- 8)) 3 8))
  (define-fun |a b| () Bool
    true)
  (define-fun s () String
    "a\x01""\n")
  (define-fun r () Real
    (/ 1.0 3.0))
  (define-fun x () Int
    (- 5))
  (define-fun g ((x!0 A) (x!1 Int)) Bool
    (ite (and (= x!0 A!val!1) (= x!1 3)) false
      true))
  (define-fun f ((x!0 Int)) Int
    (ite (= x!0 2) 7
      5))
  (define-fun div0 ((x!0 Int) (x!1 Int)) Int
    3)
  (define-fun /0 ((x!0 Real)) Real
    4.0)
  (define-fun twice ((x!0 Int)) Int
    (* 2 x!0))
)
"#;

#[test]
fn z3_old_and_new() {
    assert_holds(SCRIPT, &format!("sat\n(model {Z3}"), Dialect::SmtLib26);
    let more = format!(
        "{SCRIPT}(assert (= (div x 0) 3))(assert (= (/ r 0.0) 4.0))\
         (assert (forall ((e A)) (or (= e a) (= e b))))(assert (exists ((e A)) (not (g e 3))))"
    );
    assert_holds(&more, &format!("sat\n({Z3}"), Dialect::SmtLib26);
}

#[test]
fn cvc4() {
    let model = r#"sat
(model
; cardinality of A is 2
(declare-sort A 0)
; rep: @uc_A_0
; rep: @uc_A_1
(define-fun a () A @uc_A_0)
(define-fun b () A @uc_A_1)
(define-fun f ((BOUND_VARIABLE_669 Int)) Int (ite (= BOUND_VARIABLE_669 1) 5 7))
(define-fun g ((BOUND_VARIABLE_686 A) (BOUND_VARIABLE_687 Int)) Bool (ite (= @uc_A_0 BOUND_VARIABLE_686) (= BOUND_VARIABLE_687 3) false))
(define-fun m () (Array Int Int) (store (store ((as const (Array Int Int)) 0) 3 8) 9 (- 8)))
(define-fun n () (Array Int (_ BitVec 8)) (store ((as const (Array Int (_ BitVec 8))) (_ bv0 8)) 9 (_ bv10 8)))
(define-fun x () Int (- 5))
(define-fun r () Real (/ 1 3))
(define-fun v () (_ BitVec 8) #b00000000)
(define-fun s () String "a\u{5c}x01""\u{5c}n")
(define-fun |a b| () Bool true)
)"#;
    assert_holds(SCRIPT, model, Dialect::SmtLib26);
}

#[test]
fn cvc5_names_elements_with_their_sorts() {
    let model = r"(
(define-fun a () A (as @A_0 A))
(define-fun b () A (as @A_1 A))
(define-fun g ((_arg_1 A) (_arg_2 Int)) Bool (and (= (as @A_0 A) _arg_1) (= 3 _arg_2)))
)";
    let script = "(declare-sort A 0)(declare-fun a () A)(declare-fun b () A)(declare-fun g (A Int) Bool)\
                  (assert (distinct a b))(assert (g a 3))(assert (not (g b 3)))";
    assert_holds(script, model, Dialect::SmtLib26);
}

#[test]
fn values_of_terms() {
    let script = "(declare-fun x () Int)(declare-fun r () Real)(declare-fun s () String)(declare-fun f (Int) Int)\
                  (assert (= x (- 5)))(assert (= r 2.0))(assert (= s \"A\"))(assert (= (f 1) 5))(assert (= (f 2) 5))";
    let model = "sat\n((x (- 5))\n (r 2)\n (s \"\\x41\")\n ((f 1) 5)\n ((+ x 1) 7))\n";
    let found = values(script, model, Dialect::SmtLib25);
    assert!(found[..4].iter().all(|value| *value == Ok(Value::Bool(true))), "{found:?}");
    assert_eq!(found[4], Err(Open::Silent(Symbol::new("f"))));
}

#[test]
fn arrays_that_are_functions() {
    let script = "(declare-fun a () (Array Int Int))(declare-fun c () (Array Int Bool))(declare-fun d () (Array Int Bool))\
                  (assert (= (select a 2) 9))(assert (= a (store ((as const (Array Int Int)) 4) 2 9)))\
                  (assert (select c 3))(assert (not (select c 12)))(assert (= d (store d 5 true)))(assert (= c d))";
    let model = "(
  (define-fun a () (Array Int Int) (_ as-array k!0))
  (define-fun c () (Array Int Bool)
    (lambda ((x!1 Int)) (not (<= 12 x!1))))
  (define-fun d () (Array Int Bool) (lambda ((x!1 Int)) (let ((a!1 (= x!1 5))) (ite a!1 true false))))
  (define-fun k!1 ((x!0 Int)) Int (ite (= x!0 2) 2 0))
  (define-fun k!0 ((x!0 Int)) Int (ite (= (k!1 x!0) 2) 9 4))
)";
    let found = values(script, model, Dialect::SmtLib26);
    let yes = vec![Ok(Value::Bool(true)); 5];
    assert_eq!(found[..5], yes);
    // One of them is no constant but for finitely many indices, so that it has elements, but is no value.
    assert_eq!(found[5], Err(Open::Unsupported(Symbol::new("lambda"))));
}

#[test]
fn arrays_that_are_defined_as_functions() {
    let script = "(declare-fun a () (Array (_ BitVec 2) (_ BitVec 4)))(declare-fun f ((_ BitVec 2)) (_ BitVec 4))\
                  (assert (= (select a #b01) (f #b10)))(assert (= a (store a #b00 #x0)))";
    let model = "(
  (define-fun a (
   (a_x0 (_ BitVec 2))) (_ BitVec 4)
    (ite (= a_x0 #b01) #b1111
      #b0000))
  (define-fun f (
   (f_x0 (_ BitVec 2))) (_ BitVec 4)
    (ite (= f_x0 #b10) #b1111
      #b0000))
)";
    assert_holds(script, model, Dialect::SmtLib26);
}

#[test]
fn predicates_that_are_defined_as_functions_to_a_bit() {
    let script = "(declare-fun p ((_ BitVec 2)) Bool)(assert (p #b10))(assert (not (p #b11)))";
    let model = "(
  (define-fun p (
   (p_x0 (_ BitVec 2))) (_ BitVec 1)
    (ite (= p_x0 #b10) #b1
      #b0))
)";
    assert_holds(script, model, Dialect::SmtLib26);
}

#[test]
fn what_is_no_model_is_told_with_its_place() {
    let script = parse("(declare-fun x () Int)", "script", &ParseOptions::default()).unwrap();
    for (model, place) in [
        ("unsat\n", "1:1"),
        ("sat\n(model\n  (define-fun x () Int\n    (+ 1)", "4:10"),
        ("(\n  (define-fun x () Int [))\n", "2:24"),
        ("(\n  (define-fun x () (Array Int Int) (lambda ((i Int)) i)) (define-fun y () ) 1))", "2:75"),
        ("(error \"line 3 column 10: model is not available\")", "1:2"),
        ("((x 1) y)", "1:8"),
        ("((x \"a", "1:5"),
    ] {
        let error = read(model, "m", &script, Dialect::SmtLib26).expect_err(model);
        assert!(error.to_string().starts_with(&format!("m:{place}: ")), "{model}: {error}");
    }
    assert!(read("sat\n()\n", "m", &script, Dialect::SmtLib26).is_ok(), "a model may be empty");
}

#[test]
fn the_dialect_of_literals_is_that_of_the_escapes_or_of_the_script() {
    let old = "(assert (= (str.to.int x) 1))";
    assert_eq!(literal_dialect("((x \"\\u{7f}\"))", old), Dialect::SmtLib26);
    assert_eq!(literal_dialect("((x \"\\x7f\"))", old), Dialect::SmtLib25);
    assert_eq!(literal_dialect("((x \"\\x7f\"))", "(assert (= (Concat x) x))"), Dialect::SmtLib25);
    assert_eq!(literal_dialect("((x \"a\"))", "(assert true)"), Dialect::SmtLib26);
}

#[test]
fn no_beginning_of_a_model_is_too_short_to_be_refused_or_read() {
    let script = parse(SCRIPT, "script", &ParseOptions::default()).unwrap();
    for end in (0..Z3.len()).filter(|&end| Z3.is_char_boundary(end)).step_by(7) {
        for text in [format!("({}", &Z3[..end]), format!("({})", &Z3[end..]), format!("(({}", &Z3[..end])] {
            drop(read(&text, "m", &script, Dialect::SmtLib26));
        }
    }
}

#[test]
fn an_item_outside_of_a_sequence_is_what_the_model_says_of_that_sort() {
    let script = "(declare-fun p () (Seq Int))(declare-fun q () (Seq Bool))\
                  (assert (= (seq.nth p 7) 404))(assert (seq.nth q 7))(assert (= (seq.nth (seq.unit 5) 0) 5))";
    // Z3 5.4.1.
    let model = "(\n  (define-fun p () (Seq Int)\n    (as seq.empty (Seq Int)))\n  (define-fun q () (Seq Bool)\n    \
                 (as seq.empty (Seq Bool)))\n  (define-fun seq.nth_u ((x!0 (Seq Int)) (x!1 Int)) Int\n    404)\n)\n";
    let holds = Ok(Value::Bool(true));
    assert_eq!(values(script, model, Dialect::SmtLib26), [holds.clone(), Err(Open::Free), holds]);
}

#[test]
fn a_value_of_another_sort_than_the_declared_one_says_nothing() {
    let script = "(declare-fun r () Real)(declare-fun x () Int)(declare-fun m () (Array Int Int))\
                  (declare-fun n () (Array Int Int))\
                  (assert (= r 2.0))(assert (= x 1))(assert (= (select m 2) 9))(assert (= (select n 2) 9))";
    let model = "(\n  (define-fun r () t 2)\n  (define-fun x () Int \"a\")\n  \
                 (define-fun m () (Array Int Int) (_ as-array k!0))\n  \
                 (define-fun n () (Array Int Int) (_ as-array k!1))\n  \
                 (define-fun k!0 ((x!0 Irt)) Int (ite (= x!0 2) 9 4))\n  \
                 (define-fun k!1 ((x!0 Int)) Int (ite (= x!0 \"a\") 9 4))\n)\n";
    let found = values(script, model, Dialect::SmtLib26);
    assert_eq!(found[0], Ok(Value::Bool(true)), "an integer is a real");
    assert!(found[1..].iter().all(|value| *value != Ok(Value::Bool(true))), "{found:?}");
    let parsed = parse(script, "script", &ParseOptions::default()).unwrap();
    let declarations: Vec<_> = parsed.declarations().cloned().collect();
    let written = write(&read(model, "model", &parsed, Dialect::SmtLib26).unwrap(), &declarations);
    assert!(written.contains("(define-fun r () Real 2.0)") && !written.contains("define-fun x "), "{written}");
}

#[test]
fn what_is_written_has_all_that_functions_need_and_no_more() {
    let script = "(declare-sort U 0)(declare-fun p (U) Bool)(declare-fun q (U) Bool)\
        (assert (exists ((x U)) (p x)))(assert (exists ((x U)) (q x)))";
    let model = "(
  (declare-fun U!val!0 () U)
  (declare-fun U!val!1 () U)
  (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))
  (define-fun k!3 ((x!0 U)) U (ite (= x!0 U!val!0) U!val!0 U!val!1))
  (define-fun p ((x!0 U)) Bool (= (k!3 x!0) U!val!1))
  (define-fun q ((x!0 U)) Bool (= x!0 U!val!0))
)";
    assert_holds(script, model, Dialect::SmtLib26);
    let parsed = parse(script, "script", &ParseOptions::default()).unwrap();
    let only_q: Vec<_> = parsed.declarations().filter(|each| each.name == Symbol::new("q")).cloned().collect();
    let written = write(&read(model, "model", &parsed, Dialect::SmtLib26).unwrap(), &only_q);
    assert!(written.contains("U!val!1") && !written.contains("k!3") && !written.contains("fun p "), "{written}");
}

/// The values of a script's assertions under a model of it.
fn held(script: &str, model: &str) -> Vec<Outcome> {
    values(script, model, Dialect::SmtLib26)
}

const SHAPES: &str = r#"
(declare-const shape RegLan)
(declare-const other RegLan)
(assert (= shape (re.++ (re.* (re.range "a" "c")) (str.to_re "z"))))
(assert (str.in_re "abz" shape))
(assert (not (str.in_re "abd" shape)))
(assert (= shape other))
(assert (distinct shape re.none))
"#;

#[test]
fn a_regular_language_of_a_model_is_that_language_in_the_script_too() {
    let one =
        r#"(define-fun shape () RegLan (re.++ (re.* (re.union (str.to_re "a") (re.range "b" "c"))) (str.to_re "z")))"#;
    let other = r#"(define-fun other () RegLan (re.++ (re.* (re.range "a" "c")) (str.to_re "z")))"#;
    // Whichever comes first: the evaluators that read the models have met their parts in other orders.
    for model in [format!("({one}{other})"), format!("({other}{one})")] {
        assert_eq!(held(SHAPES, &model), vec![Ok(Value::Bool(true)); 5], "{model}");
    }
    let wrong = format!(r#"((define-fun shape () RegLan (str.to_re "abd")) {other})"#);
    let expected = [false, false, false, false, true].map(|value| Ok(Value::Bool(value)));
    assert_eq!(held(SHAPES, &wrong), expected);
}

#[test]
fn a_regular_language_that_get_value_gives_is_that_language() {
    let script = r#"(declare-const r RegLan)(assert (str.in_re "no" r))(assert (str.in_re "yes" r))"#;
    let given = r#"((r (re.union (str.to_re "maybe") (str.to_re "yes"))))"#;
    assert_eq!(held(script, given), [Ok(Value::Bool(false)), Ok(Value::Bool(true))]);
}

#[test]
fn evaluators_of_two_scripts_share_the_languages_of_one_interpretation() {
    let parsed = |text: &str| parse(text, "script", &ParseOptions::default()).unwrap();
    let declaration = "(declare-const r RegLan)";
    let script = parsed(&format!(r#"{declaration}(assert (str.in_re "x" r))(assert (str.in_re "y" r))"#));
    let model = r#"((define-fun r () RegLan (re.+ (re.range "x" "x"))))"#;
    let interpretation = read(model, "model", &script, Dialect::SmtLib26).unwrap();
    // This one meets sixteen other languages before it is asked about the model's.
    let crowd: Vec<String> =
        ('a'..'q').map(|letter| format!("(assert (str.in_re \"b\" (str.to_re \"{letter}\")))")).collect();
    let crowd = crowd.concat();
    let crowded = parsed(&format!(r#"{declaration}{crowd}(assert (str.in_re "xx" r))(assert (str.in_re "b" r))"#));
    let (mut one, mut other) = (Evaluator::new(&script, &interpretation), Evaluator::new(&crowded, &interpretation));
    let answers = |evaluator: &mut Evaluator<'_>, script: &Script| -> Vec<bool> {
        script.assertions().map(|term| evaluator.value(term).unwrap().is_bool(true)).collect()
    };
    assert_eq!(answers(&mut other, &crowded)[14..], [false, false, true, false]);
    assert_eq!(answers(&mut one, &script), [true, false]);
    // What one evaluator makes of a term is a value like any other.
    let mut copied = Interpretation::new();
    let term = parsed(r#"(assert (str.in_re "x" (re.comp (str.to_re "x"))))"#);
    let language = term.terms.arguments(term.assertions().next().unwrap())[1];
    copied.set(Symbol::new("r"), Evaluator::new(&term, &interpretation).value(language).unwrap());
    assert_eq!(answers(&mut Evaluator::new(&script, &copied), &script), [false, true]);
}

#[test]
fn functions_of_languages_are_known_only_where_the_expression_is_the_same() {
    let script =
        r#"(declare-fun f (RegLan) Int)(assert (= (f (str.to_re "a")) 1))(assert (= (f (re.range "a" "a")) 1))"#;
    let given = r#"(((f (str.to_re "a")) 1))"#;
    assert_eq!(held(script, given), [Ok(Value::Bool(true)), Err(Open::Silent(Symbol::new("f")))]);
}
