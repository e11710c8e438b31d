//! Values print as SMT-LIB terms, and equal functions are equal arrays.

use super::*;

fn array(index: Sort, default: i64, entries: &[(Value, i64)]) -> Value {
    let start = Array::constant(index, Sort::INT, Value::int(default));
    let stored = entries.iter().fold(start, |array, (index, value)| array.store(index.clone(), Value::int(*value)));
    Value::Array(Arc::new(stored))
}

#[test]
fn values_print_as_terms() {
    let third = BigRational::new((-1).into(), 3.into());
    let shown = [
        Value::Bool(true),
        Value::int(-5),
        Value::Real(third),
        Value::Real(BigRational::from_integer(7.into())),
        Value::string("a\"\u{7f}"),
        Value::bits(4, 5),
        Value::sequence(Sort::INT, vec![]),
        Value::sequence(Sort::INT, vec![Value::int(1)]),
        Value::sequence(Sort::INT, vec![Value::int(1), Value::int(2)]),
        array(Sort::INT, 0, &[(Value::int(-1), 2)]),
        Value::Abstract(Sort::named(Symbol::new("A")), Symbol::new("A!val!0")),
    ]
    .map(|value| value.to_string());
    let expected = [
        "true",
        "(- 5)",
        "(- (/ 1.0 3.0))",
        "7.0",
        "\"a\"\"\\u{7f}\"",
        "#b0101",
        "(as seq.empty (Seq Int))",
        "(seq.unit 1)",
        "(seq.++ (seq.unit 1) (seq.unit 2))",
        "(store ((as const (Array Int Int)) 0) (- 1) 2)",
        "A!val!0",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn arrays_that_agree_everywhere_are_equal() {
    let (no, yes) = (Value::Bool(false), Value::Bool(true));
    let one = array(Sort::BOOL, 1, &[(no.clone(), 2)]);
    assert_eq!(one, array(Sort::BOOL, 2, &[(yes.clone(), 1)]), "the default of one is the entry of the other");
    assert_eq!(one, array(Sort::BOOL, 7, &[(no.clone(), 2), (yes.clone(), 1)]), "every index is covered");
    assert_ne!(one, array(Sort::BOOL, 1, &[(yes, 2)]));
    assert_ne!(array(Sort::INT, 1, &[]), array(Sort::INT, 2, &[(Value::int(0), 1)]));
    assert_eq!(array(Sort::INT, 1, &[(Value::int(0), 2), (Value::int(0), 1)]), array(Sort::INT, 1, &[]));
    let pairs = Sort::bit_vec(2);
    let bits = |bits| Value::bits(2, bits);
    let three = array(pairs, 0, &[(bits(0), 1), (bits(1), 1), (bits(2), 1)]);
    assert_eq!(three, array(pairs, 1, &[(bits(3), 0)]));
}

#[test]
fn a_sort_of_arrays_is_as_large_as_the_functions_are_many() {
    let functions = Sort::array(Sort::BOOL, Sort::bit_vec(2));
    assert_eq!(count(functions), Count::Finite(16));
    let mut all = all_values(functions, 16).expect("they are few");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 16);
    assert_eq!(count(Sort::array(Sort::INT, Sort::BOOL)), Count::Large);
    assert_eq!(count(Sort::bit_vec(64)), Count::Large);
    assert_eq!(count(Sort::named(Symbol::new("Element"))), Count::Unknown);
}

#[test]
fn every_sort_with_values_has_a_default() {
    let shown = |sort: Sort| Value::default_of(sort).map(|value| value.to_string());
    assert_eq!(shown(Sort::bit_vec(3)).as_deref(), Some("#b000"));
    assert_eq!(shown(Sort::array(Sort::INT, Sort::STRING)).as_deref(), Some("((as const (Array Int String)) \"\")"));
    assert_eq!(shown(Sort::named(Symbol::new("B"))).as_deref(), Some("B!val!0"));
    assert_eq!(shown(Sort::named(Symbol::new("RoundingMode"))), None);
    for sort in [Sort::BOOL, Sort::REAL, Sort::array(Sort::BOOL, Sort::INT)] {
        assert_eq!(Value::default_of(sort).map(|value| value.sort()), Some(sort));
    }
}

#[test]
fn languages_print_as_terms_that_are_read_as_the_same() {
    use super::super::evaluate::Evaluator;
    use super::super::interpretation::Interpretation;
    use crate::smtlib::parser::{ParseOptions, parse};
    let terms = [
        r#"(re.++ (str.to_re "ab") re.allchar (re.* (re.range "a" "z")))"#,
        r#"(re.union re.none re.all (re.opt (str.to_re "")))"#,
        r#"(re.diff (re.inter (re.+ re.allchar) (re.comp (str.to_re "\u{1}"))) re.none)"#,
        r#"((_ re.loop 2 3) ((_ re.^ 4) (str.to_re "a")))"#,
    ];
    for term in terms {
        let text = format!("(assert (str.in_re \"\" {term}))");
        let script = parse(&text, "test", &ParseOptions::default()).unwrap();
        let language = script.terms.arguments(script.assertions().next().unwrap())[1];
        let interpretation = Interpretation::new();
        let value = Evaluator::new(&script, &interpretation).value(language).unwrap();
        assert_eq!(value.to_string(), term);
    }
}

#[test]
fn a_deep_language_prints_without_recursion() {
    let star = |inside| Language::new(super::super::regex::Form::Complement, vec![inside]);
    let deep = Value::Regex((0..200_000).fold(Language::word("a"), |inside, _| star(inside)));
    assert_eq!(deep.to_string().len(), 200_000 * "(re.comp )".len() + "(str.to_re \"a\")".len());
}

#[test]
fn a_language_of_parts_that_are_shared_is_not_written_out_a_trillion_times() {
    let twice = |inside: Language| Language::new(super::super::regex::Form::Concat, vec![inside.clone(), inside]);
    let value = Value::Regex((0..60).fold(Language::word("a"), |inside, _| twice(inside)));
    assert_eq!(value.to_string(), "|a large regular language|");
}
