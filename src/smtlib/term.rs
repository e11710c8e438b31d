//! Terms: a hash-consed arena, in which equal subterms are one and a [`TermId`] is an index.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

use super::signature::Op;
use super::sort::Sort;
use super::symbol::Symbol;
use super::variable_set::{VariableSet, VariableSets};

/// A term of one [`Terms`] arena. Meaningless in another arena: use [`Terms::import`] to carry a term over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct TermId(pub(crate) u32);

/// The kinds of literal. Negative numbers are applications of `-`, as in SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LiteralKind {
    /// `0`, `42`: a natural number in decimal digits.
    Numeral,
    /// `2.50`: digits, a point, digits.
    Decimal,
    /// `#xAF`: the text holds the digits alone, in lower case.
    Hexadecimal,
    /// `#b0101`: the text holds the digits alone.
    Binary,
    /// A string: the text holds its code points (0 to 0x2FFFF), after all escapes were read.
    String,
}

/// What stands at the head of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// A literal; its text is in the arena ([`Terms::text`]).
    Literal(LiteralKind),
    /// A declared or defined symbol without arguments (SMT-LIB: a constant; everybody: a variable). A function's name is
    /// one where it is an argument itself: its sort is `(-> …)` then.
    Constant(Symbol),
    /// A variable bound by an enclosing `let`, quantifier, `match` or function definition.
    Bound(Symbol),
    /// An operator of the signature table, with numeral indices if it has any ([`Terms::indices`]).
    Operator(Op),
    /// A declared or defined function with arguments.
    Function(Symbol),
    /// An identifier that the table does not know, kept as it is written: `(_ is cons)`, `(as nil (List Int))`, or the
    /// name of a solver's own operator.
    Verbatim(Symbol),
    /// `(let ((x t) …) body)`: arguments are the bound terms, then the body; binders hold the names.
    Let,
    /// `(forall ((x S) …) body)`.
    Forall,
    /// `(exists ((x S) …) body)`.
    Exists,
    /// A binder that only some solvers have, by its name: `(lambda ((x S) …) body)`, `(set.comprehension ((x S)) p t)`.
    Binder(Symbol),
    /// `(t arguments…)`: a term whose value is a function, which is the first of the arguments, applied to the others.
    Application,
    /// `(! t attributes)`: the attributes' text, verbatim.
    Annotation(Symbol),
    /// `(match t ((pattern body) …))`: arguments are `t`, then the bodies; binders hold the patterns' texts.
    Match,
}

/// A range of one of the arena's pools.
#[derive(Clone, Copy, Debug)]
struct Range {
    start: u32,
    len: u32,
}

impl Range {
    fn of<T>(self, pool: &[T]) -> &[T] {
        &pool[self.start as usize..][..self.len as usize]
    }

    fn push<T: Copy>(pool: &mut Vec<T>, items: &[T]) -> Range {
        let start = u32::try_from(pool.len()).expect("an arena holds fewer than 2^32 items");
        // Most slices have no or few items, for which copying memory in bulk costs more than it saves.
        if items.len() <= 4 {
            pool.extend(items.iter().copied());
        } else {
            pool.extend_from_slice(items);
        }
        Range { start, len: items.len() as u32 }
    }
}

/// One node: 56 bytes, copyable.
#[derive(Clone, Copy, Debug)]
struct Node {
    head: Head,
    sort: Sort,
    arguments: Range,
    /// Literal text, or numeral indices of an operator: both are `u32`s and never occur together.
    words: Range,
    binders: Range,
    /// The bound variables that occur free in the term.
    free: VariableSet,
}

/// A node's parts as slices: what hash-consing compares, and what a new term is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// What stands at the head.
    pub head: Head,
    /// The term's sort; [`Sort::UNKNOWN`] if it could not be typed.
    pub sort: Sort,
    /// Arguments in order (see [`Head`] for what they are).
    pub arguments: &'a [TermId],
    /// Code points of a literal, or the numeral indices of an operator.
    pub words: &'a [u32],
    /// Names and sorts that a binder introduces.
    pub binders: &'a [(Symbol, Sort)],
}

