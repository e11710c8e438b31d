//! An instrumented build of the target, made ready to be observed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::counting::Counting;
use super::evaluator::EvaluateError;
use crate::coverage::{CoverageMap, FlowMap};
use crate::solver::answer::Answer;
use crate::solver::installed::{RunOptions, Solver};
use crate::solver::process::{Interrupt, Limits};
use crate::solver::profile::CounterSource;
use crate::solver::provision::{ProvisionError, preload_library};

/// CPU seconds of the run that shows whether counters arrive: plenty for a script of one assertion.
const TRIAL_SECONDS: f64 = 20.0;

/// An instrumented build of the target, and the map of its lines.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The solver.
    pub solver: Solver,
    /// Its lines.
    pub map: Arc<CoverageMap>,
    /// How the counters of its runs reach us.
    pub(super) counters: CounterSource,
    /// The library that is loaded into it, if that is how.
    pub(super) preload: Option<PathBuf>,
}

impl Instrumented {
    /// An instrumented solver, with the map of its lines read from `cache_folder`, or made (some seconds, once).
    ///
    /// It is run once, on a script of one assertion: that nothing can be counted must show now, not in the middle of a
    /// campaign.
    ///
    /// # Errors
    /// [`EvaluateError::NotInstrumented`], what is wrong with its notes, or why no counters of it can be had.
    pub fn open(solver: Solver, cache_folder: &Path, interrupt: &Interrupt) -> Result<Self, EvaluateError> {
        let not_instrumented = || EvaluateError::NotInstrumented { solver: solver.label() };
        let notes = solver.notes().ok_or_else(not_instrumented)?;
        let counters = solver.counter_source().ok_or_else(not_instrumented)?;
        let map = Arc::new(CoverageMap::load_or_build(&notes, cache_folder)?);
        let preload = match counters {
            CounterSource::Preload => Some(preload_library(cache_folder, interrupt).map_err(|error| match error {
                ProvisionError::Interrupted | ProvisionError::InterruptedProbe => EvaluateError::Interrupted,
                error => EvaluateError::Preload(error),
            })?),
            CounterSource::SharedMemory | CounterSource::DataFiles => None,
        };
        let instrumented = Instrumented { solver, map, counters, preload };
        instrumented.try_out(interrupt)?;
        Ok(instrumented)
    }

    /// Its functions and branches, read from `cache_folder`, or made (some seconds, once). Only who reports on coverage
    /// needs them.
    ///
    /// # Errors
    /// [`EvaluateError::NotInstrumented`], or what is wrong with its notes.
    pub fn flow(&self, cache_folder: &Path) -> Result<FlowMap, EvaluateError> {
        let not_instrumented = || EvaluateError::NotInstrumented { solver: self.solver.label() };
        let notes = self.solver.notes().ok_or_else(not_instrumented)?;
        Ok(FlowMap::load_or_build(&notes, cache_folder, &self.map)?)
    }

    /// Lets it solve a small script, and takes its counters.
    fn try_out(&self, interrupt: &Interrupt) -> Result<(), EvaluateError> {
        let mut options = RunOptions::default();
        let counting = Counting::prepare(self, &mut options)?;
        let script = &self.solver.profile.self_test.satisfiable();
        let (answer, run) = self.solver.solve_with(script, &Limits::cpu(TRIAL_SECONDS), interrupt, options)?;
        if answer == Answer::Interrupted {
            return Err(EvaluateError::Interrupted);
        }
        match counting.counters(&run)? {
            Some(_) => Ok(()),
            None => Err(EvaluateError::NoDataFiles { solver: self.solver.label() }),
        }
    }
}
