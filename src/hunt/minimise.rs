//! Small instances under ground truth: STORM's binary search for the least bounds (Algorithm 2), then our reducer, which
//! accepts nothing that the assignment does not satisfy.

use super::kept::KeptFinding;
use super::source::Case;
use crate::operator::storm::{Bounds, Pools, depth, instances_for, prepared};
use crate::oracle::OracleError;
use crate::random::{FuzzRng, rng_for};
use crate::reduce::property::{Judgement, Property, Rigour};
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Plan, Reduction, reduce};
use crate::semantics::interpretation::Interpretation;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

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

/// STORM's own minimisation (Algorithm 2, which prints the part about depth): the fewest assertions, then the least depth, for
/// which one of NM instances made of the instance still shows the defect. The smallest one by the bound takes its place, so
/// that the result is within the bounds that were found; also after an interrupt. An instance that asks several times is made
/// of such ones. All are under the assignment of the first.
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
    let best = case.script.clone();
    let asks_often = best.is_incremental();
    let mut search = BoundSearch { best, asks_often, assignment, kept, interrupt, rng: rng_for(seed, 0, 0) };
    match search.run(bounds) {
        Ok(()) | Err(OracleError::Interrupted) => Ok(search.best),
        Err(error) => Err(error),
    }
}

struct BoundSearch<'a> {
    best: Script,
    asks_often: bool,
    assignment: &'a Interpretation,
    kept: &'a KeptFinding<'a>,
    interrupt: &'a Interrupt,
    rng: FuzzRng,
}

impl BoundSearch<'_> {
    fn run(&mut self, bounds: Bounds) -> Result<(), OracleError> {
        let assertions = self
            .least(LEAST_ASSERTIONS, bounds.assertions, assertions_of, |assertions| Bounds { assertions, ..bounds })?;
        self.least(0, bounds.depth, depth, |depth| Bounds { depth, assertions })?;
        Ok(())
    }

    /// Binary search for the least bound from `low` to `high` of what `measure` measures; whatever shows the defect within a
    /// bound may be well below it.
    fn least(
        &mut self,
        mut low: u32,
        high: u32,
        measure: fn(&Script) -> u32,
        bounds: impl Fn(u32) -> Bounds,
    ) -> Result<u32, OracleError> {
        let mut high = measure(&self.best).clamp(low, high.max(low));
        while low < high {
            let middle = u32::midpoint(low, high);
            if self.find_within(bounds(middle), measure)? {
                high = measure(&self.best).clamp(low, middle);
            } else {
                low = middle + 1;
            }
        }
        Ok(high)
    }

    /// Makes NM instances of the best one within these bounds, and takes the first that shows the defect, the least by
    /// `measure` before the others and the shorter before the longer: that is the one that the paper selects among all that
    /// show it.
    fn find_within(&mut self, bounds: Bounds, measure: fn(&Script) -> u32) -> Result<bool, OracleError> {
        let Some(seed) = prepared(&self.best) else { return Ok(false) };
        let Some(pools) = Pools::under(seed, self.assignment, bounds, &mut self.rng) else { return Ok(false) };
        let mut candidates: Vec<Script> = (0..instances_for(pools.initial().len()))
            .map(|_| pools.instance(bounds, self.asks_often, &mut self.rng).compacted())
            .collect();
        candidates.sort_by_cached_key(|candidate| (measure(candidate), candidate.tokens()));
        for candidate in candidates {
            if self.kept.is_spent() {
                return Ok(false);
            }
            if self.kept.judge(&candidate, Rigour::Look, self.interrupt)? == Judgement::Holds {
                self.best = candidate;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn assertions_of(script: &Script) -> u32 {
    script.assertions().count() as u32
}
