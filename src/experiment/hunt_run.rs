//! The folder of a hunt that is a run of an experiment: `hunt`, as the verb makes it, and `external`, where a reducer was
//! given the instance after the hunt: another one, or a strategy of ours under the same test.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hunts::Defect;
use super::state::{Phase, TaskState};
use crate::hunt::outcome::{Outcome, names};
use crate::hunt::size::InstanceSize;
use crate::oracle::correctness::Kind;
use crate::record::{RecordError, RunDirectory, read_json, write_atomically};
use crate::smtlib::parser::{ParseOptions, parse};
use crate::solver::answer::crash::place_of_crash;

/// The folder of the hunt.
const HUNT: &str = "hunt";
/// The folder of the other reducer.
const EXTERNAL: &str = "external";
/// What the other reducer did.
const EXTERNAL_RECORD: &str = "external.json";

/// What the version without the defect said.
const REDISCOVERY: &str = "rediscovery.json";

/// A run's folder.
#[derive(Clone, Debug)]
pub struct HuntRun {
    root: PathBuf,
}

/// What a reducer did with the instance after the hunt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct External {
    /// Whether it left a smaller instance that still shows the defect.
    pub succeeded: bool,
    /// How it ended: its exit code, or the limit that ended it; of a strategy of ours, `fixpoint` or `limits`.
    pub ended: String,
    /// CPU seconds of it, the tests and the solvers that they asked.
    pub cpu_seconds: f64,
    /// Candidates that were judged, as far as that is known: of a strategy of ours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<u64>,
    /// The last line that it printed on standard error.
    pub said: String,
}

/// What the version in which a known defect is mended says of the instances that show one of its kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rediscovery {
    /// The version.
    pub fixed: String,
    /// Instances, one of each finding.
    pub instances: u64,
    /// To how many of them it says `sat`: they show the known defect.
    pub sat: u64,
    /// CPU seconds of it.
    pub cpu_seconds: f64,
}

impl HuntRun {
    /// The run in `root`.
    pub fn new(root: &Path) -> Self {
        HuntRun { root: root.to_owned() }
    }

    /// The folder of the hunt.
    pub fn hunt(&self) -> PathBuf {
        self.root.join(HUNT)
    }

    /// Whether there is a hunt that can go on.
    pub fn is_begun(&self) -> bool {
        self.hunt().join(names::CONFIG).is_file()
    }

    /// The folder of the other reducer: its test, and its result as [`names::REDUCED`].
    pub fn external(&self) -> PathBuf {
        self.root.join(EXTERNAL)
    }

    /// The record of what the other reducer did.
    pub fn external_record(&self) -> PathBuf {
        self.root.join(EXTERNAL_RECORD)
    }

    /// What the hunt came to; `None` if it has not come to its end.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::Damaged`].
    pub fn outcome(&self) -> Result<Option<Outcome>, RecordError> {
        let outcome: Option<Outcome> = read_json(&self.hunt().join(names::HUNT))?;
        Ok(outcome.filter(|outcome| outcome.complete))
    }

    /// What the other reducer did, if it did.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::Damaged`].
    pub fn external_outcome(&self) -> Result<Option<External>, RecordError> {
        read_json(&self.external_record())
    }

    /// What the version without the defect said, if it was asked.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::Damaged`].
    pub fn rediscovery(&self) -> Result<Option<Rediscovery>, RecordError> {
        read_json(&self.root.join(REDISCOVERY))
    }

    /// Records what it said.
    ///
    /// # Errors
    /// [`RecordError::Write`].
    pub fn keep_rediscovery(&self, rediscovery: &Rediscovery) -> Result<(), RecordError> {
        let path = self.root.join(REDISCOVERY);
        let json = serde_json::to_vec_pretty(rediscovery).map_err(|error| RecordError::damaged(&path, error))?;
        write_atomically(&path, &json)
    }

    /// How far it is. A hunt that was stopped is begun again; `external` says whether its instance then goes to another
    /// reducer.
    ///
    /// # Errors
    /// [`RecordError::Read`].
    pub fn state(&self, external: bool, defect: Option<&Defect>) -> Result<TaskState, RecordError> {
        let mut state = TaskState { running: RunDirectory::is_in_use(&self.root), ..TaskState::waiting() };
        let Some(outcome) = self.outcome()? else {
            if state.running {
                state.phase = Phase::Searching;
            }
            return Ok(state);
        };
        state.evaluations = outcome.tally.instances;
        state.charged_seconds = outcome.tally.solver_seconds;
        state.solver_seconds = outcome.tally.solver_seconds + outcome.tally.minimising_seconds;
        let found = defect.is_some_and(|defect| outcome.first(defect.kind).is_some());
        state.phase = Phase::Finished;
        if defect.is_some_and(|defect| defect.fixed.is_some()) {
            let asked = self.rediscovery()?;
            state.measured = (usize::from(asked.is_some()), 1);
            match asked {
                Some(asked) => state.solver_seconds += asked.cpu_seconds,
                None => state.phase = Phase::Measuring,
            }
        }
        if external && found {
            let reduced = self.external_outcome()?;
            state.measured = (usize::from(reduced.is_some()), 1);
            match reduced {
                Some(reduced) => state.solver_seconds += reduced.cpu_seconds,
                None => state.phase = Phase::Measuring,
            }
        }
        Ok(state)
    }

