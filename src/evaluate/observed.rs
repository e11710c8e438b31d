//! The observed run: which lines of the instrumented target ran, and what the target wrote into its trace log.
//!
//! Coverage comes through shared memory (or data files: see `counting.rs`) and the trace through a pipe that is read
//! while the solver runs, so a run that is killed at its limit still yields both. By default one run of the instrumented
//! target yields both (*fused*); *apart*, the trace comes from the plain target, and the code that writes it is not
//! counted as covered.

use std::io::{self, PipeReader};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use nix::fcntl::{FcntlArg, fcntl};
use serde::{Deserialize, Serialize};

use super::counting::Counting;
use super::evaluator::EvaluateError;
use super::instrumented::Instrumented;
use super::written::text_for;
use crate::coverage::{Counters, LineCounts};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::installed::{RunOptions, Solver};
use crate::solver::process::{Interrupt, Limits};
use crate::trace::{LineTexts, Trace, TraceLines, read_trace_and_texts};

/// The trace pipe's size, in bytes: the most that an unprivileged process may ask for, so that the solver seldom waits.
const PIPE_BYTES: i32 = 1 << 20;

/// Whether coverage and trace come from the same run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Fusion {
    /// One run of the instrumented target yields both.
    #[default]
    Fused,
    /// The instrumented target yields coverage, the plain target the trace.
    Apart,
}

/// What is observed, and how.
#[derive(Clone, Debug)]
pub struct Observe {
    /// Where coverage comes from; `None` for no coverage.
    pub instrumented: Option<Instrumented>,
    /// Which traces are kept, and what of their lines; `None` for no traces.
    pub trace: Option<TraceLines>,
    /// Whether both come from the same run.
    pub fusion: Fusion,
    /// CPU time of each observed run.
    pub limit: Duration,
    /// The target's own deterministic limit, in its own units (Z3's `rlimit`): counts and traces of runs that reach it
    /// do not vary. `None` for none.
    pub soft_limit: Option<u64>,
    /// Most lines of a trace; `None` for all, which is the default of a faithful run.
    pub max_trace_lines: Option<u64>,
}

/// What the observed runs of one script showed.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// How often each line ran; `None` too for a run whose counts are not known (see `CounterSource::DataFiles`).
    pub coverage: Option<Arc<LineCounts>>,
    /// The trace log.
    pub trace: Option<Arc<Trace>>,
    /// CPU seconds of the runs.
    pub cpu_seconds: f64,
}

/// The counters of one run of the instrumented target.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The counters.
    pub counters: Counters,
    /// CPU seconds of the run.
    pub cpu_seconds: f64,
}

/// What one run of the instrumented target came to.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its answer; [`Answer::Unsupported`] if its dialect cannot spell the script, which it was then not given.
    pub answer: Answer,
    /// The counters; `None` if it wrote no data files.
    pub counters: Option<Counters>,
    /// CPU seconds of the run.
    pub cpu_seconds: f64,
}

/// What one run showed.
struct Watched {
    answer: Answer,
    counters: Option<Counters>,
    trace: Option<Trace>,
    cpu_seconds: f64,
}

impl Observe {
    /// Observes `script`, with `plain` for what the instrumented target does not yield.
    ///
    /// # Errors
    /// [`EvaluateError`] if a solver, the shared memory or the pipe cannot be had, or the user interrupted.
    pub fn run(&self, script: &Script, plain: &Solver, interrupt: &Interrupt) -> Result<Observed, EvaluateError> {
        let fused = self.fusion == Fusion::Fused && self.instrumented.is_some();
        let mut observed = Observed::default();
        if let Some(instrumented) = &self.instrumented {
            let trace = self.trace.filter(|_| fused);
            let watched = self.watch(script, &instrumented.solver, Some(instrumented), trace, None, interrupt)?;
            observed = Observed {
                coverage: watched.counters.map(|counters| Arc::new(instrumented.map.line_counts(&counters))),
                trace: watched.trace.map(Arc::new),
                cpu_seconds: watched.cpu_seconds,
            };
        }
        if let Some(lines) = self.trace.filter(|_| !fused) {
            let watched = self.watch(script, plain, None, Some(lines), None, interrupt)?;
            observed.trace = watched.trace.map(Arc::new);
            observed.cpu_seconds += watched.cpu_seconds;
        }
        Ok(observed)
    }

