use super::*;
use crate::smtlib::printer::print_term;

fn error(text: &str) -> String {
    parse(text, "t.smt2", &ParseOptions::default()).unwrap_err().to_string()
}

/// The assertions of a script, printed in 2.6.
fn assertions(text: &str) -> Vec<String> {
    let script = parse(text, "t.smt2", &ParseOptions::default()).unwrap();
    script.assertions().map(|term| print_term(&script.terms, term, Dialect::SmtLib26).unwrap()).collect()
}

#[test]
fn unknown_symbols_come_with_a_suggestion() {
    insta::assert_snapshot!(error("(declare-const x String)\n(assert (= (str.toint x) 1))"),
        @"t.smt2:2:13: found the unknown symbol str.toint, expected an operator or a declared symbol; did you mean str.to_int?");
    insta::assert_snapshot!(error("(declare-const length Int)(assert (= lenght 1))"),
        @"t.smt2:1:38: found the unknown symbol lenght, expected an operator or a declared symbol; did you mean length?");
    insta::assert_snapshot!(error("(declare-const x Strng)"),
        @"t.smt2:1:18: found the unknown sort Strng, expected a sort of a theory or a declared sort; did you mean String?");
}

#[test]
fn sort_errors_name_what_was_found_and_what_fits() {
    insta::assert_snapshot!(error("(declare-const x String)(assert (str.contains x 1))"),
        @"t.smt2:1:33: found str.contains applied to (String Int), expected (String String) or ((Seq A) (Seq A))");
    insta::assert_snapshot!(error("(declare-fun f (Int) Int)(assert (= (f true) 1))"),
        @"t.smt2:1:37: found f applied to (Bool), expected (Int)");
    insta::assert_snapshot!(error("(declare-const x Int)(assert x)"),
        @"t.smt2:1:30: found an assertion of sort Int, expected sort Bool");
    insta::assert_snapshot!(error("(declare-const x Int)(assert (x 1))"),
        @"t.smt2:1:30: found x applied to (Int), expected no arguments: x is a constant");
    insta::assert_snapshot!(error("(assert (= str.len 1))"),
        @"t.smt2:1:12: found the operator str.len alone, expected arguments (String)");
    insta::assert_snapshot!(error("(define-fun f () Int \"a\")"),
        @"t.smt2:1:22: found a body of sort String, expected sort Int");
}

