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
    let wide = format!("(assert (= #b{:040b} (_ bv5 40)))", 5);
    assert_eq!(assertions(&wide), ["(= (_ bv5 40) (_ bv5 40))"]);
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

/// What is read of each kind of unusual syntax, and how it is printed.
#[test]
fn what_few_solvers_read_is_read_and_printed_again() {
    let declared = "(declare-fun f (Int) Int)(declare-const g (-> Int Int))(declare-const a (Array Int Int))\
        (declare-const s (Seq Int))(declare-const r Real)(declare-const x Int)";
    let kinds = [
        // Functions as arguments.
        ("(= (seq.map f s) s)", "(= (seq.map f s) s)"),
        ("(= (seq.map a s) s)", "(= (seq.map a s) s)"),
        (
            "(= (seq.foldl (lambda ((n Int) (i Int)) (+ n i)) 0 s) 7)",
            "(= (seq.foldl (lambda ((n Int) (i Int)) (+ n i)) 0 s) 7)",
        ),
        ("(= (seq.unheard f s) s)", "(= (seq.unheard f s) s)"),
        ("(= g f)", "(= g f)"),
        // Values that are applied.
        ("(= (g 1) ((lambda ((i Int)) (* 2 i)) 3))", "(= (g 1) ((lambda ((i Int)) (* 2 i)) 3))"),
        ("(= (a 1) 2)", "(= (select a 1) 2)"),
        ("(forall ((h (Array Int Int))) (= (h x) x))", "(forall ((h (Array Int Int))) (= (select h x) x))"),
        ("(= ((store a 1 2) 1) 2)", "(= (select (store a 1 2) 1) 2)"),
        // A lambda is an array where one is wanted.
        ("(= a (lambda ((i Int)) i))", "(= a (lambda ((i Int)) i))"),
        ("(select (lambda ((i Int)) (> i 0)) 1)", "(select (lambda ((i Int)) (> i 0)) 1)"),
        ("(= (_ as-array f) a)", "(= (_ as-array f) a)"),
        ("(= a ((_ map f) a))", "(= a ((_ map f) a))"),
        ("(= ((_ map (+ (Int Int) Int)) a a) a)", "(= ((_ map (+ (Int Int) Int)) a a) a)"),
        ("(eqrange a a 1 x)", "(eqrange a a 1 x)"),
        // Numbers.
        ("(= r 1/4)", "(= r (/ 1.0 4.0))"),
        ("(< r -3/8 007/1)", "(< r (- (/ 3.0 8.0)) (/ 7.0 1.0))"),
        // Unknown operators: what surrounds them is checked with what is known.
        ("(< (unheard.of x) (+ (unheard.of 1) 2))", "(< (unheard.of x) (+ (unheard.of 1) 2))"),
        ("(< (* (unheard.of x) r) 2)", "(< (* (unheard.of x) r) 2.0)"),
        ("((_ unheard 1 two) x)", "((_ unheard 1 two) x)"),
        ("((_ partial-order 0) x x)", "((_ partial-order 0) x x)"),
        ("(= (as set.unheard (Set Int)) (set.singleton 1))", "(= (as set.unheard (Set Int)) (set.singleton 1))"),
        ("(unheard.of \"\\u{41}\")", "(unheard.of \"A\")"),
        ("(= (f (unheard.of x)) (let ((y (unheard.of x))) y))", "(= (f (unheard.of x)) (let ((y (unheard.of x))) y))"),
        ("(= (_ ff2 5) (as ff2 (_ FiniteField 5)))", "(= (_ ff2 5) (as ff2 (_ FiniteField 5)))"),
        ("(= x (choice ((y Int)) (> y x)))", "(= x (choice ((y Int)) (> y x)))"),
        ("(select ((as const (Set Int)) false) 1)", "(select ((as const (Set Int)) false) 1)"),
    ];
    let mut wrong = Vec::new();
    for (text, printed) in kinds {
        let text = format!("{declared}(assert {text})");
        match parse(&text, "t.smt2", &ParseOptions::default()) {
            Ok(script) => {
                let term = script.assertions().last().unwrap();
                let found = print_term(&script.terms, term, Dialect::SmtLib26).unwrap();
                let again = parse(&format!("{declared}(assert {found})"), "t.smt2", &ParseOptions::default());
                let lenient = parse_lenient(&text, "t.smt2", &ParseOptions::default());
                if found != printed || again.as_ref() != Ok(&script) || lenient.as_ref() != Ok(&script) {
                    wrong.push(format!("{found} for {printed}"));
                }
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_sort_of_what_is_unusual_is_known_where_it_can_be() {
    let sort = |term: &str| {
        let text = format!(
            "(set-logic HO_ALL)(declare-fun f (Int Bool) Int)(declare-const s (Seq Int))(define-fun t () Bool (= {term} {term}))"
        );
        let script = parse(&text, "t.smt2", &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let Some(Command::Define(definition)) = script.commands.last() else { panic!("no definition") };
        script.terms.sort(script.terms.arguments(definition.body)[0]).to_string()
    };
    let sorts = [
        "f",
        "(f 1)",
        "(lambda ((x Int)) (f x))",
        "(_ as-array f)",
        "(seq.map (lambda ((x Int)) (> x 1)) s)",
        "(unheard.of 1)",
        "1/4",
    ]
    .map(sort);
    insta::assert_snapshot!(sorts.join("\n"), @r"
    (-> Int Bool Int)
    (-> Bool Int)
    (-> Int Bool Int)
    (Array Int Bool Int)
    (Seq Bool)
    ?
    Real
    ");
}

#[test]
fn mistakes_in_plain_names_are_mistakes_though_solvers_have_their_own() {
    insta::assert_snapshot!(error("(assert (set.memberr 1 1))"),
        @"t.smt2:1:10: found the unknown symbol set.memberr, expected an operator or a declared symbol; did you mean set.member?");
    insta::assert_snapshot!(error("(assert (stt.len \"a\"))"),
        @"t.smt2:1:10: found the unknown symbol stt.len, expected an operator or a declared symbol; did you mean str.len?");
    insta::assert_snapshot!(error("(assert (lambdda ((x Int)) x))"),
        @"t.smt2:1:22: found the unknown symbol Int, expected an operator or a declared symbol");
    insta::assert_snapshot!(error("(declare-const x Int)(assert (= ((_ extrct 7 0) x) x))"),
        @"t.smt2:1:33: found the unknown symbol extrct, expected an operator or a declared symbol; did you mean extract?");
    insta::assert_snapshot!(error("(declare-const x Int)(assert ((_ extract a 0) x))"),
        @"t.smt2:1:42: found the symbol a, expected a numeral index or ')'");
    insta::assert_snapshot!(error("(declare-fun f (Int Int) Bool)(assert (f 1))"),
        @"t.smt2:1:39: found f applied to (Int), expected (Int Int)");
    insta::assert_snapshot!(error("(declare-fun f (Int) Bool)(assert f)"),
        @"t.smt2:1:35: found an assertion of sort (-> Int Bool), expected sort Bool");
    insta::assert_snapshot!(error("(declare-const a (Array Int Bool))(assert (a true))"),
        @"t.smt2:1:43: found a applied to (Bool), expected (Int): a is an array");
    insta::assert_snapshot!(error("(declare-const x Int)(assert ((+ x 1) 2))"),
        @"t.smt2:1:30: found a term of sort Int applied to (Int), expected an operator, or a function or array that takes them");
    insta::assert_snapshot!(error("(assert (+ (unheard.of 1) true 1))"),
        @"t.smt2:1:9: found + applied to (? Bool Int), expected (Int Int …) or (Real Real …)");
    insta::assert_snapshot!(error("(declare-datatypes () ((L nil)))(assert (= (as nill L) nil))"),
        @"t.smt2:1:48: found the unknown symbol nill, expected an operator or a declared symbol; did you mean nil?");
}

#[test]
fn what_an_unknown_command_declares_is_known_to_be_declared() {
    let text = "(declare-unheard p (Int))(declare-funs ((c Int) (f Int Int)))(declare-var x Int)(declare-rel q (Int))\n\
        (assert (and (p 1) (= (f c) 1) (q x)))";
    assert_eq!(assertions(text), ["(and (p 1) (= (f c) 1) (q x))"]);
    assert!(error("(unheard p)(assert p)").contains("unknown symbol p"));
}
