//! What the fragments of the paper's pair and of the standard admit.

use super::*;
use crate::smtlib::script::Declaration;

/// A script that asserts `(= term term)`, which is as well-formed as `term`.
fn asserting(build: impl FnOnce(&mut Terms) -> TermId) -> Script {
    let mut script = Script::new();
    let term = build(&mut script.terms);
    script.commands.push(Command::Assert(term));
    script
}

fn apply(terms: &mut Terms, name: &str, indices: &[u32], arguments: &[TermId]) -> TermId {
    let sorts: Vec<Sort> = arguments.iter().map(|&argument| terms.sort(argument)).collect();
    let (op, sort) = table().resolve(name, indices, &sorts).expect("a well-sorted application");
    terms.apply_indexed(op, indices, arguments, sort)
}

fn string(terms: &mut Terms, text: &str) -> TermId {
    let text: Vec<u32> = text.chars().map(u32::from).collect();
    terms.string(&text)
}

fn paper(build: impl FnOnce(&mut Terms) -> TermId) -> Result<(), Violation> {
    Fragment::paper().admits(&asserting(build))
}

#[test]
fn the_paper_pair_has_its_safe_set() {
    let operators = Fragment::paper().operators;
    for name in ["=", "ite", "+", "*", "str.++", "str.indexof", "str.to_int", "str.from_int", "re.range", "re.loop"] {
        assert!(table().named(name).iter().any(|&op| operators.contains(op)), "{name}");
    }
    for name in ["str.replace_all", "re.all", "re.^", "div", "bvadd", "select", "to_real", "str.rev"] {
        assert!(table().named(name).iter().all(|&op| !operators.contains(op)), "{name}");
    }
}

#[test]
fn the_standard_has_what_the_paper_pair_lacks() {
    let operators = Fragment::standard().operators;
    for name in ["str.replace_all", "re.all", "re.^", "div", "re.comp"] {
        assert!(table().named(name).iter().any(|&op| operators.contains(op)), "{name}");
    }
}

#[test]
fn products_need_a_literal() {
    let product = |terms: &mut Terms, linear: bool| {
        let x = terms.constant(Symbol::new("x"), Sort::INT);
        let five = terms.numeral(5);
        let minus_five = apply(terms, "-", &[], &[five]);
        apply(terms, "*", &[], &[if linear { minus_five } else { x }, x])
    };
    assert_eq!(paper(|terms| product(terms, true)), Ok(()));
    assert_eq!(paper(|terms| product(terms, false)), Err(Violation::NonLinear("*")));
    let all = Fragment::paper().in_logic("ALL");
    assert_eq!(all.admits(&asserting(|terms| product(terms, false))), Ok(()));
}

#[test]
fn ranges_need_single_characters_in_order() {
    let range = |low: &'static str, high: &'static str| {
        paper(move |terms| {
            let bounds = [string(terms, low), string(terms, high)];
            apply(terms, "re.range", &[], &bounds)
        })
    };
    assert_eq!(range("a", "c"), Ok(()));
    for (low, high) in [("c", "a"), ("ab", "c"), ("", "c")] {
        assert_eq!(range(low, high), Err(Violation::LiteralArgument("re.range")));
    }
}

#[test]
fn regular_expressions_are_no_values() {
    let compared = paper(|terms| {
        let any = apply(terms, "re.allchar", &[], &[]);
        apply(terms, "=", &[], &[any, any])
    });
    assert_eq!(compared, Err(Violation::RegexValue("=")));
    let looped = paper(|terms| {
        let any = apply(terms, "re.allchar", &[], &[]);
        apply(terms, "re.loop", &[3, 1], &[any])
    });
    assert_eq!(looped, Err(Violation::LoopBounds("re.loop")));
}

#[test]
fn orders_of_strings_are_not_chained() {
    let order = |count: usize| {
        paper(move |terms| {
            let empty = string(terms, "");
            apply(terms, "str.<=", &[], &vec![empty; count])
        })
    };
    assert_eq!(order(2), Ok(()));
    assert_eq!(order(3), Err(Violation::Chained("str.<=")));
}

#[test]
fn characters_are_bytes_but_in_the_standard() {
    let build = |terms: &mut Terms| string(terms, "\u{100}");
    assert_eq!(paper(build), Err(Violation::CodePoint(0x100, 0xFF)));
    assert_eq!(Fragment::standard().admits(&asserting(build)), Ok(()));
}

#[test]
fn variables_have_the_logic_s_sorts() {
    let mut script = Script::new();
    let name = Symbol::new("r");
    script.commands.push(Command::Declare(Declaration { name, parameters: vec![], sort: Sort::REGLAN }));
    assert_eq!(Fragment::paper().admits(&script), Err(Violation::VariableSort(name, Sort::REGLAN)));
    script.commands[0] = Command::Declare(Declaration { name, parameters: vec![Sort::INT], sort: Sort::INT });
    assert_eq!(Fragment::paper().admits(&script), Err(Violation::Function(name)));
    assert_eq!(Fragment::paper().in_logic("QF_UFSLIA").admits(&script), Ok(()));
}

#[test]
fn a_fragment_widens_to_what_a_script_needs() {
    let script = asserting(|terms| {
        let x = terms.constant(Symbol::new("x"), Sort::INT);
        let quotient = apply(terms, "div", &[], &[x, x]);
        let text = string(terms, "\u{20ac}");
        let code = apply(terms, "str.to_code", &[], &[text]);
        apply(terms, "<", &[], &[quotient, code])
    });
    assert!(Fragment::paper().admits(&script).is_err());
    assert_eq!(Fragment::paper().admitting(&script).admits(&script), Ok(()));
}

#[test]
fn logics_are_read_letter_by_letter() {
    assert_eq!(theories_of("QF_SLIA"), Some(vec!["Core", "Strings", "Ints", "Ints"]));
    assert_eq!(theories_of("QF_AUFBV"), Some(vec!["Core", "ArraysEx", "BitVectors"]));
    assert_eq!(theories_of("ALL"), None);
    assert_eq!(theories_of("QF_DT"), None);
}
