//! The pipeline that the paper describes, made of the usual tools: a timed run, a run of a `--coverage` build whose data
//! files go through `gcov`, a run that writes its trace into a file, each at the full limit, and GNU `diff`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mulstringfuzz::coverage::{CoverageMap, LineCounts, LineSlot};
use mulstringfuzz::evaluate::individual::{Individual, Observation};
use mulstringfuzz::evaluate::written::text_for;
use mulstringfuzz::evaluate::{Evaluate, EvaluateError, Evaluator, Fusion, Observe};
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::installed::{RunOptions, Solver};
use mulstringfuzz::solver::process::{Interrupt, Limits};
use mulstringfuzz::trace::{Trace, TraceLines, read_trace};
use rustc_hash::{FxHashMap, FxHasher};

use crate::gcov;
use crate::gnu_diff::diff;

/// The naive pipeline. Its files are under `folder`.
#[derive(Debug)]
pub(crate) struct Naive {
    timing: Evaluator,
    /// The target, linked with the compiler's own coverage runtime.
    stock: Solver,
    notes: PathBuf,
    slots: FxHashMap<(String, u32), LineSlot>,
    folder: PathBuf,
    next: AtomicU64,
    traces: Mutex<HashMap<u64, PathBuf>>,
}

impl Naive {
    pub(crate) fn new(
        [target, reference, stock]: [Solver; 3],
        map: &CoverageMap,
        limit: Duration,
        folder: &Path,
    ) -> Self {
        let slots = (0..map.slots() as u32).map(LineSlot::new).map(|slot| {
            let (file, line) = map.location(slot);
            ((gcov::full_name(map.root(), file), line), slot)
        });
        let (slots, notes) = (slots.collect(), stock.notes().expect("a coverage build"));
        let observe = Observe {
            instrumented: None,
            trace: None,
            fusion: Fusion::Apart,
            limit,
            soft_limit: None,
            max_trace_lines: None,
        };
        let timing = Evaluator { target, reference, observe, limit, timings: 1 };
        let (folder, traces) = (folder.to_owned(), Mutex::default());
        Naive { timing, stock, notes, slots, folder, next: AtomicU64::new(0), traces }
    }

    /// `solver` with further options.
    fn with(solver: &Solver, options: &[String]) -> Solver {
        let mut solver = solver.clone();
        solver.spec.options.extend_from_slice(options);
        solver
    }

    /// Coverage: the run, and `gcov` on what it wrote. A killed run would write nothing, so Z3 stops itself.
    fn coverage(&self, script: &Script, folder: &Path, interrupt: &Interrupt) -> Result<LineCounts, EvaluateError> {
        let Ok(text) = text_for(script, &self.stock) else { return Ok(LineCounts::default()) };
        let limit = self.timing.limit;
        let solver = Self::with(&self.stock, &[format!("-t:{}", limit.as_millis())]);
        let environment = vec![("GCOV_PREFIX".into(), folder.into())];
        let options = RunOptions { environment, ..RunOptions::default() };
        solver.solve_with(&text, &Limits::cpu(1.5 * limit.as_secs_f64()), interrupt, options)?;
        gcov::link_notes(&self.notes.canonicalize().expect("notes"), folder);
        let data = gcov::files(folder, "gcda");
        let output = gcov::gcov_command(folder).args(data).output().expect("gcov runs");
        let mut counts = Vec::new();
        for unit in gcov::gcov_units(&output.stdout) {
            for (file, lines) in unit.lines() {
                counts.extend(lines.filter(|(_, count)| *count > 0).filter_map(|(line, count)| {
                    let slot = self.slots.get(&(file.clone(), line))?;
                    Some((*slot, count.cast_unsigned()))
                }));
            }
        }
        Ok(counts.into_iter().collect())
    }

    /// The trace, in a file that stays for `diff`.
    fn trace(&self, script: &Script, file: &Path, interrupt: &Interrupt) -> Result<Option<Trace>, EvaluateError> {
        let target = &self.timing.target;
        let Ok(text) = text_for(script, target) else { return Ok(None) };
        let tracing = ["trace=true".to_owned(), format!("trace_file_name={}", file.display())];
        let limits = Limits { file_bytes: 16 << 30, ..Limits::cpu(self.timing.limit.as_secs_f64()) };
        Self::with(target, &tracing).solve(&text, &limits, interrupt)?;
        let Ok(text) = fs::File::open(file) else { return Ok(None) };
        let trace = read_trace(text, TraceLines::Raw, None).map_err(EvaluateError::Descriptor)?;
        self.traces.lock().expect("no panic").insert(name(&trace), file.to_owned());
        Ok(Some(trace))
    }

    /// Eq. 3 by GNU `diff`.
    pub(crate) fn similarity(&self, one: &Trace, other: &Trace) -> f64 {
        let file = |trace| self.traces.lock().expect("no panic").get(&name(trace)).cloned().expect("a file");
        2.0 * diff(&file(one), &file(other), one.len(), &[]) as f64 / (one.len() + other.len()) as f64
    }
}

impl Evaluate for Naive {
    fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        let script = &individual.script;
        let mut observation = self.timing.observe_script(script, interrupt)?;
        if !observation.target.answer.is_refusal() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let data = tempfile::tempdir_in(&self.folder).expect("a scratch folder");
            observation.coverage = Some(Arc::new(self.coverage(script, data.path(), interrupt)?));
            let file = self.folder.join(format!("{number}.log"));
            observation.trace = self.trace(script, &file, interrupt)?.map(Arc::new);
        }
        Ok(observation)
    }

    fn limit(&self) -> Duration {
        self.timing.limit
    }
}

/// Names a trace.
fn name(trace: &Trace) -> u64 {
    use std::hash::Hasher;
    let mut hasher = FxHasher::default();
    trace.line_hashes().for_each(|hash| hasher.write_u64(hash));
    hasher.finish()
}
