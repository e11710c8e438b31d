//! Scaling within terms: literals and arguments.

use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::{Associativity, Op};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId, Terms};

/// A fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    pub(super) numerator: u32,
    /// At least 1.
    pub(super) denominator: u32,
}

impl Factor {
    /// A number of things, scaled and rounded.
    fn of(self, count: usize) -> usize {
        let (numerator, denominator) = (self.numerator as usize, self.denominator as usize);
        (count.saturating_mul(numerator) + denominator / 2) / denominator
    }
}

/// Scales the length of string literals; answers how many characters they have, or `None` if there are none.
pub(super) fn scale_strings(script: &mut Script, factor: Factor) -> Option<f64> {
    let mut characters = 0;
    let mut found = false;
    change_everywhere(script, |terms, term| {
        let text = terms.text(term);
        if terms.head(term) != Head::Literal(LiteralKind::String) || text.is_empty() {
            return term;
        }
        found = true;
        let scaled: Vec<u32> = text.iter().copied().cycle().take(factor.of(text.len())).collect();
        characters += scaled.len();
        terms.string(&scaled)
    });
    found.then_some(characters as f64)
}

/// Scales integer constants; answers the largest one, or `None` if all are 0.
pub(super) fn scale_integers(script: &mut Script, factor: Factor) -> Option<f64> {
    let mut largest = None;
    change_everywhere(script, |terms, term| {
        let is_integer = terms.head(term) == Head::Literal(LiteralKind::Numeral) && terms.sort(term) == Sort::INT;
        if !is_integer || terms.text(term).iter().all(|&digit| digit == u32::from(b'0')) {
            return term;
        }
        let digits = scaled_digits(terms.text(term), factor);
        let value = digits.iter().fold(0.0, |value, &digit| value * 10.0 + f64::from(digit - u32::from(b'0')));
        largest = Some(largest.map_or(value, |largest: f64| largest.max(value)));
        terms.literal(LiteralKind::Numeral, Sort::INT, &digits)
    });
    largest
}

/// Repeats the arguments of n-ary operators, or keeps the first of them; answers how many arguments such terms have
/// then, or `None` if there is no such term.
pub(super) fn scale_arguments(script: &mut Script, factor: Factor) -> Option<f64> {
    let mut count = 0;
    let mut found = false;
    change_everywhere(script, |terms, term| {
        let Head::Operator(op) = terms.head(term) else { return term };
        if !repeats(terms, term, op) {
            return term;
        }
        found = true;
        let arguments = terms.arguments(term);
        let scaled: Vec<TermId> = arguments.iter().copied().cycle().take(factor.of(arguments.len()).max(1)).collect();
        count += scaled.len();
        match scaled.as_slice() {
            [only] => *only,
            several => terms.with_arguments(term, several),
        }
    });
    found.then_some(count as f64)
}

/// Whether a term's operator takes any number of arguments, all of its result's sort.
fn repeats(terms: &Terms, term: TermId, op: Op) -> bool {
    let (signature, arguments, sort) = (op.signature(), terms.arguments(term), terms.sort(term));
    signature.associativity == Some(Associativity::LeftAssoc)
        && !signature.linear
        && op.name() != "-"
        && sort != Sort::BOOL
        && arguments.len() >= 2
        && arguments.iter().all(|&argument| terms.sort(argument) == sort)
}

/// Decimal digits of a number of any length, times a fraction, rounded.
fn scaled_digits(digits: &[u32], factor: Factor) -> Vec<u32> {
    let zero = u32::from(b'0');
    let mut product = Vec::with_capacity(digits.len() + 10);
    // Half the denominator is added, and so the quotient below is rounded.
    let mut carry = u64::from(factor.denominator / 2);
    for digit in digits.iter().rev() {
        let value = u64::from(digit.saturating_sub(zero)) * u64::from(factor.numerator) + carry;
        product.push(value % 10);
        carry = value / 10;
    }
    while carry > 0 {
        product.push(carry % 10);
        carry /= 10;
    }
    let mut remainder = 0;
    let mut quotient = Vec::with_capacity(product.len());
    for digit in product.into_iter().rev() {
        let value = remainder * 10 + digit;
        remainder = value % u64::from(factor.denominator);
        quotient.push(zero + (value / u64::from(factor.denominator)) as u32);
    }
    let leading = quotient.iter().take_while(|&&digit| digit == zero).count();
    quotient.drain(..leading.min(quotient.len().saturating_sub(1)));
    quotient
}

/// Replaces every distinct subterm by what `change` makes of it, arguments before their terms; literals at places where
/// their operator demands literals stay.
fn change_everywhere(script: &mut Script, mut change: impl FnMut(&mut Terms, TermId) -> TermId) {
    let Script { commands, terms } = script;
    let free = free_terms(commands, terms);
    let mut results: Vec<TermId> = (0..free.len() as u32).map(TermId).collect();
    let mut arguments = Vec::new();
    for index in 0..free.len() {
        if !free[index] {
            continue;
        }
        let term = TermId(index as u32);
        arguments.clear();
        let places = terms.arguments(term).iter().enumerate();
        arguments.extend(places.map(|(place, argument)| {
            if demands_literal(terms, term, place) { *argument } else { results[argument.0 as usize] }
        }));
        let same = arguments == terms.arguments(term);
        let rebuilt = if same { term } else { terms.with_arguments(term, &arguments) };
        results[index] = change(terms, rebuilt);
    }
    for root in commands.iter_mut().flat_map(Command::terms_mut) {
        *root = results[root.0 as usize];
    }
}

/// Which terms occur somewhere where no literal is demanded.
fn free_terms(commands: &mut [Command], terms: &Terms) -> Vec<bool> {
    let mut free = vec![false; terms.len()];
    for root in commands.iter_mut().flat_map(Command::terms_mut) {
        free[root.0 as usize] = true;
    }
    // Arguments precede their terms.
    for index in (0..free.len()).rev().filter(|&index| terms.len() > index) {
        if free[index] {
            let term = TermId(index as u32);
            for (place, argument) in terms.arguments(term).iter().enumerate() {
                free[argument.0 as usize] |= !demands_literal(terms, term, place);
            }
        }
    }
    free
}

fn demands_literal(terms: &Terms, term: TermId, place: usize) -> bool {
    matches!(terms.head(term), Head::Operator(op) if op.signature().literal_arguments.contains(&place))
}

/// How many applications and leaves the assertions have when they are written out, shared ones each time.
pub(super) fn tree_size(script: &Script) -> f64 {
    let mut sizes: Vec<f64> = Vec::with_capacity(script.terms.len());
    for index in 0..script.terms.len() as u32 {
        let term = TermId(index);
        let below: f64 = script.terms.arguments(term).iter().map(|argument| sizes[argument.0 as usize]).sum();
        sizes.push(1.0 + below + script.terms.text(term).len() as f64 / 8.0);
    }
    script.assertions().map(|root| sizes[root.0 as usize]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_scaled_and_rounded() {
        let scaled = |text: &str, numerator, denominator| {
            let digits: Vec<u32> = text.bytes().map(u32::from).collect();
            let scaled = scaled_digits(&digits, Factor { numerator, denominator });
            scaled.into_iter().filter_map(char::from_u32).collect::<String>()
        };
        assert_eq!([scaled("9", 1, 4), scaled("10", 1, 4), scaled("1", 1, 4), scaled("9", 0, 1)], ["2", "3", "0", "0"]);
        assert_eq!(scaled("99999999999999999999999", 8, 1), "799999999999999999999992");
        assert_eq!(scaled("100000000000000000000000", 3, 4), "75000000000000000000000");
    }
}