impl Parts<'_> {
    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.head.hash(&mut hasher);
        self.sort.hash(&mut hasher);
        hasher.write_usize(self.arguments.len() | (self.words.len() << 20) | (self.binders.len() << 40));
        // Two items a step: hashing is much of what making a term costs.
        for pair in self.arguments.chunks(2) {
            hasher.write_u64(u64::from(pair[0].0) | (u64::from(pair.get(1).map_or(0, |second| second.0)) << 32));
        }
        for pair in self.words.chunks(2) {
            hasher.write_u64(u64::from(pair[0]) | (u64::from(pair.get(1).copied().unwrap_or(0)) << 32));
        }
        for binder in self.binders {
            binder.hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// An arena of terms. Cloning copies a few flat vectors; children always precede their parents.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    arguments: Vec<TermId>,
    words: Vec<u32>,
    binders: Vec<(Symbol, Sort)>,
    table: HashTable<u32>,
    variables: VariableSets,
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty arena with room for this many terms: growing rehashes every term.
    pub fn with_capacity(terms: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(terms),
            arguments: Vec::with_capacity(terms),
            words: Vec::with_capacity(terms),
            table: HashTable::with_capacity(terms),
            ..Self::default()
        }
    }

    /// Forgets all terms, keeping the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.arguments.clear();
        self.words.clear();
        self.binders.clear();
        self.table.clear();
        self.variables.clear();
    }

    /// How many different terms the arena holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena holds no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term with these parts: an equal one if there is one.
    ///
    /// # Panics
    /// If the arena would hold 2^32 terms, which no machine's memory does.
    pub fn intern(&mut self, parts: Parts<'_>) -> TermId {
        let hash = parts.hash();
        let found = self.table.find(hash, |&index| self.parts(TermId(index)) == parts);
        if let Some(&index) = found {
            return TermId(index);
        }
        let index = u32::try_from(self.nodes.len()).expect("an arena holds fewer than 2^32 terms");
        let free = self.free_of(&parts);
        let node = Node {
            head: parts.head,
            sort: parts.sort,
            arguments: Range::push(&mut self.arguments, parts.arguments),
            words: Range::push(&mut self.words, parts.words),
            binders: Range::push(&mut self.binders, parts.binders),
            free,
        };
        self.nodes.push(node);
        let Terms { nodes, arguments, words, binders, table, .. } = self;
        table.insert_unique(hash, index, |&other| parts_of(&nodes[other as usize], arguments, words, binders).hash());
        TermId(index)
    }

    /// The free variables of a term that is about to be made. Its arguments' sets are known, so that nested binders
    /// cost one union each.
    fn free_of(&mut self, parts: &Parts<'_>) -> VariableSet {
        let Terms { nodes, variables, .. } = self;
        let set_of = |term: TermId| nodes[term.0 as usize].free;
        match parts.head {
            Head::Bound(name) => return variables.single((name, parts.sort)),
            Head::Let => {
                // The bound terms are outside the scope of the names; only the body is inside.
                let Some((&body, values)) = parts.arguments.split_last() else { return VariableSet::EMPTY };
                let inside = variables.without(set_of(body), |name| parts.binders.iter().any(|each| each.0 == name));
                return values.iter().fold(inside, |set, &value| variables.union(set, set_of(value)));
            }
            Head::Match => {
                // A pattern's variables are the words of its text; constructors among them are never `Bound`.
                let Some((&scrutinee, bodies)) = parts.arguments.split_first() else { return VariableSet::EMPTY };
                let mut set = set_of(scrutinee);
                for (&body, (pattern, _)) in bodies.iter().zip(parts.binders) {
                    let inside = variables.without(set_of(body), |name| pattern_binds(pattern.as_str(), name.as_str()));
                    set = variables.union(set, inside);
                }
                return set;
            }
            _ => {}
        }
        let mut set = VariableSet::EMPTY;
        for &argument in parts.arguments {
            let free = set_of(argument);
            if free != VariableSet::EMPTY {
                set = variables.union(set, free);
            }
        }
        if matches!(parts.head, Head::Forall | Head::Exists | Head::Binder(_)) {
            set = variables.without(set, |name| parts.binders.iter().any(|each| each.0 == name));
        }
        set
    }

    /// A numeral, from a value.
    pub fn numeral(&mut self, value: u64) -> TermId {
        let mut digits = [0_u32; 20];
        let mut first = digits.len();
        let mut rest = value;
        loop {
            first -= 1;
            digits[first] = u32::from(b'0') + (rest % 10) as u32;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.literal(LiteralKind::Numeral, Sort::INT, &digits[first..])
    }

    /// A string literal, from its code points.
    pub fn string(&mut self, code_points: &[u32]) -> TermId {
        self.literal(LiteralKind::String, Sort::STRING, code_points)
    }

    /// A literal of any kind, from its text as code points.
    pub fn literal(&mut self, kind: LiteralKind, sort: Sort, text: &[u32]) -> TermId {
        self.intern(Parts { head: Head::Literal(kind), sort, arguments: &[], words: text, binders: &[] })
    }

    /// A declared symbol without arguments.
    pub fn constant(&mut self, name: Symbol, sort: Sort) -> TermId {
        self.intern(Parts { head: Head::Constant(name), sort, arguments: &[], words: &[], binders: &[] })
    }

    /// An occurrence of a variable that an enclosing binder introduces.
    pub fn bound(&mut self, name: Symbol, sort: Sort) -> TermId {
        self.intern(Parts { head: Head::Bound(name), sort, arguments: &[], words: &[], binders: &[] })
    }

    /// An operator applied to arguments (none for `true` or `re.allchar`), without indices.
    pub fn apply(&mut self, op: Op, arguments: &[TermId], sort: Sort) -> TermId {
        self.apply_indexed(op, &[], arguments, sort)
    }

    /// An indexed operator applied to arguments: `((_ re.loop 1 3) r)`.
    pub fn apply_indexed(&mut self, op: Op, indices: &[u32], arguments: &[TermId], sort: Sort) -> TermId {
        self.intern(Parts { head: Head::Operator(op), sort, arguments, words: indices, binders: &[] })
    }

    /// All parts of a term.
    pub fn parts(&self, term: TermId) -> Parts<'_> {
        parts_of(&self.nodes[term.0 as usize], &self.arguments, &self.words, &self.binders)
    }

    /// What stands at the head of a term.
    pub fn head(&self, term: TermId) -> Head {
        self.nodes[term.0 as usize].head
    }

    /// A term's sort.
    pub fn sort(&self, term: TermId) -> Sort {
        self.nodes[term.0 as usize].sort
    }

    /// A term's arguments (see [`Head`] for those of binders).
    pub fn arguments(&self, term: TermId) -> &[TermId] {
        self.nodes[term.0 as usize].arguments.of(&self.arguments)
    }

    /// A literal's text as code points; empty for other terms.
    pub fn text(&self, term: TermId) -> &[u32] {
        let node = &self.nodes[term.0 as usize];
        if matches!(node.head, Head::Literal(_)) { node.words.of(&self.words) } else { &[] }
    }

    /// An operator's numeral indices; empty for other terms.
    pub fn indices(&self, term: TermId) -> &[u32] {
        let node = &self.nodes[term.0 as usize];
        if matches!(node.head, Head::Operator(_)) { node.words.of(&self.words) } else { &[] }
    }

    /// The value of a numeral that fits in 64 bits.
    pub fn numeral_value(&self, term: TermId) -> Option<u64> {
        if self.head(term) != Head::Literal(LiteralKind::Numeral) {
            return None;
        }
        self.text(term).iter().try_fold(0_u64, |value, &digit| {
            value.checked_mul(10)?.checked_add(u64::from(digit.checked_sub(u32::from(b'0'))?))
        })
    }

    /// Whether no variable that is bound outside `term` occurs in it, so that the term may stand anywhere.
    pub fn is_closed(&self, term: TermId) -> bool {
        self.nodes[term.0 as usize].free == VariableSet::EMPTY
    }

    /// The bound variables that occur free in `term`, in no particular order.
    pub fn free(&self, term: TermId) -> impl Iterator<Item = (Symbol, Sort)> + '_ {
        self.variables.members(self.nodes[term.0 as usize].free)
    }

    /// The bound variables that occur free in `term`, sorted.
    pub fn free_variables(&self, term: TermId) -> Vec<(Symbol, Sort)> {
        let mut free: Vec<(Symbol, Sort)> = self.free(term).collect();
        free.sort_unstable();
        free
    }

    /// Copies `term` of `other` into this arena.
    pub fn import(&mut self, other: &Terms, term: TermId) -> TermId {
        self.rebuild(other, term, &mut |_, _| None)
    }

    /// Copies `term` of `other` into this arena, asking `replace` at every distinct subterm, parents first: `Some`
    /// stands in for the whole subterm, `None` copies the node and asks about its arguments.
    pub fn rebuild(
        &mut self,
        other: &Terms,
        term: TermId,
        replace: &mut dyn FnMut(&mut Terms, TermId) -> Option<TermId>,
    ) -> TermId {
        let mut done = rustc_hash::FxHashMap::default();
        self.rebuild_into(other, term, replace, &mut done)
    }

    fn rebuild_into(
        &mut self,
        other: &Terms,
        root: TermId,
        replace: &mut dyn FnMut(&mut Terms, TermId) -> Option<TermId>,
        done: &mut rustc_hash::FxHashMap<TermId, TermId>,
    ) -> TermId {
        // An explicit stack: a seed may nest deeper than the thread's stack.
        let mut stack = vec![(root, false)];
        let mut copied = Vec::new();
        while let Some((term, arguments_done)) = stack.pop() {
            if done.contains_key(&term) {
                continue;
            }
            if !arguments_done {
                if let Some(replacement) = replace(self, term) {
                    done.insert(term, replacement);
                    continue;
                }
                stack.push((term, true));
                stack.extend(other.arguments(term).iter().rev().map(|&argument| (argument, false)));
                continue;
            }
            copied.clear();
            copied.extend(other.arguments(term).iter().map(|argument| done[argument]));
            let parts = Parts { arguments: &copied, ..other.parts(term) };
            let copy = self.intern(parts);
            done.insert(term, copy);
        }
        done[&root]
    }
}

/// Whether the word `name` stands in the text of a `match` pattern, with or without bars.
pub fn pattern_binds(pattern: &str, name: &str) -> bool {
    // Words outside bars alternate with the contents of bars.
    pattern.split('|').enumerate().any(|(position, piece)| {
        if position % 2 == 1 { piece == name } else { piece.split(['(', ')', ' ']).any(|word| word == name) }
    })
}

fn parts_of<'a>(node: &Node, arguments: &'a [TermId], words: &'a [u32], binders: &'a [(Symbol, Sort)]) -> Parts<'a> {
    Parts {
        head: node.head,
        sort: node.sort,
        arguments: node.arguments.of(arguments),
        words: node.words.of(words),
        binders: node.binders.of(binders),
    }
}

#[cfg(test)]
mod tests;
