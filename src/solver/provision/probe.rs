//! Whether a solver with its options works at all: small scripts whose answers are known.

use super::ProvisionError;
use crate::solver::answer::Answer;
use crate::solver::installed::{RunOptions, Solver};
use crate::solver::process::{Interrupt, Limits, Run};

/// CPU seconds for each question: much more than any solver needs.
const LIMIT: f64 = 20.0;
/// A soft limit that no solver reaches on scripts as small as these, in the units of each.
const AMPLE: u64 = 100_000_000;

/// The question for a model, in words.
const MODEL: &str = "a satisfiable script that asks for a model";
/// What to do about a solver that has no model to print.
const NO_MODEL: &str =
    "if it prints no models, say so in its profile: model = { command = \"\" } (in a file that --profiles names)";

/// Lets the solver decide a satisfiable and an unsatisfiable script.
///
/// # Errors
/// [`ProvisionError::Unhealthy`] in the solver's own words when it does not.
pub fn self_test(solver: &Solver, interrupt: &Interrupt) -> Result<(), ProvisionError> {
    // A tactic may leave open what the solver decides.
    let solver = &solver.without_tactic();
    let scripts = solver.profile.self_test;
    expect(solver, "a satisfiable script", &Answer::Sat, &scripts.satisfiable(), RunOptions::default(), interrupt)?;
    let unsatisfiable = scripts.unsatisfiable();
    expect(solver, "an unsatisfiable script", &Answer::Unsat, &unsatisfiable, RunOptions::default(), interrupt)?;
    Ok(())
}

/// The same, and whatever else its profile says that it takes: a random seed, the question for a model, the check of its own
/// model, a limit of its own. A run of hours must not find out at its end that one of these was refused each time.
///
/// # Errors
/// As [`self_test`].
pub fn probe(solver: &Solver, interrupt: &Interrupt) -> Result<(), ProvisionError> {
    self_test(solver, interrupt)?;
    let solver = &solver.without_tactic();
    let profile = &solver.profile;
    let script = profile.self_test.satisfiable();
    let sat = |what: &'static str, text: &str, options: RunOptions| {
        expect(solver, what, &Answer::Sat, text, options, interrupt)
    };
    if !profile.seed.is_empty() {
        let options = RunOptions { seed: Some(1), ..RunOptions::default() };
        sat("a satisfiable script with the `seed` of its profile", &script, options)?;
    }
    if !profile.check_model.is_empty() {
        let options = RunOptions { check_model: true, ..RunOptions::default() };
        sat("a satisfiable script with the `check_model` of its profile", &script, options)?;
    }
    if !profile.soft_limit.is_empty() {
        let options = RunOptions { soft_limit: Some(AMPLE), ..RunOptions::default() };
        sat("a satisfiable script with the `soft_limit` of its profile", &script, options)?;
    }
    if profile.model.can_be_asked() {
        let asking = format!("{}\n{script}{}\n", profile.model.option, profile.model.command);
        let run = sat(MODEL, &asking, RunOptions { model: true, ..RunOptions::default() })?;
        let printed = run.stdout_text();
        // The script declares `x`.
        if !printed.split_once("sat").is_some_and(|(_, model)| model.contains('x')) {
            return Err(unhealthy(solver, MODEL, printed.trim()));
        }
    }
    Ok(())
}

/// Runs a script to which this is the answer.
fn expect(
    solver: &Solver,
    what: &'static str,
    expected: &Answer,
    text: &str,
    options: RunOptions,
    interrupt: &Interrupt,
) -> Result<Run, ProvisionError> {
    let (answer, run) = solver.solve_with(text, &Limits::cpu(LIMIT), interrupt, options)?;
    match answer {
        Answer::Interrupted => Err(ProvisionError::InterruptedProbe),
        answer if answer == *expected => Ok(run),
        answer => Err(unhealthy(solver, what, &answer.to_string())),
    }
}

fn unhealthy(solver: &Solver, what: &'static str, answer: &str) -> ProvisionError {
    let hint = (what == MODEL).then_some(NO_MODEL);
    ProvisionError::Unhealthy { spec: solver.spec.to_string(), what, answer: answer.to_owned(), hint }
}
