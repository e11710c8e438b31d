//! `multiply`: numerals and the lengths of strings grow by a factor.

use super::walk::change_everywhere;
use crate::operator::Context;
use crate::operator::mutation::{MutationResult, Mutator};
use crate::random::FuzzRng;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId, Terms};

/// Each numeral is multiplied, bounds of loops included, and each character of a string is repeated as often. Bounds of
/// `re.range` stay single characters.
#[derive(Clone, Copy, Debug)]
pub struct Multiply {
    /// By what.
    pub factor: u32,
    /// A string that would be longer, or a loop that would repeat more often, stays as it is.
    pub most: u32,
}

impl Mutator for Multiply {
    fn name(&self) -> &'static str {
        "multiply"
    }

    fn mutate(&self, script: &mut Script, _: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        change_everywhere(script, |terms, term| match terms.head(term) {
            Head::Literal(LiteralKind::Numeral) => {
                let digits = product(terms.text(term), self.factor);
                terms.literal(LiteralKind::Numeral, terms.sort(term), &digits)
            }
            Head::Literal(LiteralKind::String) if !self.fits(terms.text(term).len()) => term,
            Head::Literal(LiteralKind::String) => {
                let repeated = |&character: &u32| std::iter::repeat_n(character, self.factor as usize);
                let text: Vec<u32> = terms.text(term).iter().flat_map(repeated).collect();
                terms.string(&text)
            }
            Head::Operator(_) if terms.sort(term) == Sort::REGLAN => self.multiply_loop(terms, term),
            _ => term,
        })
    }
}

impl Multiply {
    /// Whether a string of this length may be multiplied.
    fn fits(self, length: usize) -> bool {
        length.saturating_mul(self.factor as usize) <= self.most as usize
    }

    /// The term with its indices multiplied: those of the operators that give languages are numbers of repetitions.
    fn multiply_loop(self, terms: &mut Terms, term: TermId) -> TermId {
        let product = |index: &u32| index.checked_mul(self.factor).filter(|product| *product <= self.most);
        match (terms.head(term), terms.indices(term).iter().map(product).collect::<Option<Vec<u32>>>()) {
            (Head::Operator(op), Some(indices)) if !indices.is_empty() => {
                let (arguments, sort) = (terms.arguments(term).to_vec(), terms.sort(term));
                terms.apply_indexed(op, &indices, &arguments, sort)
            }
            _ => term,
        }
    }
}

/// The digits of a product, of a number of any length.
fn product(digits: &[u32], factor: u32) -> Vec<u32> {
    let mut product = Vec::with_capacity(digits.len() + 10);
    let mut carry = 0_u64;
    for digit in digits.iter().rev().map(|digit| u64::from(digit.saturating_sub(u32::from(b'0')))) {
        let value = digit * u64::from(factor) + carry;
        product.push(u32::from(b'0') + (value % 10) as u32);
        carry = value / 10;
    }
    while carry > 0 {
        product.push(u32::from(b'0') + (carry % 10) as u32);
        carry /= 10;
    }
    while product.len() > 1 && product.last() == Some(&u32::from(b'0')) {
        product.pop();
    }
    product.reverse();
    product
}
