//! A step of a hunt: a few seeds have their turns, and all solvers are asked about their instances.

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rayon::prelude::*;

use super::hearing::{Heard, Hearing};
use super::seeds::Unusable;
use super::source::{Case, Source};
use super::tally::{InternalError, Tally};
use super::together;
use super::{Keeper, Plan, State};
use crate::isolate::isolated;
use crate::oracle::OracleError;
use crate::oracle::prover::Prover;
use crate::solver::process::Interrupt;

/// Seeds that have their turns at once; not the number of threads, so that nothing depends on that.
const SEEDS_AT_ONCE: usize = 8;

/// What a step is made with.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) provers: &'a [&'a dyn Prover],
    pub(super) plan: &'a Plan<'a>,
    pub(super) interrupt: &'a Interrupt,
}

/// What came of asking about an instance: what was heard, or what our own failure says; nothing if it was not asked about.
type Asked = Option<Settled>;

/// What was heard, or what our own failure says.
type Settled = Result<Result<Heard, OracleError>, String>;

impl Step<'_> {
    /// Makes the step at which `state` is, or the rest of it, and counts it there as far as it comes.
    pub(super) fn make<E: From<OracleError>>(self, state: &mut State, keeper: &mut dyn Keeper<E>) -> Result<(), E> {
        let first = state.position.turn;
        let last = (first + SEEDS_AT_ONCE).min(self.source.seeds());
        let made = self.made(first..last, state.position.round)?;
        if self.interrupt.is_set() {
            return Ok(());
        }
        let all = made.cases.len();
        let room = usize::try_from(self.plan.instances - state.tally.instances).unwrap_or(usize::MAX);
        let cases: Vec<Case> = made.cases.into_iter().skip(state.position.case).take(room).collect();
        let asked = self.ask(&cases, state.tally.left_of(self.plan.budget));
        let is_whole = self.count(cases, asked, state, keeper)?;
        if state.position.case == all {
            made.seeds.count(&mut state.tally, state.position.round);
            state.position.fruitful |= made.seeds.fruitful;
            state.position.case = 0;
            state.position.turn = last;
        }
        // What was kept, but is not counted, stays open.
        if is_whole { keeper.settle(state) } else { Ok(()) }
    }

    /// The instances of the seeds that have these turns.
    fn made(self, turns: Range<usize>, round: u32) -> Result<Made, OracleError> {
        let Step { source, plan, .. } = self;
        let of_seed = |seed| isolated(|| source.cases(seed, round)).map_err(|message| (source.name(seed), message));
        let each: Vec<_> =
            plan.pool.install(|| turns.into_par_iter().map(|turn| of_seed(plan.seed_at(turn))).collect());
        let mut made = Made::default();
        for each in each {
            match each {
                Ok(Ok(Some(cases))) => {
                    made.seeds.fruitful = true;
                    made.cases.extend(cases);
                }
                Ok(Ok(None)) => made.seeds.barren += 1,
                // Then nothing of the step is counted.
                Ok(Err(Unusable::Oracle(OracleError::Interrupted))) => {}
                Ok(Err(Unusable::Oracle(error))) => return Err(error),
                Ok(Err(why)) => made.seeds.left_out.push(why),
                Err((seed, message)) => made.seeds.failed.push(InternalError::on_seed(seed, message)),
            }
        }
        Ok(made)
    }

    /// Asks about these instances, in their order, while something is `left` of the budget.
    fn ask(self, cases: &[Case], left: Option<Duration>) -> Vec<Asked> {
        let Step { provers, plan, interrupt, .. } = self;
        let queue = Queue::new(cases.len(), left);
        let heard: Vec<OnceLock<Settled>> = cases.iter().map(|_| OnceLock::new()).collect();
        let most = self.source.together();
        if most > 1 && plan.configurations.is_none() {
            self.ask_together(cases, most, &queue, &heard);
        }
        plan.pool.broadcast(|_| {
            while let Some(index) = queue.next().filter(|_| !interrupt.is_set()) {
                let case = &cases[index];
                if heard[index].get().is_some() {
                    continue;
                }
                let drawn = plan.configurations.map(|all| all.of(case));
                let drawn: Option<Vec<&dyn Prover>> = drawn.map(|it| it.into_iter().map(|at| provers[at]).collect());
                let hearing = Hearing { provers: drawn.as_deref().unwrap_or(provers), limit: plan.limit, interrupt };
                let result = isolated(|| hearing.hear(case));
                if let Ok(Ok(heard)) = &result {
                    queue.charge(heard.seconds);
                    (plan.heard)(&heard.testimonies);
                }
                // Each index is given out once.
                heard[index].set(result).ok();
            }
        });
        heard.into_iter().map(OnceLock::into_inner).collect()
    }

    /// Asks about instances in blocks of at most so many, and hears those that all agree on. A failure is met again when
    /// an instance is asked about on its own.
    fn ask_together(self, cases: &[Case], most: usize, queue: &Queue, heard: &[OnceLock<Settled>]) {
        let Step { provers, plan, interrupt, .. } = self;
        plan.pool.install(|| {
            cases.par_chunks(most).enumerate().for_each(|(block, cases)| {
                if interrupt.is_set() || queue.is_over() {
                    return;
                }
                let Ok(Ok((agreed, seconds))) = isolated(|| together::agreed(cases, provers, plan.limit, interrupt))
                else {
                    return;
                };
                queue.charge(seconds);
                for (place, each) in agreed.into_iter().enumerate() {
                    if let Some(each) = each {
                        (plan.heard)(&each.testimonies);
                        heard[block * most + place].set(Ok(Ok(each))).ok();
                    }
                }
            });
        });
    }

    /// Counts what was heard, in the order of the instances, up to the first about which not all were asked. What was found
    /// after that is kept, but not counted: it is found again by a hunt that goes on. Answers whether all was counted that was
    /// kept.
    fn count<E: From<OracleError>>(
        self,
        cases: Vec<Case>,
        asked: Vec<Asked>,
        state: &mut State,
        keeper: &mut dyn Keeper<E>,
    ) -> Result<bool, E> {
        let Plan { budget, until, by_seed, .. } = *self.plan;
        let mut counts = true;
        for (case, asked) in cases.into_iter().zip(asked) {
            let heard = match asked {
                Some(Ok(Ok(heard))) => heard,
                None | Some(Ok(Err(OracleError::Interrupted))) => {
                    if counts {
                        keeper.settle(state)?;
                    }
                    counts = false;
                    continue;
                }
                Some(Ok(Err(error))) => return Err(error.into()),
                Some(Err(message)) => {
                    if counts {
                        state.tally.note(&case, by_seed);
                        state.tally.internal_errors.push(InternalError::on(&case, message));
                        state.position.case += 1;
                    }
                    continue;
                }
            };
            if heard.found.is_empty() {
                if counts {
                    state.tally.count(&case, &heard, by_seed);
                    state.position.case += 1;
                }
                continue;
            }
            if counts {
                // What comes now may not come to be counted.
                keeper.settle(state)?;
            }
            let mut tally = state.tally.clone();
            tally.count(&case, &heard, by_seed);
            for found in heard.found {
                if let Some(text) = self.plan.lists.known(&found) {
                    *tally.known.entry(text.to_owned()).or_default() += 1;
                    continue;
                }
                let kind = found.finding.kind;
                tally.accuse(&found.finding);
                let left = if counts { tally.left_of(budget) } else { Some(Duration::ZERO) };
                let kept = keeper.keep(found, left)?;
                tally.minimising_seconds += kept.seconds;
                tally.internal_errors.extend(kept.internal_error);
                if until == Some(kind) {
                    break;
                }
            }
            // What was being made small when the interrupt came is made small when the hunt goes on.
            counts &= !self.interrupt.is_set();
            if counts {
                state.tally = tally;
                state.position.case += 1;
                keeper.settle(state)?;
                if until.is_some_and(|kind| state.tally.findings.contains_key(&kind)) {
                    break;
                }
            }
        }
        Ok(counts)
    }
}

