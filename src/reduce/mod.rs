//! From a large script to a small one that keeps a property: reduction, or delta debugging.
//!
//! A property ([`property`]) is judged by runs of solvers, and those that take a whole time limit cost nearly all of
//! the time: they are the steps that are accepted. So a reduction takes few, large steps ([`edit`]), looks at candidates
//! under a small part of the limit, and makes sure of many steps at once ([`search`]).

pub mod commands;
pub mod cosmetics;
pub mod edit;
pub mod letters;
pub mod literals;
pub mod property;
pub mod search;
pub mod size;
pub mod strategy;
pub mod terms;

use serde::Serialize;

use crate::operator::normal::{OPENINGS, opened};
use crate::oracle::OracleError;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use property::{Judgement, Property, Rigour};
use search::{OnBest, Search, Stop, Tally};
use size::Size;
use strategy::{Freedom, Strategy};

/// How a reduction goes about it.
#[expect(missing_debug_implementations, reason = "when it is enough may be anything that can tell")]
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// The strategy.
    pub strategy: Strategy,
    /// What may be changed.
    pub freedom: Freedom,
    /// The dialect whose bytes count.
    pub dialect: Dialect,
    /// Decides what a strategy draws at random.
    pub seed: u64,
    /// Candidates that may be judged at most.
    pub most_tests: u64,
    /// Asked before each candidate: whether to stop with what there is.
    pub enough: &'a (dyn Fn() -> bool + Sync),
    /// Threads that look at candidates.
    pub pool: &'a rayon::ThreadPool,
    /// Looks are trusted to the end, and only the result is made sure of. That saves most runs that take the whole limit; if
    /// the reduction is stopped, nothing of what it reached is certain.
    pub trusting: bool,
}

/// Why a reduction ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// Nothing that the strategy knows makes the script smaller.
    Fixpoint,
    /// As many candidates were judged, or as much time was spent, as is allowed.
    Limits,
    /// The user interrupted.
    Interrupted,
}

/// What a reduction came to.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// The smallest script that has the property wholly.
    pub script: Script,
    /// The size of the input.
    pub before: Size,
    /// The size of the result.
    pub after: Size,
    /// What was done.
    pub tally: Tally,
    /// Why it ended.
    pub ended: Ended,
    /// Of a reduction that was stopped: a smaller script that looks as if it had the property, which nobody made sure of.
    pub unsure: Option<(Script, Size)>,
    /// The last candidate that the target answered: the nearest relative that lacks the property.
    pub nearest: Option<Script>,
}

/// Reduces `script` as far as the plan goes while `property` holds. Each smaller script goes to `on_best` at once.
/// `None` if the script lacks the property.
///
/// # Errors
/// [`OracleError`] if a solver could not be run. An interrupt is none: what was reached stands.
pub fn reduce(
    script: &Script,
    property: &dyn Property,
    plan: &Plan<'_>,
    on_best: OnBest<'_>,
    interrupt: &Interrupt,
) -> Result<Option<Reduction>, OracleError> {
    let before = Size::of(script, plan.dialect);
    let is_trusting = plan.trusting && property.is_provisional();
    // The normal form has the property nearly always, and then the input need not be asked about.
    let first = if is_trusting { Rigour::Look } else { Rigour::Whole };
    let mut searched = None;
    if let Some(open) = opened(script, &OPENINGS)
        && holds(&open, first, property, interrupt)?
    {
        let mut search = Search::new(open, property, plan, on_best, interrupt);
        if is_trusting {
            search.trust();
        }
        on_best(search.best(), &search.size(), &search.tally());
        let result = search.reduce(plan.strategy, plan.freedom, plan.seed);
        searched = ended(&mut search, result)?.map(|ended| (search, ended));
    }
    if searched.is_none() {
        if !holds(script, Rigour::Input, property, interrupt)? {
            return Ok(None);
        }
        let mut search = Search::new(script.clone(), property, plan, on_best, interrupt);
        on_best(search.best(), &search.size(), &search.tally());
        let result = search.open().and_then(|()| search.reduce(plan.strategy, plan.freedom, plan.seed));
        searched = ended(&mut search, result)?.map(|ended| (search, ended));
    }
    let Some((mut search, ended)) = searched else { return Ok(None) };
    let unsure = if search.is_settled() { None } else { search.retreat() };
    let (mut result, mut after) = (search.best().clone(), search.size());
    // The normal form writes out what the input shared: where nothing could be taken from it, the input is simpler.
    if after.complexity > before.complexity
        && ended != Ended::Interrupted
        && holds(script, Rigour::Whole, property, interrupt)?
    {
        (result, after) = (script.clone(), before);
    }
    Ok(Some(Reduction {
        script: result,
        before,
        after,
        tally: search.tally(),
        ended,
        unsure,
        nearest: search.nearest().cloned(),
    }))
}

/// Why a search ended, with what it reached made sure of if there is time; `None` if it turned out that what it began with
/// lacks the property.
fn ended(search: &mut Search<'_>, result: Result<(), Stop>) -> Result<Option<Ended>, OracleError> {
    let (result, ended) = match result {
        Err(Stop::Limits) => (search.settle_beyond_limits().map(|_| ()), Ended::Limits),
        result => (result, Ended::Fixpoint),
    };
    match result {
        Ok(()) => Ok(Some(ended)),
        Err(Stop::Limits) => Ok(Some(Ended::Limits)),
        Err(Stop::Unfounded) => Ok(None),
        Err(Stop::Oracle(OracleError::Interrupted)) => Ok(Some(Ended::Interrupted)),
        Err(Stop::Oracle(error)) => Err(error),
    }
}

fn holds(script: &Script, rigour: Rigour, property: &dyn Property, interrupt: &Interrupt) -> Result<bool, OracleError> {
    Ok(property.judge(script, rigour, interrupt)? == Judgement::Holds)
}

#[cfg(test)]
mod tests;
