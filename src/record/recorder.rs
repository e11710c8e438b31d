//! What a campaign writes, in the order in which it has to be written to survive a kill at any moment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;

use super::checkpoint::Checkpoint;
use super::defects::{DefectStore, Findings, RunList, SearchRuns};
use super::directory::{RunDirectory, names};
use super::error::RecordError;
use super::format::{
    Aftermath, CheckpointRecord, CoverageRow, DefectRecord, DefectState, Environment, EvaluationRow, FrontRow,
    GenerationRow, LineTable, Spent, Summary, SuspectRow,
};
use super::lessons::{Lesson, LessonStore};
use super::log::{ObservationLog, Similarities, StoppedWithin};
use super::reader::read_summary;
use super::suspects::SuspectStore;
use super::table::{self, Table};
use super::traces::TraceStore;
use crate::config::Config;
use crate::evaluate::individual::Evaluated;
use crate::oracle::performance::RunRow;
use crate::oracle::suspicion::Suspicion;

/// The log within `observations/`.
pub const OBSERVATION_LOG: &str = "log";
/// The line table within `observations/`.
const LINES: &str = "lines";
/// The seeds within `observations/`.
const SEEDS: &str = "seeds.json";
/// The traces within `observations/`.
const TRACES: &str = "traces";
/// The level at which zstd compresses the line table: its default.
const COMPRESSION_LEVEL: i32 = 3;
/// Most bytes that a line table may be unpacked.
const LARGEST_TABLE: u64 = 1 << 28;

/// Writes a run directory.
#[derive(Debug)]
pub struct Recorder {
    directory: RunDirectory,
    log: ObservationLog,
    evaluations: Table<EvaluationRow>,
    generations: Table<GenerationRow>,
    traces: TraceStore,
    defects: DefectStore,
    suspects: SuspectStore,
    lessons: LessonStore,
    /// Where the rows of the current generation begin in `evaluations.csv`.
    generation_start: u64,
}

