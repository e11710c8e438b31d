//! The folder of a hunt: DIR/findings/NNN for each defect, repetitions counted, and DIR/hunt.json.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::Minimise;
use crate::console::progress;
use crate::exit::NotWritten;
use crate::hunt::kept::KeptFinding;
use crate::hunt::likeness::Likeness;
use crate::hunt::minimise::{by_bounds, shrunk};
use crate::hunt::outcome::{Defect, Outcome, names};
use crate::hunt::report::{Texts, markdown};
use crate::hunt::witness::Witness;
use crate::hunt::{Found, InternalError, Tally};
use crate::isolate::isolated;
use crate::operator::storm::Bounds;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, Kind, Truth, judge};
use crate::oracle::model::asking_for_model;
use crate::oracle::prover::Prover;
use crate::oracle::testimony::Testimony;
use crate::record::{internal_errors, names as record_names, write_atomically};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::triage::cluster::shape;

/// What makes a defect another one before it is minimised: the kind, the solvers, the place of a crash, and the seed.
type Key = (Kind, Vec<String>, String, String);

/// How findings are kept.
#[derive(Clone, Debug)]
pub(in crate::cmd) struct Keeping {
    /// The folder.
    pub(in crate::cmd) out: PathBuf,
    /// CPU time of each run.
    pub(in crate::cmd) limit: Duration,
    /// How instances are made small.
    pub(in crate::cmd) minimise: Minimise,
    /// The bounds that STORM's minimising begins with.
    pub(in crate::cmd) bounds: Bounds,
    /// Decides what is random.
    pub(in crate::cmd) seed: u64,
}

/// Keeps findings as they come.
pub(super) struct Store<'a> {
    keeping: Keeping,
    provers: &'a [&'a dyn Prover],
    interrupt: &'a Interrupt,
    folder: PathBuf,
    defects: Vec<Defect>,
    known: HashMap<Key, usize>,
    shapes: HashMap<(Kind, Vec<String>, u128), usize>,
    alike: HashMap<Likeness, String>,
    /// Failures of this program itself in minimising.
    internal_errors: Vec<InternalError>,
}

