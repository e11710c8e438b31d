//! The folders `candidates/` and `defects/`: one folder per suspicion, saved the moment it arises, moved when confirmed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::directory::names;
use super::error::RecordError;
use super::file::write_atomically;
use super::format::{DefectRecord, DefectState};
use super::reader::read_json;
use crate::markdown::fenced;
use crate::oracle::performance::RunRow;
use runs::{CONFIRMATION, CONFIRMED, forget_confirmation, search_runs, with_confirmation};
pub use runs::{RunList, SearchRuns, read_confirmation};

mod runs;

/// All suspicions of a run.
#[derive(Debug)]
pub struct DefectStore {
    candidates: PathBuf,
    confirmed: PathBuf,
    defects: BTreeMap<u32, DefectRecord>,
}

/// What is written beside a suspicion when more of it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Findings<'a> {
    /// The report in Markdown; none to leave the one that is there, with the reason in it.
    pub report: Option<&'a str>,
    /// The reduced script, which is the one that was confirmed.
    pub reduced: Option<&'a str>,
    /// Its pattern, as patterns are written.
    pub pattern: Option<&'a str>,
}

pub(super) const STATE: &str = "defect.json";
pub(super) const INSTANCE: &str = "instance.smt2";
pub(super) const RUNS: &str = "runs.csv";
const REPORT: &str = "report.md";
pub(super) const REDUCED: &str = "reduced.smt2";
const PATTERN: &str = "pattern.smt2";
/// Why a suspicion is a defect that a triage has confirmed.
pub const BY_TRIAGE: &str = "confirmed by the triage";
/// What a candidate's report says until a confirmation has ended.
const NOT_CONFIRMED: &str = "Not confirmed yet.";

impl DefectStore {
    /// Opens the folders, or makes them, and reads what is there.
    pub(super) fn open(candidates: &Path, confirmed: &Path) -> Result<Self, RecordError> {
        let mut store = DefectStore {
            candidates: candidates.to_owned(),
            confirmed: confirmed.to_owned(),
            defects: BTreeMap::new(),
        };
        for folder in [candidates, confirmed] {
            fs::create_dir_all(folder).map_err(RecordError::write(folder))?;
            for (found, record) in records_in(folder)? {
                store.settle(&record, &found)?;
                store.defects.insert(record.number, record);
            }
        }
        Ok(store)
    }

    /// Takes over how the confirmations of another run ended, of individuals that are suspicions here too.
    pub(super) fn adopt(&mut self, folders: &[PathBuf]) -> Result<(), RecordError> {
        for folder in folders {
            for (home, other) in records_in(folder)? {
                // What nobody tried has nothing to take over.
                if other.reason.is_empty() {
                    continue;
                }
                let Some(ours) = self.same_as(&other, &home)? else { continue };
                let here = self.path(ours.number);
                for name in [RUNS, REPORT] {
                    let bytes = fs::read(home.join(name)).map_err(RecordError::read(&home.join(name)))?;
                    write_atomically(&here.join(name), &bytes)?;
                }
                for name in [REDUCED, PATTERN, CONFIRMED, CONFIRMATION] {
                    if let Ok(bytes) = fs::read(home.join(name)) {
                        write_atomically(&here.join(name), &bytes)?;
                    }
                }
                let record = DefectRecord { state: other.state, reason: other.reason, ..ours };
                write_state(&here, &record)?;
                self.settle(&record, &here)?;
                self.defects.insert(record.number, record);
            }
        }
        Ok(())
    }

    /// Our suspicion of the same individual with the same script: numbers of individuals are used again after damage to a log.
    fn same_as(&self, other: &DefectRecord, home: &Path) -> Result<Option<DefectRecord>, RecordError> {
        let path = home.join(INSTANCE);
        let theirs = fs::read_to_string(&path).map_err(RecordError::read(&path))?;
        for ours in self.all().filter(|ours| ours.id == other.id && ours.class == other.class) {
            if self.instance(ours.number)? == theirs {
                return Ok(Some(ours.clone()));
            }
        }
        Ok(None)
    }

    /// Moves a suspicion's folder to where its state says it belongs.
    fn settle(&self, record: &DefectRecord, now: &Path) -> Result<(), RecordError> {
        let home = self.home(record.number, record.state);
        if home == now { Ok(()) } else { fs::rename(now, &home).map_err(RecordError::write(&home)) }
    }

