//! Regular languages: expressions in normal form, and the questions that terms ask about them.
//!
//! Values hold a [`Language`], an expression that owns its parts, and [`Languages`] answers questions about it. Within,
//! a `Regex` is a handle into a pool, `Regexes`, and leaves this folder never; the pool's constructors (`regex/build.rs`) bring expressions into a
//! normal form: equal normal forms are equal handles. Membership is decided by Brzozowski's derivatives
//! (`regex/derivative.rs`), which know complement and intersection as well as union; emptiness and equivalence by
//! exploring all of them (`regex/language.rs`). The number of derivatives can be astronomic, so every question has a
//! [`Budget`]. Nothing here recurses: an expression may be nested as deep as memory goes.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

pub use self::budget::{Budget, DEFAULT_STEPS, GaveUp};
use self::class::Class;
pub use self::expression::{Form, Language};
pub use self::languages::Languages;
pub use self::search::ReplaceError;

mod budget;
mod build;
mod class;
mod derivative;
mod expression;
mod language;
mod languages;
mod repetition;
mod search;

/// A regular language as an expression in normal form. Handles of one pool are equal if and only if their normal forms
/// are; different normal forms may still be one language, which `Regexes::equivalent` decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Regex(u32);

impl Regex {
    /// `re.none`: the empty language.
    const NONE: Regex = Regex(0);
    /// The language of the empty word alone.
    const EPSILON: Regex = Regex(1);
    /// `re.allchar`: all words of one character.
    const ALLCHAR: Regex = Regex(2);
    /// `re.all`: all words.
    const ALL: Regex = Regex(3);
}

/// A stretch of [`Regexes::operands`].
#[derive(Clone, Copy, Debug)]
struct List {
    start: u32,
    end: u32,
}

impl List {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a handle stands for. What each variant promises is what its constructor sees to.
#[derive(Clone, Copy, Debug)]
enum Node {
    None,
    Epsilon,
    /// One character of the set with this number, which is not empty.
    Class(u32),
    /// A word of the first, then one of the second. The first is itself a concatenation only if it is a long one.
    Concat(Regex, Regex),
    /// At least two operands, sorted, different.
    Union(List),
    /// At least two operands, sorted, different.
    Intersection(List),
    Complement(Regex),
    Star(Regex),
    /// From `low` to `high` words of the body; any number from `low` on without `high`. Neither a star nor an option.
    Loop {
        body: Regex,
        low: u32,
        high: Option<u32>,
    },
}

/// What is known of a language from the parts of its expression.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Whether the empty word is in the language.
    nullable: bool,
    /// Whether the expression has neither complement nor intersection. Then it is not empty unless it is
    /// [`Regex::NONE`], and the bounds of the lengths are exact.
    positive: bool,
    /// Whether the form of the expression shows a word of the language.
    inhabited: bool,
    /// No word is shorter. The largest number stands for itself and all above.
    shortest: u32,
    /// No word is longer. The largest number stands for all above, and for no bound.
    longest: u32,
}

/// A pool of regular languages. Handles are of use only in the pool that made them.
#[derive(Debug)]
struct Regexes {
    nodes: Vec<(Node, Facts)>,
    operands: Vec<Regex>,
    classes: Vec<Class>,
    class_numbers: FxHashMap<Class, u32>,
    /// The languages of one word of one character, which most classes are.
    characters: FxHashMap<u32, Regex>,
    table: HashTable<u32>,
    derivatives: FxHashMap<(Regex, u32), Regex>,
    emptiness: FxHashMap<Regex, bool>,
    /// Empty between calls; kept for its memory.
    scratch: Vec<Regex>,
}

impl Default for Regexes {
    fn default() -> Self {
        Self::new()
    }
}

impl Regexes {
    /// A pool that knows only the constants of [`Regex`].
    fn new() -> Self {
        let mut pool = Self {
            nodes: Vec::new(),
            operands: Vec::new(),
            classes: Vec::new(),
            class_numbers: FxHashMap::default(),
            characters: FxHashMap::default(),
            table: HashTable::new(),
            derivatives: FxHashMap::default(),
            emptiness: FxHashMap::default(),
            scratch: Vec::new(),
        };
        pool.intern(Node::None);
        pool.intern(Node::Epsilon);
        pool.class(Class::full());
        pool.intern(Node::Star(Regex::ALLCHAR));
        pool
    }

    fn node(&self, regex: Regex) -> Node {
        self.nodes[regex.0 as usize].0
    }

    fn facts(&self, regex: Regex) -> Facts {
        self.nodes[regex.0 as usize].1
    }

    fn is_nullable(&self, regex: Regex) -> bool {
        self.facts(regex).nullable
    }

    fn list(&self, list: List) -> &[Regex] {
        &self.operands[list.range()]
    }

