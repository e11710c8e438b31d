//! Which defects are probably the same: found out once for each two, since traces are long.

use std::collections::HashMap;
use std::sync::Arc;

use super::bench::Bench;
use super::reductions::{Group, Slowed};
use crate::evaluate::{EvaluateError, Fusion, Observe};
use crate::smtlib::script::Script;
use crate::trace::{Trace, TraceLines};
use crate::triage::cluster::{Hint, Kin};
use crate::triage::expenses::Purpose;

/// Lines after which a trace that is compared is cut: reduced forms that go on for ever differ late, if at all.
const MOST_TRACE_LINES: u64 = 200_000;
/// The trace is one of a run under the limit divided by this: that suffices for its beginning.
const TRACE_SHARE: u32 = 4;

/// What is known of which two reduced forms, by the instances that they are of.
pub(super) struct Hints {
    traces: HashMap<usize, Arc<Trace>>,
    found: HashMap<(usize, usize), Option<Hint>>,
}

impl Hints {
    /// With the traces of those cores that only a trace can tell apart from another one.
    pub(super) fn of(groups: &[Group], bench: &Bench<'_>) -> anyhow::Result<Self> {
        let mut traces = HashMap::new();
        for group in groups {
            let core = &group.first;
            let others = groups.iter().map(|other| &other.first).filter(|other| other.raw != core.raw);
            let is_asked =
                others.map(|other| kin(other, None)).any(|other| Hint::asks_for_traces(&kin(core, None), &other));
            if is_asked
                && !bench.has_reduced_enough()
                && let Some(trace) = bench.trace(&core.script)?
            {
                traces.insert(core.raw, trace);
            }
        }
        Ok(Hints { traces, found: HashMap::new() })
    }

    /// The hint that these two are one, if there is one.
    pub(super) fn between(&mut self, one: &Slowed, other: &Slowed) -> Option<Hint> {
        let Hints { traces, found } = self;
        let both = (one.raw.min(other.raw), one.raw.max(other.raw));
        let hint = || Hint::of(&kin(one, traces.get(&one.raw)), &kin(other, traces.get(&other.raw)));
        found.entry(both).or_insert_with(hint).clone()
    }
}

/// What is compared of a reduced form.
fn kin<'a>(slowed: &'a Slowed, trace: Option<&'a Arc<Trace>>) -> Kin<'a> {
    Kin { script: &slowed.script, trace: trace.map(|trace| &**trace), finished: slowed.unfinished.is_none() }
}

impl Bench<'_> {
    /// The beginning of the target's trace, if it writes one.
    fn trace(&self, script: &Script) -> anyhow::Result<Option<Arc<Trace>>> {
        let target = self.target.solver();
        if target.profile.trace.is_empty() || self.interrupt.is_set() {
            return Ok(None);
        }
        let limit = self.args.limit / TRACE_SHARE;
        let soft_limit = target.profile.soft_limit_within(limit);
        let observe = Observe {
            instrumented: None,
            trace: Some(TraceLines::Ids),
            fusion: Fusion::Apart,
            limit,
            soft_limit: Some(soft_limit).filter(|&limit| limit > 0),
            max_trace_lines: Some(MOST_TRACE_LINES),
        };
        match observe.run(script, target, self.interrupt) {
            Ok(observed) => {
                self.expenses.meter(Purpose::Traces).charge(observed.cpu_seconds);
                Ok(observed.trace)
            }
            Err(EvaluateError::Interrupted) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
