use super::*;

fn quantified(terms: &mut Terms, head: Head, name: &str, body: TermId) -> TermId {
    let binders = [(Symbol::new(name), Sort::INT)];
    terms.intern(Parts { head, sort: Sort::BOOL, arguments: &[body], words: &[], binders: &binders })
}

#[test]
fn equal_terms_are_one() {
    let mut terms = Terms::new();
    assert_eq!(terms.numeral(42), terms.numeral(42));
    assert_ne!(terms.numeral(42), terms.string(&[0x34, 0x32]));
    assert_eq!(terms.len(), 2);
}

#[test]
fn numerals_round_trip_at_the_bounds() {
    let mut terms = Terms::new();
    for value in [0, 9, 10, u64::MAX] {
        let term = terms.numeral(value);
        assert_eq!(terms.numeral_value(term), Some(value));
    }
}

#[test]
fn a_term_is_closed_once_its_variables_are_bound() {
    let mut terms = Terms::new();
    let x = terms.bound(Symbol::new("x"), Sort::INT);
    assert!(!terms.is_closed(x));
    let other = quantified(&mut terms, Head::Forall, "y", x);
    assert!(!terms.is_closed(other));
    let own = quantified(&mut terms, Head::Exists, "x", x);
    assert!(terms.is_closed(own));
}

#[test]
fn the_values_of_a_let_are_outside_its_scope() {
    let mut terms = Terms::new();
    let x = terms.bound(Symbol::new("x"), Sort::INT);
    let binders = [(Symbol::new("x"), Sort::INT)];
    let shadowing =
        terms.intern(Parts { head: Head::Let, sort: Sort::INT, arguments: &[x, x], words: &[], binders: &binders });
    assert_eq!(terms.free_variables(shadowing), vec![(Symbol::new("x"), Sort::INT)]);
}

#[test]
fn deeply_nested_lets_cost_no_more_than_their_number() {
    let mut terms = Terms::new();
    let symbols: Vec<Symbol> = (0..20_000).map(|index| Symbol::new(&format!("deep{index}"))).collect();
    let mut body = terms.bound(symbols[19_999], Sort::INT);
    for pair in symbols.windows(2).rev() {
        // (let ((b a)) body): twice the same argument would be exponential without sets.
        let value = terms.bound(pair[0], Sort::INT);
        let binders = [(pair[1], Sort::INT)];
        let arguments = [value, body];
        body = terms.intern(Parts {
            head: Head::Let,
            sort: Sort::INT,
            arguments: &arguments,
            words: &[],
            binders: &binders,
        });
    }
    assert_eq!(terms.free_variables(body), vec![(symbols[0], Sort::INT)]);
}

#[test]
fn a_pattern_binds_its_words() {
    assert!(pattern_binds("(cons x |a b|)", "a b") && pattern_binds("(cons x y)", "y"));
    assert!(!pattern_binds("(cons x |a b|)", "a"));
}

#[test]
fn import_copies_a_term_between_arenas() {
    let mut from = Terms::new();
    let text = from.string(&[0x61]);
    let mut to = Terms::new();
    to.numeral(7);
    let copy = to.import(&from, text);
    assert_eq!(to.text(copy), from.text(text));
}
