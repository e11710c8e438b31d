//! What a resumed run does where its record has lost something: it makes it again, and says where it becomes another.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::population::Known;
use super::{Campaign, CampaignError, Setup, Source};
use crate::evaluate::evaluate_batch;
use crate::evaluate::individual::Individual;
use crate::record::{RecordError, TOLD, TraceStore};
use crate::trace::Trace;

/// Traces that are lost, made again by evaluating once more; `None` where there is none this time. All else that the
/// evaluations show is what it was, and so is whatever was decided by it.
pub(super) type Retraced = FxHashMap<u32, Option<Arc<Trace>>>;

/// Makes the traces of these individuals again, and keeps them.
pub(super) fn retrace(setup: &Setup<'_>, store: &TraceStore, lost: &[&Known]) -> Result<Retraced, CampaignError> {
    let Source::Solvers { evaluate, .. } = setup.source else { return Ok(Retraced::default()) };
    if lost.is_empty() {
        return Ok(Retraced::default());
    }
    let note = format!("the traces of {} individuals are lost; these are evaluated again", lost.len());
    tracing::warn!(target: TOLD, "{note}");
    setup.monitor.note(&note);
    let individuals: Vec<Arc<Individual>> = lost.iter().map(|known| Arc::clone(&known.evaluated.individual)).collect();
    let mut traces = Retraced::default();
    evaluate_batch(evaluate, &individuals, setup.pool, setup.interrupt, &mut |evaluated| {
        traces.insert(evaluated.individual.id.0, evaluated.observation.trace);
    })?;
    for known in lost {
        // Kept only where the record would take it for the trace that was lost.
        if let Some(Some(trace)) = traces.get(&known.id())
            && known.trace_lines == Some(trace.len())
        {
            store.save(known.id(), trace)?;
        }
    }
    Ok(traces)
}

impl Campaign<'_> {
    /// Looks whether the generation that was bred is the one that is recorded, where one is. It is another one if an
    /// evaluation was lost, made again, and showed something else. What is recorded by numbers is of others then.
    pub(super) fn compare_with_record(
        &mut self,
        generation: u32,
        individuals: &[Arc<Individual>],
    ) -> Result<(), CampaignError> {
        let log = match self.setup.source {
            Source::Replay(log) => log,
            Source::Solvers { .. } => self.recorder.log(),
        };
        let recorded = log.offspring(generation).map_or(0, |offspring| offspring as usize);
        let size = if recorded == 0 { individuals.len() } else { recorded };
        let other = individuals
            .iter()
            .take(size)
            .find(|each| !log.agrees([(each.id.0, each.fingerprint)]))
            .or_else(|| individuals.last().filter(|_| individuals.len() < recorded));
        let Some(other) = other else { return Ok(()) };
        if let Source::Replay(log) = self.setup.source {
            return Err(RecordError::NotRecorded { path: log.path(), id: other.id.0, generation }.into());
        }
        let note = format!(
            "an evaluation that was lost and made again shows something else: from generation {generation} on, the run is \
             another one"
        );
        tracing::warn!(target: TOLD, "{note}");
        self.setup.monitor.note(&note);
        self.recorder.rebred(generation, self.state.next_id, self.clock.spent())?;
        Ok(())
    }
}
