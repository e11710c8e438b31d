//! The compiled form of a build's notes: sparse rows that turn counters into line counts in milliseconds.

use std::cell::RefCell;

use super::counts::{LineCounts, LineSlot};
use super::cycles::{LineArc, rounds};
use super::error::CoverageError;
use super::graph::Form;

/// Bits of a packed term that hold the coefficient; the rest hold the counter.
const COEFFICIENT_BITS: u32 = 8;
/// Most counters that a function may have.
pub(crate) const COUNTER_LIMIT: usize = 1 << (32 - COEFFICIENT_BITS);

/// All functions' rows in flat arrays. Array `*_start` has one entry more than there are items; item `i` owns
/// `start[i]..start[i + 1]` of the array it indexes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Compiled {
    /// Number of line slots.
    pub(crate) slots: u32,
    /// Function → its counters, numbered through all functions.
    pub(crate) counter_start: Vec<u32>,
    /// Function → its rows.
    pub(crate) row_start: Vec<u32>,
    /// Rows, one after the other, so that a function's lie together in memory: slot, number of terms, terms. A term is
    /// the counter within the function and a small coefficient, packed.
    pub(crate) rows: Vec<u32>,
    /// Function → its loops.
    pub(crate) loop_start: Vec<u32>,
    /// Loops, one after the other: slot, number of blocks, blocks, number of arcs, and for each arc: from, to,
    /// number of terms, terms.
    pub(crate) loops: Vec<u32>,
}

impl Compiled {
    pub(crate) fn new() -> Self {
        Compiled { counter_start: vec![0], row_start: vec![0], loop_start: vec![0], ..Compiled::default() }
    }

    pub(crate) fn functions(&self) -> usize {
        self.counter_start.len() - 1
    }

    pub(crate) fn counters_of(&self, function: usize) -> usize {
        (self.counter_start[function + 1] - self.counter_start[function]) as usize
    }

    /// Adds a row to the function under construction; a row without terms is dropped.
    pub(crate) fn push_row(&mut self, slot: u32, form: &Form) {
        if form.is_empty() {
            return;
        }
        let start = self.rows.len();
        self.rows.extend([slot, 0]);
        pack(form, &mut self.rows);
        self.rows[start + 1] = (self.rows.len() - start - 2) as u32;
    }

    /// Adds a loop to the function under construction.
    pub(crate) fn push_loop(&mut self, slot: u32, blocks: &[u32], arcs: &[(u32, u32, Form)]) {
        self.loops.extend([slot, blocks.len() as u32]);
        self.loops.extend(blocks);
        self.loops.push(arcs.len() as u32);
        for (from, to, form) in arcs {
            let mut terms = Vec::new();
            pack(form, &mut terms);
            self.loops.extend([*from, *to, terms.len() as u32]);
            self.loops.extend(terms);
        }
    }

    /// Closes the function under construction.
    pub(crate) fn finish_function(&mut self, counters: u32) {
        let counters_so_far = self.counter_start.last().copied().unwrap_or(0);
        self.counter_start.push(counters_so_far + counters);
        self.row_start.push(self.rows.len() as u32);
        self.loop_start.push(self.loops.len() as u32);
    }

    /// Line counts from the counters of the executed functions: ascending function indices, and their counters one
    /// after the other.
    pub(crate) fn evaluate(&self, executed: &[u32], counters: &[u64]) -> LineCounts {
        COUNTS.with_borrow_mut(|counts| {
            counts.clear();
            counts.resize(self.slots as usize, 0);
            self.add_functions(executed, counters, counts);
            LineCounts::from_dense(counts)
        })
    }

    fn add_functions(&self, executed: &[u32], counters: &[u64], counts: &mut [i64]) {
        let mut rest = counters;
        for &function in executed {
            let function = function as usize;
            let (own, others) = rest.split_at(self.counters_of(function).min(rest.len()));
            rest = others;
            self.add_function(function, own, |slot, value| {
                let count = &mut counts[slot as usize];
                *count = count.wrapping_add(value);
            });
        }
    }

    /// What one function contributes to lines, from its counters: a line may be given several times.
    pub(crate) fn add_function(&self, function: usize, counters: &[u64], mut add: impl FnMut(u32, i64)) {
        let mut rows = self.rows_of(function);
        while let [slot, terms, tail @ ..] = rows {
            let (terms, others) = tail.split_at(*terms as usize);
            rows = others;
            add(*slot, value(terms, counters));
        }
        self.evaluate_loops(function, counters, add);
    }

    fn rows_of(&self, function: usize) -> &[u32] {
        &self.rows[self.row_start[function] as usize..self.row_start[function + 1] as usize]
    }

