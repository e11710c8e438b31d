//! Known defects: learned between generations, and from then on kept out of nearly all that is bred.
//!
//! What is known before a generation decides what is bred in it, so each lesson is recorded with that generation, and taken
//! from the record when the run is resumed or replayed.

use std::collections::{BTreeMap, BTreeSet};

use super::{Campaign, CampaignError, Setup, Source};
use crate::evaluate::complexity::complexity;
use crate::known::{self, Numbers, Pattern, PatternError, Trial, neutralised};
use crate::oracle::OracleError;
use crate::random::{chance, rng_for};
use crate::record::format::DefectState;
use crate::record::{Lesson, read_lessons};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{self, ParseOptions};
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::triage::cluster::shape;

/// How likely a known pattern is taken out of a newborn: some are left, for defects that need it beside something else.
const TAKEN_OUT: f64 = 0.9;
/// How likely what only resembles a known pattern is taken out, too, where known patterns are: it differs in literals, widths
/// or other indices, and is most often the same defect.
const RESEMBLANCES: f64 = 0.5;
/// Learning takes at most this part of what the search pays for, lessons included: a candidate in which nothing known occurs is
/// nearly always a defect that nobody knows, and more of them are found than can be learned from.
const SHARE: f64 = 0.5;
/// Makes the choice of what is taken out independent of what else is drawn for a slot.
const STREAM: u64 = 0x6b6e_6f77_6e00;

/// What was found out of a candidate.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The reduced script; none if the candidate is not slow.
    pub core: Option<Script>,
    /// Its pattern, and how that did on fresh scripts; none if none proved itself.
    pub trial: Option<Trial>,
    /// CPU seconds of solvers that it took.
    pub solver_seconds: f64,
}

/// Finds out what makes candidates slow.
pub trait Learn: Sync {
    /// The core and the pattern of a script in which none of `known` occurs; the pattern gets this name.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run; [`OracleError::Interrupted`] if it was stopped before its end.
    fn learn(
        &self,
        script: &Script,
        name: &str,
        known: &[Pattern],
        interrupt: &Interrupt,
    ) -> Result<Learned, OracleError>;
}

/// A distinct defect.
#[derive(Clone, Debug)]
struct Distinct {
    /// The reduced script of the individual that it was learned of last.
    core: Script,
    /// All individuals that it was learned of.
    ids: Vec<u32>,
}

/// What a run knows of defects.
#[derive(Clone, Debug, Default)]
pub(super) struct Knowledge {
    /// All patterns, those that were known beforehand first.
    pub(super) patterns: Vec<Pattern>,
    /// The individuals of which something was, or could not be, learned.
    studied: BTreeSet<u32>,
    /// The distinct defects: no two have cores of one shape, and in no core occurs what was learned of a later one, which explains
    /// it too.
    distinct: Vec<Distinct>,
    /// CPU seconds of all lessons.
    seconds: f64,
    /// Candidates in which a known pattern occurs, by number.
    explained: BTreeSet<u32>,
    /// The scripts of candidates in which none occurs, as far as anybody looked, by number.
    unexplained: BTreeMap<u32, Script>,
    /// All lessons of the run that is replayed; none before they were read.
    replayed: Option<Vec<Lesson>>,
}

impl Knowledge {
    /// What is known beforehand. The texts were read when the run began.
    pub(super) fn beforehand(known: &[String]) -> Self {
        let read = |text: &String| known::read(text, "known").unwrap_or_default();
        Knowledge { patterns: known.iter().flat_map(read).collect(), ..Knowledge::default() }
    }

    /// Takes a lesson in.
    pub(super) fn learn(&mut self, lesson: &Lesson, dialect: Dialect) -> Result<(), PatternError> {
        let learned = match &lesson.pattern {
            Some(text) => known::read(text, "known.jsonl")?,
            None => Vec::new(),
        };
        if let Some(core) = &lesson.core {
            let core = parser::parse(core, "known.jsonl", &ParseOptions { dialect: Some(dialect) })?;
            let same = |other: &mut Distinct| {
                shape(&other.core) == shape(&core) || learned.iter().any(|pattern| pattern.occurs(&other.core))
            };
            let mut ids: Vec<u32> = self.distinct.extract_if(.., same).flat_map(|other| other.ids).collect();
            ids.push(lesson.id);
            self.distinct.push(Distinct { core, ids });
        }
        self.patterns.extend(learned);
        self.studied.insert(lesson.id);
        self.seconds += lesson.solver_seconds;
        Ok(())
    }

