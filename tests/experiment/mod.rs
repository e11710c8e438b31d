//! A tiny experiment on the real solvers: two arms, two repeats, sizes that no clock decides.

#![allow(dead_code, reason = "each test uses its part")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use mulstringfuzz::record::format::{EvaluationRow, GenerationRow, ResultRow};
use mulstringfuzz::record::{names, read_population, read_rows};

/// Individuals of a population.
pub(crate) const POPULATION: u64 = 5;
/// Generations after generation 0.
pub(crate) const GENERATIONS: u64 = 4;
/// The runs, in the order of the plan.
pub(crate) const RUNS: [&str; 4] = ["default/001", "random/001", "default/002", "random/002"];

/// The experiment with this CPU limit of the search.
pub(crate) fn spec(limit: &str) -> String {
    format!(
        r#"
title = "Two ways to search, tiny"
baseline = "default"
compute = ["results", "comparison"]

[settings]
target = "z3str3@4.8.10"
reference = "cvc4@1.6"
instrumented = "z3str3-gcov@4.8.10"
population = {POPULATION}
generations = {GENERATIONS}
limit = "{limit}"
observe-limit = "200ms"

[scale.tiny]
repeats = 2
measure-limit = "500ms"

[[arm]]
name = "default"

[[arm]]
name = "random"
settings = {{ variant = "random" }}
"#
    )
}

/// An experiment's files: its specification and its folder, whose name is one that shells and Slurm trip over.
pub(crate) struct Experiment {
    scratch: tempfile::TempDir,
}

impl Experiment {
    pub(crate) fn new() -> Self {
        for name in ["z3str3@4.8.10", "cvc4@1.6"] {
            crate::installed::solver(name);
        }
        crate::installed::built("z3str3-gcov@4.8.10");
        Self::without_solvers()
    }

    /// One that is never run.
    pub(crate) fn without_solvers() -> Self {
        let experiment = Experiment { scratch: tempfile::tempdir().expect("a scratch folder") };
        experiment.write_spec("300ms");
        experiment
    }

    pub(crate) fn write_spec(&self, limit: &str) {
        fs::write(self.spec(), spec(limit)).expect("the specification");
    }

    /// Adds an arm at the end of the specification.
    pub(crate) fn add_arm(&self, name: &str) {
        let text = fs::read_to_string(self.spec()).expect("the specification");
        fs::write(self.spec(), format!("{text}\n[[arm]]\nname = \"{name}\"\n")).expect("the specification");
    }

    fn spec(&self) -> PathBuf {
        self.scratch_file("tiny.toml")
    }

    /// A file beside the experiment's folder.
    pub(crate) fn scratch_file(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.scratch.path().join("a tiny one, 100%")
    }

    pub(crate) fn run_folder(&self, run: &str) -> PathBuf {
        self.folder().join("runs").join(run)
    }

    /// `experiment VERB` of this experiment with further arguments.
    pub(crate) fn command(&self, verb: &str, further: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
        command.args(["experiment", verb]).arg(self.spec()).args(["--scale", "tiny", "--out"]).arg(self.folder());
        command.args(further);
        command
    }

    /// Runs such a command to its end.
    pub(crate) fn ask(&self, verb: &str, further: &[&str]) -> Output {
        self.command(verb, further).output().expect("the program starts")
    }

    /// The runs in `experiment status --json`.
    pub(crate) fn status(&self) -> Vec<serde_json::Value> {
        let output = self.ask("status", &["--json"]);
        assert!(output.status.success(), "{}", text(&output));
        runs(&output.stdout)
    }

    /// The process that works in a run's folder now, as it wrote it there.
    pub(crate) fn worker(&self, run: &str) -> Option<i32> {
        let folder = self.run_folder(run);
        let in_use = mulstringfuzz::record::RunDirectory::is_in_use(&folder);
        in_use.then(|| fs::read_to_string(folder.join(names::LOCK)).ok()?.trim().parse().ok()).flatten()
    }

    pub(crate) fn generations(&self, run: &str) -> Vec<GenerationRow> {
        read_rows(&self.run_folder(run).join(names::GENERATIONS)).unwrap_or_default()
    }

    /// What a run has recorded for good: the rows of finished generations, and its log of observations.
    pub(crate) fn recorded(&self, run: &str) -> Recorded {
        let folder = self.run_folder(run);
        let rows = fs::read_to_string(folder.join(names::EVALUATIONS)).unwrap_or_default();
        let generations = self.generations(run).len();
        let finished = |line: &&str| {
            let generation = line.split(',').nth(1);
            generation.is_none_or(|text| text.parse().map_or(true, |generation: usize| generation < generations))
        };
        let rows: Vec<String> = rows.lines().take_while(finished).map(str::to_owned).collect();
        let log = fs::read(folder.join(names::OBSERVATIONS).join(mulstringfuzz::record::OBSERVATION_LOG));
        Recorded { rows, log: log.unwrap_or_default() }
    }

