//! How the time grows: target and reference on scaled copies of an instance, and the law that the target's times follow.
//!
//! Sizes are asked in ascending order, and no larger ones after the target ran out of time twice in a row. What ran out
//! is censored, a lower bound; it is shown, but no law is fitted to it, nor to what takes no longer than the script with
//! nothing asserted (within [`NOISE_SECONDS`]), nor to what the target gave up on. The trivial script's time is taken off
//! the others, so that a law is of the work, not of the start.

use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;

use super::fit::{Law, fit};
use super::scaling::{Dimension, Scaled, scaled, without_assertions, without_status};
use crate::evaluate::runtime::ran_out;
use crate::oracle::OracleError;
use crate::oracle::prover::{Prover, Question};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

/// CPU seconds beyond the trivial script's below which a time says nothing of growth.
pub const NOISE_SECONDS: f64 = 0.05;
/// Runs of the trivial script, of which the quickest counts.
const TRIVIAL_RUNS: usize = 3;
/// Larger sizes are not asked for after so many that ran out in a row.
const PATIENCE: usize = 2;

/// Who is asked, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Scaling<'a> {
    /// The slow solver.
    pub target: &'a dyn Prover,
    /// The fast one.
    pub reference: &'a dyn Prover,
    /// CPU time of each run.
    pub limit: Duration,
    /// CPU time of all runs together; the dimensions have equal parts of it, and a run that has begun is finished.
    pub budget: Duration,
    /// The threads on which the dimensions are measured.
    pub pool: &'a rayon::ThreadPool,
}

/// How long one solver took on one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// What it answered, as in tables: `sat`, `timeout`, …
    pub result: String,
    /// CPU seconds.
    pub seconds: f64,
    /// Whether time or memory ran out: the seconds are a lower bound then.
    pub ran_out: bool,
    /// Whether it answered `sat` or `unsat`.
    pub solved: bool,
}

/// One size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// By what the instance was scaled; 1 is the instance itself.
    pub factor: f64,
    /// The size, in the dimension's unit.
    pub size: f64,
    /// The target.
    pub target: Measured,
    /// The reference.
    pub reference: Measured,
}

/// Growth along one dimension.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Along {
    /// What was scaled.
    pub dimension: Dimension,
    /// The sizes that were measured, ascending.
    pub points: Vec<Point>,
    /// Whether the budget ended before the last size was measured.
    pub budget_ended: bool,
    /// What the target's times follow.
    pub law: Law,
}

/// Growth along every dimension that the instance has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Growth {
    /// The slow solver's name and version.
    pub target: String,
    /// The fast one's.
    pub reference: String,
    /// CPU seconds of each run.
    pub limit_seconds: f64,
    /// CPU seconds that the target takes with nothing asserted.
    pub trivial_seconds: f64,
    /// The dimensions.
    pub dimensions: Vec<Along>,
}

impl Scaling<'_> {
    /// Measures the growth of `script`.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted.
    pub fn measure(&self, script: &Script, interrupt: &Interrupt) -> Result<Growth, OracleError> {
        let trivial_script = without_assertions(script);
        let mut trivial = f64::INFINITY;
        for _ in 0..TRIVIAL_RUNS {
            trivial = trivial.min(self.ask(self.target, &trivial_script, interrupt)?.seconds);
        }
        let copies: Vec<(Dimension, Vec<Scaled>)> = Dimension::ALL
            .into_iter()
            .map(|dimension| (dimension, scaled(script, dimension)))
            .filter(|(_, copies)| !copies.is_empty())
            .collect();
        let script = without_status(script);
        // The instance itself is a size of every dimension.
        let itself = (self.ask(self.target, &script, interrupt)?, self.ask(self.reference, &script, interrupt)?);
        let spent = itself.0.seconds + itself.1.seconds;
        let share = (self.budget.as_secs_f64() - spent) / copies.len().max(1) as f64;
        let along = |(dimension, copies): (Dimension, Vec<Scaled>)| {
            self.along(dimension, &copies, &itself, (share, trivial), interrupt)
        };
        let dimensions = self.pool.install(|| copies.into_par_iter().map(along).collect::<Result<Vec<_>, _>>())?;
        Ok(Growth {
            target: self.target.name().to_owned(),
            reference: self.reference.name().to_owned(),
            limit_seconds: self.limit.as_secs_f64(),
            trivial_seconds: trivial,
            dimensions,
        })
    }

    fn along(
        &self,
        dimension: Dimension,
        copies: &[Scaled],
        itself: &(Measured, Measured),
        (budget, trivial): (f64, f64),
        interrupt: &Interrupt,
    ) -> Result<Along, OracleError> {
        let mut points = Vec::with_capacity(copies.len());
        let (mut spent, mut out_in_a_row, mut budget_ended) = (0.0, 0, false);
        for copy in copies {
            let is_itself = copy.factor == 1.0;
            if !is_itself && (out_in_a_row >= PATIENCE || spent >= budget) {
                budget_ended |= out_in_a_row < PATIENCE;
                continue;
            }
            let (target, reference) = if is_itself {
                itself.clone()
            } else {
                let target = self.ask(self.target, &copy.script, interrupt)?;
                let reference = self.ask(self.reference, &copy.script, interrupt)?;
                spent += target.seconds + reference.seconds;
                (target, reference)
            };
            out_in_a_row = if target.ran_out { out_in_a_row + 1 } else { 0 };
            points.push(Point { factor: copy.factor, size: copy.size, target, reference });
        }
        let law = law_of(&points, trivial, self.limit.as_secs_f64());
        Ok(Along { dimension, points, budget_ended, law })
    }

    fn ask(&self, prover: &dyn Prover, script: &Script, interrupt: &Interrupt) -> Result<Measured, OracleError> {
        let question = Question { script, seed: None, limit: self.limit, check_model: false };
        let timed = prover.ask(&question, interrupt)?.timed;
        Ok(Measured {
            result: timed.answer.name().to_owned(),
            seconds: timed.cpu_seconds,
            ran_out: ran_out(&timed, self.limit),
            solved: timed.answer.is_solved(),
        })
    }
}

/// What the target's points say, with the trivial script's seconds and the limit.
fn law_of(points: &[Point], trivial: f64, limit: f64) -> Law {
    let ran_out: Vec<f64> = points.iter().filter(|point| point.target.ran_out).map(|point| point.size).collect();
    if ran_out.len() == points.len() {
        return Law::SlowAtEverySize;
    }
    let is_measurable = |point: &&Point| point.target.seconds - trivial >= NOISE_SECONDS;
    let solved = || points.iter().filter(|point| point.target.solved);
    if solved().count() == points.len() && !solved().any(|point| is_measurable(&point)) {
        return Law::FastAtEverySize;
    }
    let usable = solved().filter(is_measurable).filter(|point| point.size > 0.0);
    let usable: Vec<(f64, f64)> = usable.map(|point| (point.size, point.target.seconds - trivial)).collect();
    fit(&usable, &ran_out, limit).map_or(Law::TooFewPoints { usable: usable.len() }, Law::Fitted)
}

#[cfg(test)]
mod tests;