impl Recorder {
    /// Begins a record in a new directory. `seeds` are the names and texts of the seeds that were admitted: the user's
    /// folder may be another one when the run is resumed or replayed.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn create(
        directory: RunDirectory,
        config: &Config,
        environment: &Environment,
        lines: &LineTable,
        seeds: &[(String, String)],
    ) -> Result<Self, RecordError> {
        let path = directory.path(names::CONFIG);
        let toml = config.to_toml().map_err(|error| RecordError::damaged(&path, error))?;
        let path = directory.path(names::OBSERVATIONS).join(LINES);
        let json = serde_json::to_vec(lines).map_err(|error| RecordError::damaged(&path, error))?;
        let compressed = zstd::encode_all(json.as_slice(), COMPRESSION_LEVEL).map_err(RecordError::write(&path))?;
        super::file::write_atomically(&path, &compressed)?;
        let path = directory.path(names::OBSERVATIONS).join(SEEDS);
        let json = serde_json::to_vec(seeds).map_err(|error| RecordError::damaged(&path, error))?;
        super::file::write_atomically(&path, &json)?;
        directory.write(names::ENVIRONMENT, &json_of(environment, &directory, names::ENVIRONMENT)?)?;
        // A directory that has a configuration is a run that can be resumed: what comes after it is made then too, and what
        // comes before it may be there when a new run begins (`RunDirectory::check_free`).
        directory.write(names::CONFIG, toml.as_bytes())?;
        Self::open(directory)
    }

    /// Goes on in the directory of an earlier run. The checkpoint is `None` if there is none or it is of no use (then
    /// the reason is given); the run then begins anew on the recorded evaluations.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn resume(
        directory: RunDirectory,
        config: &Config,
    ) -> Result<(Self, Result<Option<Checkpoint>, RecordError>), RecordError> {
        let mut checkpoint = Checkpoint::read(&directory.path(names::CHECKPOINT));
        // When to stop may have changed, and the next resume is to know.
        let path = directory.path(names::CONFIG);
        let toml = config.to_toml().map_err(|error| RecordError::damaged(&path, error))?;
        directory.write(names::CONFIG, toml.as_bytes())?;
        let mut recorder = Self::open(directory)?;
        if let Ok(Some(Checkpoint { record, .. })) = &checkpoint {
            let generation = record.generation;
            let rows = recorder.evaluations.keep_while(|row| row.generation <= generation)?;
            let generations = recorder.generations.keep_while(|row| row.generation <= generation)?;
            if rows != record.evaluations || generations != u64::from(generation) + 1 {
                let path = recorder.directory.path(names::EVALUATIONS);
                checkpoint = Err(RecordError::damaged(&path, "it lacks rows of finished generations"));
            }
        }
        if !matches!(checkpoint, Ok(Some(_))) {
            recorder.begin_anew()?;
        }
        let last = checkpoint.as_ref().ok().and_then(Option::as_ref).map(|checkpoint| checkpoint.record.generation);
        recorder.suspects.keep_until(last)?;
        // What was learned after the last recorded generation is known from the next one on.
        let next = recorder.log.last_generation().map(|last| last + 1);
        recorder.lessons.keep_until(next)?;
        recorder.begin_generation();
        Ok((recorder, checkpoint))
    }

    fn open(directory: RunDirectory) -> Result<Self, RecordError> {
        let observations = directory.path(names::OBSERVATIONS);
        let evaluations = Table::open(&directory.path(names::EVALUATIONS))?;
        Ok(Recorder {
            log: ObservationLog::open(&observations.join(OBSERVATION_LOG))?,
            generations: Table::open(&directory.path(names::GENERATIONS))?,
            traces: TraceStore::open(&observations.join(TRACES))?,
            defects: DefectStore::open(&directory.path(names::CANDIDATES), &directory.path(names::DEFECTS))?,
            suspects: SuspectStore::open(directory.root())?,
            lessons: LessonStore::open(directory.root())?,
            generation_start: evaluations.position(),
            evaluations,
            directory,
        })
    }

    /// The run directory.
    pub fn directory(&self) -> &RunDirectory {
        &self.directory
    }

    /// The evaluations recorded so far.
    pub fn log(&self) -> &ObservationLog {
        &self.log
    }

    /// What is to be told of damage to the record, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        self.log.notes()
    }

    /// Forgets the checkpoint that [`Recorder::resume`] gave: the run begins anew on the recorded evaluations.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn begin_anew(&mut self) -> Result<(), RecordError> {
        self.evaluations.keep_while(|_| false)?;
        self.generations.keep_while(|_| false)?;
        self.suspects.keep_until(None)?;
        self.begin_generation();
        Ok(())
    }

    /// The fingerprints of all individuals with numbers below `id`, in no particular order: those whose evaluations the
    /// log has lost are in `evaluations.csv`.
    ///
    /// # Errors
    /// [`RecordError`] if that cannot be read.
    pub fn fingerprints_before(&self, id: u32) -> Result<Vec<u128>, RecordError> {
        let mut found: Vec<u128> = self.log.fingerprints_before(id).collect();
        if found.len() < id as usize {
            let rows: Vec<EvaluationRow> = super::reader::read_rows(&self.directory.path(names::EVALUATIONS))?;
            let lost = rows.iter().filter(|row| row.id < id);
            found.extend(lost.filter_map(|row| u128::from_str_radix(&row.fingerprint, 16).ok()));
        }
        Ok(found)
    }

    /// Records an evaluation that was lost and is made again; its row is there.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn evaluation_again(&mut self, evaluated: &Evaluated, spent: Spent) -> Result<Option<u64>, RecordError> {
        let lines = evaluated.observation.trace.as_ref().map(|trace| trace.len());
        if let Some(trace) = &evaluated.observation.trace {
            self.traces.save(evaluated.individual.id.0, trace)?;
        }
        self.log.append_evaluation(evaluated, lines, spent)?;
        Ok(lines)
    }

    /// Records that the run breeds others than it bred before, from this generation and this individual on.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn rebred(&mut self, generation: u32, first_id: u32, spent: Spent) -> Result<(), RecordError> {
        self.log.append_rebred(generation, first_id, spent)?;
        self.traces.keep_only(|id| id < first_id)
    }

    /// The traces of the living.
    pub fn traces(&self) -> &TraceStore {
        &self.traces
    }

    /// The suspicions so far.
    pub fn defects(&self) -> &DefectStore {
        &self.defects
    }

    /// The rows of `evaluations.csv` from here on belong to a new generation.
    pub fn begin_generation(&mut self) {
        self.generation_start = self.evaluations.position();
    }

    /// Records an evaluation as it ends. One that the log holds already gets its row again, and no more.
    ///
    /// # Errors
    /// [`RecordError::Write`]; earlier records stay.
    pub fn evaluation(&mut self, evaluated: &Evaluated, row: &EvaluationRow, spent: Spent) -> Result<(), RecordError> {
        let individual = &evaluated.individual;
        if let (Some(trace), false) = (&evaluated.observation.trace, self.log.contains(individual.fingerprint)) {
            // Before the log knows of the evaluation: what the log knows must have its trace.
            self.traces.save(individual.id.0, trace)?;
        }
        self.log.append_evaluation(evaluated, row.trace_lines, spent)?;
        self.evaluations.append(row)
    }

    /// Saves a candidate.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn candidate(
        &mut self,
        record: DefectRecord,
        instance: &str,
        runs: &SearchRuns<'_>,
    ) -> Result<(), RecordError> {
        self.defects.add(record, instance, runs)
    }

    /// Whether a script of this class raises a suspicion that none of its class has raised.
    pub fn wants_suspect(&self, suspicion: Suspicion, class: &str) -> bool {
        self.suspects.wants(suspicion, class)
    }

    /// Whether there are scripts on which a solver may be wrong.
    pub fn has_suspects(&self) -> bool {
        !self.suspects.is_empty()
    }

    /// Saves a script on which a solver may be wrong.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn suspect(&mut self, row: &SuspectRow, script: &str) -> Result<(), RecordError> {
        self.suspects.add(row, script)
    }

    /// Keeps the script on which this program itself failed, with what the failure said.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn internal_error(&self, id: u32, message: &str, script: &str) -> Result<(), RecordError> {
        let folder = self.directory.path(names::INTERNAL_ERRORS);
        super::internal_errors::keep(&folder, &id.to_string(), message, script)
    }

    /// How many scripts this program failed on.
    pub fn internal_errors(&self) -> u64 {
        super::internal_errors::count(&self.directory.path(names::INTERNAL_ERRORS))
    }

    /// Takes over how the confirmations of the run in `root` ended, whose evaluations this run repeats.
    ///
    /// # Errors
    /// [`RecordError`] if they cannot be read, or written here.
    pub fn adopt_confirmations(&mut self, root: &std::path::Path) -> Result<(), RecordError> {
        self.defects.adopt(&[root.join(names::CANDIDATES), root.join(names::DEFECTS)])
    }

    /// What came after the search when this run stopped last, and the wall seconds of it; nothing of a new run, or of one
    /// whose summary cannot be read.
    pub fn afterwards(&self) -> (Aftermath, f64) {
        let summary = read_summary(self.directory.root()).ok().flatten();
        summary.map(|summary| (summary.aftermath, summary.afterwards_seconds)).unwrap_or_default()
    }

    /// What the run had used when it stopped last: the log does not have what was confirmed after its last record, but the
    /// summary has, where there is one.
    pub fn spent(&self) -> Spent {
        let logged = self.log.spent();
        let Ok(Some(summary)) = read_summary(self.directory.root()) else { return logged };
        Spent {
            wall_seconds: logged.wall_seconds.max(summary.wall_seconds),
            core_seconds: logged.core_seconds.max(summary.total_core_seconds),
            solver_seconds: logged.solver_seconds.max(summary.solver_core_seconds),
            ..logged
        }
    }

    /// What the run has learned so far.
    pub fn lessons(&self) -> &[Lesson] {
        self.lessons.all()
    }

    /// Keeps a lesson, unless it is kept already.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn lesson(&mut self, lesson: &Lesson) -> Result<(), RecordError> {
        self.lessons.add(lesson)
    }

    /// Begins, or goes on with, the confirmation of a script of a suspicion: the runs that need not be made again, and the list
    /// for the others.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::Write`].
    pub fn begin_confirmation(&self, number: u32, script: &str) -> Result<(Vec<RunRow>, RunList), RecordError> {
        self.defects.begin_confirmation(number, script)
    }

    /// Records how a confirmation ended.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn conclude(
        &mut self,
        number: u32,
        state: DefectState,
        reason: String,
        runs: &[RunRow],
        findings: Findings<'_>,
    ) -> Result<(), RecordError> {
        self.defects.conclude(number, state, reason, runs, findings)
    }

    /// Records the end of a generation: its rows once more, in slot order and with ranks, and its own row.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn generation(
        &mut self,
        rows: &[EvaluationRow],
        row: &GenerationRow,
        similarities: &Similarities,
        spent: Spent,
    ) -> Result<(), RecordError> {
        self.log.append_generation(row.generation, rows.len() as u32, similarities, spent)?;
        self.rows_of_generation(rows, row)
    }

    /// Records that the run stops within a generation. The checkpoint stays before that generation.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn stopped(
        &mut self,
        rows: &[EvaluationRow],
        row: &GenerationRow,
        similarities: &Similarities,
        spent: Spent,
    ) -> Result<(), RecordError> {
        let evaluated = rows.iter().map(|row| row.id).collect();
        let within = StoppedWithin { generation: row.generation, evaluated };
        self.log.append_stopped(&within, similarities, spent)?;
        self.rows_of_generation(rows, row)
    }

    fn rows_of_generation(&mut self, rows: &[EvaluationRow], row: &GenerationRow) -> Result<(), RecordError> {
        self.evaluations.replace_from(self.generation_start, rows)?;
        self.generations.append(row)
    }

    /// Replaces the checkpoint, then forgets the traces of the dead.
    ///
    /// # Errors
    /// [`RecordError::Write`]; the old checkpoint stays.
    pub fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), RecordError> {
        checkpoint.write(&self.directory)?;
        let CheckpointRecord { population, next_id, .. } = &checkpoint.record;
        let alive: BTreeSet<u32> = population.iter().map(|member| member.id).collect();
        // A run that goes through its log again knows of individuals that are still to be bred.
        let is_needed = |id: u32| id >= *next_id || alive.contains(&id);
        self.log.forget_similarities(is_needed);
        self.traces.keep_only(is_needed)
    }

    /// Writes the result set: scripts by file name, the front, the archive as a table and as LCOV has it (not where no lines
    /// were counted), the summary (last: where it is, all is).
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn result(
        &self,
        population: &BTreeMap<String, String>,
        front: &[FrontRow],
        coverage: &[CoverageRow],
        tracefile: &str,
        summary: &Summary,
    ) -> Result<(), RecordError> {
        self.replace_population(population)?;
        let write = |name: &str, bytes: Result<Vec<u8>, RecordError>| self.directory.write(name, &bytes?);
        write(names::FRONT, table::whole(front, &self.directory.path(names::FRONT)))?;
        write(names::COVERAGE, table::whole(coverage, &self.directory.path(names::COVERAGE)))?;
        if !tracefile.is_empty() {
            write(names::TRACEFILE, Ok(tracefile.as_bytes().to_vec()))?;
        }
        write(names::SUMMARY, json_of(summary, &self.directory, names::SUMMARY))
    }

    fn replace_population(&self, population: &BTreeMap<String, String>) -> Result<(), RecordError> {
        let folder = self.directory.path(names::POPULATION);
        let new = self.directory.path("population.new");
        let remove = |path: &std::path::Path| match fs::remove_dir_all(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        let write = || {
            remove(&new)?;
            fs::create_dir_all(&new)?;
            for (name, script) in population {
                fs::write(new.join(name), script)?;
            }
            remove(&folder)?;
            fs::rename(&new, &folder)
        };
        write().map_err(RecordError::write(&folder))
    }
}