    /// Every planned run is there, once, with every evaluation, once.
    pub(crate) fn assert_complete(&self) {
        let mut found = BTreeSet::new();
        for arm in fs::read_dir(self.folder().join("runs")).expect("runs").flatten() {
            for run in fs::read_dir(arm.path()).expect("an arm").flatten() {
                found.insert(format!("{}/{}", arm.file_name().display(), run.file_name().display()));
            }
        }
        assert_eq!(found, RUNS.map(str::to_owned).into(), "the runs that were planned");
        for run in RUNS {
            let folder = self.run_folder(run);
            let rows: Vec<EvaluationRow> = read_rows(&folder.join(names::EVALUATIONS)).expect("evaluations");
            let ids: Vec<u64> = rows.iter().map(|row| u64::from(row.id)).collect();
            // Bred but never evaluated are duplicates of others, so that numbers may be left out.
            assert!(ids.is_sorted_by(|one, next| one < next), "{run}: each evaluation once: {ids:?}");
            assert_eq!(ids.len() as u64, POPULATION * (GENERATIONS + 1), "{run}: {ids:?}");
            let generations = self.generations(run);
            let numbers: Vec<u64> = generations.iter().map(|row| u64::from(row.generation)).collect();
            assert_eq!(numbers, (0..=GENERATIONS).collect::<Vec<_>>(), "{run}");
            let total = generations.last().map(|row| row.total_evaluations);
            assert_eq!(total, Some(ids.len() as u64), "{run}");
            let measured: Vec<ResultRow> = read_rows(&folder.join(names::RESULT_SET)).expect("a result set");
            let measured: Vec<u32> = measured.iter().map(|row| row.id).collect();
            let population: Vec<u32> = read_population(&folder).expect("a population").into_keys().collect();
            assert_eq!(measured, population, "{run}: every member is measured once");
        }
        for row in self.status() {
            assert_eq!(row["phase"], "finished", "{row}");
            assert_eq!(row["evaluations"], POPULATION * (GENERATIONS + 1), "{row}");
        }
    }

    /// The tables have a row for each arm.
    pub(crate) fn assert_tables(&self) {
        let tables = self.folder().join("tables");
        let results = fs::read_to_string(tables.join("results.csv")).expect("the first table");
        for arm in ["default", "random"] {
            assert!(results.lines().any(|line| line.starts_with(&format!("{arm},2,"))), "two runs of {arm}: {results}");
        }
        let markdown = fs::read_to_string(tables.join("tables.md")).expect("all tables");
        assert!(markdown.contains("4 of 4 runs are finished"), "{markdown}");
    }
}

/// The runs in what `experiment status --json` printed.
pub(crate) fn runs(printed: &[u8]) -> Vec<serde_json::Value> {
    let status: serde_json::Value = serde_json::from_slice(printed).expect("JSON");
    status["runs"].as_array().expect("runs").clone()
}

/// What a run has recorded for good.
#[derive(Debug)]
pub(crate) struct Recorded {
    rows: Vec<String>,
    log: Vec<u8>,
}

impl Recorded {
    /// Whether a generation is recorded.
    pub(crate) fn has_generation(&self) -> bool {
        self.rows.len() as u64 > POPULATION
    }

    /// Whether it is how `later` begins, byte for byte.
    pub(crate) fn assert_begins(&self, later: &Recorded) {
        assert!(self.has_generation(), "a generation is recorded: {self:?}");
        assert_eq!(self.rows, later.rows[..self.rows.len()]);
        assert!(self.log.len() > 100 && later.log.starts_with(&self.log), "no observation is lost or made again");
    }
}

/// Looks until something is there; panics with `what` and `otherwise` after `patience`.
pub(crate) fn until<T>(
    what: &str,
    patience: Duration,
    mut look: impl FnMut() -> Option<T>,
    otherwise: impl Fn() -> String,
) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < patience, "{what}: not within {patience:?}\n{}", otherwise());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// What a command printed.
pub(crate) fn text(output: &Output) -> String {
    let streams = [&output.stdout, &output.stderr].map(|stream| String::from_utf8_lossy(stream).into_owned());
    format!("{}\n{}", output.status, streams.join("\n"))
}

/// All files with this ending in a folder, for the message of a failure.
pub(crate) fn logs(folder: &Path) -> String {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let show = |path: &PathBuf| format!("== {}\n{}", path.display(), fs::read_to_string(path).unwrap_or_default());
    files.iter().map(show).collect::<Vec<_>>().join("\n")
}