    fn home(&self, number: u32, state: DefectState) -> PathBuf {
        let folder = if state == DefectState::Confirmed { &self.confirmed } else { &self.candidates };
        folder.join(format!("{number:03}"))
    }

    /// All suspicions, by number.
    pub fn all(&self) -> impl Iterator<Item = &DefectRecord> {
        self.defects.values()
    }

    /// How many are in this state.
    pub fn count(&self, state: DefectState) -> u64 {
        self.all().filter(|defect| defect.state == state).count() as u64
    }

    /// The folder of a suspicion.
    pub fn path(&self, number: u32) -> PathBuf {
        self.home(number, self.defects.get(&number).map_or(DefectState::Candidate, |record| record.state))
    }

    /// Saves a new candidate, unless the individual is one already. The record's number is assigned here.
    pub(super) fn add(
        &mut self,
        mut record: DefectRecord,
        instance: &str,
        runs: &SearchRuns<'_>,
    ) -> Result<(), RecordError> {
        // After damage to the log, the same number may be another script's: src/campaign/restore.rs.
        if self.all().any(|defect| defect.id == record.id && defect.class == record.class) {
            return Ok(());
        }
        record.number = self.defects.last_key_value().map_or(1, |(number, _)| number + 1);
        let folder = self.path(record.number);
        fs::create_dir_all(&folder).map_err(RecordError::write(&folder))?;
        write_atomically(&folder.join(INSTANCE), instance.as_bytes())?;
        write_atomically(&folder.join(RUNS), &search_runs(&record, runs))?;
        write_atomically(&folder.join(REPORT), candidate_report(&record, instance, runs).as_bytes())?;
        write_state(&folder, &record)?;
        self.defects.insert(record.number, record);
        Ok(())
    }

    /// The script of a suspicion, in the target's dialect.
    ///
    /// # Errors
    /// [`RecordError::Read`].
    pub fn instance(&self, number: u32) -> Result<String, RecordError> {
        let path = self.path(number).join(INSTANCE);
        fs::read_to_string(&path).map_err(RecordError::read(&path))
    }

    /// Begins, or goes on with, the confirmation of a script of this suspicion: the runs of just this script that need not be
    /// made again, and the list to which each is added when it ends.
    pub(super) fn begin_confirmation(&self, number: u32, script: &str) -> Result<(Vec<RunRow>, RunList), RecordError> {
        let folder = self.path(number);
        let known = match read_confirmation(&folder)? {
            Some((confirmed, runs)) if confirmed == script => runs,
            _ => {
                forget_confirmation(&folder)?;
                write_atomically(&folder.join(CONFIRMED), script.as_bytes())?;
                Vec::new()
            }
        };
        let list = RunList::beginning_with(&known, folder.join(CONFIRMATION))?;
        Ok((known, list))
    }

    /// Records how a confirmation ended: the state, all runs, and what was found out. The list of the runs stays where they
    /// confirmed: a triage need not make them again.
    pub(super) fn conclude(
        &mut self,
        number: u32,
        state: DefectState,
        reason: String,
        runs: &[RunRow],
        findings: Findings<'_>,
    ) -> Result<(), RecordError> {
        let Some(record) = self.defects.get(&number) else { return Ok(()) };
        let record = DefectRecord { state, reason, ..record.clone() };
        let folder = self.path(number);
        let path = folder.join(RUNS);
        write_atomically(&path, &with_confirmation(&path, runs)?)?;
        if findings.report.is_none() {
            let path = folder.join(REPORT);
            let before = fs::read_to_string(&path).map_err(RecordError::read(&path))?;
            let report = before.replace(NOT_CONFIRMED, &format!("Not confirmed: {}.", record.reason));
            write_atomically(&path, report.as_bytes())?;
        }
        write_findings(&folder, findings)?;
        write_state(&folder, &record)?;
        if state != DefectState::Confirmed {
            forget_confirmation(&folder)?;
        }
        self.settle(&record, &folder)?;
        self.defects.insert(number, record);
        Ok(())
    }