    /// The individuals that each distinct defect was learned of.
    pub(super) fn distinct(&self) -> impl Iterator<Item = &[u32]> {
        self.distinct.iter().map(|each| &each.ids[..])
    }

    /// Whether a known pattern occurs in a script.
    pub(super) fn occurs_in(&self, script: &Script) -> bool {
        self.patterns.iter().any(|pattern| pattern.occurs(script))
    }

    /// Whether a known pattern occurs in the candidate of this number, as far as anybody looked.
    pub(super) fn explains(&self, number: u32) -> bool {
        self.explained.contains(&number)
    }

    /// A newborn as it is bred: without what is known, nearly always; `None` if it stays as it is.
    pub(super) fn without(&self, setup: &Setup<'_>, generation: u32, slot: u32, script: &Script) -> Option<Script> {
        let mut rng = rng_for(setup.config.seed ^ STREAM, generation, slot);
        if !chance(&mut rng, TAKEN_OUT) {
            return None;
        }
        let numbers = if chance(&mut rng, RESEMBLANCES) { Numbers::Any } else { Numbers::Same };
        let (without, _) = neutralised(script, &self.patterns, numbers)?;
        setup.fragment.admits(&without).is_ok().then_some(without)
    }
}

impl Campaign<'_> {
    /// Takes in what was learned before the next generation, and learns: again and again the pattern of the simplest candidate in
    /// which nothing known occurs.
    pub(super) fn learn(&mut self) -> Result<(), CampaignError> {
        let next = self.state.next_generation();
        if !self.setup.config.learn || next == 0 {
            return Ok(());
        }
        if let (Source::Replay(log), None) = (self.setup.source, &self.state.knowledge.replayed) {
            self.state.knowledge.replayed = Some(read_lessons(&log.root())?);
        }
        let recorded = self.state.knowledge.replayed.as_deref().unwrap_or_else(|| self.recorder.lessons());
        let recorded: Vec<Lesson> = recorded.iter().filter(|lesson| lesson.generation == next).cloned().collect();
        for lesson in &recorded {
            self.take_in(lesson)?;
        }
        let Source::Solvers { learn: Some(learn), .. } = self.setup.source else { return Ok(()) };
        // A generation that is recorded, if only a part of it, was bred without anything else.
        let is_bred = self.recorder.log().goes_on_with(next) || self.recorder.log().has_from(self.state.next_id);
        while !is_bred && self.may_learn() {
            let Some(candidate) = self.unexplained()? else { break };
            if !self.learn_from(learn, candidate)? {
                break;
            }
        }
        Ok(())
    }

    /// Learns from one candidate: its number, that of the individual, and its script. False if it was stopped before its end.
    fn learn_from(
        &mut self,
        learn: &dyn Learn,
        (number, id, script): (u32, u32, Script),
    ) -> Result<bool, CampaignError> {
        let next = self.state.next_generation();
        self.setup.monitor.learning(number, None);
        let deadline = self.clock.deadline(self.search_budget());
        let (setup, known) = (self.setup, &self.state.knowledge.patterns);
        let name = format!("individual-{id}");
        let learned = setup.interrupt.until(deadline, |halt| learn.learn(&script, &name, known, halt));
        let Learned { core, trial, solver_seconds } = match learned {
            Ok(learned) => learned,
            // There was no time for all of it; a run that is resumed tries again.
            Err(OracleError::Interrupted) => {
                self.setup.monitor.learning(number, Some("stopped before its end"));
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        };
        let told = match (&core, &trial) {
            (_, Some(Trial { pattern, slow, tried })) => format!("slow on {slow} of {tried} fresh scripts: {pattern}"),
            (Some(_), None) => "no pattern is slow on half of the fresh scripts with it".to_owned(),
            (None, None) => "not slow when it is looked at again".to_owned(),
        };
        self.setup.monitor.learning(number, Some(&told));
        let text =
            |script: &Script| printer::print(script, setup.dialect, &PrintOptions::default()).unwrap_or_default();
        let lesson = Lesson {
            generation: next,
            id,
            core: core.as_ref().map(text),
            pattern: trial.as_ref().map(|trial| known::write(&[&trial.pattern])),
            slow: trial.as_ref().map_or(0, |trial| trial.slow),
            tried: trial.as_ref().map_or(0, |trial| trial.tried),
            solver_seconds,
        };
        self.take_in(&lesson)?;
        Ok(true)
    }

    /// How many defects have a pattern that the run has learned.
    pub(super) fn learned_patterns(&self) -> u64 {
        self.recorder.lessons().iter().filter(|lesson| lesson.pattern.is_some()).count() as u64
    }

    fn take_in(&mut self, lesson: &Lesson) -> Result<(), CampaignError> {
        self.recorder.lesson(lesson)?;
        let knowledge = &mut self.state.knowledge;
        knowledge.learn(lesson, self.setup.dialect).map_err(|error| CampaignError::Checkpoint(error.to_string()))?;
        self.state.totals.solver_seconds += lesson.solver_seconds;
        // A search pays for what it learns.
        self.state.totals.charged_seconds += lesson.solver_seconds;
        Ok(())
    }

    /// Whether learning has used less than its share so far, and there is time.
    fn may_learn(&self) -> bool {
        let spent = self.state.knowledge.seconds;
        let is_first = self.state.knowledge.studied.is_empty();
        !self.setup.interrupt.is_set()
            && !self.clock.is_past(self.search_budget())
            && !self.has_spent(self.setup.config.stop.solver_budget)
            && (is_first || spent < SHARE * self.state.totals.charged_seconds)
    }

    /// The simplest candidate in which nothing known occurs, those last that resemble what is known: its number, that of the individual, and its script.
    pub(super) fn unexplained(&mut self) -> Result<Option<(u32, u32, Script)>, CampaignError> {
        let options = ParseOptions { dialect: Some(self.setup.dialect) };
        let next = self.state.next_generation();
        let mut scripts = std::mem::take(&mut self.state.knowledge.unexplained);
        // By the number of the individual: candidates are numbered in the order in which their evaluations ended.
        let mut found: BTreeMap<(bool, u64, u32), u32> = BTreeMap::new();
        for record in self.recorder.defects().all() {
            let Knowledge { studied, explained, .. } = &self.state.knowledge;
            // A generation that was begun before the run was killed has its candidates already.
            let is_open = record.generation < next
                && record.state != DefectState::Refuted
                && !studied.contains(&record.id)
                && !explained.contains(&record.number);
            if !is_open {
                continue;
            }
            let script = if let Some(script) = scripts.remove(&record.number) {
                script
            } else {
                let text = self.recorder.defects().instance(record.number)?;
                let Ok(script) = parser::parse(&text, "instance.smt2", &options) else { continue };
                script
            };
            if self.state.knowledge.occurs_in(&script) {
                self.state.knowledge.explained.insert(record.number);
                continue;
            }
            // What differs from something known in its literals, widths and indices alone is most likely the same.
            let resembles = self.state.knowledge.patterns.iter().any(|pattern| pattern.is_resembled_in(&script));
            found.insert((resembles, complexity(&script), record.id), record.number);
            self.state.knowledge.unexplained.insert(record.number, script);
        }
        let Some(((_, _, id), number)) = found.into_iter().next() else { return Ok(None) };
        Ok(self.state.knowledge.unexplained.get(&number).map(|script| (number, id, script.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_pattern_takes_earlier_cores_in_which_it_occurs_and_equal_shapes_are_one() {
        let mut knowledge = Knowledge::default();
        let mut learn = |id, core: &str, pattern: Option<&str>| {
            let core =
                Some(format!("(declare-fun a () String)\n(declare-fun b () Int)\n(assert {core})\n(check-sat)\n"));
            let pattern = pattern.map(str::to_owned);
            let lesson = Lesson { generation: 1, id, core, pattern, slow: 6, tried: 6, solver_seconds: 1.0 };
            knowledge.learn(&lesson, Dialect::SmtLib26).expect("a lesson");
            knowledge.distinct().map(<[u32]>::to_vec).collect::<Vec<_>>()
        };
        let narrow = "(define-fun narrow ((s String) (n Int)) Bool (= (str.substr s n 2) \"a\"))";
        assert_eq!(learn(4, "(= (str.substr a b 2) \"a\")", Some(narrow)), [[4]]);
        // Nothing was learned of these two, which are one.
        assert_eq!(learn(5, "(str.prefixof \"a\" (str.from_int b))", None), [[4], [5]]);
        assert_eq!(learn(6, "(str.prefixof \"bc\" (str.from_int b))", None), [vec![4], vec![5, 6]]);
        let wide = "(define-fun wide ((s String) (n Int) (m Int)) String (str.substr s (! n :not-literal) m))";
        assert_eq!(learn(7, "(str.contains (str.substr \"a\" b b) a)", Some(wide)), [[5, 6], [4, 7]]);
    }
}