    /// The handle of a node: an old one if there is an equal node.
    ///
    /// # Panics
    /// If the pool would hold 2^32 nodes, which no machine's memory does.
    fn intern(&mut self, node: Node) -> Regex {
        let hash = self.hash(node);
        if let Some(&index) = self.table.find(hash, |&index| self.equal(self.nodes[index as usize].0, node)) {
            // The operands of a list that is already there are the last ones: nobody needs them twice.
            if let Node::Union(list) | Node::Intersection(list) = node {
                self.operands.truncate(list.start as usize);
            }
            return Regex(index);
        }
        let index = u32::try_from(self.nodes.len()).expect("a pool holds fewer than 2^32 nodes");
        let facts = self.facts_of(node);
        self.nodes.push((node, facts));
        let (nodes, operands) = (&self.nodes, &self.operands);
        self.table.insert_unique(hash, index, |&other| hash_of(nodes[other as usize].0, operands));
        Regex(index)
    }

    /// Appends operands that are about to be those of a node.
    fn push_list(&mut self, operands: &[Regex]) -> List {
        let start = self.operands.len();
        self.operands.extend_from_slice(operands);
        let place = |length| u32::try_from(length).expect("a pool holds fewer than 2^32 operands");
        List { start: place(start), end: place(self.operands.len()) }
    }

    fn hash(&self, node: Node) -> u64 {
        hash_of(node, &self.operands)
    }

    fn equal(&self, left: Node, right: Node) -> bool {
        match (left, right) {
            (Node::None, Node::None) | (Node::Epsilon, Node::Epsilon) => true,
            (Node::Class(left), Node::Class(right)) => left == right,
            (Node::Concat(left, left_rest), Node::Concat(right, right_rest)) => {
                left == right && left_rest == right_rest
            }
            (Node::Union(left), Node::Union(right)) | (Node::Intersection(left), Node::Intersection(right)) => {
                self.list(left) == self.list(right)
            }
            (Node::Complement(left), Node::Complement(right)) | (Node::Star(left), Node::Star(right)) => left == right,
            (Node::Loop { body, low, high }, Node::Loop { body: other, low: other_low, high: other_high }) => {
                (body, low, high) == (other, other_low, other_high)
            }
            _ => false,
        }
    }

    fn facts_of(&self, node: Node) -> Facts {
        let shortest_of = |regex: &Regex| self.facts(*regex).shortest;
        let longest_of = |regex: &Regex| self.facts(*regex).longest;
        let all_positive = |list: &[Regex]| list.iter().all(|&operand| self.facts(operand).positive);
        match node {
            Node::None => Facts { nullable: false, positive: true, inhabited: false, shortest: u32::MAX, longest: 0 },
            Node::Epsilon => Facts { nullable: true, positive: true, inhabited: true, shortest: 0, longest: 0 },
            Node::Class(_) => Facts { nullable: false, positive: true, inhabited: true, shortest: 1, longest: 1 },
            Node::Concat(first, second) => {
                let (first, second) = (self.facts(first), self.facts(second));
                Facts {
                    nullable: first.nullable && second.nullable,
                    positive: first.positive && second.positive,
                    inhabited: first.inhabited && second.inhabited,
                    shortest: first.shortest.saturating_add(second.shortest),
                    longest: first.longest.saturating_add(second.longest),
                }
            }
            Node::Union(list) => {
                let list = self.list(list);
                Facts {
                    nullable: list.iter().any(|&operand| self.is_nullable(operand)),
                    positive: all_positive(list),
                    inhabited: list.iter().any(|&operand| self.facts(operand).inhabited),
                    shortest: list.iter().map(shortest_of).min().unwrap_or(u32::MAX),
                    longest: list.iter().map(longest_of).max().unwrap_or(0),
                }
            }
            Node::Intersection(list) => {
                let list = self.list(list);
                let nullable = list.iter().all(|&operand| self.is_nullable(operand));
                Facts {
                    nullable,
                    positive: false,
                    inhabited: nullable,
                    shortest: list.iter().map(shortest_of).max().unwrap_or(0),
                    longest: list.iter().map(longest_of).min().unwrap_or(u32::MAX),
                }
            }
            Node::Complement(inner) => {
                let nullable = !self.is_nullable(inner);
                Facts {
                    nullable,
                    positive: false,
                    inhabited: nullable,
                    shortest: u32::from(!nullable),
                    longest: u32::MAX,
                }
            }
            Node::Star(body) => Facts {
                nullable: true,
                positive: self.facts(body).positive,
                inhabited: true,
                shortest: 0,
                longest: u32::MAX,
            },
            Node::Loop { body, low, high } => {
                let body = self.facts(body);
                Facts {
                    nullable: low == 0,
                    positive: body.positive,
                    inhabited: low == 0 || body.inhabited,
                    shortest: body.shortest.saturating_mul(low),
                    longest: high.map_or(u32::MAX, |high| body.longest.saturating_mul(high)),
                }
            }
        }
    }
}

fn hash_of(node: Node, operands: &[Regex]) -> u64 {
    let mut hasher = FxHasher::default();
    std::mem::discriminant(&node).hash(&mut hasher);
    match node {
        Node::None | Node::Epsilon => {}
        Node::Class(number) => number.hash(&mut hasher),
        Node::Concat(first, second) => (first, second).hash(&mut hasher),
        Node::Union(list) | Node::Intersection(list) => operands[list.range()].hash(&mut hasher),
        Node::Complement(inner) | Node::Star(inner) => inner.hash(&mut hasher),
        Node::Loop { body, low, high } => (body, low, high).hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests;
