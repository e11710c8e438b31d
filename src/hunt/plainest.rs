//! A finding as the configuration with the fewest options shows it: a defect that needs no option is worse, and whoever mends
//! it wants to know which options it needs.

use std::time::Duration;

use super::Found;
use super::hearing::findings;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, program};
use crate::oracle::prover::Prover;
use crate::oracle::testimony::{CrashOn, Testimony};
use crate::solver::likeness;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// The finding, if possible of a configuration of the same program with fewer options, and the CPU seconds that asking took.
/// `provers` are asked in the order of the number of their options, until more than `allowance` is spent. One that was not
/// asked before must show the same twice: a finding that can be repeated is worth more than one with fewer options.
///
/// # Errors
/// [`OracleError`] if a solver could not be run, or the user interrupted.
pub fn plainest(
    found: &Found,
    provers: &[&dyn Prover],
    (limit, allowance): (Duration, Duration),
    interrupt: &Interrupt,
) -> Result<(Found, f64), OracleError> {
    let mut seconds = 0.0;
    let Some(guilty) = found.finding.solvers.first().filter(|_| found.finding.kind.is_wrong()) else {
        return Ok((found.clone(), seconds));
    };
    let is_plainer =
        |prover: &&&dyn Prover| program(prover.name()) == program(guilty) && options(prover.name()) < options(guilty);
    let mut plainer: Vec<&&dyn Prover> = provers.iter().filter(is_plainer).collect();
    plainer.sort_by_key(|prover| options(prover.name()));
    for prover in plainer {
        let mut shown = None;
        for _ in 0..2 {
            if seconds > allowance.as_secs_f64() {
                return Ok((found.clone(), seconds));
            }
            let testimony = Testimony::of(*prover, &found.case.script, limit, interrupt)?;
            seconds += testimony.seconds();
            shown = shown_by(found, guilty, &testimony);
            if shown.is_none() {
                break;
            }
        }
        if let Some(shown) = shown {
            return Ok((shown, seconds));
        }
    }
    Ok((found.clone(), seconds))
}

/// The same finding of the solver of `testimony` in place of the guilty one, if that shows it.
fn shown_by(found: &Found, guilty: &str, testimony: &Testimony) -> Option<Found> {
    let solver = testimony.solver.clone();
    let is_other = |each: &&Testimony| each.solver != guilty && each.solver != solver;
    let testimonies: Vec<Testimony> =
        found.testimonies.iter().filter(is_other).cloned().chain([testimony.clone()]).collect();
    let is_once = |testimony: &Testimony| testimony.crash().is_some_and(|(_, on)| on == CrashOn::Once);
    let of_solver = |finding: &Finding| finding.solvers.contains(&solver);
    let finding = findings(&found.case, &testimonies).into_iter().find(of_solver)?;
    let shown = Found { case: found.case.clone(), testimonies, finding };
    (shown.key() == found.key() && !is_once(testimony)).then_some(shown)
}

/// With how many options a configuration is run, by its name.
pub fn options(solver: &str) -> usize {
    let is_one = |option: &&String| !likeness::is_likeness(option);
    SolverSpec::parse(solver).map_or(0, |spec| spec.options.iter().filter(is_one).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::source::Case;
    use crate::oracle::correctness::Kind;
    use crate::oracle::scripted::Scripted;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::solver::answer::Answer;

    fn crashing(name: &'static str) -> Scripted {
        Scripted::new(name, |_| Answer::Crash("ASSERTION VIOLATION".into()))
    }

    #[test]
    fn a_crash_is_reported_of_the_configuration_with_the_fewest_options() {
        let script = parse("(assert false)(check-sat)", "a.smt2", &ParseOptions::default()).expect("a script");
        let case = Case::open("seed".into(), 1, script);
        let three = crashing("z3@1 a=1 b=2 c=3");
        let (limit, interrupt) = (Duration::from_secs(1), Interrupt::new());
        let testimonies = vec![Testimony::of(&three, &case.script, limit, &interrupt).expect("an answer")];
        let finding = findings(&case, &testimonies).remove(0);
        let found = Found { case, testimonies, finding };
        let with = |none_crashes: bool| {
            let [one, other] = ["z3@1 b=2", "cvc5@1"].map(crashing);
            let none = if none_crashes { crashing("z3@1") } else { Scripted::new("z3@1", |_| Answer::Unsat) };
            let (found, seconds) =
                plainest(&found, &[&three, &one, &none, &other], (limit, limit * 9), &interrupt).expect("a finding");
            (found.finding.solvers.join(","), found.testimonies.len(), seconds > 0.0)
        };
        assert_eq!(with(true), ("z3@1".into(), 1, true));
        assert_eq!(with(false), ("z3@1 b=2".into(), 1, true));
        let none = crashing("z3@1");
        let spent = plainest(&found, &[&none], (limit, Duration::ZERO), &interrupt).expect("a finding");
        assert_eq!(spent.0.finding, found.finding, "it would have to be asked twice");
        let of_two = Found { finding: Finding { kind: Kind::Disagreement, ..found.finding.clone() }, ..found.clone() };
        let (same, seconds) = plainest(&of_two, &[&three], (limit, limit), &interrupt).expect("a finding");
        assert_eq!((same.finding, seconds), (of_two.finding, 0.0), "nobody is accused of it");
    }
}
