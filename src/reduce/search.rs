//! The search for a smaller script: the best so far, what is known of candidates, and milestones.

use std::collections::HashMap;
use std::sync::Mutex;

use rayon::prelude::*;
use serde::Serialize;

use super::Plan;
use super::property::{Judgement, Property, Rigour};
use super::size::Size;
use crate::oracle::OracleError;
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

/// How many candidates were looked at, and what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Candidates whose property was judged.
    pub judged: u64,
    /// Candidates that were equal to an earlier one, up to names and the order of assertions.
    pub known: u64,
    /// Candidates that were accepted.
    pub accepted: u64,
    /// Milestones that refuted what had been accepted since the last one.
    pub refuted: u64,
}

/// What stops a search.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The user interrupted, or a solver could not be run.
    #[error(transparent)]
    Oracle(#[from] OracleError),
    /// As many candidates were judged, or as much time was spent, as the plan allows.
    #[error("a limit of the reduction is reached")]
    Limits,
    /// The script that a trusting search began with lacks the property.
    #[error("the script lacks the property, which it seemed to have")]
    Unfounded,
}

/// Told of each script that is accepted, the smallest so far.
pub type OnBest<'a> = &'a (dyn Fn(&Script, &Size, &Tally) + Sync);

/// A search that goes from script to smaller script.
#[expect(missing_debug_implementations, reason = "a property is anything that can judge")]
pub struct Search<'a> {
    property: &'a dyn Property,
    dialect: Dialect,
    interrupt: &'a Interrupt,
    pool: &'a rayon::ThreadPool,
    on_best: OnBest<'a>,
    most_tests: u64,
    enough: &'a (dyn Fn() -> bool + Sync),
    best: Script,
    size: Size,
    /// The last script that has the property wholly.
    settled: Script,
    /// What was accepted after it, each smaller than the one before.
    trail: Vec<Script>,
    verdicts: HashMap<u128, Judgement>,
    tally: Tally,
    nearest: Option<Script>,
    /// Whether looks are trusted, so that the first milestone is the last: until one of them was wrong.
    trusting: bool,
    /// Whether what is settled has the property for certain; else it is what the search began with, and stands first in the
    /// trail.
    is_founded: bool,
}

impl<'a> Search<'a> {
    /// A search from `script`, which has the property.
    pub fn new(
        script: Script,
        property: &'a dyn Property,
        plan: &Plan<'a>,
        on_best: OnBest<'a>,
        interrupt: &'a Interrupt,
    ) -> Self {
        let &Plan { dialect, pool, most_tests, enough, .. } = plan;
        let size = Size::of(&script, dialect);
        Search {
            property,
            dialect,
            interrupt,
            pool,
            on_best,
            most_tests,
            enough,
            settled: script.clone(),
            best: script,
            size,
            trail: Vec::new(),
            verdicts: HashMap::new(),
            tally: Tally::default(),
            nearest: None,
            trusting: false,
            is_founded: true,
        }
    }

    /// Trusts looks from now on, as that at the script that it begins with, until one turns out to be wrong.
    pub fn trust(&mut self) {
        (self.trusting, self.is_founded) = (true, false);
        self.trail.push(self.best.clone());
    }

    /// Whether milestones are left out: no look was wrong so far, and the result will be made sure of.
    pub fn is_trusting(&self) -> bool {
        self.trusting
    }

    /// The smallest script so far.
    pub fn best(&self) -> &Script {
        &self.best
    }

    /// Its size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether the smallest script so far has the property wholly, as far as is known.
    pub fn is_settled(&self) -> bool {
        self.trail.is_empty() || !self.property.is_provisional()
    }

    /// What was done so far.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The last candidate that the target answered: the nearest relative of the result that is no instance of it.
    pub fn nearest(&self) -> Option<&Script> {
        self.nearest.as_ref()
    }

