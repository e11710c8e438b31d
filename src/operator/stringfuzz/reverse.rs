//! `reverse`: strings are read from right to left.

use super::walk::change_everywhere;
use crate::operator::Context;
use crate::operator::mutation::{MutationResult, Mutator};
use crate::random::FuzzRng;
use crate::smtlib::script::Script;
use crate::smtlib::term::{Head, LiteralKind};

/// Each string literal is reversed, and so are the operands of each concatenation of strings or languages.
#[derive(Clone, Copy, Debug)]
pub struct Reverse;

impl Mutator for Reverse {
    fn name(&self) -> &'static str {
        "reverse"
    }

    fn mutate(&self, script: &mut Script, _: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        change_everywhere(script, |terms, term| match terms.head(term) {
            Head::Literal(LiteralKind::String) => {
                let text: Vec<u32> = terms.text(term).iter().rev().copied().collect();
                terms.string(&text)
            }
            Head::Operator(op) if matches!(op.name(), "str.++" | "re.++") => {
                let operands: Vec<_> = terms.arguments(term).iter().rev().copied().collect();
                terms.with_arguments(term, &operands)
            }
            _ => term,
        })
    }
}
