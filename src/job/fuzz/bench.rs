//! The solvers of a run in their roles, and what a campaign has them do.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;

use crate::campaign::{Confirm, Learn, Learned, Source};
use crate::config::{Config, Resolved};
use crate::evaluate::individual::{Individual, Observation};
use crate::evaluate::written::text_for;
use crate::evaluate::{Evaluate, EvaluateError, Evaluator, Fusion, Instrumented, Observe};
use crate::generator;
use crate::job::instrumented::{self, soft_limit};
use crate::job::recorded::{check_same, record};
use crate::job::solvers::verifiers;
use crate::known::Pattern;
use crate::oracle::OracleError;
use crate::oracle::machine::Machine;
use crate::oracle::performance::{ConfirmSettings, Confirmation, Confirmed, RunRow, Verdict};
use crate::oracle::prover::{InstalledProver, Prover};
use crate::oracle::report::{DefectReport, Instance};
use crate::record::format::{Environment, LineTable, SolverRecord};
use crate::reduce::Ended;
use crate::reduce::property::Meter;
use crate::search::Crowding;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::solver::fragments::{LOGIC, rejected, shared_fragment};
use crate::solver::installed::Solver;
use crate::solver::process::{Following, Interrupt};
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, ProvisionError, find, known_profiles, probe};
use crate::triage::core::Cores;

/// The word that asks for no instrumented solver.
const NONE: &str = "none";

/// The logic of a run's scripts, which its generator decides.
fn logic_of(config: &Config) -> &'static str {
    generator::logic_of(&config.generator).unwrap_or(LOGIC)
}

/// The solvers of a run.
pub(super) struct Roles {
    target: Solver,
    reference: Solver,
    instrumented: Option<Instrumented>,
    verifiers: Vec<Solver>,
    /// What the user should know of them before the run begins.
    notes: Vec<String>,
}

impl Roles {
    /// Finds the solvers that a configuration names, and lets each show that it does all that its profile says.
    ///
    /// # Errors
    /// A solver that is not installed, or does not work with its options; the instrumented one too, but as
    /// [`instrumented::for_run`] says.
    pub(super) fn find(config: &Config, profiles: Option<&Path>, interrupt: &Interrupt) -> anyhow::Result<Self> {
        let cache = Cache::locate()?;
        let known = known_profiles(profiles, &cache)?;
        let get = |name: &str| -> anyhow::Result<Solver> {
            let solver = find(&SolverSpec::parse(name)?, &known, &cache)?;
            probe(&solver, interrupt)?;
            Ok(solver)
        };
        let target = get(&config.target)?;
        let reference = get(&config.reference)?;
        let mut notes = Vec::new();
        if target.is_same_as(&reference) {
            notes.push(format!("{} is both target and reference: it cannot be slower than itself", target.label()));
        }
        let instrumented = match config.instrumented.as_deref() {
            Some(NONE) => None,
            Some(name) => Some(get(name)?),
            None if !config.variant.uses_coverage() => None,
            None => instrumented::for_run(&target, config.variant, (&known, &cache), &mut notes)?,
        };
        let coverage = cache.folder().join("coverage");
        let instrumented = instrumented.map(|solver| Instrumented::open(solver, &coverage, interrupt)).transpose()?;
        let verifiers = verifiers(&known, &cache, [&target, &reference]);
        Ok(Roles { target, reference, instrumented, verifiers, notes })
    }

    /// What the user should know of the solvers before the run begins.
    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Writes the versions of target and reference into a configuration where a name alone may mean another one tomorrow.
    pub(super) fn pin(&self, config: &mut Config) {
        for (solver, name) in [(&self.target, &mut config.target), (&self.reference, &mut config.reference)] {
            if solver.profile.follows.is_some() {
                *name = solver.label();
            }
        }
    }

    /// The instrumented solver's name, or the word for none: what the run goes on with when it is resumed.
    pub(super) fn instrumented_name(&self) -> String {
        self.instrumented.as_ref().map_or_else(|| NONE.to_owned(), |it| it.solver.spec.to_string())
    }

