//! The folder of a hunt: DIR/findings/NNN for each defect, repetitions counted, and DIR/hunt.json.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::defects::{Defects, Key};
use super::small::Small;
use super::watch::Watch;
use super::written::written;
use crate::exit::NotWritten;
use crate::hunt::choices::Minimise;
use crate::hunt::likeness::Likeness;
use crate::hunt::outcome::{Defect, Outcome, names};
use crate::hunt::plainest::{options, plainest};
use crate::hunt::report::{Texts, markdown};
use crate::hunt::witness::Witness;
use crate::hunt::{Ended, Found, InternalError, Keeper, Kept, State};
use crate::isolate::isolated;
use crate::job::place::remove_folder;
use crate::operator::storm::Bounds;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, Kind, Truth, judge};
use crate::oracle::prover::Prover;
use crate::oracle::testimony::{CrashOn, Testimony};
use crate::record::{internal_errors, names as record_names, write_atomically};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::triage::cluster::shape;

/// How often the summary is written, but for when there is a new defect: a hunt that is killed repeats what came after.
const SAVE_INTERVAL: Duration = Duration::from_secs(1);

/// CPU time, in limits of a run, for asking configurations with fewer options about a finding.
const MOST_LIMITS_FOR_OPTIONS: u32 = 20;

/// How findings are kept.
#[derive(Clone, Debug)]
pub(in crate::job) struct Keeping {
    /// The folder.
    pub(in crate::job) out: PathBuf,
    /// CPU time of each run.
    pub(in crate::job) limit: Duration,
    /// How instances are made small.
    pub(in crate::job) minimise: Minimise,
    /// The bounds that STORM's minimising begins with.
    pub(in crate::job) bounds: Bounds,
    /// Decides what is random.
    pub(in crate::job) seed: u64,
    /// What an earlier hunt in this folder came to, which goes on.
    pub(in crate::job) before: Outcome,
    /// When it has to end.
    pub(in crate::job) deadline: Option<Instant>,
}

