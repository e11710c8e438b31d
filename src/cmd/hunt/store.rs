//! The folder of a hunt: DIR/findings/NNN for each defect, repetitions counted, and DIR/hunt.json.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use super::Minimise;
use super::small::Small;
use crate::cmd::place::remove_folder;
use crate::console::progress;
use crate::exit::NotWritten;
use crate::hunt::likeness::Likeness;
use crate::hunt::outcome::{Defect, Outcome, names};
use crate::hunt::report::{Texts, markdown};
use crate::hunt::witness::Witness;
use crate::hunt::{Found, InternalError, Tally};
use crate::isolate::isolated;
use crate::operator::storm::Bounds;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, Kind, Truth, judge};
use crate::oracle::prover::Prover;
use crate::oracle::testimony::{CrashOn, Testimony};
use crate::record::{internal_errors, names as record_names, write_atomically};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::detect;
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
    /// What an earlier hunt in this folder came to, which goes on.
    pub(in crate::cmd) before: Outcome,
}

/// Keeps findings as they come.
pub(super) struct Store<'a> {
    pub(super) keeping: Keeping,
    pub(super) provers: &'a [&'a dyn Prover],
    pub(super) interrupt: &'a Interrupt,
    folder: PathBuf,
    defects: Vec<Defect>,
    known: HashMap<Key, usize>,
    shapes: HashMap<(Kind, Vec<String>, String), usize>,
    alike: HashMap<Likeness, String>,
    /// Failures of this program itself in minimising.
    internal_errors: Vec<InternalError>,
}

/// What is said of a smallest instance.
struct Judged {
    /// Whether the finding is there still.
    is_shown: bool,
    finding: Finding,
    testimonies: Vec<Testimony>,
    witness: Option<Witness>,
    /// CPU seconds of all solvers.
    seconds: f64,
}

