//! The two pools of formulas with their truth: fragments of the seed, and formulas constructed of them.

use rustc_hash::FxHashSet;

use super::{Bounds, CONJUNCTIONS, Connectives, FROM_INITIAL, constructed_for};
use crate::random::{FuzzRng, below, chance};
use crate::semantics::evaluate::{Evaluator, Limits};
use crate::semantics::interpretation::Interpretation;
use crate::semantics::value::Value;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, TermId, Terms};

/// A formula and whether it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formula {
    /// The formula, in the arena of the pools' script.
    pub term: TermId,
    /// Whether it holds under the assignment.
    pub holds: bool,
    /// How deep connectives nest in it.
    pub depth: u32,
}

/// The pools of one seed under one assignment.
#[derive(Clone, Debug)]
pub struct Pools {
    script: Script,
    connectives: Connectives,
    initial: Vec<Formula>,
    constructed: Vec<Formula>,
}

/// Constructions that are tried for each formula: with a small depth, few different ones may exist.
const TRIES: usize = 4;

impl Pools {
    /// Phases 1 and 2 of Algorithm 1 on a [`prepared`](super::prepared) seed: fragments are all Boolean subterms, of any
    /// place, that stand for themselves (no variable of a quantifier around them) and whose truth `truth` knows.
    /// `None` if there are none.
    pub fn of(
        seed: Script,
        bounds: Bounds,
        truth: impl Fn(TermId) -> Option<bool>,
        rng: &mut FuzzRng,
    ) -> Option<Pools> {
        let connectives = Connectives::of_the_table()?;
        let initial = fragments(&seed, bounds.depth, truth);
        if initial.is_empty() {
            return None;
        }
        let mut pools = Pools { script: seed, connectives, initial, constructed: Vec::new() };
        pools.construct(bounds, rng);
        Some(pools)
    }

    /// The same, where what is true is what our evaluator says under `assignment`, within small limits.
    pub fn under(seed: Script, assignment: &Interpretation, bounds: Bounds, rng: &mut FuzzRng) -> Option<Pools> {
        let outcomes = Evaluator::with_limits(&seed, assignment, Limits::SMALL).values();
        let truth = |term: TermId| match outcomes.get(term.0 as usize) {
            Some(Some(Ok(Value::Bool(holds)))) => Some(*holds),
            _ => None,
        };
        Pools::of(seed, bounds, truth, rng)
    }

    /// The seed, with the formulas of both pools in its arena.
    pub fn seed(&self) -> &Script {
        &self.script
    }

    /// The fragments of the seed.
    pub fn initial(&self) -> &[Formula] {
        &self.initial
    }

    /// The constructed formulas.
    pub fn constructed(&self) -> &[Formula] {
        &self.constructed
    }

    /// A formula of either pool.
    pub(super) fn draw(&self, rng: &mut FuzzRng) -> Formula {
        let pool =
            if self.constructed.is_empty() || chance(rng, FROM_INITIAL) { &self.initial } else { &self.constructed };
        pool[below(rng, pool.len())]
    }

    pub(super) fn negated(&self, script: &mut Script, term: TermId) -> TermId {
        self.connectives.negated(script, term)
    }

    fn construct(&mut self, bounds: Bounds, rng: &mut FuzzRng) {
        let wanted = constructed_for(self.initial.len());
        let mut known: FxHashSet<TermId> = FxHashSet::default();
        for _ in 0..TRIES * wanted {
            if self.constructed.len() == wanted {
                return;
            }
            let one = self.draw(rng);
            let formula = if chance(rng, CONJUNCTIONS) {
                let other = self.draw(rng);
                Formula {
                    term: self.connectives.conjoined(&mut self.script, one.term, other.term),
                    holds: one.holds && other.holds,
                    depth: 1 + one.depth.max(other.depth),
                }
            } else {
                Formula {
                    term: self.connectives.negated(&mut self.script, one.term),
                    holds: !one.holds,
                    depth: 1 + one.depth,
                }
            };
            if formula.depth <= bounds.depth && known.insert(formula.term) {
                self.constructed.push(formula);
            }
        }
    }
}

fn fragments(seed: &Script, most_depth: u32, truth: impl Fn(TermId) -> Option<bool>) -> Vec<Formula> {
    let terms = &seed.terms;
    let mut used = vec![false; terms.len()];
    terms.mark_used(seed.assertions(), &mut used);
    let (depths, typed) = (depths(terms), typed(terms));
    let formula = |index: usize| {
        let term = TermId(index as u32);
        let fits = used[index] && terms.sort(term) == Sort::BOOL && typed[index] && terms.is_closed(term);
        let depth = depths[index];
        (fits && depth <= most_depth).then(|| truth(term)).flatten().map(|holds| Formula { term, holds, depth })
    };
    (0..terms.len()).filter_map(formula).collect()
}

/// How deep connectives nest in the assertions of `script`; predicates have depth 0.
pub fn depth(script: &Script) -> u32 {
    let depths = depths(&script.terms);
    script.assertions().map(|root| depths[root.0 as usize]).max().unwrap_or(0)
}

/// How deep connectives nest in each term of the arena. What is not Boolean hides what is inside it.
fn depths(terms: &Terms) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(terms.len());
    for index in 0..terms.len() as u32 {
        let term = TermId(index);
        let inside = terms.arguments(term).iter().filter(|&&argument| terms.sort(argument) == Sort::BOOL);
        let deepest = inside.map(|argument| depths[argument.0 as usize] + 1).max();
        depths.push(deepest.filter(|_| terms.sort(term) == Sort::BOOL).unwrap_or(0));
    }
    depths
}

/// Which terms hold nothing that could not be typed, such as the name of a named term, which their copies would need.
fn typed(terms: &Terms) -> Vec<bool> {
    let mut typed: Vec<bool> = Vec::with_capacity(terms.len());
    for index in 0..terms.len() as u32 {
        let term = TermId(index);
        let known = terms.sort(term) != Sort::UNKNOWN && !matches!(terms.head(term), Head::Annotation(_));
        typed.push(known && terms.arguments(term).iter().all(|argument| typed[argument.0 as usize]));
    }
    typed
}
