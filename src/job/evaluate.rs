//! The objectives of given scripts, with the coverage archive empty.

mod again;
mod print;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;

use crate::console::say;
use crate::coverage::{Archive, CoverageMap, CoverageTotals, Mode, reward};
use crate::evaluate::individual::{Evaluated, Individual, IndividualId, Origin, Timed};
use crate::evaluate::{Evaluator, Fusion, Instrumented, Observe, evaluate_batch, runtime};
use crate::job::input::read_script;
use crate::job::instances::scripts_at;
use crate::job::instrumented::{soft_limit, twin_or_reason};
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, find, find_working, known_profiles};
use crate::trace::TraceLines;

/// What an evaluation is asked for.
#[derive(Clone, Debug)]
pub struct EvaluateRequest {
    /// The scripts, or folders of scripts, searched through; - is standard input.
    pub files: Vec<PathBuf>,
    /// The solver under test, as "NAME OPTION…" or "NAME@VERSION OPTION…".
    pub target: SolverSpec,
    /// The solver that it is compared with.
    pub reference: SolverSpec,
    /// The instrumented build of the target; default: NAME-gcov at the target's version.
    pub instrumented: Option<SolverSpec>,
    /// CPU time of the target and of the reference.
    pub limit: Duration,
    /// CPU time of the run that yields coverage and trace; default: the limit.
    pub observe_limit: Option<Duration>,
    /// The target's own, repeatable limit of that run, in its own units (Z3: rlimit); 0 for none; default: what it
    /// usually does within --observe-limit.
    pub observe_soft_limit: Option<u64>,
    /// Run each FILE once more, without a trace, and write its coverage into DIR/NAME, NAME being the file's, as .gcda
    /// files beside links to their .gcno files, for gcov, lcov and gcovr.
    pub gcda: Option<PathBuf>,
    /// Run each FILE once more, without a trace, and print how many of the target's lines, functions and branches all of
    /// them cover together (with --json, as last object of the array).
    pub totals: bool,
    /// Do without coverage, and so without an instrumented solver.
    pub no_coverage: bool,
    /// Scripts to evaluate at once.
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
}

/// The result for one file, under the column names of `evaluations.csv`.
#[derive(Clone, Debug, Serialize)]
struct Row {
    file: PathBuf,
    valid: bool,
    target_result: &'static str,
    /// None where the run says nothing about speed.
    target_seconds: Option<f64>,
    reference_result: &'static str,
    /// The reference's message, if it does not answer.
    #[serde(skip_serializing_if = "str::is_empty")]
    reference_detail: String,
    reference_seconds: Option<f64>,
    t_score: f64,
    coverage_score: Option<f64>,
    lines_covered: Option<usize>,
    complexity: u64,
    bytes: u64,
    trace_lines: Option<u64>,
    /// The target's message, if it refuses the script.
    #[serde(skip_serializing_if = "str::is_empty")]
    detail: String,
}

/// What is printed of one file.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Entry {
    Evaluated(Box<Row>),
    /// It cannot be read, or is no sound script.
    Failed {
        file: PathBuf,
        error: String,
    },
    /// What all files cover.
    Together {
        together: CoverageTotals,
    },
}

/// A sound script, and where it stands among all files.
struct Input {
    index: usize,
    file: PathBuf,
    script: Script,
    bytes: u64,
}

/// What became of the files.
#[derive(Debug)]
pub struct EvaluatedFiles {
    /// An entry for each file, in the order in which they are named; none if it was not evaluated.
    entries: Vec<Option<Entry>>,
    /// What ended the evaluation before its time.
    pub ended: anyhow::Result<()>,
}

impl EvaluatedFiles {
    /// Whether some file is no sound script.
    pub fn has_failed(&self) -> bool {
        self.entries.iter().flatten().any(|entry| matches!(entry, Entry::Failed { .. }))
    }
}

/// Finds the objectives of each file. One that is no sound script keeps none of the others from being evaluated.
///
/// # Errors
/// When a solver is missing. What ends it later, as when the user interrupts, is told beside what is finished.
pub fn run(args: &EvaluateRequest, interrupt: &Interrupt) -> anyhow::Result<EvaluatedFiles> {
    let (inputs, mut entries) = read_all(args);
    if args.gcda.is_some() {
        let names: BTreeSet<_> = inputs.iter().map(|input| input.file.file_stem()).collect();
        anyhow::ensure!(names.len() == inputs.len(), "--gcda needs files of different names: each names a folder");
    }
    if inputs.is_empty() {
        return Ok(EvaluatedFiles { entries, ended: Ok(()) });
    }
    let evaluator = evaluator(args, interrupt)?;
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.get()).build();
    let pool = threads.context("cannot start threads")?;
    let ended = evaluate(&evaluator, &inputs, &mut entries, &pool, interrupt)
        .and_then(|()| again::run_again(args, &evaluator, &inputs, &pool, interrupt));
    let ended = ended.map(|totals| entries.extend(totals.map(|together| Some(Entry::Together { together }))));
    Ok(EvaluatedFiles { entries, ended })
}

