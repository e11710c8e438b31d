//! A finding as the configuration with the fewest options shows it: a defect that needs no option is worse, and whoever mends
//! it wants to know which options it needs.

use std::time::Duration;

use super::Found;
use super::hearing::findings;
use crate::oracle::OracleError;
use crate::oracle::correctness::{Finding, program};
use crate::oracle::prover::Prover;
use crate::oracle::testimony::Testimony;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// The finding, if possible of a configuration of the same program with fewer options, and the CPU seconds that asking took.
/// `provers` are asked in the order of the number of their options.
///
/// # Errors
/// [`OracleError`] if a solver could not be run, or the user interrupted.
pub fn plainest(
    found: &Found,
    provers: &[&dyn Prover],
    limit: Duration,
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
        let testimony = Testimony::of(*prover, &found.case.script, limit, interrupt)?;
        seconds += testimony.seconds();
        let others = found.testimonies.iter().filter(|each| each.solver != *guilty).cloned();
        let testimonies: Vec<Testimony> = others.chain([testimony]).collect();
        let same = |finding: &Finding| {
            finding.kind == found.finding.kind && finding.solvers.iter().any(|each| each == prover.name())
        };
        if let Some(finding) = findings(&found.case, &testimonies).into_iter().find(same) {
            return Ok((Found { case: found.case.clone(), testimonies, finding }, seconds));
        }
    }
    Ok((found.clone(), seconds))
}

/// With how many options a configuration is run, by its name.
pub fn options(solver: &str) -> usize {
    SolverSpec::parse(solver).map_or(0, |spec| spec.options.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::individual::Timed;
    use crate::hunt::source::Case;
    use crate::oracle::correctness::Kind;
    use crate::oracle::prover::{Question, Reply};
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::solver::answer::Answer;

    /// A configuration that crashes, or answers `unsat`.
    #[derive(Debug)]
    struct Configuration(&'static str, bool);

    impl Prover for Configuration {
        fn name(&self) -> &str {
            self.0
        }

        fn version(&self) -> &'static str {
            "1"
        }

        fn dialect(&self) -> Dialect {
            Dialect::SmtLib26
        }

        fn ask(&self, _: &Question<'_>, _: &Interrupt) -> Result<Reply, OracleError> {
            let answer = if self.1 { Answer::Crash("ASSERTION VIOLATION".into()) } else { Answer::Unsat };
            let timed = Timed { answer, cpu_seconds: 1.0, wall_seconds: 1.0, peak_memory_bytes: 0 };
            Ok(Reply { timed, output: "unsat\n".into(), command: String::new() })
        }
    }

    #[test]
    fn a_crash_is_reported_of_the_configuration_with_the_fewest_options() {
        let script = parse("(assert false)(check-sat)", "a.smt2", &ParseOptions::default()).expect("a script");
        let case = Case::open("seed".into(), 1, script);
        let three = Configuration("z3@1 a=1 b=2 c=3", true);
        let (limit, interrupt) = (Duration::from_secs(1), Interrupt::new());
        let testimonies = vec![Testimony::of(&three, &case.script, limit, &interrupt).expect("an answer")];
        let finding = findings(&case, &testimonies).remove(0);
        let found = Found { case, testimonies, finding };
        let with = |none: bool| {
            let [none, one, other] =
                [("z3@1", none), ("z3@1 b=2", true), ("cvc5@1", true)].map(|(name, it)| Configuration(name, it));
            let (found, seconds) =
                plainest(&found, &[&three, &one, &none, &other], limit, &interrupt).expect("a finding");
            (found.finding.solvers.join(","), found.testimonies.len(), seconds > 0.0)
        };
        assert_eq!(with(true), ("z3@1".into(), 1, true));
        assert_eq!(with(false), ("z3@1 b=2".into(), 1, true));
        let of_two = Found { finding: Finding { kind: Kind::Disagreement, ..found.finding.clone() }, ..found.clone() };
        let (same, seconds) = plainest(&of_two, &[&three], limit, &interrupt).expect("a finding");
        assert_eq!((same.finding, seconds), (of_two.finding, 0.0), "nobody is accused of it");
    }
}
