//! Arrays that are constant but for finitely many indices, in a form in which equal functions are equal values.

use std::collections::BTreeMap;

use super::domain::{Count, all_values, count};
use super::{Sort, Value};

/// An array. No entry has the default as its value; and where the index sort is so small that either of two values
/// could be the default, it is the more frequent one, of equally frequent ones the least.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Array {
    index: Sort,
    element: Sort,
    default: Value,
    entries: BTreeMap<Value, Value>,
}

impl Array {
    /// The array that has the same value everywhere.
    pub fn constant(index: Sort, element: Sort, default: Value) -> Array {
        Array { index, element, default, entries: BTreeMap::new() }
    }

    /// The array with these values, and the default at all other indices.
    pub fn new(index: Sort, element: Sort, default: Value, mut entries: BTreeMap<Value, Value>) -> Array {
        entries.retain(|_, value| *value != default);
        Array { index, element, default, entries }.normalised()
    }

    /// The sort of indices.
    pub fn index_sort(&self) -> Sort {
        self.index
    }

    /// The sort of elements.
    pub fn element_sort(&self) -> Sort {
        self.element
    }

    /// The value at all indices that are no entries.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The other indices with their values, in order.
    pub fn entries(&self) -> &BTreeMap<Value, Value> {
        &self.entries
    }

    /// The value at an index.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with another value at an index.
    #[must_use]
    pub fn store(&self, index: Value, value: Value) -> Array {
        let mut changed = self.clone();
        if value == changed.default {
            changed.entries.remove(&index);
        } else {
            changed.entries.insert(index, value);
        }
        changed.normalised()
    }

    /// Chooses the default where there is a choice: only if the entries are at least half of all indices.
    fn normalised(self) -> Array {
        let Count::Finite(indices) = count(self.index) else { return self };
        if indices / 2 > self.entries.len() as u64 {
            return self;
        }
        let Some(domain) = all_values(self.index, indices) else { return self };
        let mut frequencies: BTreeMap<&Value, usize> = BTreeMap::new();
        for index in &domain {
            *frequencies.entry(self.select(index)).or_default() += 1;
        }
        let most = frequencies.values().copied().max().unwrap_or_default();
        let chosen = frequencies.into_iter().find(|&(_, frequency)| frequency == most).map(|(value, _)| value.clone());
        let Some(default) = chosen.filter(|chosen| *chosen != self.default) else { return self };
        let changed = domain.into_iter().map(|index| (index.clone(), self.select(&index).clone()));
        let entries = changed.filter(|(_, value)| *value != default).collect();
        Array { default, entries, ..self }
    }
}
