//! The core of a slow script, and the pattern of that: what a triage and a run find out of a defect in the same way.

use std::cell::OnceCell;
use std::time::Duration;

use crate::evaluate::runtime::ran_out;
use crate::known::{Lesson, Modulo, Pattern, Trial, learn};
use crate::oracle::OracleError;
use crate::oracle::prover::Prover;
use crate::random::rng_for;
use crate::reduce::property::{Meter, Slow, SlowSettings};
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Plan, Reduction, reduce};
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

/// Random seeds of the target that are tried of a core: where it is not slow on all, a script is slow if it is on any.
const SEEDS: u32 = 3;
/// Looks begin with the limit divided by this: nearly all scripts that use up so much use up all of it, and the result of a
/// reduction is made sure of under the whole.
const LOOK_SHARE: u32 = 8;

/// Who is asked, and what they accept.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a closure has none")]
pub struct Cores<'a> {
    /// The solver that is slow.
    pub target: &'a dyn Prover,
    /// The one that is quick.
    pub reference: &'a dyn Prover,
    /// CPU time in which the target must fail to answer.
    pub limit: Duration,
    /// Whether the reference can check its own models.
    pub check_models: bool,
    /// What both accept.
    pub fragment: &'a Fragment,
    /// The dialect in which sizes are measured.
    pub dialect: Dialect,
    /// Candidates of a reduction that are looked at at once.
    pub pool: &'a rayon::ThreadPool,
    /// What is spent.
    pub meter: &'a Meter,
    /// Whether there is no more time.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
    /// Set when nothing must go on.
    pub interrupt: &'a Interrupt,
}

impl Cores<'_> {
    /// What every instance is to be.
    pub fn slow(&self) -> Slow<'_> {
        let mut settings = SlowSettings::new(self.limit);
        settings.check_models = self.check_models;
        settings.look_share = LOOK_SHARE;
        Slow::new(self.target, self.reference, settings, self.meter)
    }

    /// Reduces a script so that none of these patterns occurs in what is left, from where an earlier reduction was stopped if
    /// what that left is slow too; `Err` inside says why the script is not slow.
    ///
    /// # Errors
    /// [`OracleError`]
    pub fn reduced(
        &self,
        script: &Script,
        known: &[Pattern],
        started: Option<&Script>,
    ) -> Result<Result<Reduction, String>, OracleError> {
        let slow = self.slow();
        let property = Modulo { property: &slow, known };
        let plan = Plan {
            strategy: Strategy::default(),
            freedom: Freedom::default(),
            dialect: self.dialect,
            seed: 0,
            most_tests: u64::MAX,
            trusting: true,
            enough: self.is_over,
            pool: self.pool,
        };
        for script in started.into_iter().chain([script]) {
            if let Some(reduction) = reduce(script, &property, &plan, &|_, _, _| {}, self.interrupt)? {
                return Ok(Ok(reduction));
            }
        }
        Ok(Err(slow.lack(script, self.interrupt)?))
    }

    /// The pattern of a core, which gets this name; none if none is slow on half of the fresh scripts with it. If it is only to
    /// explain `others`, it is none if it occurs in none of them.
    ///
    /// # Errors
    /// [`OracleError`]; [`OracleError::Interrupted`] if there is no more time, too.
    pub fn learned(&self, core: &Script, name: &str, others: Option<&[&Script]>) -> Result<Option<Trial>, OracleError> {
        let slow = self.slow();
        let look = slow.look();
        let ask = |script: &Script, seed: Option<u32>| -> Result<bool, OracleError> {
            if (self.is_over)() {
                return Err(OracleError::Interrupted);
            }
            Ok(ran_out(&slow.ask_target(script, seed, look, self.interrupt)?, look))
        };
        // Seeds are asked when the first question is.
        let stable = OnceCell::new();
        let is_stable = || -> Result<bool, OracleError> {
            if let Some(&stable) = stable.get() {
                return Ok(stable);
            }
            let slow = (0..SEEDS).try_fold(true, |slow, seed| Ok::<_, OracleError>(slow && ask(core, Some(seed))?))?;
            Ok(*stable.get_or_init(|| slow))
        };
        let mut is_slow = |script: &Script| -> Result<bool, OracleError> {
            if ask(script, None)? {
                return Ok(true);
            }
            let mut seeds = if is_stable()? { 0..0 } else { 0..SEEDS };
            seeds.try_fold(false, |slow, seed| Ok(slow || ask(script, Some(seed))?))
        };
        let mut rng = rng_for(0, canonical_hash(core) as u32, 0);
        let Lesson { pattern, refused } = learn(core, name, (self.fragment, others), &mut rng, &mut is_slow)?;
        for Trial { pattern, slow, tried } in &refused {
            tracing::info!(%pattern, slow, tried, "too general");
        }
        Ok(pattern)
    }
}
