//! Fuzz numbers and characters: a few literals change.

use super::{MutationResult, Mutator, is_free_place, takes_literals};
use crate::generator::fuzz_character;
use crate::operator::Context;
use crate::operator::position::Occurrences;
use crate::random::{FuzzRng, below, between, chance};
use crate::smtlib::script::Script;
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId, Terms};

/// How likely one more literal changes after each that did.
const ANOTHER: f64 = 0.5;

/// "We randomly change the string or number that appears in the test case": one literal, a second one half of the
/// time, and so on. A numeral n becomes one of 0 to 2n and each character of a string is replaced, kept, doubled by
/// another or deleted, as in `StringFuzz`; bounds of `re.range` stay in order; indices of operators count as numbers.
#[derive(Clone, Copy, Debug)]
pub struct FuzzLiterals;

impl Mutator for FuzzLiterals {
    fn name(&self) -> &'static str {
        "fuzz-literals"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, context: &Context<'_>) -> MutationResult {
        loop {
            let literals = Occurrences::new(script, holds_literal, is_free_place);
            let Some((position, term)) = literals.draw(script, is_free_place, rng) else {
                return MutationResult::Skipped;
            };
            let changed = fuzz(&mut script.terms, term, context.grammar.largest_numeral(), rng);
            position.replace(script, changed);
            if !chance(rng, ANOTHER) {
                return MutationResult::Mutated;
            }
        }
    }
}

/// Whether a term is a literal, or an operator with literals of its own: indices, or arguments that must be literals.
fn holds_literal(terms: &Terms, term: TermId) -> bool {
    match terms.head(term) {
        Head::Literal(_) => true,
        Head::Operator(op) => takes_literals(op) || !terms.indices(term).is_empty(),
        _ => false,
    }
}

fn fuzz(terms: &mut Terms, term: TermId, instead_of_zero: u32, rng: &mut FuzzRng) -> TermId {
    match terms.head(term) {
        Head::Literal(LiteralKind::Numeral) => fuzz_numeral(terms, term, instead_of_zero, rng),
        Head::Literal(LiteralKind::String) => fuzz_string(terms, term, rng),
        Head::Literal(kind) => fuzz_digit(terms, term, kind, rng),
        Head::Operator(op) if takes_literals(op) => fuzz_bounds(terms, term, rng),
        _ => fuzz_index(terms, term, rng),
    }
}

/// n becomes n − n to n + n; 0, which would stay, becomes 0 to `instead_of_zero`.
pub(in crate::operator) fn fuzz_numeral(
    terms: &mut Terms,
    term: TermId,
    instead_of_zero: u32,
    rng: &mut FuzzRng,
) -> TermId {
    match terms.numeral_value(term) {
        Some(0) => terms.numeral(u64::from(between(rng, 0, instead_of_zero))),
        Some(value) if value < u64::MAX / 2 => terms.numeral(below(rng, 2 * value as usize + 1) as u64),
        // Beyond 64 bits a change of one digit is change enough.
        _ => fuzz_digit(terms, term, LiteralKind::Numeral, rng),
    }
}

fn fuzz_string(terms: &mut Terms, term: TermId, rng: &mut FuzzRng) -> TermId {
    let mut text = fuzz_characters(terms.text(term), fuzz_character, rng);
    if terms.text(term).is_empty() {
        text.push(fuzz_character(rng));
    }
    terms.string(&text)
}

/// Each character is replaced by one that `draw` gives, kept, followed by such a one, or deleted.
pub(in crate::operator) fn fuzz_characters(
    text: &[u32],
    draw: impl Fn(&mut FuzzRng) -> u32,
    rng: &mut FuzzRng,
) -> Vec<u32> {
    let mut fuzzed = Vec::with_capacity(text.len() * 2 + 1);
    for &character in text {
        match below(rng, 4) {
            0 => fuzzed.push(draw(rng)),
            1 => fuzzed.push(character),
            2 => fuzzed.extend([character, draw(rng)]),
            _ => {}
        }
    }
    fuzzed
}

/// Another digit in one place; length, point and so the sort stay, and a numeral gets no leading 0.
fn fuzz_digit(terms: &mut Terms, term: TermId, kind: LiteralKind, rng: &mut FuzzRng) -> TermId {
    let sort = terms.sort(term);
    let mut text = terms.text(term).to_vec();
    let digits: &[u8] = match kind {
        LiteralKind::Binary => b"01",
        LiteralKind::Hexadecimal => b"0123456789abcdef",
        _ => b"123456789",
    };
    let places: Vec<usize> = (0..text.len()).filter(|&place| text[place] != u32::from(b'.')).collect();
    if let Some(&place) = crate::random::pick(rng, &places) {
        text[place] = u32::from(digits[below(rng, digits.len())]);
    }
    terms.literal(kind, sort, &text)
}

/// One of the characters that an operator demands as literals; they stay in order.
fn fuzz_bounds(terms: &mut Terms, term: TermId, rng: &mut FuzzRng) -> TermId {
    let mut arguments = terms.arguments(term).to_vec();
    let place = below(rng, arguments.len());
    arguments[place] = terms.string(&[fuzz_character(rng)]);
    arguments.sort_by(|&one, &other| terms.text(one).cmp(terms.text(other)));
    terms.with_arguments(term, &arguments)
}

/// Another index, if the operator takes the same arguments to the same sort with it.
fn fuzz_index(terms: &mut Terms, term: TermId, rng: &mut FuzzRng) -> TermId {
    let Head::Operator(op) = terms.head(term) else { return term };
    let sort = terms.sort(term);
    let arguments = terms.arguments(term).to_vec();
    let sorts: Vec<Sort> = arguments.iter().map(|&argument| terms.sort(argument)).collect();
    let mut indices = terms.indices(term).to_vec();
    let place = below(rng, indices.len());
    indices[place] = between(rng, 0, indices[place].saturating_mul(2).clamp(1, 1 << 16));
    if sort == Sort::REGLAN {
        indices.sort_unstable();
    }
    match table().resolve(op.name(), &indices, &sorts) {
        Ok((same, result)) if same == op && result == sort => terms.apply_indexed(op, &indices, &arguments, sort),
        _ => term,
    }
}