impl<'a> Store<'a> {
    pub(super) fn create(
        keeping: Keeping,
        provers: &'a [&'a dyn Prover],
        interrupt: &'a Interrupt,
    ) -> anyhow::Result<Self> {
        let folder = keeping.out.join(names::FINDINGS);
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        let mut store = Store {
            defects: keeping.before.defects.clone(),
            keeping,
            provers,
            interrupt,
            folder,
            known: HashMap::new(),
            shapes: HashMap::new(),
            alike: HashMap::new(),
            internal_errors: Vec::new(),
        };
        for (index, defect) in store.defects.iter().enumerate() {
            store.shapes.insert((family(defect.kind), defect.solvers.clone(), defect.shape.clone()), index);
            if let Some(likeness) = defect.likeness.clone() {
                store.alike.entry(likeness).or_insert_with(|| defect.number.clone());
            }
        }
        Ok(store)
    }

    /// Keeps a finding, or counts it as a repetition; minimising may take what is `left` of CPU time. Answers how many CPU
    /// seconds of solvers it took.
    pub(super) fn keep(&mut self, found: &Found, left: Option<Duration>) -> anyhow::Result<f64> {
        let (kind, solvers, place) = found.key();
        let key = (kind, solvers.clone(), place, found.case.seed.clone());
        let known = self.known.get(&key).copied();
        if let Some(index) = known.filter(|&index| !self.defects[index].once) {
            self.defects[index].times += 1;
            return Ok(0.0);
        }
        let mut small = isolated(|| self.made_small(found, left)).unwrap_or_else(|message| {
            self.internal_errors.push(InternalError::on(&found.case, message));
            Ok(Small::not_at_all(&found.case.script, 0.0, Some("this program failed on it")))
        })?;
        let shape = format!("{:032x}", shape(&small.script));
        let shaped = (family(kind), solvers, shape.clone());
        let same_shape = self.shapes.get(&shaped).copied();
        if let Some(index) = same_shape.filter(|&index| !self.defects[index].once) {
            self.defects[index].times += 1;
            self.known.insert(key, index);
            return Ok(small.seconds);
        }
        let mut judged = self.judged(found, &small.script)?;
        if !judged.is_shown && small.script != found.case.script && !self.interrupt.is_set() {
            // It was shown within a shorter time, or once only.
            let seconds = small.seconds + judged.seconds;
            small = Small::not_at_all(&found.case.script, seconds, Some("the smaller one did not show it once more"));
            judged = self.judged(found, &small.script)?;
        }
        let seconds = small.seconds + judged.seconds;
        // One that was seen once must not hide one that can be repeated.
        if let Some(index) = known.or(same_shape).filter(|_| !judged.is_shown) {
            self.defects[index].times += 1;
            return Ok(seconds);
        }
        let likeness = Likeness::of(found, &small.script);
        let like = likeness.as_ref().and_then(|likeness| self.alike.get(likeness)).cloned();
        let marks = Marks { like, likeness: likeness.clone(), shape };
        let defect = self.write(found, small, &judged, marks)?;
        if let Some(likeness) = likeness {
            self.alike.entry(likeness).or_insert_with(|| defect.number.clone());
        }
        let note = defect.size_note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        progress!("{}: {}; {} bytes{note}", defect.number, defect.because, defect.bytes);
        self.known.insert(key, self.defects.len());
        self.shapes.insert(shaped, self.defects.len());
        self.defects.push(defect);
        Ok(seconds)
    }

    /// The dialect of the solver that is wrong.
    pub(super) fn dialect(&self, found: &Found) -> Dialect {
        let guilty = found.finding.solvers.first();
        let prover = self.provers.iter().find(|prover| Some(prover.name()) == guilty.map(String::as_str));
        prover.map_or(Dialect::SmtLib26, |prover| prover.dialect())
    }

    /// The script with the question for a model, where that is what the solver is wrong about, so that a reader sees the
    /// model, or the crash, without adding anything.
    fn with_question(&self, finding: &Finding, script: &Script, testimonies: &[Testimony]) -> Option<Script> {
        let guilty = finding.solvers.first()?;
        let prover = self.provers.iter().find(|prover| prover.name() == guilty)?;
        let crashes_on_model = || {
            let testimony = testimonies.iter().find(|each| each.solver == *guilty);
            testimony.is_some_and(|each| match each.crash() {
                Some((_, CrashOn::Model)) => true,
                Some((_, CrashOn::Once)) => each.form.model,
                _ => false,
            })
        };
        match finding.kind {
            Kind::InvalidModel | Kind::SolutionUnsoundness => prover.asking_for_model(script),
            Kind::Crash if crashes_on_model() => prover.asking_for_model(script),
            _ => None,
        }
    }

    /// What all solvers say of the smallest instance, and whether it shows the finding.
    fn judged(&self, found: &Found, small: &Script) -> anyhow::Result<Judged> {
        let witness = found.witness(self.provers).and_then(|witness| witness.carried_to(small));
        let mut testimonies = Vec::new();
        for prover in self.provers {
            match Testimony::of(*prover, small, self.keeping.limit, self.interrupt) {
                Ok(testimony) => testimonies.push(testimony),
                Err(OracleError::Interrupted) => break,
                Err(error) => return Err(error.into()),
            }
        }
        let seconds = testimonies.iter().map(Testimony::seconds).sum();
        let is_asked = testimonies.len() == self.provers.len();
        if !is_asked {
            testimonies.clone_from(&found.testimonies);
        }
        // What is said of the smallest instance, not of the one that it was found on.
        let logic = small.logic();
        let judged = |truth| {
            let findings = judge(truth, logic.as_ref().map(|logic| logic.as_str()), &testimonies);
            findings.into_iter().find(|each| found.finding.is_like(each))
        };
        let by_case = found.case.assignment.is_some() && witness.is_some();
        let again = judged(if by_case { Truth::Satisfied } else { Truth::Unknown })
            // The model of a solver that proved it satisfies the smallest instance, although the solver gives none for that.
            .or_else(|| witness.as_ref().and_then(|_| judged(Truth::Satisfied)))
            .filter(|again| !(again.kind == Kind::Crash && crashed_once(again, &testimonies)));
        // Where an interrupt kept us from asking, nobody can say that it was not seen again.
        let is_shown = again.is_some() || !is_asked;
        let finding = match again {
            // It has the kind of what is shown: another solver may say unsat to the smaller script.
            Some(again) => again,
            None if is_shown => found.finding.clone(),
            None => not_again(found),
        };
        Ok(Judged { is_shown, finding, testimonies, witness, seconds })
    }

    /// Writes a defect's folder.
    fn write(
        &self,
        found: &Found,
        Small { script: small, note, .. }: Small,
        judged: &Judged,
        marks: Marks,
    ) -> anyhow::Result<Defect> {
        let Judged { is_shown, finding, testimonies, witness, .. } = judged;
        let number = format!("{:03}", self.defects.len() + 1);
        let folder = self.folder.join(&number);
        // What a hunt that was killed within a finding left.
        remove_folder(&folder)?;
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        let dialect = self.dialect(found);
        let text = |script: &Script| written(script, dialect);
        let assignment = witness.as_ref().map(Witness::model).unwrap_or_default();
        let seen = (!is_shown).then_some(found.testimonies.as_slice());
        let shown = self.with_question(finding, &small, seen.unwrap_or(testimonies));
        let shown_whole = self.with_question(&found.finding, &found.case.script, &found.testimonies);
        let whole = text(shown_whole.as_ref().unwrap_or(&found.case.script))?;
        let reduced = text(shown.as_ref().unwrap_or(&small))?;
        let defect = Defect {
            number,
            kind: finding.kind,
            found_as: (found.finding.kind != finding.kind).then_some(found.finding.kind),
            solvers: found.finding.solvers.clone(),
            because: finding.because.clone(),
            evidence: finding.evidence.clone(),
            seed: found.case.seed.clone(),
            instance: u64::from(found.case.number),
            times: 1,
            once: !is_shown,
            like: marks.like,
            likeness: marks.likeness,
            shape: marks.shape,
            bytes: reduced.len(),
            lines: reduced.lines().count(),
            bytes_before: whole.len(),
            size_note: note,
        };
        let size_note = defect.size_note.as_deref();
        let texts =
            Texts { finding, instance: &reduced, assignment: &assignment, dialect, testimonies, seen, size_note };
        write(&folder, names::INSTANCE, &whole)?;
        write(&folder, names::REDUCED, &reduced)?;
        if !assignment.is_empty() {
            write(&folder, "assignment.smt2", &assignment)?;
        }
        write(&folder, "finding.md", &markdown(found, &texts))?;
        let mut json = serde_json::json!({ "defect": defect, "testimonies": testimonies });
        if let Some(seen) = seen {
            json["seen"] = serde_json::to_value(seen)?;
        }
        write(&folder, "finding.json", &serde_json::to_string_pretty(&json)?)?;
        Ok(defect)
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

/// By what a defect is told from others.
struct Marks {
    like: Option<String>,
    likeness: Option<Likeness>,
    shape: String,
}

/// The script as a solver of this dialect reads it. It says which one that is where a reader would take its literals for those
/// of another.
fn written(script: &Script, dialect: Dialect) -> anyhow::Result<String> {
    let text = print(script, dialect, &PrintOptions::default())?;
    if !text.contains('\\') || detect(&text) == dialect {
        return Ok(text);
    }
    Ok(format!("(set-info :smt-lib-version {})\n{text}", dialect.name().trim_start_matches("smtlib-")))
}

/// The kind without what may change as an instance shrinks: whether another solver says `unsat` where a model is wrong.
fn family(kind: Kind) -> Kind {
    if kind == Kind::SolutionUnsoundness { Kind::InvalidModel } else { kind }
}

/// Whether the solver that is wrong crashed once, and not when it was asked again.
fn crashed_once(finding: &Finding, testimonies: &[Testimony]) -> bool {
    let guilty = testimonies.iter().find(|each| finding.solvers.first() == Some(&each.solver));
    guilty.and_then(Testimony::crash).is_some_and(|(_, on)| on == CrashOn::Once)
}

/// What is said of a finding that does not show when all are asked again.
fn not_again(found: &Found) -> Finding {
    let mut finding = found.finding.clone();
    match finding.kind {
        // It says so already.
        Kind::Crash if crashed_once(&finding, &found.testimonies) => {}
        // It crashed more than once when it was found.
        Kind::Crash => finding.because += ", but not each time that it is asked",
        _ => finding.because += ": seen once, and not when all were asked again",
    }
    finding
}

fn write(folder: &Path, name: &str, text: &str) -> anyhow::Result<()> {
    write_atomically(&folder.join(name), text.as_bytes()).context("the finding is lost")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::parser::{ParseOptions, parse};

    #[test]
    fn an_instance_is_read_again_as_its_solver_reads_it() {
        let read = |text: &str, dialect| parse(text, "test", &ParseOptions { dialect }).expect("a script");
        for literal in ["\\u{41}\\u{5c}x41", "plain"] {
            let text = format!("(declare-const a String)(assert (= a \"{literal}\"))(check-sat)");
            let script = read(&text, Some(Dialect::SmtLib26));
            for dialect in [Dialect::SmtLib25, Dialect::SmtLib26] {
                let mut again = read(&written(&script, dialect).expect("it prints"), None);
                again.commands.retain(|command| !matches!(command, crate::smtlib::script::Command::Other(_)));
                assert_eq!(again, script, "{literal}, {dialect}");
            }
        }
    }
}