    /// The limit that observed runs give themselves; 0 for none.
    ///
    /// # Errors
    /// When a limit is asked for and the solver has none.
    pub(super) fn soft_limit(&self, config: &Config) -> anyhow::Result<u64> {
        let solver = self.instrumented.as_ref().map_or(&self.target, |it| &it.solver);
        soft_limit(solver, config.observe_soft_limit, config.observe_limit)
    }

    /// What both solvers accept, and whether observed `runs` write traces.
    pub(super) fn resolved(&self, config: &Config) -> Resolved {
        let rejected = rejected(&self.target, &self.reference);
        Resolved {
            target_dialect: self.target.profile.dialect,
            reference_dialect: self.reference.profile.dialect,
            logic: logic_of(config).to_owned(),
            rejected,
            traceless: self.traced(config.observe_runs).profile.trace.is_empty(),
        }
    }

    /// The solver that writes the traces: the instrumented one if one run yields both, else the target.
    pub(super) fn traced(&self, runs: Fusion) -> &Solver {
        let fused = self.instrumented.as_ref().filter(|_| runs == Fusion::Fused);
        fused.map_or(&self.target, |instrumented| &instrumented.solver)
    }

    /// The instrumented solver's lines; an empty table without one.
    pub(super) fn lines(&self) -> LineTable {
        self.instrumented.as_ref().map_or_else(LineTable::default, |instrumented| LineTable::from(&*instrumented.map))
    }

    /// What the results are measured with.
    pub(super) fn environment(&self, jobs: usize) -> Environment {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Environment {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: std::env::args().collect(),
            jobs,
            machine: Machine::this(),
            following: Some(Following::here()),
            started_at: seconds,
            solvers: self.records(),
        }
    }

    fn records(&self) -> BTreeMap<String, SolverRecord> {
        self.solvers().map(|(role, solver)| (role.to_owned(), record(solver))).collect()
    }

    /// The solvers with the names of their roles.
    fn solvers(&self) -> impl Iterator<Item = (&'static str, &Solver)> {
        let instrumented = self.instrumented.as_ref().map(|instrumented| ("instrumented", &instrumented.solver));
        [("target", &self.target), ("reference", &self.reference)].into_iter().chain(instrumented)
    }

    /// Checks that the solvers are those of an earlier run: measurements of different versions do not mix.
    ///
    /// # Errors
    /// Names the role that differs.
    pub(super) fn check_same_as(&self, environment: &Environment) -> anyhow::Result<()> {
        self.solvers().try_for_each(|(role, solver)| check_same(environment, role, solver))
    }
}

/// Evaluates individuals and confirms candidates.
pub(super) struct Bench {
    evaluator: Evaluator,
    target: InstalledProver,
    reference: InstalledProver,
    verifiers: Vec<InstalledProver>,
    settings: ConfirmSettings,
    machine: Machine,
    /// What target and reference accept.
    fragment: Fragment,
    pool: rayon::ThreadPool,
}

impl Bench {
    /// Puts the solvers to work as the configuration says.
    pub(super) fn new(roles: Roles, config: &Config, jobs: usize) -> anyhow::Result<Self> {
        // Also asked here, for a run that began before this was recorded.
        let traces =
            config.crowding() == Crowding::Trace && !roles.traced(config.observe_runs).profile.trace.is_empty();
        let Roles { target, reference, instrumented, verifiers, notes: _ } = roles;
        let observe = Observe {
            instrumented,
            trace: traces.then_some(config.trace_lines),
            fusion: config.observe_runs,
            limit: config.observe_limit,
            soft_limit: config.observe_soft_limit.filter(|&limit| limit > 0),
            max_trace_lines: config.trace_max_lines,
        };
        let provers = |solver: &Solver| InstalledProver::new(solver.clone());
        Ok(Bench {
            target: provers(&target),
            reference: provers(&reference),
            verifiers: verifiers.iter().map(provers).collect(),
            settings: ConfirmSettings::new(config.confirm.limit, config.limit),
            machine: Machine::this(),
            fragment: shared_fragment(&target, &reference, logic_of(config))?,
            pool: rayon::ThreadPoolBuilder::new().num_threads(jobs).build().context("cannot start threads")?,
            evaluator: Evaluator { target, reference, observe, limit: config.limit, timings: config.timings },
        })
    }

