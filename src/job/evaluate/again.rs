//! What counters are needed for, not counts of lines: each script is run once more, without a trace.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use rayon::prelude::*;

use super::{EvaluateRequest, Input};
use crate::console::say;
use crate::coverage::{CoverageTotals, CumulativeCoverage, write_data_folder};
use crate::evaluate::{Evaluator, Instrumented};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::solver::provision::Cache;

/// Writes the data files of `--gcda`, and adds up what `--totals` tells, if they are asked for.
pub(super) fn run_again(
    args: &EvaluateRequest,
    evaluator: &Evaluator,
    inputs: &[Input],
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
) -> anyhow::Result<Option<CoverageTotals>> {
    let Some(instrumented) = &evaluator.observe.instrumented else { return Ok(None) };
    if let Some(folder) = &args.gcda {
        for Input { file, script, .. } in inputs {
            let folder = folder.join(file.file_stem().unwrap_or(file.as_os_str()));
            write_coverage(evaluator, instrumented, script, &folder, interrupt)
                .with_context(|| format!("cannot write the coverage of {}", file.display()))?;
        }
    }
    if !args.totals {
        return Ok(None);
    }
    let flow = instrumented.flow(&Cache::locate()?.folder().join("coverage"))?;
    let coverage = Mutex::new(CumulativeCoverage::new(&instrumented.map, &flow));
    let add = |Input { file, script, .. }: &Input| -> anyhow::Result<()> {
        match evaluator.observe.counters(script, interrupt)? {
            Some(counters) => coverage.lock().unwrap_or_else(PoisonError::into_inner).add(&counters),
            None => say!("no counters of {}: the totals are without it", file.display()),
        }
        Ok(())
    };
    pool.install(|| inputs.par_iter().try_for_each(add))?;
    Ok(Some(coverage.into_inner().unwrap_or_else(PoisonError::into_inner).totals()))
}

/// Runs a script once more, and writes what it covers as data files.
fn write_coverage(
    evaluator: &Evaluator,
    instrumented: &Instrumented,
    script: &Script,
    folder: &Path,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let counters = evaluator.observe.counters(script, interrupt)?.context("the run left no counters")?;
    let notes = instrumented.solver.notes().unwrap_or_default();
    Ok(write_data_folder(&counters, &instrumented.map, &notes, folder)?)
}
