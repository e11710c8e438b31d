//! Trace similarities of pairs (Eq. 3): from the record, from the cache, or computed in parallel.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Similarity;
use super::population::Known;
use crate::record::{ObservationLog, RecordError, Similarities};

/// Similarities by pairs of individuals' numbers, the lower first.
#[derive(Debug, Default)]
pub(super) struct SimilarityCache {
    pairs: FxHashMap<(u32, u32), f64>,
    /// Those that were needed since the last generation ended: what the record has to hold.
    used: Similarities,
}

fn pair(one: u32, other: u32) -> (u32, u32) {
    (one.min(other), one.max(other))
}

impl SimilarityCache {
    /// Makes sure that all pairs of a front are known.
    ///
    /// Two individuals without traces (because traces are off) share nothing that is known: their similarity is 0.
    pub(super) fn know(
        &mut self,
        front: &[&Known],
        log: &ObservationLog,
        pool: &rayon::ThreadPool,
        compare: Similarity<'_>,
    ) -> Result<(), RecordError> {
        let mut missing = Vec::new();
        for (place, one) in front.iter().enumerate() {
            for other in &front[place + 1..] {
                let key = pair(one.id(), other.id());
                if self.used.contains_key(&key) {
                    continue;
                }
                match self.pairs.get(&key).copied().or_else(|| log.similarity(key.0, key.1)) {
                    Some(value) => drop(self.used.insert(key, value)),
                    None => missing.push((key, *one, *other)),
                }
            }
        }
        let compute = |(key, one, other): &((u32, u32), &Known, &Known)| match similarity(one, other, compare) {
            Some(value) => Ok((*key, value)),
            None => Err(RecordError::NoSimilarity { path: log.path(), one: key.0, other: key.1 }),
        };
        let computed: Vec<_> = pool.install(|| missing.par_iter().map(compute).collect::<Result<_, _>>())?;
        self.used.extend(computed.iter().copied());
        self.pairs.extend(computed);
        Ok(())
    }

    /// The similarity of a pair that is known.
    pub(super) fn of(&self, one: &Known, other: &Known) -> f64 {
        self.used.get(&pair(one.id(), other.id())).copied().unwrap_or(0.0)
    }

    /// The generation is over: gives the pairs that it needed, and forgets those of the dead.
    pub(super) fn end_generation(&mut self, is_alive: impl Fn(u32) -> bool) -> Similarities {
        let used = std::mem::take(&mut self.used);
        self.pairs.extend(used.iter().map(|(&key, &value)| (key, value)));
        self.pairs.retain(|(one, other), _| is_alive(*one) && is_alive(*other));
        used
    }

    /// What was needed since the last generation ended.
    pub(super) fn used(&self) -> &Similarities {
        &self.used
    }
}

/// Eq. 3; `None` if there was a trace, and it is not at hand.
fn similarity(one: &Known, other: &Known, compare: Similarity<'_>) -> Option<f64> {
    match (&one.evaluated.observation.trace, &other.evaluated.observation.trace) {
        (Some(one), Some(other)) => Some(compare(one, other)),
        _ if one.trace_lines.is_none() || other.trace_lines.is_none() => Some(0.0),
        _ => None,
    }
}