    fn evaluate_loops(&self, function: usize, counters: &[u64], mut add: impl FnMut(u32, i64)) {
        let range = self.loop_start[function] as usize..self.loop_start[function + 1] as usize;
        let mut words = &self.loops[range];
        let mut arcs = Vec::new();
        while let [slot, blocks, tail @ ..] = words {
            let (blocks, tail) = tail.split_at(*blocks as usize);
            arcs.clear();
            words = &tail[1..];
            for _ in 0..tail[0] {
                let (terms, tail) = words[3..].split_at(words[2] as usize);
                arcs.push(LineArc { from: words[0], to: words[1], count: value(terms, counters) });
                words = tail;
            }
            add(*slot, rounds(blocks, &mut arcs));
        }
    }

    /// Whether every index is in range, so that [`Compiled::evaluate`] cannot go wrong. A map that was read from a
    /// cache file is checked once.
    pub(crate) fn check(&self) -> Result<(), CoverageError> {
        let functions = self.functions();
        let ascends = |starts: &[u32], end: usize| {
            starts.first() == Some(&0) && starts.last().is_some_and(|&last| last as usize == end) && starts.is_sorted()
        };
        let sound = self.row_start.len() == functions + 1
            && self.loop_start.len() == functions + 1
            && self.counter_start.is_sorted()
            && ascends(&self.row_start, self.rows.len())
            && ascends(&self.loop_start, self.loops.len())
            && (0..functions).all(|function| self.rows_are_sound(function) && self.loops_are_sound(function));
        if sound { Ok(()) } else { Err(CoverageError::Damaged("coverage map")) }
    }

    fn rows_are_sound(&self, function: usize) -> bool {
        let mut rows = self.rows_of(function);
        while let [slot, terms, tail @ ..] = rows {
            let Some(others) = tail.get(*terms as usize..).filter(|_| *slot < self.slots) else { return false };
            rows = others;
        }
        rows.is_empty()
    }

    fn loops_are_sound(&self, function: usize) -> bool {
        let mut words = self.loops[self.loop_start[function] as usize..self.loop_start[function + 1] as usize].iter();
        while let Some(&slot) = words.next() {
            let Some(&blocks) = words.next() else { return false };
            let skipped = words.len().checked_sub(blocks as usize);
            let Some(&arcs) = skipped.and_then(|_| words.nth(blocks as usize)) else { return false };
            for _ in 0..arcs {
                let Some(&terms) = words.nth(2) else { return false };
                if words.len() < terms as usize {
                    return false;
                }
                words = words.as_slice()[terms as usize..].iter();
            }
            if slot >= self.slots {
                return false;
            }
        }
        true
    }
}

thread_local! {
    /// One count for each slot. Kept, since new memory costs more than the counting.
    static COUNTS: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

/// Packs a form. A coefficient that does not fit is split over several terms.
fn pack(form: &Form, terms: &mut Vec<u32>) {
    for &(counter, coefficient) in form {
        let mut left = coefficient;
        while left != 0 {
            let part = left.clamp(i32::from(i8::MIN), i32::from(i8::MAX));
            terms.push(counter << COEFFICIENT_BITS | u32::from(part as i8 as u8));
            left -= part;
        }
    }
}

/// The value of packed terms. A counter beyond the function's (in a damaged cache) counts as 0.
fn value(terms: &[u32], counters: &[u64]) -> i64 {
    terms.iter().fold(0i64, |sum, &term| {
        let coefficient = i64::from((term as u8).cast_signed());
        let counter = counters.get((term >> COEFFICIENT_BITS) as usize).copied().unwrap_or(0);
        sum.wrapping_add(coefficient.wrapping_mul(counter.cast_signed()))
    })
}

impl LineCounts {
    /// Keeps the positive counts.
    fn from_dense(counts: &[i64]) -> Self {
        let executed = counts.iter().zip(0u32..).filter(|(count, _)| **count > 0);
        executed.map(|(&count, slot)| (LineSlot::new(slot), count as u64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_loops_add_up() {
        let mut compiled = Compiled::new();
        compiled.slots = 2;
        compiled.push_row(0, &vec![(0, 1), (1, -300)]);
        compiled.push_row(1, &vec![(1, 1)]);
        compiled.push_loop(1, &[2], &[(2, 2, vec![(0, 1)])]);
        compiled.finish_function(2);
        compiled.check().expect("sound");
        let counts = compiled.evaluate(&[0], &[700, 2]);
        assert_eq!(counts.get(LineSlot::new(0)), 100);
        assert_eq!(counts.get(LineSlot::new(1)), 702);
    }

    #[test]
    fn damage_is_noticed() {
        let mut compiled = Compiled::new();
        compiled.slots = 1;
        compiled.push_loop(0, &[2], &[(2, 2, vec![(0, 1)])]);
        compiled.finish_function(1);
        compiled.check().expect("sound");
        compiled.loops[1] = 50;
        assert!(compiled.check().is_err());
    }
}
