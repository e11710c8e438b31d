//! Exchange the same node: two subterms of one sort change places.

use super::{MutationResult, Mutator, is_free_place};
use crate::operator::Context;
use crate::operator::position::Occurrences;
use crate::random::FuzzRng;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

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
        if exchange(script, is_movable, is_movable, is_free_place, rng) {
            MutationResult::Mutated
        } else {
            MutationResult::Skipped
        }
    }
}

/// Exchanges a subterm that `one` selects with another of its sort that `other` selects, in places that `enter` does
/// not refuse; `false` if no two were found that are different and disjoint.
pub(in crate::operator) fn exchange(
    script: &mut Script,
    one: impl Fn(&Terms, TermId) -> bool,
    other: impl Fn(&Terms, TermId) -> bool,
    enter: impl Fn(&Parts<'_>, usize) -> bool,
    rng: &mut FuzzRng,
) -> bool {
    let all = Occurrences::new(script, one, &enter);
    for _ in 0..DRAWS {
        let Some((first, term)) = all.draw(script, &enter, rng) else { break };
        let sort = script.terms.sort(term);
        let is_partner = |terms: &Terms, each| each != term && terms.sort(each) == sort && other(terms, each);
        let partners = Occurrences::new(script, is_partner, &enter);
        for _ in 0..DRAWS {
            let Some((second, partner)) = partners.draw(script, &enter, rng) else { break };
            if first.is_disjoint_from(&second) {
                first.replace(script, partner);
                second.replace(script, term);
                return true;
            }
        }
    }
    false
}

/// Whether a term may stand in any place of its sort.
pub(in crate::operator) fn is_movable(terms: &Terms, term: TermId) -> bool {
    terms.is_closed(term) && has_own_sort(terms, term)
}

/// Whether a term has the same sort wherever it stands. That of a `lambda` depends on its place: Z3's are arrays.
pub(in crate::operator) fn has_own_sort(terms: &Terms, term: TermId) -> bool {
    terms.sort(term) != Sort::UNKNOWN && !matches!(terms.head(term), Head::Binder(_))
}