/// Keeps findings as they come.
pub(super) struct Store<'a> {
    pub(super) keeping: Keeping,
    pub(super) provers: &'a [&'a dyn Prover],
    pub(super) interrupt: &'a Interrupt,
    watch: &'a dyn Watch,
    folder: PathBuf,
    /// The defects, and how each is told from others.
    defects: Defects,
    /// Where the hunt is: the defects are counted up to there.
    state: State,
    begun: Instant,
    saved: Option<Instant>,
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
    /// A store in a folder that need not exist. What it holds of an earlier hunt stays, but for what that hunt has not
    /// counted.
    pub(super) fn create(
        keeping: Keeping,
        provers: &'a [&'a dyn Prover],
        watch: &'a dyn Watch,
        interrupt: &'a Interrupt,
    ) -> anyhow::Result<Self> {
        let folder = keeping.out.join(names::FINDINGS);
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        let Outcome { tally, position, defects, seen, .. } = &keeping.before;
        let state = State { tally: tally.clone(), position: *position };
        let defects = Defects::new(defects, seen);
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?.flatten() {
            if !defects.list().iter().any(|defect| *defect.number == *entry.file_name()) {
                remove_folder(&entry.path())?;
            }
        }
        let begun = Instant::now();
        Ok(Store { keeping, provers, interrupt, watch, folder, defects, state, begun, saved: None })
    }

    /// Keeps a finding, or counts it as a repetition; minimising may take what is `left` of CPU time.
    fn kept(&mut self, found: &Found, left: Option<Duration>) -> anyhow::Result<Kept> {
        let key = Key::of(found);
        if let Some(index) = self.defects.known(&key).filter(|&index| self.defects.is_repeated(index, found)) {
            self.defects.repeat(index, found);
            return Ok(Kept::default());
        }
        let mut internal_error = None;
        let limit = self.keeping.limit;
        let allowance = left.map_or(limit * MOST_LIMITS_FOR_OPTIONS, |left| left.min(limit * MOST_LIMITS_FOR_OPTIONS));
        let plainer = isolated(|| plainest(found, self.provers, (limit, allowance), self.interrupt));
        let (found, asking) = match plainer {
            Ok(Err(OracleError::Interrupted)) => (found.clone(), 0.0),
            Ok(plainer) => plainer?,
            Err(message) => {
                internal_error = Some(InternalError::on(&found.case, message));
                (found.clone(), 0.0)
            }
        };
        let (found, left) = (&found, left.map(|left| left.saturating_sub(Duration::from_secs_f64(asking))));
        let mut small = isolated(|| self.made_small(found, left)).unwrap_or_else(|message| {
            internal_error = Some(InternalError::on(&found.case, message));
            Ok(Small::not_at_all(&found.case.script, 0.0, Some("this program failed on it")))
        })?;
        let kept = |seconds| Kept { seconds: seconds + asking, internal_error };
        let shape = format!("{:032x}", shape(&small.script));
        let same_shape = self.defects.of_shape(found, &shape);
        if let Some(index) = same_shape.filter(|&index| self.defects.is_repeated(index, found)) {
            self.defects.repeat(index, found);
            self.defects.remember(key, index);
            return Ok(kept(small.seconds));
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
        if let Some(index) = self.defects.known(&key).or(same_shape).filter(|_| !judged.is_shown) {
            self.defects.repeat(index, found);
            return Ok(kept(seconds));
        }
        if self.interrupt.is_set() {
            small.note.get_or_insert_with(|| "perhaps not as small as it can be: the hunt was stopped".to_owned());
        }
        let likeness = Likeness::of(found, &small.script);
        let like = self.defects.like(likeness.as_ref());
        let defect = self.write(found, small, &judged, Marks { like, likeness, shape })?;
        let note = defect.size_note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        self.watch.say(&format!("{}: {}; {} bytes{note}", defect.number, defect.because, defect.bytes));
        self.defects.add(key, defect, found);
        Ok(kept(seconds))
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

    /// The solvers that were asked about an instance.
    fn asked(&self, found: &Found) -> impl Iterator<Item = &'a dyn Prover> {
        let was_asked = |prover: &&dyn Prover| found.testimonies.iter().any(|each| each.solver == prover.name());
        self.provers.iter().copied().filter(was_asked)
    }

    /// What all solvers say of the smallest instance, and whether it shows the finding.
    fn judged(&self, found: &Found, small: &Script) -> anyhow::Result<Judged> {
        let witness = found.witness(self.provers).and_then(|witness| witness.carried_to(small));
        let mut testimonies = Vec::new();
        let asked: Vec<&dyn Prover> = self.asked(found).collect();
        for prover in &asked {
            match Testimony::of(*prover, small, self.keeping.limit, self.interrupt) {
                Ok(testimony) => testimonies.push(testimony),
                Err(OracleError::Interrupted) => break,
                Err(error) => return Err(error.into()),
            }
        }
        let seconds = testimonies.iter().map(Testimony::seconds).sum();
        let is_asked = testimonies.len() == asked.len();
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
        let number = format!("{:03}", self.defects.list().len() + 1);
        let folder = self.folder.join(&number);
        // What a hunt that was killed within a finding left.
        remove_folder(&folder)?;
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        let dialect = self.dialect(found);
        // As the guilty solver is asked, so that the file shows the defect by itself.
        let text = |script: &Script| written(script, dialect, finding.solvers.first());
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
            logic: found.case.script.logic().map(|logic| logic.as_str().to_owned()),
            incremental: found.case.script.is_incremental(),
            options: found.finding.solvers.first().map_or(0, |solver| options(solver)),
            solvers: found.finding.solvers.clone(),
            because: finding.because.clone(),
            evidence: finding.evidence.clone(),
            seed: found.case.seed.clone(),
            instance: u64::from(found.case.number),
            times: 1,
            once: !is_shown,
            unfinished: false,
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

    /// Writes what there is so far.
    fn summarise(&mut self, ended: Option<Ended>) -> anyhow::Result<Outcome> {
        self.saved = Some(Instant::now());
        let outcome = Outcome {
            complete: ended.is_some_and(|ended| ended != Ended::Interrupted),
            ended,
            position: self.state.position,
            wall_seconds: self.keeping.before.wall_seconds + self.begun.elapsed().as_secs_f64(),
            tally: self.state.tally.clone(),
            defects: self.defects.list().to_vec(),
            seen: self.defects.seen(),
        };
        write(&self.keeping.out, names::HUNT, &serde_json::to_string_pretty(&outcome)?)?;
        Ok(outcome)
    }

    /// Writes all that the hunt came to, and the scripts on which this program itself failed. `ended` is why it is over; none
    /// if it failed.
    pub(super) fn finish(mut self, ended: Option<Ended>) -> anyhow::Result<Outcome> {
        self.defects.take_back();
        let outcome = self.summarise(ended)?;
        write(&self.keeping.out, names::TABLES, &outcome.tables())?;
        let folder = self.keeping.out.join(record_names::INTERNAL_ERRORS);
        for (number, error) in (1..).zip(&outcome.tally.internal_errors) {
            internal_errors::keep(&folder, &format!("{number:03}"), &error.message, &error.script)?;
        }
        Ok(outcome)
    }
}

impl Keeper<anyhow::Error> for Store<'_> {
    fn keep(&mut self, found: Found, left: Option<Duration>) -> anyhow::Result<Kept> {
        self.watch.minimising(Some(&found));
        let kept = self.kept(&found, left);
        self.watch.minimising(None);
        kept
    }

    fn settle(&mut self, state: &State) -> anyhow::Result<()> {
        self.state.clone_from(state);
        self.watch.stands(state, self.defects.list());
        let is_new = self.defects.settle();
        if is_new || self.saved.is_none_or(|saved| saved.elapsed() >= SAVE_INTERVAL) {
            // What cannot be written now shows at the end, too.
            if let Err(error) = self.summarise(None) {
                tracing::warn!(error = format!("{error:#}"), "the hunt so far could not be summarised");
            }
        }
        Ok(())
    }
}

/// By what a defect is told from others.
struct Marks {
    like: Option<String>,
    likeness: Option<Likeness>,
    shape: String,
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
                let mut again = read(&written(&script, dialect, None).expect("it prints"), None);
                again.commands.retain(|command| !matches!(command, crate::smtlib::script::Command::Other(_)));
                assert_eq!(again, script, "{literal}, {dialect}");
            }
        }
    }
}