    /// The trace of one run of `plain` on `script`, whatever [`Observe::fusion`] says, and what its lines say, which is
    /// added to `texts` if that is given; `None` if there is to be no trace, or if the dialect of `plain` cannot spell the script.
    ///
    /// # Errors
    /// As [`Observe::run`].
    pub fn trace_and_texts(
        &self,
        script: &Script,
        plain: &Solver,
        texts: Option<&mut LineTexts>,
        interrupt: &Interrupt,
    ) -> Result<Option<Trace>, EvaluateError> {
        Ok(self.watch(script, plain, None, self.trace, texts, interrupt)?.trace)
    }

    /// The counters of one run of the instrumented target on `script`, without a trace; `None` if there is no such
    /// target, if its dialect cannot spell the script, or if it wrote no data files.
    ///
    /// # Errors
    /// As [`Observe::run`].
    pub fn counters(&self, script: &Script, interrupt: &Interrupt) -> Result<Option<Counters>, EvaluateError> {
        Ok(self.count(script, interrupt)?.map(|counted| counted.counters))
    }

    /// As [`Observe::counters`], with what the run took.
    ///
    /// # Errors
    /// As [`Observe::run`].
    pub fn count(&self, script: &Script, interrupt: &Interrupt) -> Result<Option<Counted>, EvaluateError> {
        let Some(instrumented) = &self.instrumented else { return Ok(None) };
        let watched = self.watch(script, &instrumented.solver, Some(instrumented), None, None, interrupt)?;
        Ok(watched.counters.map(|counters| Counted { counters, cpu_seconds: watched.cpu_seconds }))
    }

    /// One run of the instrumented target on `script`, without a trace, with its answer; `None` if there is no such target.
    ///
    /// # Errors
    /// As [`Observe::run`].
    pub fn answered(&self, script: &Script, interrupt: &Interrupt) -> Result<Option<Answered>, EvaluateError> {
        let Some(instrumented) = &self.instrumented else { return Ok(None) };
        let watched = self.watch(script, &instrumented.solver, Some(instrumented), None, None, interrupt)?;
        let Watched { answer, counters, cpu_seconds, trace: _ } = watched;
        Ok(Some(Answered { answer, counters, cpu_seconds }))
    }

    /// One observed run.
    fn watch(
        &self,
        script: &Script,
        solver: &Solver,
        instrumented: Option<&Instrumented>,
        trace: Option<TraceLines>,
        texts: Option<&mut LineTexts>,
        interrupt: &Interrupt,
    ) -> Result<Watched, EvaluateError> {
        let text = match text_for(script, solver) {
            Ok(text) => text,
            Err(answer) => return Ok(Watched { answer, counters: None, trace: None, cpu_seconds: 0.0 }),
        };
        let mut options = RunOptions { soft_limit: self.soft_limit, ..RunOptions::default() };
        let counting = instrumented.map(|instrumented| Counting::prepare(instrumented, &mut options)).transpose()?;
        let mut source = None;
        if let Some(lines) = trace {
            let (reader, writer) = trace_pipe().map_err(EvaluateError::Descriptor)?;
            options.trace = Some(writer);
            source = Some((reader, lines));
        }
        let limits = Limits::cpu(self.limit.as_secs_f64());
        let max_lines = self.max_trace_lines;
        let (ended, trace) = thread::scope(|scope| {
            // Reads until the solver's end of the pipe closes, which is when the solver has ended.
            let reading = source
                .map(|(reader, lines)| scope.spawn(move || read_trace_and_texts(reader, lines, max_lines, texts)));
            let ended = solver.solve_with(&text, &limits, interrupt, options);
            let trace = reading.map(|reading| reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            (ended, trace.transpose())
        });
        let (answer, run) = ended?;
        if answer == Answer::Interrupted {
            return Err(EvaluateError::Interrupted);
        }
        let trace = trace.map_err(EvaluateError::Descriptor)?;
        let counters = counting.map(|counting| counting.counters(&run)).transpose()?.flatten();
        Ok(Watched { answer, counters, trace, cpu_seconds: run.cpu_seconds })
    }
}

/// A pipe for a trace: our end, and the solver's.
fn trace_pipe() -> io::Result<(PipeReader, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    // A smaller pipe works too, if the system grants no larger one.
    if let Err(error) = fcntl(&writer, FcntlArg::F_SETPIPE_SZ(PIPE_BYTES)) {
        tracing::debug!(%error, "the trace pipe keeps its default size");
    }
    Ok((reader, writer.into()))
}
