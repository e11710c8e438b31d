//! Evaluate: from the record what is recorded, by the solvers what is not; everything is recorded as it ends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::monitor::{Doing, Monitor, Progress};
use super::population::Known;
use super::{Campaign, CampaignError, Confirmable, Evaluate, EvaluateError, Source, StopReason};
use crate::coverage::reward;
use crate::evaluate::evaluate_batch;
use crate::evaluate::individual::{Evaluated, Individual, IndividualId, Observation};
use crate::isolate::isolated;
use crate::known::Pattern;
use crate::oracle::candidate::{Failing, candidate};
use crate::record::format::{EvaluationRow, Place};
use crate::record::{RecordError, Recorded};
use crate::search::CoverageObjective;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{self, PrintOptions};
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// The evaluations of a generation.
pub(super) struct Batch {
    /// By slot.
    pub(super) evaluated: BTreeMap<u32, (Known, EvaluationRow)>,
    /// Why some of the generation were not evaluated; none if all were.
    pub(super) cut_short: Option<StopReason>,
}

impl Campaign<'_> {
    /// Evaluates a generation.
    pub(super) fn evaluate(&mut self, individuals: &[Arc<Individual>]) -> Result<Batch, CampaignError> {
        self.recorder.begin_generation();
        let mut batch = Batch { evaluated: BTreeMap::new(), cut_short: None };
        let mut unknown = Vec::new();
        for individual in individuals {
            match self.look_up(individual)? {
                Some(recorded) => {
                    let limit = self.setup.config.limit;
                    let evaluated = Evaluated::new(Arc::clone(individual), recorded.observation, limit);
                    self.note(&mut batch, evaluated, recorded.trace_lines)?;
                }
                None => unknown.push(Arc::clone(individual)),
            }
        }
        match self.setup.source {
            // Only where the recorded run stopped: `look_up` refuses any other gap.
            Source::Replay(_) if !unknown.is_empty() => batch.cut_short = Some(StopReason::Replayed),
            Source::Solvers { evaluate, .. } if !unknown.is_empty() => {
                self.run_solvers(evaluate, &unknown, &mut batch)?;
            }
            _ => {}
        }
        Ok(batch)
    }

    /// The recorded evaluation of an individual, with its trace if it is at hand.
    fn look_up(&self, individual: &Individual) -> Result<Option<Recorded>, RecordError> {
        match self.setup.source {
            Source::Replay(log) => {
                let found = log.find(individual.fingerprint)?;
                let may_lack = log.stopped_within().is_some_and(|stopped| {
                    stopped.generation == individual.generation && !stopped.evaluated.contains(&individual.id.0)
                });
                if found.is_none() && !may_lack {
                    let (id, generation) = (individual.id.0, individual.generation);
                    return Err(RecordError::NotRecorded { path: log.path(), id, generation });
                }
                Ok(found.filter(|_| !may_lack))
            }
            Source::Solvers { .. } => {
                let mut found = self.recorder.log().find(individual.fingerprint)?;
                if let Some(recorded) = &mut found
                    && let Some(lines) = recorded.trace_lines
                {
                    recorded.observation.trace = self.recorder.traces().load(individual.id.0, lines).map(Arc::new);
                }
                Ok(found)
            }
        }
    }

    /// Evaluates on all jobs, until all is done, the budget is used up, or the user wants to stop.
    fn run_solvers(
        &mut self,
        evaluate: &dyn Evaluate,
        individuals: &[Arc<Individual>],
        batch: &mut Batch,
    ) -> Result<(), CampaignError> {
        if self.is_spent(batch) {
            // A run that was killed after it had used up its budget.
            batch.cut_short = Some(StopReason::Budget);
            return Ok(());
        }
        let setup = self.setup;
        let deadline = self.clock.deadline(self.search_budget());
        let known = self.state.knowledge.patterns.clone();
        let watched = Watched { evaluate, known, monitor: setup.monitor, panics: Mutex::default() };
        let mut failure = None;
        let result = setup.interrupt.until(deadline, |halt| {
            evaluate_batch(&watched, individuals, setup.pool, halt, &mut |evaluated| {
                let trace_lines = evaluated.observation.trace.as_ref().map(|trace| trace.len());
                if failure.is_none()
                    && let Err(error) = self.note(batch, evaluated, trace_lines)
                {
                    halt.set();
                    failure = Some(error);
                } else if self.is_spent(batch) {
                    halt.set();
                }
            })
        });
        self.save_panics(individuals, watched.panics)?;
        match (failure, result) {
            (Some(failure), _) => return Err(failure),
            (None, Err(EvaluateError::Interrupted)) => {}
            (None, result) => result?,
        }
        if individuals.iter().any(|each| !batch.evaluated.contains_key(&each.slot)) {
            let interrupted = setup.interrupt.is_set();
            batch.cut_short = Some(if interrupted { StopReason::Interrupted } else { StopReason::Budget });
        }
        Ok(())
    }

    /// Keeps the scripts on which this program itself failed.
    fn save_panics(&self, individuals: &[Arc<Individual>], panics: Mutex<Vec<Panicked>>) -> Result<(), RecordError> {
        let panics = panics.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (id, message) in panics {
            let script = individuals.iter().find(|individual| individual.id == id).map(|each| &each.script);
            let text =
                script.and_then(|script| printer::print(script, Dialect::SmtLib26, &PrintOptions::default()).ok());
            tracing::error!(%id, message, "this program failed on an individual");
            self.recorder.internal_error(id.0, &message, &text.unwrap_or_default())?;
        }
        Ok(())
    }

    /// Whether the budget of solver time is used up by finished generations and this one.
    fn is_spent(&self, batch: &Batch) -> bool {
        let charged = || batch.evaluated.values().map(|(known, _)| self.charge(known)).sum::<f64>();
        let budget = self.setup.config.stop.solver_budget;
        budget.is_some_and(|budget| self.state.totals.charged_seconds + charged() >= budget.as_secs_f64())
    }

    /// Records an evaluation, and the suspicion if it raises one.
    fn note(&mut self, batch: &mut Batch, evaluated: Evaluated, trace_lines: Option<u64>) -> Result<(), CampaignError> {
        let individual = Arc::clone(&evaluated.individual);
        // What cannot be written in the target's dialect was rejected on that ground.
        let text = printer::print(&individual.script, self.setup.dialect, &PrintOptions::default()).unwrap_or_default();
        let charged = evaluated.observation.charged_seconds(self.setup.config.variant.needs());
        let place =
            Place { coverage_score: self.score_now(&evaluated), charged_seconds: Some(charged), ..Place::default() };
        let row = EvaluationRow::new(&evaluated, text.len() as u64, trace_lines, place);
        self.recorder.evaluation(&evaluated, &row, self.clock.spent())?;
        let Evaluated { observation: Observation { target, reference, .. }, .. } = &evaluated;
        if evaluated.valid && candidate(target, reference, self.setup.config.limit) == Some(Failing::Slow) {
            self.save_candidate(&Confirmable::of(&evaluated, text))?;
            self.state.totals.candidates += 1;
        }
        let totals = &mut self.state.totals;
        totals.evaluations += 1;
        totals.invalid += u64::from(!evaluated.valid);
        match evaluated.observation.target.answer {
            Answer::Timeout => totals.timeouts += 1,
            Answer::Killed => totals.killed += 1,
            Answer::Crash(_) => totals.crashed += 1,
            _ => {}
        }
        let known = Known { evaluated: Arc::new(evaluated), trace_lines };
        let progress = self.progress();
        self.setup.monitor.evaluated(&known.evaluated, &progress);
        batch.evaluated.insert(individual.slot, (known, row));
        Ok(())
    }

    /// The coverage score, if it is known before the generation is over.
    fn score_now(&self, evaluated: &Evaluated) -> Option<f64> {
        let counts = evaluated.observation.coverage.as_ref().filter(|_| evaluated.valid)?;
        let config = self.setup.config;
        let by_rarity = config.variant.coverage_objective() == Some(CoverageObjective::Rarity);
        (config.coverage_mode == crate::config::CoverageMode::Snapshot && !by_rarity)
            .then(|| reward(counts, &self.state.archive, super::selection::reward_mode(config)))
    }

    /// Where the run stands.
    pub(super) fn progress(&self) -> Progress {
        use crate::record::format::DefectState::{Candidate, Confirmed, Refuted};
        let stop = &self.setup.config.stop;
        let elapsed = Duration::from_secs_f64(self.clock.spent().wall_seconds.max(0.0));
        let all = self.recorder.defects();
        let of =
            |state| all.all().filter(|record| record.state == state).map(|record| record.id).collect::<BTreeSet<_>>();
        let (confirmed, refuted) = (of(Confirmed), of(Refuted));
        let distinct = || self.state.knowledge.distinct();
        let learns = self.setup.config.learn;
        let defects = if learns {
            distinct().filter(|ids| ids.iter().any(|id| confirmed.contains(id))).count() as u64
        } else {
            all.count(Confirmed)
        };
        let still = || distinct().filter(|ids| !ids.iter().all(|id| refuted.contains(id))).count() as u64;
        let members = self.state.population.iter().map(|member| member.known.evaluated.t_score);
        Progress {
            generation: self.state.next_generation(),
            evaluations: self.state.totals.evaluations,
            defects,
            candidates: (all.count(Candidate) + all.count(Confirmed)).saturating_sub(defects),
            distinct: learns.then(still),
            invalid: self.state.totals.invalid,
            timeouts: self.state.totals.timeouts,
            lines: Some(self.state.archive.covered_lines() as u64).filter(|lines| *lines > 0),
            best_t_score: members.fold(0.0, f64::max),
            elapsed,
            left: stop.budget.map(|budget| budget.saturating_sub(elapsed)),
            solver_left: stop.solver_budget.map(|budget| {
                budget.saturating_sub(Duration::from_secs_f64(self.state.totals.charged_seconds.max(0.0)))
            }),
            generations: stop.generations,
        }
    }
}

/// Glances at what is known, tells the monitor what each job does, and keeps a failure of ours on one individual from ending
/// the run.
struct Watched<'a> {
    evaluate: &'a dyn Evaluate,
    known: Vec<Pattern>,
    monitor: &'a dyn Monitor,
    panics: Mutex<Vec<Panicked>>,
}

/// The individual on which this program itself failed, and what the failure said.
type Panicked = (IndividualId, String);

impl Evaluate for Watched<'_> {
    fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        let job = rayon::current_thread_index().unwrap_or(0);
        self.monitor.job(job, Doing::Evaluating(individual.id));
        let observation = isolated(|| {
            if self.known.iter().any(|pattern| pattern.occurs(&individual.script)) {
                self.evaluate.glance(individual, interrupt)
            } else {
                self.evaluate.observe(individual, interrupt)
            }
        });
        self.monitor.job(job, Doing::Waiting);
        observation.unwrap_or_else(|message| {
            let invalid = Observation::of_internal_error(&message);
            self.panics.lock().unwrap_or_else(PoisonError::into_inner).push((individual.id, message));
            Ok(invalid)
        })
    }

    fn limit(&self) -> Duration {
        self.evaluate.limit()
    }
}
