//! What a solver leaves out may be anything.

use super::*;
use crate::semantics::evaluate::Evaluator;
use crate::smtlib::parser::{ParseOptions, parse};

#[test]
fn completing_gives_every_declared_symbol_a_value() {
    let text = "(declare-sort A 0)(declare-fun x () Int)(declare-fun e () A)(declare-fun f (A) Bool)\
                (declare-fun m () (Array A Int))(assert (and (= x 5) (not (f e)) (= (select m e) 0) (= e e)))";
    let script = parse(text, "test", &ParseOptions::default()).unwrap();
    let mut interpretation = Interpretation::new();
    interpretation.set(Symbol::new("x"), Value::int(5));
    interpretation.complete(&script);
    let assertion = script.assertions().next().unwrap();
    assert_eq!(Evaluator::new(&script, &interpretation).value(assertion), Ok(Value::Bool(true)));
}

#[test]
fn a_datatype_gets_no_element_that_no_constructor_makes() {
    let text = "(declare-datatypes ((T 0)) (((c1) (c2))))(declare-fun t () T)(declare-fun x () Int)";
    let script = parse(text, "test", &ParseOptions::default()).unwrap();
    let mut interpretation = Interpretation::new();
    interpretation.complete(&script);
    assert_eq!(interpretation.value(Symbol::new("t")), None);
    assert_eq!(interpretation.value(Symbol::new("x")), Some(&Value::int(0)));
}