    /// These solvers as the source of a campaign's evaluations, and of its confirmations if the configuration wants them.
    pub(super) fn source(&self, config: &Config) -> Source<'_> {
        Source::Solvers {
            evaluate: self,
            confirm: config.confirm.enabled.then_some(self as &dyn Confirm),
            learn: config.learn.then_some(self as &dyn Learn),
        }
    }

    fn instance(script: &Script, prover: &InstalledProver) -> Instance {
        Instance {
            dialect: prover.dialect().name().to_owned(),
            // Confirmed scripts were read by both solvers, so both texts exist.
            text: text_for(script, prover.solver()).unwrap_or_default(),
        }
    }
}

impl Evaluate for Bench {
    fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        self.evaluator.observe(individual, interrupt)
    }

    fn glance(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        self.evaluator.glance(individual, interrupt)
    }

    fn limit(&self) -> Duration {
        self.evaluator.limit()
    }

    fn check_solvers(&self, interrupt: &Interrupt) -> Result<(), EvaluateError> {
        let solvers = [self.target.solver(), self.reference.solver()];
        solvers.into_iter().try_for_each(|solver| probe(solver, interrupt)).map_err(|error| match error {
            ProvisionError::Interrupted | ProvisionError::InterruptedProbe => EvaluateError::Interrupted,
            error => EvaluateError::Unusable(error),
        })
    }
}

impl Learn for Bench {
    fn learn(
        &self,
        script: &Script,
        name: &str,
        known: &[Pattern],
        interrupt: &Interrupt,
    ) -> Result<Learned, OracleError> {
        let meter = Meter::default();
        let cores = Cores {
            target: &self.target,
            reference: &self.reference,
            limit: self.evaluator.limit(),
            check_models: !self.reference.solver().profile.check_model.is_empty(),
            fragment: &self.fragment,
            dialect: self.target.dialect(),
            pool: &self.pool,
            meter: &meter,
            is_over: &|| interrupt.is_set(),
            interrupt,
        };
        let (core, trial) = match cores.reduced(script, known, None)? {
            Err(lack) => {
                tracing::info!(name, lack, "nothing is to be learned");
                (None, None)
            }
            Ok(reduction) if reduction.ended != Ended::Fixpoint => return Err(OracleError::Interrupted),
            Ok(reduction) => {
                let trial = cores.learned(&reduction.script, name, None)?;
                (Some(reduction.script), trial)
            }
        };
        Ok(Learned { core, trial, solver_seconds: meter.spent().solver_seconds })
    }
}

impl Confirm for Bench {
    fn confirm(
        &self,
        script: &Script,
        known: &[RunRow],
        on_run: &(dyn Fn(&RunRow) + Sync),
        interrupt: &Interrupt,
    ) -> Result<Verdict, OracleError> {
        let verifiers: Vec<&dyn Prover> = self.verifiers.iter().map(|prover| prover as &dyn Prover).collect();
        let confirmation = Confirmation {
            target: &self.target,
            reference: &self.reference,
            verifiers: &verifiers,
            settings: self.settings,
            pool: &self.pool,
        };
        confirmation.confirm(script, known, on_run, interrupt)
    }

    fn usual_runs(&self) -> Option<u32> {
        Some(self.settings.usual_runs())
    }

    fn report(&self, script: &Script, confirmed: &Confirmed) -> String {
        let (for_target, for_reference) =
            (Self::instance(script, &self.target), Self::instance(script, &self.reference));
        DefectReport { confirmed, for_target: &for_target, for_reference: &for_reference, machine: &self.machine }
            .markdown()
    }
}
