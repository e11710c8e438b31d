//! The pipeline that the paper describes, made of the usual tools: a timed run, a run of a `--coverage` build whose data
//! files go through `gcov`, a run that writes its trace into a file, each at the full limit, and GNU `diff`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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

#[derive(serde::Deserialize)]
struct Unit {
    current_working_directory: String,
    files: Vec<File>,
}

#[derive(serde::Deserialize)]
struct File {
    file: String,
    lines: Vec<Line>,
}

#[derive(serde::Deserialize)]
struct Line {
    line_number: u32,
    count: i64,
}

/// What `folder` joined with `name` is without its `..`.
fn full_name(folder: &str, name: &str) -> String {
    let mut full = PathBuf::new();
    for component in Path::new(folder).join(name).components() {
        match component {
            std::path::Component::ParentDir => drop(full.pop()),
            other => full.push(other),
        }
    }
    full.to_string_lossy().into_owned()
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
            ((full_name(map.root(), file), line), slot)
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
        let timing = Evaluator { target, reference, observe, limit };
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
        let beside = folder.join(self.notes.canonicalize().expect("notes").strip_prefix("/").expect("absolute"));
        let mut data = Vec::new();
        link_notes(&self.notes, &beside, &mut data);
        let mut gcov = Command::new("gcov");
        gcov.args(["--json-format", "--stdout"]).args(data).current_dir(folder);
        let output = gcov.stderr(Stdio::null()).output().expect("gcov runs");
        let mut counts = Vec::new();
        for line in output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            let unit: Unit = serde_json::from_slice(line).expect("gcov's JSON");
            for file in unit.files {
                let full = full_name(&unit.current_working_directory, &file.file);
                let of_file = file.lines.iter().filter(|line| line.count > 0);
                counts.extend(of_file.filter_map(|line| {
                    let slot = self.slots.get(&(full.clone(), line.line_number))?;
                    Some((*slot, line.count.cast_unsigned()))
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

/// Lays links to the notes beside the data files; collects the data files' names.
fn link_notes(notes: &Path, beside: &Path, data: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(notes).into_iter().flatten().flatten() {
        let (path, at) = (entry.path(), beside.join(entry.file_name()));
        if path.is_dir() {
            link_notes(&path, &at, data);
        } else if path.extension().is_some_and(|extension| extension == "gcno") {
            let of_unit = at.with_extension("gcda");
            if of_unit.exists() {
                std::os::unix::fs::symlink(&path, &at).expect("a link");
                data.push(of_unit);
            }
        }
    }
}

/// Names a trace.
fn name(trace: &Trace) -> u64 {
    use std::hash::Hasher;
    let mut hasher = FxHasher::default();
    trace.line_hashes().for_each(|hash| hasher.write_u64(hash));
    hasher.finish()
}