    /// The sizes of the instance that shows `defect`, as it was found and as it came out; `None` for what is not there.
    ///
    /// # Errors
    /// [`RecordError::Read`].
    pub fn sizes(
        &self,
        defect: &Defect,
        external: bool,
    ) -> Result<Option<(InstanceSize, Option<InstanceSize>)>, RecordError> {
        let outcome = self.outcome()?;
        let Some(found) = outcome.as_ref().and_then(|outcome| outcome.first(defect.kind)) else { return Ok(None) };
        let folder = found.folder(&self.hunt());
        let size = |path: PathBuf| {
            let text = std::fs::read_to_string(&path).map_err(RecordError::read(&path))?;
            InstanceSize::of(&text).ok_or_else(|| RecordError::damaged(&path, "it is no script"))
        };
        let before = size(folder.join(names::INSTANCE))?;
        let after = match self.external_outcome()? {
            _ if !external => Some(size(folder.join(names::REDUCED))?),
            Some(External { succeeded: true, .. }) => Some(size(self.external().join(names::REDUCED))?),
            _ => None,
        };
        Ok(Some((before, after)))
    }
}

impl HuntRun {
    /// What tells the bug class of the instance that shows `defect`: of a crash its message, of a wrong answer the operators
    /// that the smallest form has, connectives aside. `None` if nothing was found.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::Damaged`].
    pub fn class(&self, defect: &Defect) -> Result<Option<String>, RecordError> {
        let outcome = self.outcome()?;
        let Some(found) = outcome.as_ref().and_then(|outcome| outcome.first(defect.kind)) else { return Ok(None) };
        if defect.kind == Kind::Crash {
            return Ok(found.evidence.first().map(|message| place_of_crash(message)));
        }
        let reduced = self.external().join(names::REDUCED);
        let path = if self.external_outcome()?.is_some_and(|external| external.succeeded) {
            reduced
        } else {
            found.folder(&self.hunt()).join(names::REDUCED)
        };
        let text = std::fs::read_to_string(&path).map_err(RecordError::read(&path))?;
        let script = parse(&text, "instance", &ParseOptions::default());
        let script = script.map_err(|_| RecordError::damaged(&path, "it is no script"))?;
        Ok(Some(script.telling_operators().into_iter().collect::<Vec<_>>().join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defect() -> Defect {
        let kind = Kind::RefutationUnsoundness;
        Defect {
            name: "d".into(),
            seeds: Vec::new(),
            solver: "z3seq".parse().unwrap(),
            kind,
            second_solver: None,
            fixed: None,
            trusted: Vec::new(),
        }
    }

    #[test]
    fn a_hunt_is_finished_when_it_says_so_and_begins_again_when_it_was_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let run = HuntRun::new(folder.path());
        let state = |external| run.state(external, Some(&defect())).unwrap();
        assert_eq!(state(false).phase, Phase::Waiting);
        let lock = RunDirectory::claim(folder.path()).unwrap();
        assert_eq!((state(false).phase, state(false).running), (Phase::Searching, true));
        drop(lock);
        let hunt = |complete: bool, kind: Kind| {
            let outcome = Outcome { complete, ..Outcome::of_one(kind, 7, 1.5) };
            std::fs::create_dir_all(run.hunt()).unwrap();
            std::fs::write(run.hunt().join(names::HUNT), serde_json::to_string(&outcome).unwrap()).unwrap();
        };
        hunt(false, Kind::RefutationUnsoundness);
        assert_eq!(state(false).phase, Phase::Waiting, "it was interrupted");
        hunt(true, Kind::Crash);
        assert_eq!(state(true).phase, Phase::Finished, "there is nothing to reduce");
        hunt(true, Kind::RefutationUnsoundness);
        let (alone, open) = (state(false), state(true));
        assert_eq!((alone.phase, alone.evaluations, alone.solver_seconds), (Phase::Finished, 7, 1.5));
        assert_eq!((open.phase, open.measured), (Phase::Measuring, (0, 1)));
        let external = External {
            succeeded: false,
            ended: "CPU time".into(),
            cpu_seconds: 3.0,
            candidates: None,
            said: String::new(),
        };
        std::fs::write(run.external_record(), serde_json::to_string(&external).unwrap()).unwrap();
        assert_eq!((state(true).phase, state(true).solver_seconds), (Phase::Finished, 4.5));
        let known = Defect { fixed: Some("z3seq@4.8.11".parse().unwrap()), ..defect() };
        assert_eq!(run.state(false, Some(&known)).unwrap().phase, Phase::Measuring, "the fixed version is to be asked");
        run.keep_rediscovery(&Rediscovery { instances: 1, sat: 1, cpu_seconds: 0.5, ..Rediscovery::default() })
            .unwrap();
        let state = run.state(false, Some(&known)).unwrap();
        assert_eq!((state.phase, state.solver_seconds), (Phase::Finished, 2.0));
        std::fs::write(run.hunt().join(names::HUNT), "{").unwrap();
        let damaged = run.outcome().unwrap_err().to_string();
        assert!(damaged.contains("hunt.json"), "{damaged}");
    }
}