/// What some seeds gave.
#[derive(Default)]
struct Made {
    cases: Vec<Case>,
    seeds: SeedsMet,
}

/// What else is to be said of these seeds.
#[derive(Default)]
struct SeedsMet {
    fruitful: bool,
    barren: u64,
    left_out: Vec<Unusable>,
    failed: Vec<InternalError>,
}

impl SeedsMet {
    /// Counts them. What is so in each round is counted in the first.
    fn count(&self, tally: &mut Tally, round: u32) {
        if round == 0 {
            tally.barren_seeds += self.barren;
            self.left_out.iter().for_each(|seed| tally.leave_out(seed));
            tally.internal_errors.extend(self.failed.iter().cloned());
        }
    }
}

/// Instances that are to be asked about, first come first served, so that those that were begun are the first ones.
struct Queue {
    all: usize,
    state: Mutex<(usize, Option<Duration>)>,
}

impl Queue {
    fn new(all: usize, left: Option<Duration>) -> Self {
        Queue { all, state: Mutex::new((0, left)) }
    }

    /// The next instance; none if all are given out, or the budget is used up.
    fn next(&self) -> Option<usize> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, left) = &mut *state;
        let index = *next;
        let goes_on = index < self.all && *left != Some(Duration::ZERO);
        *next += usize::from(goes_on);
        goes_on.then_some(index)
    }

    /// Whether the budget is used up.
    fn is_over(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1 == Some(Duration::ZERO)
    }

    /// Takes CPU seconds off the budget.
    fn charge(&self, seconds: f64) {
        let spent = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 = state.1.map(|left| left.saturating_sub(spent));
    }
}