impl<'a> Store<'a> {
    pub(super) fn create(
        keeping: Keeping,
        provers: &'a [&'a dyn Prover],
        interrupt: &'a Interrupt,
    ) -> anyhow::Result<Self> {
        let folder = keeping.out.join(names::FINDINGS);
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        Ok(Store {
            keeping,
            provers,
            interrupt,
            folder,
            defects: Vec::new(),
            known: HashMap::new(),
            shapes: HashMap::new(),
            alike: HashMap::new(),
            internal_errors: Vec::new(),
        })
    }

    /// Keeps a finding, or counts it as a repetition; minimising may take what is `left` of CPU time. Answers how many CPU
    /// seconds of solvers it took.
    pub(super) fn keep(&mut self, found: &Found, left: Option<Duration>) -> anyhow::Result<f64> {
        let (kind, solvers, place) = found.key();
        let key = (kind, solvers.clone(), place, found.case.seed.clone());
        if let Some(&index) = self.known.get(&key) {
            self.defects[index].times += 1;
            return Ok(0.0);
        }
        let (small, spent) = isolated(|| self.minimised(found, left)).unwrap_or_else(|message| {
            self.internal_errors.push(InternalError::on(&found.case, message));
            Ok((found.case.script.clone(), 0.0))
        })?;
        let shaped = (kind, solvers, shape(&small));
        if let Some(&index) = self.shapes.get(&shaped) {
            self.defects[index].times += 1;
            self.known.insert(key, index);
            return Ok(spent);
        }
        let likeness = Likeness::of(found, &small);
        let like = likeness.as_ref().and_then(|likeness| self.alike.get(likeness)).cloned();
        let (defect, asked) = self.write(found, &small, like)?;
        if let Some(likeness) = likeness {
            self.alike.entry(likeness).or_insert_with(|| defect.number.clone());
        }
        progress!("{}: {}; {} bytes", defect.number, defect.because, defect.bytes);
        self.known.insert(key, self.defects.len());
        self.shapes.insert(shaped, self.defects.len());
        self.defects.push(defect);
        Ok(spent + asked)
    }

    /// The smallest instance that still shows it, by STORM's bounds, then by our reducer, both under the truth; and the CPU
    /// seconds of solvers that it took.
    fn minimised(&self, found: &Found, left: Option<Duration>) -> anyhow::Result<(Script, f64)> {
        let script = found.case.script.clone();
        let Keeping { limit, minimise, bounds, seed, .. } = self.keeping;
        if minimise == Minimise::None {
            return Ok((script, 0.0));
        }
        // What comes after is to get its share, too.
        let left = left.map(|left| left / 4);
        let Some(kept) = KeptFinding::of(found, self.provers, limit, left) else { return Ok((script, 0.0)) };
        let bounded = if minimise == Minimise::Reduction {
            script
        } else {
            by_bounds(&found.case, bounds, &kept, seed, self.interrupt)?
        };
        if minimise == Minimise::Bounds {
            return Ok((bounded, kept.spent()));
        }
        let dialect = self.dialect(found);
        // What was found by bounds holds; what came with the finding may be seen once only.
        match shrunk(&bounded, &kept, dialect, self.interrupt) {
            Ok(Some(reduction)) => Ok((reduction.script, kept.spent())),
            Ok(None) | Err(OracleError::Interrupted) => Ok((bounded, kept.spent())),
            Err(error) => Err(error.into()),
        }
    }

    /// The dialect of the solver that is wrong.
    fn dialect(&self, found: &Found) -> Dialect {
        let guilty = found.finding.solvers.first();
        let prover = self.provers.iter().find(|prover| Some(prover.name()) == guilty.map(String::as_str));
        prover.map_or(Dialect::SmtLib26, |prover| prover.dialect())
    }

    /// Writes a defect's folder, after all solvers were asked about its smallest instance; also gives the CPU seconds that this
    /// took.
    fn write(&self, found: &Found, small: &Script, like: Option<String>) -> anyhow::Result<(Defect, f64)> {
        let number = format!("{:03}", self.defects.len() + 1);
        let folder = self.folder.join(&number);
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        let dialect = self.dialect(found);
        let text = |script: &Script| print(script, dialect, &PrintOptions::default());
        // Where a model is wrong, a reader wants to see it printed.
        let shown = match found.finding.kind {
            Kind::InvalidModel | Kind::SolutionUnsoundness => asking_for_model(small),
            _ => None,
        };
        let (whole, reduced) = (text(&found.case.script)?, text(shown.as_ref().unwrap_or(small))?);
        let witness = found.witness(self.provers).and_then(|witness| witness.carried_to(small));
        let assignment = witness.as_ref().map(Witness::model).unwrap_or_default();
        let mut testimonies = Vec::new();
        for prover in self.provers {
            match Testimony::of(*prover, small, self.keeping.limit, self.interrupt) {
                Ok(testimony) => testimonies.push(testimony),
                Err(OracleError::Interrupted) => break,
                Err(error) => return Err(error.into()),
            }
        }
        let seconds = testimonies.iter().map(Testimony::seconds).sum();
        if testimonies.len() < self.provers.len() {
            testimonies.clone_from(&found.testimonies);
        }
        // What is said of the smallest instance, not of the one that it was found on.
        let truth =
            if found.case.assignment.is_some() && witness.is_some() { Truth::Satisfied } else { Truth::Unknown };
        let logic = small.logic();
        let again = judge(truth, logic.as_ref().map(|logic| logic.as_str()), &testimonies);
        let same = |each: &&Finding| each.kind == found.finding.kind && each.solvers == found.finding.solvers;
        let finding = again.iter().find(same).unwrap_or(&found.finding);
        let texts = Texts { finding, instance: &reduced, assignment: &assignment, testimonies: &testimonies };
        let defect = Defect {
            number,
            kind: found.finding.kind,
            solvers: found.finding.solvers.clone(),
            because: finding.because.clone(),
            evidence: finding.evidence.clone(),
            seed: found.case.seed.clone(),
            instance: u64::from(found.case.number),
            times: 1,
            like,
            bytes: reduced.len(),
            lines: reduced.lines().count(),
            bytes_before: whole.len(),
        };
        write(&folder, names::INSTANCE, &whole)?;
        write(&folder, names::REDUCED, &reduced)?;
        if !assignment.is_empty() {
            write(&folder, "assignment.smt2", &assignment)?;
        }
        write(&folder, "finding.md", &markdown(found, &texts))?;
        let json = serde_json::json!({ "defect": defect, "testimonies": testimonies });
        write(&folder, "finding.json", &serde_json::to_string_pretty(&json)?)?;
        Ok((defect, seconds))
    }

    /// Writes the summary of what there is so far.
    pub(super) fn summarise(&self, tally: &Tally, complete: bool) -> anyhow::Result<()> {
        let outcome = Outcome { complete, tally: tally.clone(), defects: self.defects.clone() };
        write(&self.keeping.out, names::HUNT, &serde_json::to_string_pretty(&outcome)?)
    }

    /// Writes the summary of all, and the scripts on which this program itself failed.
    pub(super) fn finish(mut self, mut tally: Tally, complete: bool) -> anyhow::Result<Outcome> {
        tally.internal_errors.append(&mut self.internal_errors);
        self.summarise(&tally, complete)?;
        let folder = self.keeping.out.join(record_names::INTERNAL_ERRORS);
        for (number, error) in (1..).zip(&tally.internal_errors) {
            internal_errors::keep(&folder, &format!("{number:03}"), &error.message, &error.script)?;
        }
        Ok(Outcome { complete, tally, defects: self.defects })
    }
}

fn write(folder: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    write_atomically(&folder.join(name), text.as_bytes()).context("the finding is lost")
}