    /// Accepts `candidate` if it is smaller and looks as if it had the property.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn attempt(&mut self, candidate: Script) -> Result<bool, Stop> {
        let size = Size::of(&candidate, self.dialect);
        if size >= self.size {
            return Ok(false);
        }
        let verdict = self.look(&candidate)?;
        if verdict == Judgement::TargetAnswers {
            self.nearest = Some(candidate);
        } else if verdict == Judgement::Holds {
            self.accept(&candidate, size);
            return Ok(true);
        }
        Ok(false)
    }

    /// Accepts the first of these candidates that can be accepted, and says which.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn first(&mut self, candidates: impl IntoIterator<Item = Script>) -> Result<Option<usize>, Stop> {
        let threads = self.pool.current_num_threads();
        let mut rest = candidates.into_iter().enumerate();
        loop {
            let window: Vec<(usize, Script)> = rest.by_ref().take(threads).collect();
            if window.is_empty() {
                return Ok(None);
            }
            self.prefetch(window.iter().map(|(_, script)| script).collect())?;
            for (index, candidate) in window {
                if self.attempt(candidate)? {
                    return Ok(Some(index));
                }
            }
        }
    }

    /// Looks at these candidates at once, if there is more than one thread, so that their verdicts are known when their
    /// turn comes. What is decided never depends on it.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn prefetch(&mut self, candidates: Vec<&Script>) -> Result<(), Stop> {
        if self.pool.current_num_threads() < 2 || candidates.len() < 2 {
            return Ok(());
        }
        let unknown: Vec<(u128, &Script)> = candidates
            .into_iter()
            .filter(|script| Size::of(script, self.dialect) < self.size)
            .map(|script| (canonical_hash(script), script))
            .filter(|(hash, _)| !self.verdicts.contains_key(hash))
            .collect();
        self.count(unknown.len() as u64)?;
        let failure = Mutex::new(None);
        let judge = |&(hash, script): &(u128, &Script)| match self.property.judge(script, Rigour::Look, self.interrupt)
        {
            Ok(verdict) => Some((hash, verdict)),
            Err(error) => {
                failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                None
            }
        };
        let judged: Vec<_> = self.pool.install(|| unknown.par_iter().filter_map(judge).collect());
        self.verdicts.extend(judged);
        match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

    /// Accepts `candidate`, which is another form of the best script and need not be smaller, if it has the property
    /// wholly. The look's verdict on it, if there is one, does not count: it may be of the same script by other names.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn attempt_wholly(&mut self, candidate: &Script) -> Result<bool, Stop> {
        self.count(1)?;
        if self.property.judge(candidate, Rigour::Whole, self.interrupt)? != Judgement::Holds {
            return Ok(false);
        }
        let size = Size::of(candidate, self.dialect);
        self.accept(candidate, size);
        self.settle_at_best();
        Ok(true)
    }

    /// A milestone: makes sure that the best script has the property wholly; if it has not, goes back to the last that
    /// has. Returns whether all that was accepted stands.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn settle(&mut self) -> Result<bool, Stop> {
        if self.trail.is_empty() || !self.property.is_provisional() {
            self.settle_at_best();
            return Ok(true);
        }
        if self.holds_wholly(&self.best.clone())? {
            self.settle_at_best();
            return Ok(true);
        }
        self.property.distrust();
        self.trusting = false;
        // What looked good may look otherwise from now on.
        self.verdicts.retain(|_, verdict| *verdict != Judgement::Holds);
        self.tally.refuted += 1;
        // The trail begins well and ends badly: the place where it turns is sought by halves.
        let (mut good, mut bad) = (0, self.trail.len() - 1);
        while good < bad {
            let middle = usize::midpoint(good, bad);
            if self.holds_wholly(&self.trail[middle].clone())? {
                good = middle + 1;
            } else {
                bad = middle;
            }
        }
        for script in &self.trail[good..] {
            self.verdicts.insert(canonical_hash(script), Judgement::Fails);
        }
        if good == 0 && !self.is_founded {
            return Err(Stop::Unfounded);
        }
        self.best = if good == 0 { self.settled.clone() } else { self.trail[good - 1].clone() };
        self.size = Size::of(&self.best, self.dialect);
        self.settle_at_best();
        (self.on_best)(&self.best, &self.size, &self.tally);
        Ok(false)
    }

    /// A last milestone, whatever the plan's limits say.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn settle_beyond_limits(&mut self) -> Result<bool, Stop> {
        (self.most_tests, self.enough) = (u64::MAX, &|| false);
        self.settle()
    }

    /// Goes back to what is settled: for a search that is stopped, whose result must have the property for certain. What
    /// it goes back from is given, if that is smaller.
    pub fn retreat(&mut self) -> Option<(Script, Size)> {
        let best = std::mem::replace(&mut self.best, self.settled.clone());
        let size = std::mem::replace(&mut self.size, Size::of(&self.settled, self.dialect));
        self.trail.clear();
        (size < self.size).then_some((best, size))
    }

    fn holds_wholly(&mut self, script: &Script) -> Result<bool, Stop> {
        self.count(1)?;
        Ok(self.property.judge(script, Rigour::Whole, self.interrupt)? == Judgement::Holds)
    }

    fn look(&mut self, candidate: &Script) -> Result<Judgement, Stop> {
        let hash = canonical_hash(candidate);
        if let Some(&verdict) = self.verdicts.get(&hash) {
            self.tally.known += 1;
            return Ok(verdict);
        }
        self.count(1)?;
        let verdict = self.property.judge(candidate, Rigour::Look, self.interrupt)?;
        self.verdicts.insert(hash, verdict);
        Ok(verdict)
    }

    fn count(&mut self, tests: u64) -> Result<(), Stop> {
        if self.tally.judged >= self.most_tests || (self.enough)() {
            return Err(Stop::Limits);
        }
        self.tally.judged += tests;
        Ok(())
    }

    fn accept(&mut self, script: &Script, size: Size) {
        self.tally.accepted += 1;
        self.size = size;
        // What a step left behind in the arena would be copied for each candidate from now on.
        self.best = script.compacted();
        self.trail.push(self.best.clone());
        (self.on_best)(&self.best, &self.size, &self.tally);
    }

    fn settle_at_best(&mut self) {
        self.settled = self.best.clone();
        self.is_founded = true;
        self.trail.clear();
    }
}