/// Reads the files, and has an entry for each that is no sound script.
fn read_all(args: &EvaluateRequest) -> (Vec<Input>, Vec<Option<Entry>>) {
    let (mut inputs, mut entries) = (Vec::new(), Vec::new());
    let failed = |file: &Path, error: &anyhow::Error| {
        let error = format!("{error:#}");
        say!("error: {error}");
        Some(Entry::Failed { file: file.to_owned(), error })
    };
    for path in &args.files {
        let files = match scripts_at(path) {
            Ok(files) if files.is_empty() => {
                let nothing = anyhow::anyhow!("no file in {} is named .smt2", path.display());
                entries.push(failed(path, &nothing));
                continue;
            }
            Ok(files) => files,
            Err(error) => {
                entries.push(failed(path, &error));
                continue;
            }
        };
        for file in files {
            match read_script(&file) {
                Ok((script, bytes)) => {
                    inputs.push(Input { index: entries.len(), file, script, bytes });
                    entries.push(None);
                }
                Err(error) => entries.push(failed(&file, &error)),
            }
        }
    }
    (inputs, entries)
}

fn evaluate(
    evaluator: &Evaluator,
    inputs: &[Input],
    entries: &mut [Option<Entry>],
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
) -> anyhow::Result<()> {
    let individuals: Vec<Arc<Individual>> =
        (0..).zip(inputs).map(|(id, Input { file, script, .. })| individual(id, file, script)).collect();
    evaluate_batch(evaluator, &individuals, pool, interrupt, &mut |evaluated| {
        let Some(input) = inputs.get(evaluated.individual.id.0 as usize) else { return };
        if let Some(entry) = entries.get_mut(input.index) {
            *entry = Some(Entry::Evaluated(Box::new(row_of(&input.file, input.bytes, &evaluated, evaluator))));
        }
    })?;
    Ok(())
}

fn individual(id: u32, file: &Path, script: &Script) -> Arc<Individual> {
    Arc::new(Individual {
        id: IndividualId(id),
        generation: 0,
        slot: id,
        script: script.clone(),
        origin: Origin::Seed(file.display().to_string()),
        operator: String::new(),
        parents: Vec::new(),
        fingerprint: canonical_hash(script),
    })
}

fn evaluator(args: &EvaluateRequest, interrupt: &Interrupt) -> anyhow::Result<Evaluator> {
    let cache = Cache::locate()?;
    let profiles = known_profiles(args.profiles.as_deref(), &cache)?;
    let target = find_working(&args.target, &profiles, &cache, interrupt)?;
    let reference = find_working(&args.reference, &profiles, &cache, interrupt)?;
    let solver = match &args.instrumented {
        _ if args.no_coverage => None,
        Some(spec) => Some(find(spec, &profiles, &cache)?),
        None => match twin_or_reason(&target, &profiles, &cache)? {
            Ok(twin) => Some(twin),
            Err([why, hint]) => {
                say!("{why}: nothing counts lines ({hint})");
                None
            }
        },
    };
    let instrumented =
        solver.map(|solver| Instrumented::open(solver, &cache.folder().join("coverage"), interrupt)).transpose()?;
    let observed = instrumented.as_ref().map_or(&target, |it| &it.solver);
    let trace = (!observed.profile.trace.is_empty()).then_some(TraceLines::default());
    let limit = args.observe_limit.unwrap_or(args.limit);
    let soft_limit = soft_limit(observed, args.observe_soft_limit, limit)?;
    let observe = Observe {
        instrumented,
        trace,
        fusion: Fusion::default(),
        limit,
        soft_limit: Some(soft_limit).filter(|&limit| limit > 0),
        max_trace_lines: None,
    };
    Ok(Evaluator { target, reference, observe, limit: args.limit, timings: 1 })
}

fn row_of(file: &Path, bytes: u64, evaluated: &Evaluated, evaluator: &Evaluator) -> Row {
    let Evaluated { observation, t_score, complexity, valid, .. } = evaluated;
    let map = evaluator.observe.instrumented.as_ref().map(|instrumented| &*instrumented.map);
    let score = |map: &CoverageMap| {
        let archive = Archive::new(map.file_of_slot());
        observation.coverage.as_ref().map(|counts| reward(counts, &archive, Mode::default()))
    };
    Row {
        file: file.to_owned(),
        valid: *valid,
        target_result: observation.target.answer.name(),
        target_seconds: seconds_of(&observation.target, evaluator.limit),
        reference_result: observation.reference.answer.name(),
        reference_detail: observation.reference.answer.detail().to_owned(),
        reference_seconds: seconds_of(&observation.reference, evaluator.limit),
        t_score: *t_score,
        coverage_score: map.and_then(score),
        lines_covered: observation.coverage.as_ref().map(|counts| counts.len()),
        complexity: *complexity,
        bytes,
        trace_lines: observation.trace.as_ref().map(|trace| trace.len()),
        detail: if *valid { String::new() } else { observation.target.answer.detail().to_owned() },
    }
}

/// The CPU seconds that a run took, the limit at most; none if the solver refused the script or was killed, for which
/// Eq. 1 charges seconds that nobody measured.
fn seconds_of(run: &Timed, limit: Duration) -> Option<f64> {
    let seconds = limit.as_secs_f64();
    let time = if runtime::ran_out(run, limit) { seconds } else { run.cpu_seconds.clamp(0.0, seconds) };
    runtime::is_valid(run).then_some(time)
}
