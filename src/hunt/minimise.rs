//! Small instances under ground truth: STORM's binary search for the least bounds (Algorithm 2), then our reducer, which
//! accepts nothing that the assignment does not satisfy.

use super::kept::KeptFinding;
use super::source::Case;
use crate::operator::storm::{Bounds, Pools, prepared};
use crate::oracle::OracleError;
use crate::random::{FuzzRng, rng_for};
use crate::reduce::property::{Judgement, Property, Rigour};
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Plan, Reduction, reduce};
use crate::semantics::interpretation::Interpretation;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

/// Instances that are made at each step of the binary search (NM). The paper does not say how many; its implementation
/// takes a thousand.
const INSTANCES_A_STEP: u32 = 40;
/// The least bounds, as in STORM's implementation: with fewer assertions too little is left of an instance.
const LEAST_ASSERTIONS: u32 = 1;

/// Reduces an instance while `kept` holds. `None` if it does not hold of the instance itself.
///
/// # Errors
/// [`OracleError`] if a solver could not be run. An interrupt is none.
pub fn shrunk(
    script: &Script,
    kept: &KeptFinding<'_>,
    dialect: Dialect,
    interrupt: &Interrupt,
) -> Result<Option<Reduction>, OracleError> {
    // One thread: what is minimised is found while other instances wait.
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return Ok(None) };
    let plan = Plan {
        strategy: Strategy::default(),
        freedom: Freedom::default(),
        dialect,
        seed: 0,
        most_tests: 4000,
        trusting: false,
        enough: &|| kept.is_spent(),
        pool: &pool,
    };
    reduce(script, kept, &plan, &|_, _, _| {}, interrupt)
}

/// STORM's own minimisation: the fewest assertions, then the least depth, for which instances made of the instance still
/// show the defect. The result is the smallest that was found, or the instance itself; also after an interrupt.
///
/// # Errors
/// [`OracleError`] if a solver could not be run.
pub fn by_bounds(
    case: &Case,
    bounds: Bounds,
    kept: &KeptFinding<'_>,
    seed: u64,
    interrupt: &Interrupt,
) -> Result<Script, OracleError> {
    let Some(assignment) = &case.assignment else { return Ok(case.script.clone()) };
    let mut search = BoundSearch { best: case.script.clone(), assignment, kept, interrupt, rng: rng_for(seed, 0, 0) };
    match search.run(bounds) {
        Ok(()) | Err(OracleError::Interrupted) => Ok(search.best),
        Err(error) => Err(error),
    }
}

struct BoundSearch<'a> {
    best: Script,
    assignment: &'a Interpretation,
    kept: &'a KeptFinding<'a>,
    interrupt: &'a Interrupt,
    rng: FuzzRng,
}

impl BoundSearch<'_> {
    fn run(&mut self, bounds: Bounds) -> Result<(), OracleError> {
        let assertions = self.best.assertions().count() as u32;
        let mut low = LEAST_ASSERTIONS;
        let mut high = assertions.min(bounds.assertions);
        while low < high {
            let middle = u32::midpoint(low, high);
            if self.smallest_with(Bounds { assertions: middle, ..bounds })? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let assertions = high;
        let (mut low, mut high) = (0, bounds.depth.min(crate::reduce::size::depth(&self.best) as u32));
        while low < high {
            let middle = u32::midpoint(low, high);
            if self.smallest_with(Bounds { assertions, depth: middle })? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(())
    }

    /// Makes instances of the best one within these bounds, and keeps the shortest that shows the defect.
    fn smallest_with(&mut self, bounds: Bounds) -> Result<bool, OracleError> {
        let Some(seed) = prepared(&self.best) else { return Ok(false) };
        let Some(pools) = Pools::under(seed, self.assignment, bounds, &mut self.rng) else { return Ok(false) };
        let mut candidates: Vec<Script> =
            (0..INSTANCES_A_STEP).map(|_| pools.instance(bounds, false, &mut self.rng).compacted()).collect();
        candidates.sort_by_cached_key(Script::tokens);
        for candidate in candidates {
            if self.kept.is_spent() {
                return Ok(false);
            }
            if self.kept.judge(&candidate, Rigour::Look, self.interrupt)? == Judgement::Holds {
                if candidate.tokens() < self.best.tokens() {
                    self.best = candidate;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}