/// The line table of a run directory.
///
/// # Errors
/// [`RecordError`].
pub fn read_lines(root: &std::path::Path) -> Result<LineTable, RecordError> {
    let path = root.join(names::OBSERVATIONS).join(LINES);
    let bytes = fs::read(&path).map_err(RecordError::read(&path))?;
    let decoder = zstd::Decoder::new(bytes.as_slice()).map_err(|error| RecordError::damaged(&path, error))?;
    let mut json = Vec::new();
    // One that claims to be larger ends in the middle, which is no table.
    decoder.take(LARGEST_TABLE).read_to_end(&mut json).map_err(|error| RecordError::damaged(&path, error))?;
    let table: LineTable = serde_json::from_slice(&json).map_err(|error| RecordError::damaged(&path, error))?;
    if table.is_sound() { Ok(table) } else { Err(RecordError::damaged(&path, "a line has no file or no number")) }
}

/// The names and texts of a run's seeds.
///
/// # Errors
/// [`RecordError`].
pub fn read_seeds(root: &std::path::Path) -> Result<Vec<(String, String)>, RecordError> {
    let path = root.join(names::OBSERVATIONS).join(SEEDS);
    let json = fs::read(&path).map_err(RecordError::read(&path))?;
    serde_json::from_slice(&json).map_err(|error| RecordError::damaged(&path, error))
}

/// The environment in which a run began.
///
/// # Errors
/// [`RecordError`].
pub fn read_environment(root: &std::path::Path) -> Result<Environment, RecordError> {
    let path = root.join(names::ENVIRONMENT);
    let json = fs::read(&path).map_err(RecordError::read(&path))?;
    serde_json::from_slice(&json).map_err(|error| RecordError::damaged(&path, error))
}

fn json_of(value: &impl serde::Serialize, directory: &RunDirectory, name: &str) -> Result<Vec<u8>, RecordError> {
    let mut json =
        serde_json::to_vec_pretty(value).map_err(|error| RecordError::damaged(&directory.path(name), error))?;
    json.push(b'\n');
    Ok(json)
}