#[test]
fn syntax_errors_have_a_place() {
    insta::assert_snapshot!(error("(assert\n  (= 1 1)"), @"t.smt2:2:10: found the end of the file, expected ')' after the command");
    insta::assert_snapshot!(error("(assert ())"), @"t.smt2:1:10: found ')', expected an operator, a function or a binder");
    insta::assert_snapshot!(error("(assert true))"), @"t.smt2:1:14: found ')', expected '(' and a command");
    insta::assert_snapshot!(error("(assert (= \"a 1))"), @r#"t.smt2:1:12: found the end of the file, expected a '"' that ends the string literal"#);
    insta::assert_snapshot!(error("(assert (let ((x)) true))"), @"t.smt2:1:17: found ')', expected a term");
    insta::assert_snapshot!(error("(declare-const é Int)"), @"t.smt2:1:16: found 'é', expected a token of SMT-LIB (other characters need |bars|)");
    insta::assert_snapshot!(error("(pop 1)"), @"t.smt2:1:6: found (pop 1) with 0 levels open, expected no more than the open levels");
    insta::assert_snapshot!(error("(declare-const x Int)\n(declare-const x Int)"),
        @"t.smt2:2:16: found a second declaration of x, expected a name that is not declared with these parameters");
}

#[test]
fn reading_goes_on_after_an_error() {
    let text = "(assert x)\n(declare-const y Int)\n(assert (= y \"a\"))\n(assert (= y 1))\n(assert (let ((z 1)) zz))\n(assert z)";
    let (script, errors) = parse_all(text, "t.smt2", &ParseOptions::default(), 20);
    let places: Vec<(usize, usize)> = errors.iter().map(|error| (error.line, error.column)).collect();
    assert_eq!(places, [(1, 9), (3, 9), (5, 22), (6, 9)]);
    assert_eq!(script.commands.len(), 2);
    assert_eq!(parse_all(text, "t.smt2", &ParseOptions::default(), 2).1.len(), 2);
}

#[test]
fn integers_become_reals_where_reals_are_wanted() {
    let text = "(declare-const x Real)(declare-const i Int)\n\
        (assert (< x 1))(assert (= (+ x i) (- 5)))(assert (= x (/ 1 3)))(assert (= (ite true 1 x) x))";
    assert_eq!(
        assertions(text),
        ["(< x 1.0)", "(= (+ x (to_real i)) (- 5.0))", "(= x (/ 1.0 3.0))", "(= (ite true 1.0 x) x)"]
    );
}

#[test]
fn omitted_and_odd_arguments_become_the_standards() {
    let text = "(declare-const x String)(assert (= (str.indexof x \"a\") -5))(assert (StartsWith x \"a\"))\n\
        (assert (str.in_re x (re.loop re.allchar 1 2)))(assert (= x (_ char #x41) (as seq.empty String)))\n\
        (assert (= 007 (_ bv5 4)))";
    let (script, errors) = parse_all(text, "t.smt2", &ParseOptions::default(), 20);
    let printed: Vec<String> =
        script.assertions().map(|term| print_term(&script.terms, term, Dialect::SmtLib26).unwrap()).collect();
    assert_eq!(
        printed,
        [
            "(= (str.indexof x \"a\" 0) (- 5))",
            "(str.prefixof \"a\" x)",
            "(str.in_re x ((_ re.loop 1 2) re.allchar))",
            "(= x \"A\" \"\")"
        ]
    );
    assert_eq!(errors.len(), 1, "a numeral is no bit vector");
    assert_eq!(assertions("(assert (= #b0101 (_ bv5 4)))"), ["(= #b0101 #b0101)"]);
}

#[test]
fn scopes_end_where_their_binders_and_levels_end() {
    assert!(error("(assert (and (forall ((x Bool)) x) x))").contains("unknown symbol x"));
    assert!(error("(push 1)(declare-const x Bool)(pop 1)(assert x)").contains("unknown symbol x"));
    assert!(error("(declare-const x Bool)(reset)(assert x)").contains("unknown symbol x"));
    assert!(error("(define-fun f ((y Bool)) Bool y)(assert y)").contains("unknown symbol y"));
    assert!(error("(assert (let ((x true) (y x)) y))").contains("unknown symbol x"));
    let shadowed = "(declare-const x Int)(assert (let ((x \"a\")) (= x \"a\")))(assert (= x 1))";
    assert_eq!(assertions(shadowed), ["(let ((x \"a\")) (= x \"a\"))", "(= x 1)"]);
}

#[test]
fn names_of_terms_are_known_from_their_definition_on() {
    let text = "(assert (! (exists ((x Int)) (! (= x 1) :named inner)) :named outer))(assert (and inner outer))";
    assert_eq!(assertions(text)[1], "(and inner outer)");
}

#[test]
fn set_info_versions_decide_how_literals_are_read() {
    let old = "(set-info :smt-lib-version 2.5)(assert (= \"\\x41\" \"\"))";
    assert_eq!(assertions(old), ["(= \"A\" \"\")"]);
    let new = "(set-info :smt-lib-version 2.6)(assert (= \"\\x41\" \"\"))";
    assert_eq!(assertions(new), ["(= \"\\u{5c}x41\" \"\")"]);
}

#[test]
fn an_operator_that_does_not_check_is_kept_with_its_arguments_in_order() {
    let text = "(declare-const x Int)(assert (StartsWith x \"a\"))(assert (str.prefixof x \"a\"))";
    let script = parse_lenient(text, "t.smt2", &ParseOptions::default()).unwrap();
    let printed: Vec<String> =
        script.assertions().map(|term| print_term(&script.terms, term, Dialect::SmtLib20).unwrap()).collect();
    assert_eq!(printed, ["(StartsWith x \"a\")", "(StartsWith \"a\" x)"]);
}