    /// Lets one folder of `defects/` be one distinct defect, which a triage has confirmed by these runs of its reduced script:
    /// that of suspicion `number`. The `others`, which are the same, go back to the candidates, with that as their reason.
    ///
    /// # Errors
    /// [`RecordError`] if something cannot be written.
    pub fn make_distinct(
        &mut self,
        number: u32,
        (findings, runs): (Findings<'_>, &[RunRow]),
        others: &[u32],
    ) -> Result<(), RecordError> {
        let Some(record) = self.defects.get(&number).cloned() else { return Ok(()) };
        let id = record.id;
        let folder = self.path(number);
        let path = folder.join(RUNS);
        write_atomically(&path, &with_confirmation(&path, runs)?)?;
        write_findings(&folder, findings)?;
        let reason = if record.state == DefectState::Confirmed { record.reason } else { BY_TRIAGE.to_owned() };
        self.change(DefectRecord { state: DefectState::Confirmed, reason, ..record })?;
        for other in others {
            self.demote(*other, format!("the same defect as individual {id}"))?;
        }
        Ok(())
    }

    /// Takes a defect, if it is one, back to the candidates, for this reason.
    ///
    /// # Errors
    /// [`RecordError`] if something cannot be written.
    pub fn demote(&mut self, number: u32, reason: String) -> Result<(), RecordError> {
        match self.defects.get(&number) {
            Some(record) if record.state == DefectState::Confirmed => {
                self.change(DefectRecord { state: DefectState::Candidate, reason, ..record.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Gives a suspicion another state, and its folder the place of it.
    fn change(&mut self, record: DefectRecord) -> Result<(), RecordError> {
        let folder = self.path(record.number);
        write_state(&folder, &record)?;
        self.settle(&record, &folder)?;
        self.defects.insert(record.number, record);
        Ok(())
    }
}

/// Opens the suspicions of the run in `root`, which nobody else works in.
///
/// # Errors
/// [`RecordError`] if they cannot be read.
pub fn open_defects(root: &Path) -> Result<DefectStore, RecordError> {
    DefectStore::open(&root.join(names::CANDIDATES), &root.join(names::DEFECTS))
}

/// The record of the suspicion in a folder; none if there is none.
///
/// # Errors
/// [`RecordError`] if it cannot be read.
pub fn read_defect(folder: &Path) -> Result<Option<DefectRecord>, RecordError> {
    read_json(&folder.join(STATE))
}

fn write_findings(folder: &Path, findings: Findings<'_>) -> Result<(), RecordError> {
    let Findings { report, reduced, pattern } = findings;
    for (name, text) in [(REPORT, report), (REDUCED, reduced), (PATTERN, pattern)] {
        if let Some(text) = text {
            write_atomically(&folder.join(name), text.as_bytes())?;
        }
    }
    Ok(())
}

/// The suspicions in a folder, each with its own folder.
fn records_in(folder: &Path) -> Result<Vec<(PathBuf, DefectRecord)>, RecordError> {
    let mut records = Vec::new();
    for entry in fs::read_dir(folder).map_err(RecordError::read(folder))? {
        let found = entry.map_err(RecordError::read(folder))?.path();
        let path = found.join(STATE);
        // A folder without a state is what a killed process left; its number is used again.
        let Ok(bytes) = fs::read(&path) else { continue };
        let record = serde_json::from_slice(&bytes).map_err(|error| RecordError::damaged(&path, error))?;
        records.push((found, record));
    }
    Ok(records)
}

fn write_state(folder: &Path, record: &DefectRecord) -> Result<(), RecordError> {
    let path = folder.join(STATE);
    let json = serde_json::to_vec_pretty(record).map_err(|error| RecordError::damaged(&path, error))?;
    write_atomically(&path, &json)
}

fn candidate_report(record: &DefectRecord, instance: &str, runs: &SearchRuns<'_>) -> String {
    format!(
        "# Candidate: {target} gives no answer in {limit} s of CPU time; {reference} says {answer} in {seconds:.3} s\n\n\
         Found by the search (individual {id}, generation {generation}). {NOT_CONFIRMED}\n\n\
         {instance}",
        target = record.target,
        reference = record.reference,
        limit = runs.limit_seconds,
        answer = runs.reference.answer.name(),
        seconds = runs.reference.cpu_seconds,
        id = record.id,
        generation = record.generation,
        instance = fenced("smt2", instance.trim_end()),
    )
}

#[cfg(test)]
mod tests;
