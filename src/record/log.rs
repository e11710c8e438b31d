//! The observation log: every evaluation and every generation of a run, in the order in which they ended.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::error::RecordError;
use super::file::AppendFile;
use super::format::{FrameHead, ObservationHead, Spent};
use super::frame::{self, Place};
use crate::coverage::LineCounts;
use crate::evaluate::individual::{Evaluated, Observation};

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
    /// By fingerprint: the individual's number, and where its frame is.
    evaluations: FxHashMap<u128, (u32, Place)>,
    similarities: FxHashMap<(u32, u32), f64>,
    generations: BTreeMap<u32, u32>,
    stopped: Option<StoppedWithin>,
    spent: Spent,
}

impl ObservationLog {
    /// Opens a log to go on with it, or makes one. A frame that a killed process left unfinished is cut off.
    ///
    /// # Errors
    /// [`RecordError`] if it cannot be read or written.
    pub(super) fn open(path: &Path) -> Result<Self, RecordError> {
        let mut log = Self::index(AppendFile::open(path)?)?;
        let end = log.end_of_frames;
        if end < log.log.file.length() {
            log.log.file.truncate(end)?;
        }
        Ok(log.log)
    }

    /// Opens a log for reading only. An unfinished frame at its end is ignored.
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
        };
        let mut offset = 0;
        while let Some(bytes) = log.frame_at(offset)? {
            let Some((head, body, _)) = frame::decode(&bytes) else { break };
            let head: FrameHead = serde_json::from_slice(head).map_err(|error| log.damaged(error))?;
            log.note(&head, body, Place { offset, length: bytes.len() })?;
            offset += bytes.len() as u64;
        }
        Ok(Indexed { log, end_of_frames: offset })
    }

    /// The bytes of the frame at an offset; `None` if the file ends before the frame does.
    fn frame_at(&self, offset: u64) -> Result<Option<Vec<u8>>, RecordError> {
        let left = self.file.length().saturating_sub(offset);
        if left < frame::PREFIX as u64 {
            return Ok(None);
        }
        let length = frame::length(&self.file.read_at(offset, frame::PREFIX)?);
        if length as u64 > left {
            return Ok(None);
        }
        self.file.read_at(offset, length).map(Some)
    }

    fn note(&mut self, head: &FrameHead, body: &[u8], place: Place) -> Result<(), RecordError> {
        self.spent = head.spent();
        // Whatever follows a stop means that the run went on.
        self.stopped = None;
        match head {
            FrameHead::Observation { observation, .. } => {
                let key = key(observation).ok_or_else(|| self.damaged("a fingerprint is no hexadecimal number"))?;
                self.evaluations.insert(key, (observation.id, place));
            }
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

    fn note_similarities(&mut self, body: &[u8]) -> Result<(), RecordError> {
        let pairs = decode_similarities(body).ok_or_else(|| self.damaged("similarities cannot be read"))?;
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
        if self.contains(evaluated.individual.fingerprint) {
            return Ok(());
        }
        let observation = Box::new(ObservationHead::new(evaluated, trace_lines));
        let counts = evaluated.observation.coverage.as_ref().map(|counts| counts.encode()).unwrap_or_default();
        self.append(&FrameHead::Observation { spent, observation }, &counts)
    }

    /// Appends the end of a generation, unless it is there.
    pub(super) fn append_generation(
        &mut self,
        generation: u32,
        offspring: u32,
        similarities: &Similarities,
        spent: Spent,
    ) -> Result<(), RecordError> {
        if self.generations.contains_key(&generation) {
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
        encode_similarities(new.map(|(&pair, &value)| (pair, value)))
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

/// The level at which zstd compresses similarities: its default.
const COMPRESSION_LEVEL: i32 = 3;

/// Two numbers and the bits of the similarity, each little-endian, compressed.
fn encode_similarities(similarities: impl Iterator<Item = ((u32, u32), f64)>) -> Vec<u8> {
    let plain: Vec<u8> = similarities
        .flat_map(|((one, other), value)| {
            [&one.to_le_bytes()[..], &other.to_le_bytes(), &value.to_bits().to_le_bytes()].concat()
        })
        .collect();
    // Compressing into memory cannot fail; were it to, the empty body is refused when it is read.
    zstd::encode_all(plain.as_slice(), COMPRESSION_LEVEL).unwrap_or_default()
}

fn decode_similarities(body: &[u8]) -> Option<Vec<((u32, u32), f64)>> {
    let plain = zstd::decode_all(body).ok()?;
    let (triples, rest) = plain.as_chunks::<16>();
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |sum, &byte| (sum << 8) | u64::from(byte));
    rest.is_empty().then(|| {
        let triple = |bytes: &[u8; 16]| {
            ((number(&bytes[..4]) as u32, number(&bytes[4..8]) as u32), f64::from_bits(number(&bytes[8..])))
        };
        triples.iter().map(triple).collect()
    })
}
