//! Interned sets of bound variables: what occurs free in each term of an arena.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::sort::Sort;
use super::symbol::Symbol;

/// A set of one [`VariableSets`]: equal sets are equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VariableSet(u32);

impl VariableSet {
    /// The set without members.
    pub(super) const EMPTY: VariableSet = VariableSet(0);
}

/// All sets of an arena. Members are numbers of variables, ascending, in one flat vector.
#[derive(Clone, Debug, Default)]
pub(super) struct VariableSets {
    variables: Vec<(Symbol, Sort)>,
    members: Vec<u32>,
    /// End of every set's members except the empty set's, which has none: set `k` is `ends[k-2]..ends[k-1]`.
    ends: Vec<usize>,
    table: HashTable<u32>,
    numbers: rustc_hash::FxHashMap<(Symbol, Sort), u32>,
}

impl VariableSets {
    pub(super) fn clear(&mut self) {
        self.variables.clear();
        self.members.clear();
        self.ends.clear();
        self.table.clear();
        self.numbers.clear();
    }

    fn slice(&self, set: VariableSet) -> &[u32] {
        slice_of(&self.members, &self.ends, set.0)
    }

    /// The variables of a set, in no particular order.
    pub(super) fn members(&self, set: VariableSet) -> impl Iterator<Item = (Symbol, Sort)> + '_ {
        self.slice(set).iter().map(|&number| self.variables[number as usize])
    }

    /// The set of one variable.
    pub(super) fn single(&mut self, variable: (Symbol, Sort)) -> VariableSet {
        let next = self.variables.len() as u32;
        let number = *self.numbers.entry(variable).or_insert(next);
        if number == next {
            self.variables.push(variable);
        }
        self.intern(&[number])
    }

    /// The variables of either set.
    pub(super) fn union(&mut self, a: VariableSet, b: VariableSet) -> VariableSet {
        if a == b || b == VariableSet::EMPTY {
            return a;
        }
        if a == VariableSet::EMPTY {
            return b;
        }
        let (left, right) = (self.slice(a), self.slice(b));
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let (mut i, mut j) = (0, 0);
        while i < left.len() && j < right.len() {
            let smaller = left[i].min(right[j]);
            i += usize::from(left[i] == smaller);
            j += usize::from(right[j] == smaller);
            merged.push(smaller);
        }
        merged.extend_from_slice(&left[i..]);
        merged.extend_from_slice(&right[j..]);
        self.intern(&merged)
    }

    /// The variables whose names are not bound.
    pub(super) fn without(&mut self, set: VariableSet, bound: impl Fn(Symbol) -> bool) -> VariableSet {
        if set == VariableSet::EMPTY {
            return set;
        }
        let keep = |number: &u32| !bound(self.variables[*number as usize].0);
        let rest: Vec<u32> = self.slice(set).iter().copied().filter(|number| keep(number)).collect();
        self.intern(&rest)
    }

    fn intern(&mut self, set: &[u32]) -> VariableSet {
        if set.is_empty() {
            return VariableSet::EMPTY;
        }
        let VariableSets { members, ends, table, .. } = self;
        let hash = hash_of(set);
        if let Some(&found) = table.find(hash, |&other| slice_of(members, ends, other) == set) {
            return VariableSet(found);
        }
        members.extend_from_slice(set);
        ends.push(members.len());
        let handle = ends.len() as u32;
        table.insert_unique(hash, handle, |&other| hash_of(slice_of(members, ends, other)));
        VariableSet(handle)
    }
}

fn slice_of<'a>(members: &'a [u32], ends: &[usize], set: u32) -> &'a [u32] {
    match set as usize {
        0 => &[],
        1 => &members[..ends[0]],
        set => &members[ends[set - 2]..ends[set - 1]],
    }
}

fn hash_of(set: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    set.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_interned_whatever_the_order_of_union() {
        let mut sets = VariableSets::default();
        let [x, y, z] = ["x", "y", "z"].map(|name| sets.single((Symbol::new(name), Sort::INT)));
        let xy = sets.union(x, y);
        let zx = sets.union(z, x);
        assert_eq!(sets.union(xy, z), sets.union(y, zx));
        assert_eq!(sets.union(xy, x), xy);
        assert_eq!(sets.without(xy, |name| name.as_str() == "y"), x);
        assert_eq!(sets.without(x, |_| true), VariableSet::EMPTY);
    }
}
