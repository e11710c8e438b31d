//! `--keep slow`: what is asked about the input before, and about the result after.

use std::time::Duration;

use anyhow::bail;
use rayon::prelude::*;

use super::summary::Summary;
use super::{Reduced, Workshop};
use crate::evaluate::runtime::ran_out;
use crate::oracle::OracleError;
use crate::oracle::candidate::REFERENCE_SHARE;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::reduce::Ended;
use crate::reduce::property::{Robustness, Slow, SlowSettings, not_quick, refusal};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;

/// How many times longer than the limit the target must be slow for the result to count as confirmed.
const CONFIRM_FACTOR: u32 = 2;
/// A reference that needs more than this part of the limit is no quick one: half.
const LONGEST_REFERENCE_SHARE: u32 = 2;
/// Runs of the target at the confirm limit.
pub(super) const CONFIRM_RUNS: u32 = 3;

impl Workshop<'_> {
    pub(super) fn keep_slow(&self, target: &InstalledProver, reference: &InstalledProver) -> anyhow::Result<Reduced> {
        let args = self.args;
        let mut settings = SlowSettings::new(args.limit());
        settings.reference_limit = args.reference_limit.unwrap_or(args.limit() / LONGEST_REFERENCE_SHARE);
        let answer = Slow::new(target, reference, settings.clone(), self.meter).ask_reference(
            self.script,
            false,
            self.interrupt,
        )?;
        if let Some(refusal) = refusal(reference.name(), &answer.answer) {
            bail!("{refusal}{}", self.fault());
        }
        if !answer.answer.is_solved() {
            let why = not_quick(reference.name(), &answer, settings.reference_limit.as_secs_f64());
            bail!("{why}; choose another --reference, or a longer --reference-limit");
        }
        if args.reference_limit.is_none() {
            settings.reference_limit = self.quick_enough(answer.cpu_seconds);
        }
        settings.status = args.keep_status.then(|| answer.answer.clone());
        settings.check_models = !args.no_model_check && !reference.solver().profile.check_model.is_empty();
        let first = Slow::new(target, reference, settings.clone(), self.meter);
        if settings.check_models && answer.answer == Answer::Sat {
            self.check_model_of_input(&first, reference)?;
        }
        let seeds_of_input = match args.seeds {
            Some(seeds) => Some(first.slow_seeds(self.script, seeds, None, self.interrupt)?),
            None => None,
        };
        settings.robustness = args.seeds.zip(seeds_of_input).map(|(seeds, of_input)| {
            let wanted = args.robust.unwrap_or(seeds.saturating_mul(3).div_ceil(4));
            if of_input < wanted {
                tracing::warn!("the input is slow on {of_input} of {seeds} seeds: that is what is kept, not {wanted}");
            }
            Robustness { seeds, at_least: wanted.min(of_input) }
        });
        let property = Slow::new(target, reference, settings, self.meter);
        let dialect = args.dialect.unwrap_or(target.dialect());
        let Some(reduction) = self.reduce(&property, dialect)? else {
            bail!("{}{}", property.lack(self.script, self.interrupt)?, self.fault());
        };
        let status = property.settings.status.as_ref().map(|status| format!(" ({})", status.name()));
        let mut summary = self.summary(
            format!("{} slow, {} quick{}", target.name(), reference.name(), status.unwrap_or_default()),
            &reduction,
        );
        if reduction.ended != Ended::Interrupted {
            summary.seeds = args.seeds;
            summary.slow_seeds_of_input = seeds_of_input;
            match self.judge_result(&property, &reduction.script, &mut summary) {
                // The reduction is done: it is not lost because nobody waits for what else there is to know of it.
                Err(error) if matches!(error.downcast_ref(), Some(OracleError::Interrupted)) => {}
                other => other?,
            }
        }
        self.finish(&reduction, dialect, summary)
    }

    /// Finds out on how many seeds the result is slow, whether its model holds, and how often it is slow at the confirm
    /// limit.
    fn judge_result(&self, slow: &Slow<'_>, script: &Script, summary: &mut Summary) -> anyhow::Result<()> {
        self.console.status(&format!("{} bytes: confirming the result", summary.after.bytes));
        if let Some(seeds) = self.args.seeds {
            summary.slow_seeds = Some(slow.slow_seeds(script, seeds, None, self.interrupt)?);
        }
        if slow.settings.check_models {
            summary.model_checked = match slow.ask_reference(script, true, self.interrupt)?.answer {
                Answer::Sat => Some(true),
                Answer::InvalidModel(_) => Some(false),
                _ => None,
            };
        }
        summary.confirmed_runs = self.confirmed_runs(slow, script)?;
        Ok(())
    }

    /// The reference's limit by default: a tenth of the limit; more if it needs more for the input, which may be large.
    fn quick_enough(&self, seconds: f64) -> Duration {
        let tenth = self.args.limit() / REFERENCE_SHARE;
        let needed = Duration::from_secs_f64(seconds * 1.5);
        if needed <= tenth {
            return tenth;
        }
        tracing::info!(seconds, "the reference is not quick on the input, and may be as slow on the result");
        needed.min(self.args.limit() / LONGEST_REFERENCE_SHARE)
    }

    /// Says if the reference's own check refutes its model of the input: then only a result whose model holds counts.
    fn check_model_of_input(&self, slow: &Slow<'_>, reference: &InstalledProver) -> anyhow::Result<()> {
        match slow.ask_reference(self.script, true, self.interrupt)?.answer {
            Answer::Sat => {}
            Answer::InvalidModel(_) => tracing::warn!(
                "{} answers sat with a model that its own check refutes: the input may be unsat. If nothing is found \
                 whose model holds, the result is the input; --no-model-check lets every sat count",
                reference.name()
            ),
            other => tracing::info!("{} cannot check its model of the input: {other}", reference.name()),
        }
        Ok(())
    }

    /// In how many of three runs the target is slow at the confirm limit; none are begun once one ends.
    fn confirmed_runs(&self, slow: &Slow<'_>, script: &Script) -> anyhow::Result<Option<u32>> {
        let limit = self.args.confirm_limit.unwrap_or(self.args.limit() * CONFIRM_FACTOR);
        if limit.is_zero() {
            return Ok(None);
        }
        let runs = || {
            (0..CONFIRM_RUNS).into_par_iter().map(|_| slow.ask_target(script, None, limit, self.interrupt)).collect()
        };
        let runs: Result<Vec<_>, _> = self.pool.install(runs);
        Ok(Some(runs?.iter().filter(|timed| ran_out(timed, limit)).count() as u32))
    }
}
