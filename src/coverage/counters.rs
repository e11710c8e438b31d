//! The raw counters of one run, whichever way they were got.

use super::map::CoverageMap;

/// The counters of the functions that ran. Made by [`CounterChannel::collect`](super::CounterChannel::collect) or
/// [`read_data_folder`](super::read_data_folder), for one [`CoverageMap`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    /// The map's fingerprint.
    pub(crate) fingerprint: u64,
    /// Indices of functions with some counter that is not zero, ascending.
    pub(crate) functions: Vec<u32>,
    /// Their counters, one function after the other.
    pub(crate) values: Vec<u64>,
}

impl Counters {
    pub(crate) fn new(map: &CoverageMap) -> Self {
        Counters { fingerprint: map.fingerprint(), functions: Vec::new(), values: Vec::new() }
    }

    /// The functions that ran, ascending, each with its counters.
    pub(crate) fn iter<'a>(&'a self, map: &'a CoverageMap) -> impl Iterator<Item = (u32, &'a [u64])> {
        let mut rest = self.values.as_slice();
        self.functions.iter().map(move |&function| {
            let (values, others) = rest.split_at(map.counters_of(function));
            rest = others;
            (function, values)
        })
    }

    /// Number of functions that ran.
    pub fn functions(&self) -> usize {
        self.functions.len()
    }

    /// Sum of all counters: a cheap fingerprint of a run in tests and logs.
    pub fn total(&self) -> u128 {
        self.values.iter().map(|&value| u128::from(value)).sum()
    }
}
