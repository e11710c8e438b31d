//! `unprintable`: strings are written in characters that cannot be printed.

use super::walk::{change_everywhere, with_bounds};
use crate::generator::text_characters;
use crate::operator::Context;
use crate::operator::mutation::{MutationResult, Mutator, takes_literals};
use crate::random::{FuzzRng, choose_front};
use crate::smtlib::script::Script;
use crate::smtlib::term::{Head, LiteralKind, TermId};

/// The control characters that stand for others: all but NUL, tab and line feed.
const CONTROLS: [u32; 29] = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
    0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1D, 0x1E, 0x1F,
];

/// Each character of a string literal that can be printed, and white space, is replaced by another that cannot: a
/// control character, or a byte beyond ASCII where there are more characters than those. Different ones stay different
/// (in `StringFuzz` they may become one), so that equal strings are those that were. Bounds of `re.range` are replaced
/// and put in order.
#[derive(Clone, Copy, Debug)]
pub struct Unprintable;

impl Mutator for Unprintable {
    fn name(&self) -> &'static str {
        "unprintable"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        let map = character_map(script, rng);
        let mapped = |character: u32| map.get(character as usize).copied().unwrap_or(character);
        change_everywhere(script, |terms, term| match terms.head(term) {
            Head::Literal(LiteralKind::String) => {
                let text: Vec<u32> = terms.text(term).iter().copied().map(mapped).collect();
                terms.string(&text)
            }
            Head::Operator(op) if takes_literals(op) => with_bounds(terms, term, mapped),
            _ => term,
        })
    }
}

/// For each character below 128, what stands for it: another only if it occurs in a literal of the script.
fn character_map(script: &Script, rng: &mut FuzzRng) -> Vec<u32> {
    let mut occurs = [false; 256];
    for index in 0..script.terms.len() as u32 {
        if script.terms.head(TermId(index)) == Head::Literal(LiteralKind::String) {
            for &character in script.terms.text(TermId(index)) {
                if let Some(occurs) = occurs.get_mut(character as usize) {
                    *occurs = true;
                }
            }
        }
    }
    let is_text = |character: u32| text_characters().any(|each| each == character);
    let mut controls = CONTROLS.to_vec();
    let mut beyond: Vec<u32> = (0x7F..=0xFF).collect();
    let (some, more) = (controls.len(), beyond.len());
    choose_front(rng, &mut controls, some);
    choose_front(rng, &mut beyond, more);
    // What stays in the script must not come to stand for something else.
    let mut targets = controls.into_iter().chain(beyond).filter(|&each| is_text(each) || !occurs[each as usize]);
    let mut map: Vec<u32> = (0..128).collect();
    for character in text_characters().filter(|&each| occurs[each as usize]) {
        map[character as usize] = targets.next().unwrap_or(character);
    }
    map
}
