//! Trace similarities of pairs (Eq. 3): from the record, from the cache, or computed in parallel.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::population::Known;
use super::retrace::Retraced;
use super::{CampaignError, Similarity};
use crate::record::{ObservationLog, RecordError, Similarities};

/// Similarities by pairs of individuals' numbers, the lower first.
#[derive(Debug, Default)]
pub(super) struct SimilarityCache {
    pairs: FxHashMap<(u32, u32), f64>,
    /// Those that were needed since the last generation ended: what the record has to hold.
    used: Similarities,
    /// Traces that were lost and made again.
    retraced: Retraced,
}

/// Two individuals of a front, and the key of their similarity.
type Pair<'a> = ((u32, u32), &'a Known, &'a Known);

fn pair(one: u32, other: u32) -> (u32, u32) {
    (one.min(other), one.max(other))
}

impl SimilarityCache {
    /// Makes sure that all pairs of a front are known.
    ///
    /// Two individuals without traces (because traces are off) share nothing that is known: their similarity is 0.
    /// `retrace` makes the traces again that were lost.
    pub(super) fn know(
        &mut self,
        front: &[&Known],
        log: &ObservationLog,
        pool: &rayon::ThreadPool,
        compare: Similarity<'_>,
        retrace: impl FnOnce(&[&Known]) -> Result<Retraced, CampaignError>,
    ) -> Result<(), CampaignError> {
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
        self.retraced.extend(retrace(&self.lost(&missing))?);
        let compute = |(key, one, other): &Pair<'_>| match self.similarity(one, other, compare) {
            Some(value) => Ok((*key, value)),
            None => Err(RecordError::NoSimilarity { path: log.path(), one: key.0, other: key.1 }),
        };
        let computed: Vec<_> = pool.install(|| missing.par_iter().map(compute).collect::<Result<_, RecordError>>())?;
        self.used.extend(computed.iter().copied());
        self.pairs.extend(computed);
        Ok(())
    }

    /// Of pairs that have both had a trace, those that lack it, once each.
    fn lost<'a>(&self, pairs: &[Pair<'a>]) -> Vec<&'a Known> {
        let traced = |known: &Known| known.trace_lines.is_some();
        let both = pairs.iter().filter(|(_, one, other)| traced(one) && traced(other));
        let members = both.flat_map(|&(_, one, other)| [one, other]);
        let lost = members
            .filter(|known| known.evaluated.observation.trace.is_none() && !self.retraced.contains_key(&known.id()));
        lost.map(|known| (known.id(), known)).collect::<BTreeMap<_, _>>().into_values().collect()
    }

    /// Eq. 3; `None` if there was a trace, and it is not at hand.
    fn similarity(&self, one: &Known, other: &Known, compare: Similarity<'_>) -> Option<f64> {
        let trace = |known: &Known| match &known.evaluated.observation.trace {
            Some(trace) => Some(Some(Arc::clone(trace))),
            None if known.trace_lines.is_none() => Some(None),
            None => self.retraced.get(&known.id()).cloned(),
        };
        match (trace(one), trace(other)) {
            (Some(Some(one)), Some(Some(other))) => Some(compare(&one, &other)),
            (Some(None), _) | (_, Some(None)) => Some(0.0),
            _ => None,
        }
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
        self.retraced.retain(|id, _| is_alive(*id));
        used
    }

    /// What was needed since the last generation ended.
    pub(super) fn used(&self) -> &Similarities {
        &self.used
    }
}
