//! Exchange the same node: two subterms of one sort change places.

use super::{MutationResult, Mutator, is_free_place};
use crate::operator::Context;
use crate::operator::position::Occurrences;
use crate::random::FuzzRng;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{TermId, Terms};

/// How many first positions are drawn, and how many second ones for each: most have a partner, and most partners are
/// disjoint from them.
const DRAWS: usize = 16;

/// "We iterate through the assertion list, and randomly pick two identical nodes to swap their positions": identical
/// in sort, as Fig. 1 shows it (A→B exchanges a numeral with an application of `str.to.int`, B→C a variable with a
/// literal). The two are different and disjoint, anywhere in the assertions, and no bound variable leaves its scope.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeSubterms;

impl Mutator for ExchangeSubterms {
    fn name(&self) -> &'static str {
        "exchange-subterms"
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, _: &Context<'_>) -> MutationResult {
        let all = Occurrences::new(script, is_movable, is_free_place);
        for _ in 0..DRAWS {
            let Some((first, one)) = all.draw(script, is_free_place, rng) else { break };
            let sort = script.terms.sort(one);
            let is_partner = |terms: &Terms, term| term != one && terms.sort(term) == sort && is_movable(terms, term);
            let partners = Occurrences::new(script, is_partner, is_free_place);
            for _ in 0..DRAWS {
                let Some((second, other)) = partners.draw(script, is_free_place, rng) else { break };
                if first.is_disjoint_from(&second) {
                    first.replace(script, other);
                    second.replace(script, one);
                    return MutationResult::Mutated;
                }
            }
        }
        MutationResult::Skipped
    }
}

/// Whether a term may stand in any place of its sort.
fn is_movable(terms: &Terms, term: TermId) -> bool {
    terms.is_closed(term) && terms.sort(term) != Sort::UNKNOWN
}
