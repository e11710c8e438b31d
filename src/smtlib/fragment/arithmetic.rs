//! The forms of arithmetic that a logic admits: linear, or differences alone.

use crate::smtlib::signature::Op;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId, Terms};

/// Whether `term` is a numeral or the negative of one.
fn is_constant(terms: &Terms, term: TermId) -> bool {
    match terms.head(term) {
        Head::Literal(_) => true,
        Head::Operator(op) if op.name() == "-" => {
            matches!(*terms.arguments(term), [only] if matches!(terms.head(only), Head::Literal(_)))
        }
        _ => false,
    }
}

/// A product may have one factor that is no constant; a quotient must have a divisor that is a constant but not 0.
pub(super) fn is_linear(terms: &Terms, op: Op, arguments: &[TermId]) -> bool {
    if op.name() == "*" {
        return arguments.iter().filter(|&&factor| !is_constant(terms, factor)).count() <= 1;
    }
    let is_divisor = |&divisor: &TermId| is_constant(terms, divisor) && terms.numeral_value(divisor) != Some(0);
    arguments.iter().skip(1).all(is_divisor)
}

/// Whether an application is of difference logic: it compares variables with each other or with a constant, or the
/// difference of two variables with a constant. What stands for a variable may be anything but a calculation; where there
/// are `functions`, as in `QF_UFIDL`, it may also be the sum or the difference of a variable and a constant.
pub(super) fn is_of_differences(terms: &Terms, op: Op, arguments: &[TermId], functions: bool) -> bool {
    let is_number = |&term: &TermId| matches!(terms.sort(term), Sort::INT | Sort::REAL);
    if !arguments.iter().any(is_number) {
        return true;
    }
    let is_plain = |&term: &TermId| !is_constant(terms, term) && !calculates(terms, term);
    let is_shift = |arguments: &[TermId]| {
        functions && matches!(*arguments, [term, by] if is_plain(&term) && is_constant(terms, by))
    };
    let is_shifted = |&term: &TermId| {
        matches!(terms.head(term), Head::Operator(op) if matches!(op.name(), "+" | "-"))
            && is_shift(terms.arguments(term))
    };
    let is_variable = |term: &TermId| is_plain(term) || is_shifted(term);
    match op.name() {
        "-" => match arguments {
            [only] => matches!(terms.head(*only), Head::Literal(LiteralKind::Numeral | LiteralKind::Decimal)),
            [one, other] => (is_plain(one) && is_plain(other)) || is_shift(arguments),
            _ => false,
        },
        "+" => is_shift(arguments),
        "=" | "distinct" | "<" | "<=" | ">" | ">=" => {
            let is_difference = |term: &&TermId| !is_constant(terms, **term) && !is_variable(term);
            let differences = arguments.iter().filter(is_difference).count();
            let variables = arguments.iter().filter(|&term| is_variable(term)).count();
            differences == 0 || (differences == 1 && variables == 0 && arguments.len() == 2)
        }
        "ite" => arguments.iter().skip(1).all(is_variable),
        // What takes numbers to something else: a function of arrays, say.
        _ => !is_calculation(op) && arguments.iter().filter(|term| is_number(term)).all(is_variable),
    }
}

/// Whether a term is the result of arithmetic.
fn calculates(terms: &Terms, term: TermId) -> bool {
    matches!(terms.head(term), Head::Operator(op) if is_calculation(op))
}

fn is_calculation(op: Op) -> bool {
    matches!(op.name(), "+" | "-" | "*" | "/" | "div" | "mod" | "abs" | "to_real" | "to_int" | "is_int" | "divisible")
}

#[cfg(test)]
mod tests {
    use crate::smtlib::fragment::{Fragment, Violation};
    use crate::smtlib::parser::{ParseOptions, parse};

    #[test]
    fn difference_logic_is_told_from_linear_arithmetic() {
        let text = |assertion: &str| {
            format!("(declare-fun x () Int)(declare-fun y () Int)(declare-fun p () Bool)(assert {assertion})")
        };
        let admits = |logic: &str, assertion: &str| {
            let script = parse(&text(assertion), "a.smt2", &ParseOptions::default()).expect("a script");
            Fragment::standard().in_logic(logic).admits(&script)
        };
        let of_differences = [
            "(< (- x y) 3)",
            "(<= (- x y) (- 3))",
            "(= x y)",
            "(distinct x y 3)",
            "(>= x 4)",
            "(< (ite p x y) x)",
            "(and p (> 2 (- y x)))",
        ];
        for assertion in of_differences {
            assert_eq!(admits("QF_IDL", assertion), Ok(()), "{assertion}");
            assert_eq!(admits("QF_UFIDL", assertion), Ok(()), "{assertion}");
        }
        let beyond = [
            "(< (+ x y) 3)",
            "(< (- x y) x)",
            "(= (- x y) (- y x))",
            "(< (- x y x) 3)",
            "(< (- x 1) y)",
            "(< (* 2 x) y)",
        ];
        for assertion in beyond {
            assert!(matches!(admits("QF_IDL", assertion), Err(Violation::NoDifference(_))), "{assertion}");
            assert_eq!(admits("QF_LIA", assertion), Ok(()), "{assertion}");
        }
        // What solvers take in QF_UFIDL: Z3 4.8.10 was asked.
        for assertion in ["(< (+ x 2) y)", "(< (- x 1) y)", "(= (+ x 1) (+ y (- 2)))"] {
            assert_eq!(admits("QF_UFIDL", assertion), Ok(()), "{assertion}");
        }
        assert!(admits("QF_UFIDL", "(< (+ x y) 3)").is_err());
    }
}
