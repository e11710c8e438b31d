//! The observation log: every evaluation and every generation of a run, in the order in which they ended.
//!
//! Evaluations are found by fingerprint, so that each stands for itself: where bytes are damaged, the frames before and
//! behind them are used. Similarities and the sizes of generations speak of individuals by number. They are of use only
//! while the run breeds what it bred before; where it does not any more, it says so ([`ObservationLog::agrees`]), and they
//! are forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::RecordError;
use super::file::AppendFile;
use super::format::{FrameHead, ObservationHead, Spent};
use super::frame::{self, Place};
use super::journal::TOLD;
use crate::coverage::LineCounts;
use crate::evaluate::individual::{Evaluated, Observation};

mod scan;
mod similarities;

pub use scan::Damage;

/// How alike two individuals are, by their numbers, the lower first.
pub type Similarities = BTreeMap<(u32, u32), f64>;

/// An evaluation as the log holds it.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What was observed; without the trace.
    pub observation: Observation,
    /// How long the trace was.
    pub trace_lines: Option<u64>,
}

/// Where a run stopped within a generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedWithin {
    /// The generation.
    pub generation: u32,
    /// The individuals of it that were evaluated.
    pub evaluated: BTreeSet<u32>,
}

/// An observation log, with an index of what it holds.
#[derive(Debug)]
pub struct ObservationLog {
    file: AppendFile,
    /// By fingerprint: the individual's number ([`UNNUMBERED`] if another has it now), and where its frame is.
    evaluations: FxHashMap<u128, (u32, Place)>,
    /// The fingerprints of the individuals, by number.
    numbers: FxHashMap<u32, u128>,
    similarities: FxHashMap<(u32, u32), f64>,
    generations: BTreeMap<u32, u32>,
    stopped: Option<StoppedWithin>,
    spent: Spent,
    damage: Damage,
}

/// The number of an individual that the run, as it is now, has not bred.
const UNNUMBERED: u32 = u32::MAX;

impl ObservationLog {
    /// Opens a log to go on with it, or makes one. What stands behind the last sound frame is cut off and kept in a file
    /// beside the log; damage before that is left as it is. [`ObservationLog::notes`] are for the user to be told of both.
    ///
    /// # Errors
    /// [`RecordError`] if it cannot be read or written.
    pub(super) fn open(path: &Path) -> Result<Self, RecordError> {
        let Indexed { mut log, end_of_frames } = Self::index(AppendFile::open(path)?)?;
        log.damage.cut = scan::cut(&mut log.file, end_of_frames)?;
        for note in log.notes() {
            tracing::warn!(target: TOLD, "{note}");
        }
        Ok(log)
    }

