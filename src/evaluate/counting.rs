//! How the counters of one observed run reach us: through memory that the solver shares, or from files that it writes.

use std::os::fd::RawFd;
use std::time::Duration;

use super::evaluator::EvaluateError;
use super::instrumented::Instrumented;
use crate::coverage::{CounterChannel, Counters, CoverageError, CoverageMap, read_data_folder};
use crate::solver::installed::RunOptions;
use crate::solver::process::{Exit, Run, Scratch, Signal};
use crate::solver::profile::CounterSource;

/// The number under which the solver finds the counters' shared memory.
const COUNTERS_DESCRIPTOR: RawFd = 10;
/// How a run at its limit is asked to end by itself and write its files, and how long that may take. Z3 gives up on
/// this signal and exits; a solver that does not know it dies of it, as it would have of `SIGKILL`.
const LAST_CALL: (Signal, Duration) = (Signal::SIGINT, Duration::from_secs(2));

/// The counting side of one run.
pub(super) struct Counting<'a> {
    map: &'a CoverageMap,
    place: Place,
}

/// Where the counters are.
enum Place {
    Memory(CounterChannel),
    /// `GCOV_PREFIX` of the run: a folder of its own, since it must outlive the run's scratch folder.
    Files(Scratch),
}

impl<'a> Counting<'a> {
    /// Makes room for the counters of a run, and tells the solver where by `options`.
    pub(super) fn prepare(instrumented: &'a Instrumented, options: &mut RunOptions) -> Result<Self, EvaluateError> {
        let map = &*instrumented.map;
        if instrumented.counters == CounterSource::DataFiles {
            let folder = Scratch::on_disk()?;
            options.environment.push(("GCOV_PREFIX".into(), folder.path().into()));
            options.graceful.get_or_insert(LAST_CALL);
            return Ok(Counting { map, place: Place::Files(folder) });
        }
        let channel = CounterChannel::new(map)?;
        options.inherited.push((COUNTERS_DESCRIPTOR, channel.inheritable()?));
        let (name, value) = channel.environment_for(COUNTERS_DESCRIPTOR);
        options.environment.push((name.into(), value.into()));
        if let Some(library) = &instrumented.preload {
            options.environment.push(("LD_PRELOAD".into(), library.into()));
        }
        Ok(Counting { map, place: Place::Memory(channel) })
    }

    /// The counters of `run`, which has ended. `None` if it wrote no files, or not all: that is what the solver did, not
    /// an error.
    pub(super) fn counters(&self, run: &Run) -> Result<Option<Counters>, CoverageError> {
        match (&self.place, run.exit) {
            (Place::Memory(channel), _) => channel.collect(self.map).map(Some),
            // It may have died while it wrote them, and counts are exact or none.
            (Place::Files(_), Exit::Signal(_)) => Ok(None),
            (Place::Files(folder), Exit::Code(_)) => match read_data_folder(folder.path(), self.map) {
                Ok(counters) => Ok(Some(counters)),
                Err(error @ (CoverageError::NotShared(_) | CoverageError::Corrupt { .. })) => {
                    tracing::warn!(%error, "a run without coverage");
                    Ok(None)
                }
                Err(error) => Err(error),
            },
        }
    }
}
