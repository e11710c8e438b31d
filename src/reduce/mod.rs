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
    // The normal form has the property nearly always, and then the input need not be asked about.
    let (start, is_open) = match opened(script, &OPENINGS) {
        Some(open) if holds(&open, Rigour::Whole, property, interrupt)? => (open, true),
        _ if holds(script, Rigour::Input, property, interrupt)? => (script.clone(), false),
        _ => return Ok(None),
    };
    let mut search = Search::new(start, property, plan, on_best, interrupt);
    on_best(search.best(), &search.size(), &search.tally());
    let reduced = if is_open { Ok(()) } else { search.open() };
    let ended = match reduced.and_then(|()| search.reduce(plan.strategy, plan.freedom, plan.seed)) {
        Ok(()) => Ended::Fixpoint,
        Err(Stop::Limits) => match search.settle_beyond_limits() {
            Ok(_) | Err(Stop::Limits) => Ended::Limits,
            Err(Stop::Oracle(OracleError::Interrupted)) => Ended::Interrupted,
            Err(Stop::Oracle(error)) => return Err(error),
        },
        Err(Stop::Oracle(OracleError::Interrupted)) => Ended::Interrupted,
        Err(Stop::Oracle(error)) => return Err(error),
    };
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

fn holds(script: &Script, rigour: Rigour, property: &dyn Property, interrupt: &Interrupt) -> Result<bool, OracleError> {
    Ok(property.judge(script, rigour, interrupt)? == Judgement::Holds)
}

#[cfg(test)]
mod tests;
