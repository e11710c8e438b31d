//! The nodes of a formula that is being made: what later nodes draw their operands from.

use rustc_hash::FxHashSet;

use crate::random::{FuzzRng, chance, pick};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::TermId;

/// How often an operand of a compact formula is drawn from the nodes that still lack uses: without that, the last node of
/// a layer waits for its use while the layer grows.
const UNUSED_FIRST: f64 = 0.5;

/// A node and the name of its sort without indices and arguments: `BitVec`.
#[derive(Clone, Copy, Debug)]
struct Node {
    term: TermId,
    sort: Sort,
    name: Symbol,
}

/// The nodes that are no predicates, by their sorts.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    known: FxHashSet<TermId>,
    all: Vec<Node>,
    by_name: Vec<(Symbol, Vec<TermId>)>,
    compact: bool,
    /// Those that the layer must still use, and how often.
    wanted: Vec<(Node, u32)>,
}

/// Which nodes may be an operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// Those of exactly this sort.
    Sort(Sort),
    /// Those whose sort has this name, whatever its indices and arguments are.
    Named(Symbol),
}

impl Wanted {
    fn fits(self, node: &Node) -> bool {
        match self {
            Wanted::Sort(sort) => node.sort == sort,
            Wanted::Named(name) => node.name == name,
        }
    }
}

impl Nodes {
    /// No nodes yet; of a compact formula, which draws from those that lack uses, or not.
    pub(super) fn new(compact: bool) -> Self {
        Nodes { compact, ..Nodes::default() }
    }

    /// Adds a node, unless it is there.
    pub(super) fn add(&mut self, term: TermId, sort: Sort) {
        if !self.known.insert(term) {
            return;
        }
        let name = sort.expression().name;
        self.all.push(Node { term, sort, name });
        match self.by_name.iter_mut().find(|(known, _)| *known == name) {
            Some((_, terms)) => terms.push(term),
            None => self.by_name.push((name, vec![term])),
        }
    }

    /// From now on, every node so far whose sort `counts` lacks this many uses.
    pub(super) fn begin_layer(&mut self, uses: u32, counts: impl Fn(Sort) -> bool) {
        self.wanted = self.all.iter().filter(|node| counts(node.sort)).map(|&node| (node, uses)).collect();
    }

    /// A node that is there lacks a use, whatever else does.
    pub(super) fn want(&mut self, term: TermId) {
        self.wanted.extend(self.all.iter().find(|node| node.term == term).map(|&node| (node, 1)));
    }

    /// Whether some node lacks uses.
    pub(super) fn lacks_uses(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// How many nodes lack uses.
    pub(super) fn lacking(&self) -> usize {
        self.wanted.len()
    }

    /// A random node; `None` if there is none. That is a use of it.
    pub(super) fn draw(&mut self, wanted: Wanted, rng: &mut FuzzRng) -> Option<TermId> {
        if self.compact && !self.wanted.is_empty() && chance(rng, UNUSED_FIRST) {
            let fitting: Vec<usize> = (0..self.wanted.len()).filter(|&at| wanted.fits(&self.wanted[at].0)).collect();
            if let Some(&at) = pick(rng, &fitting) {
                let term = self.wanted[at].0.term;
                self.use_at(at);
                return Some(term);
            }
        }
        let term = match wanted {
            Wanted::Named(name) => {
                let (_, terms) = self.by_name.iter().find(|(known, _)| *known == name)?;
                *pick(rng, terms)?
            }
            Wanted::Sort(sort) => {
                let terms: Vec<TermId> =
                    self.all.iter().filter(|node| node.sort == sort).map(|node| node.term).collect();
                *pick(rng, &terms)?
            }
        };
        if let Some(at) = self.wanted.iter().position(|(node, _)| node.term == term) {
            self.use_at(at);
        }
        Some(term)
    }

    fn use_at(&mut self, at: usize) {
        match &mut self.wanted[at].1 {
            0 | 1 => {
                self.wanted.swap_remove(at);
            }
            left => *left -= 1,
        }
    }

    /// The nodes that have been made, in order.
    pub(super) fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.all.iter().map(|node| node.term)
    }
}
