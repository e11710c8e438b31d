//! `fuzz`: every literal and every operator becomes a similar one.

use super::walk::{change_everywhere, with_bounds};
use crate::generator::text_character;
use crate::operator::Context;
use crate::operator::mutation::{MutationResult, Mutator, alternatives, fuzz_characters, fuzz_numeral, takes_literals};
use crate::random::{FuzzRng, chance, pick};
use crate::smtlib::script::Script;
use crate::smtlib::signature::Op;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId, Terms};

/// Each numeral n, bounds of loops included, becomes one of 0 to 2n; each character of a string is replaced, kept,
/// followed by another or deleted; each operator on strings or languages is drawn anew from its group, itself included.
#[derive(Clone, Copy, Debug)]
pub struct Fuzz {
    /// Replace, half of the time, each bound of `re.range` too.
    pub re_range: bool,
}

impl Mutator for Fuzz {
    fn name(&self) -> &'static str {
        "fuzz"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, context: &Context<'_>) -> MutationResult {
        change_everywhere(script, |terms, term| match terms.head(term) {
            Head::Literal(LiteralKind::Numeral) => fuzz_numeral(terms, term, 0, rng),
            Head::Literal(LiteralKind::String) => {
                let text = fuzz_characters(terms.text(term), text_character, rng);
                terms.string(&text)
            }
            Head::Operator(op) if takes_literals(op) && self.re_range => {
                with_bounds(terms, term, |bound| if chance(rng, 0.5) { text_character(rng) } else { bound })
            }
            Head::Operator(op) => fuzz_operator(terms, term, op, context, rng),
            _ => term,
        });
        // What stayed by chance may change the next time.
        MutationResult::Mutated
    }
}

/// The term with another operator of the same group, and with other bounds if it is a loop.
fn fuzz_operator(terms: &mut Terms, term: TermId, op: Op, context: &Context<'_>, rng: &mut FuzzRng) -> TermId {
    let signature = op.signature();
    let is_loop = terms.sort(term) == Sort::REGLAN && !terms.indices(term).is_empty();
    if signature.theory.as_str() != "Strings" || (signature.group.is_none() && !is_loop) {
        return term;
    }
    let parts = terms.parts(term);
    let mut group = if signature.group.is_some() { alternatives(terms, &parts, context.fragment) } else { Vec::new() };
    group.retain(|other| other.signature().group == signature.group);
    group.push(op);
    let (sort, arguments, mut indices) = (parts.sort, parts.arguments.to_vec(), parts.words.to_vec());
    if is_loop {
        for index in &mut indices {
            *index = crate::random::between(rng, 0, index.saturating_mul(2));
        }
        indices.sort_unstable();
    }
    let drawn = pick(rng, &group).copied().unwrap_or(op);
    terms.apply_indexed(drawn, &indices, &arguments, sort)
}
