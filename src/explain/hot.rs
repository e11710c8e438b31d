//! Where the time goes: observed runs of a slow script, a fast relative and the script without assertions, compared.

use std::collections::BTreeMap;

use serde::Serialize;

use super::names::readable;
use super::rank::{Profile, Ranking};
use super::scaling::without_assertions;
use crate::coverage::{FunctionTable, LineCounts, SourceFunction};
use crate::evaluate::{Counted, EvaluateError, Observe};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

/// What one observed run came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RunTotals {
    /// CPU seconds of the instrumented target, which is slower than the plain one.
    pub cpu_seconds: f64,
    /// Executions of all lines together.
    pub executions: u64,
}

/// Where the time goes.
#[derive(Clone, Debug, Serialize)]
pub struct Hot {
    /// The instrumented target, with its version.
    pub instrumented: String,
    /// CPU seconds that each run had.
    pub limit_seconds: f64,
    /// The run of the slow script.
    pub slow: RunTotals,
    /// The run of its fast relative, if there is one.
    pub fast: Option<RunTotals>,
    /// What grew.
    #[serde(flatten)]
    pub ranking: Ranking,
}

/// Runs the instrumented target of `observe` on the slow script, on its fast relative if there is one, and on the slow
/// script without its assertions, which shows what code is generic; `None` without an instrumented target, or if the
/// slow run left no counters. `table` holds the functions of the target's map.
///
/// # Errors
/// [`EvaluateError`] if a run cannot be had, or the user interrupted.
pub fn hot(
    observe: &Observe,
    table: &FunctionTable,
    slow: &Script,
    fast: Option<&Script>,
    interrupt: &Interrupt,
) -> Result<Option<Hot>, EvaluateError> {
    let Some(instrumented) = &observe.instrumented else { return Ok(None) };
    let run = |script: &Script| observe.count(script, interrupt);
    let Some(slow) = run(slow)?.zip(run(&without_assertions(slow))?) else { return Ok(None) };
    let (slow, empty) = slow;
    let fast = fast.map(run).transpose()?.flatten();
    let profile = |counted: &Counted| {
        let mut functions: BTreeMap<SourceFunction, Vec<LineCounts>> = BTreeMap::new();
        for (index, lines) in instrumented.map.function_counts(&counted.counters) {
            let Some(function) = table.get(index) else { continue };
            let function = SourceFunction { name: readable(&function.name), ..function.clone() };
            functions.entry(function).or_default().push(lines);
        }
        let merged = |lines: Vec<LineCounts>| lines.iter().flat_map(LineCounts::iter).collect();
        functions.into_iter().map(|(function, lines)| (function, merged(lines))).collect::<Profile>()
    };
    let totals = |counted: &Counted| RunTotals {
        cpu_seconds: counted.cpu_seconds,
        executions: u64::try_from(instrumented.map.line_counts(&counted.counters).total()).unwrap_or(u64::MAX),
    };
    let location = |slot| {
        let (file, line) = instrumented.map.location(slot);
        (file.to_owned(), line)
    };
    let before = fast.as_ref().map(profile).unwrap_or_default();
    Ok(Some(Hot {
        instrumented: instrumented.solver.label(),
        limit_seconds: observe.limit.as_secs_f64(),
        slow: totals(&slow),
        fast: fast.as_ref().map(totals),
        ranking: Ranking::of(&profile(&slow), &before, &profile(&empty), location),
    }))
}