    /// Opens a log for reading only. Damage, and an unfinished frame at its end, are passed over.
    ///
    /// # Errors
    /// [`RecordError`] if it cannot be read.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        Ok(Self::index(AppendFile::read_only(path)?)?.log)
    }

    fn index(file: AppendFile) -> Result<Indexed, RecordError> {
        let mut log = ObservationLog {
            file,
            evaluations: FxHashMap::default(),
            similarities: FxHashMap::default(),
            generations: BTreeMap::new(),
            stopped: None,
            spent: Spent::default(),
            numbers: FxHashMap::default(),
            damage: Damage::default(),
        };
        let mut offset = 0;
        loop {
            if let Some(bytes) = scan::frame_at(&log.file, offset)? {
                let Some((head, body, _)) = frame::decode(&bytes) else { break };
                let head: FrameHead = serde_json::from_slice(head).map_err(|error| log.damaged(error))?;
                log.note(&head, body, Place { offset, length: bytes.len() })?;
                offset += bytes.len() as u64;
            } else if let Some(next) = scan::next_frame(&log.file, offset + 1)? {
                log.damage.gaps.push(offset..next);
                offset = next;
            } else {
                break;
            }
        }
        Ok(Indexed { log, end_of_frames: offset })
    }

    fn note(&mut self, head: &FrameHead, body: &[u8], place: Place) -> Result<(), RecordError> {
        self.spent = head.spent();
        // Whatever follows a stop means that the run went on.
        self.stopped = None;
        match head {
            FrameHead::Observation { observation, .. } => {
                let key = key(observation).ok_or_else(|| self.damaged("a fingerprint is no hexadecimal number"))?;
                if let Some(before) = self.numbers.insert(observation.id, key).filter(|before| *before != key)
                    && let Some((number, _)) = self.evaluations.get_mut(&before)
                {
                    *number = UNNUMBERED;
                }
                self.evaluations.insert(key, (observation.id, place));
            }
            FrameHead::Rebred { generation, first_id, .. } => self.forget_from(*generation, *first_id),
            FrameHead::Generation { generation, offspring, .. } => {
                self.generations.insert(*generation, *offspring);
                self.note_similarities(body)?;
            }
            FrameHead::Stopped { generation, evaluated, .. } => {
                let evaluated = evaluated.iter().copied().collect();
                self.stopped = Some(StoppedWithin { generation: *generation, evaluated });
                self.note_similarities(body)?;
            }
        }
        Ok(())
    }

    /// Forgets what was recorded by numbers: of individuals from one on, and of generations from one on.
    fn forget_from(&mut self, generation: u32, first_id: u32) {
        self.numbers.retain(|id, _| *id < first_id);
        for (id, _) in self.evaluations.values_mut().filter(|(id, _)| *id >= first_id) {
            *id = UNNUMBERED;
        }
        self.similarities.retain(|(one, other), _| *one < first_id && *other < first_id);
        self.generations.retain(|number, _| *number < generation);
    }

    fn note_similarities(&mut self, body: &[u8]) -> Result<(), RecordError> {
        let pairs = similarities::decode(body).ok_or_else(|| self.damaged("similarities cannot be read"))?;
        self.similarities.extend(pairs);
        Ok(())
    }

    fn damaged(&self, reason: impl std::fmt::Display) -> RecordError {
        RecordError::damaged(self.file.path(), reason)
    }

    /// The log's file.
    pub fn path(&self) -> PathBuf {
        self.file.path().to_owned()
    }

    /// The run directory that it is in.
    pub fn root(&self) -> PathBuf {
        self.file.path().ancestors().nth(2).unwrap_or(Path::new("")).to_owned()
    }

    /// What was found in the file besides frames.
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// What to tell the user about it, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        self.damage.notes(self.file.path())
    }

    /// Whether what is recorded of these individuals' numbers is of these individuals: false if the run that is recorded
    /// bred others at this place.
    pub fn agrees(&self, individuals: impl IntoIterator<Item = (u32, u128)>) -> bool {
        individuals.into_iter().all(|(id, fingerprint)| {
            let same_number = self.numbers.get(&id).is_none_or(|&other| other == fingerprint);
            let number = self.evaluations.get(&fingerprint).map_or(UNNUMBERED, |&(number, _)| number);
            same_number && (number == id || number == UNNUMBERED)
        })
    }

    /// How many evaluations it holds.
    pub fn evaluations(&self) -> usize {
        self.evaluations.len()
    }

    /// Whether the evaluation of this individual is recorded.
    pub fn contains(&self, fingerprint: u128) -> bool {
        self.evaluations.contains_key(&fingerprint)
    }

    /// The fingerprints of all evaluated individuals with numbers below `id`, in no particular order.
    pub fn fingerprints_before(&self, id: u32) -> impl Iterator<Item = u128> + '_ {
        self.evaluations.iter().filter(move |(_, (other, _))| *other < id).map(|(&fingerprint, _)| fingerprint)
    }

    /// Whether an individual with this number or a later one was evaluated.
    pub fn has_from(&self, id: u32) -> bool {
        self.evaluations.values().any(|(other, _)| *other >= id)
    }

    /// The recorded evaluation of the individual with this fingerprint.
    ///
    /// # Errors
    /// [`RecordError::Damaged`] if the record does not hold what was written.
    pub fn find(&self, fingerprint: u128) -> Result<Option<Recorded>, RecordError> {
        let Some((_, place)) = self.evaluations.get(&fingerprint) else { return Ok(None) };
        let bytes = self.file.read_at(place.offset, place.length)?;
        let (head, body, _) = frame::decode(&bytes).ok_or_else(|| self.damaged("a record has another checksum"))?;
        let FrameHead::Observation { observation: head, .. } =
            serde_json::from_slice(head).map_err(|error| self.damaged(error))?
        else {
            return Err(self.damaged("a record is no evaluation"));
        };
        let coverage = head.has_coverage.then(|| LineCounts::decode(body).map(Arc::new)).transpose();
        let observation = Observation {
            target: head.target.into(),
            reference: head.reference.into(),
            coverage: coverage.map_err(|error| self.damaged(error))?,
            trace: None,
            solver_seconds: head.solver_seconds,
        };
        Ok(Some(Recorded { observation, trace_lines: head.trace_lines }))
    }

    /// The recorded similarity of two individuals.
    pub fn similarity(&self, one: u32, other: u32) -> Option<f64> {
        self.similarities.get(&(one.min(other), one.max(other))).copied()
    }

    /// Whether the generation was finished, and how many offspring it had.
    pub fn offspring(&self, generation: u32) -> Option<u32> {
        self.generations.get(&generation).copied()
    }

    /// The last finished generation.
    pub fn last_generation(&self) -> Option<u32> {
        self.generations.last_key_value().map(|(&generation, _)| generation)
    }

    /// Whether the generation, or what follows it, is recorded, whole or in part.
    pub fn goes_on_with(&self, generation: u32) -> bool {
        self.last_generation().is_some_and(|last| last >= generation)
            || self.stopped.as_ref().is_some_and(|stopped| stopped.generation == generation)
    }

    /// Where the run stopped within a generation, if that is the last thing it did.
    pub fn stopped_within(&self) -> Option<&StoppedWithin> {
        self.stopped.as_ref()
    }

    /// What the run had used when the last frame was written.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// Appends an evaluation, unless it is there.
    pub(super) fn append_evaluation(
        &mut self,
        evaluated: &Evaluated,
        trace_lines: Option<u64>,
        spent: Spent,
    ) -> Result<(), RecordError> {
        let individual = &evaluated.individual;
        if self.evaluations.get(&individual.fingerprint).is_some_and(|(id, _)| *id == individual.id.0) {
            return Ok(());
        }
        let observation = Box::new(ObservationHead::new(evaluated, trace_lines));
        let counts = evaluated.observation.coverage.as_ref().map(|counts| counts.encode()).unwrap_or_default();
        self.append(&FrameHead::Observation { spent, observation }, &counts)
    }

    /// Appends that from here on the run breeds others than it bred before.
    pub(super) fn append_rebred(&mut self, generation: u32, first_id: u32, spent: Spent) -> Result<(), RecordError> {
        self.append(&FrameHead::Rebred { spent, generation, first_id }, &[])
    }

    /// Appends the end of a generation with its similarities, unless all of that is there.
    pub(super) fn append_generation(
        &mut self,
        generation: u32,
        offspring: u32,
        similarities: &Similarities,
        spent: Spent,
    ) -> Result<(), RecordError> {
        let is_known = |pair: &(u32, u32)| self.similarities.contains_key(pair);
        if self.generations.contains_key(&generation) && similarities.keys().all(is_known) {
            return Ok(());
        }
        let body = self.new_similarities(similarities);
        self.append(&FrameHead::Generation { spent, generation, offspring }, &body)?;
        self.file.sync()
    }

    /// Appends that the run stops within a generation.
    pub(super) fn append_stopped(
        &mut self,
        within: &StoppedWithin,
        similarities: &Similarities,
        spent: Spent,
    ) -> Result<(), RecordError> {
        let evaluated = within.evaluated.iter().copied().collect();
        let head = FrameHead::Stopped { spent, generation: within.generation, evaluated };
        self.append(&head, &self.new_similarities(similarities))?;
        self.file.sync()
    }

    /// The body that holds those similarities that the log does not hold yet.
    fn new_similarities(&self, similarities: &Similarities) -> Vec<u8> {
        let new = similarities.iter().filter(|(pair, _)| !self.similarities.contains_key(*pair));
        similarities::encode(new.map(|(&pair, &value)| (pair, value)))
    }

    /// Forgets the similarities of the dead; the file keeps them.
    pub(super) fn forget_similarities(&mut self, is_alive: impl Fn(u32) -> bool) {
        self.similarities.retain(|(one, other), _| is_alive(*one) && is_alive(*other));
    }

    fn append(&mut self, head: &FrameHead, body: &[u8]) -> Result<(), RecordError> {
        let offset = self.file.length();
        let json = serde_json::to_vec(head).map_err(|error| self.damaged(error))?;
        let bytes = frame::encode(&json, body);
        self.file.append(&bytes)?;
        self.note(head, body, Place { offset, length: bytes.len() })
    }
}

struct Indexed {
    log: ObservationLog,
    end_of_frames: u64,
}

fn key(head: &ObservationHead) -> Option<u128> {
    u128::from_str_radix(&head.fingerprint, 16).ok()
}

#[cfg(test)]
mod tests;
