//! What a reduction must keep: a property of a script that runs of solvers decide.

mod answer;
mod command;
mod meter;
mod opposed;
mod slow;

use crate::oracle::OracleError;
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;

pub use answer::{CRASH_MARGIN, CRASH_PATIENCE, Keeps, KeptAnswer, RunLimit};
pub use command::ExitCode;
pub use meter::{Meter, Spent};
pub use opposed::Opposed;
pub use slow::{Robustness, Slow, SlowSettings, not_quick, refusal};

/// How hard a property is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rigour {
    /// As cheaply as is nearly always right: for one of many candidates.
    Look,
    /// As the user asked for it: for a milestone of the reduction, and for its result.
    Whole,
    /// As the input is judged: it need not be more than the user says it is.
    Input,
}

/// What became of one candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It has the property.
    Holds,
    /// It lacks it because the target now answers: the instance may be near one that has it.
    TargetAnswers,
    /// It lacks it for another reason.
    Fails,
}

/// A property of scripts. Reduction never needs to know which.
pub trait Property: Sync {
    /// Whether `script` has the property.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted; never what a solver does.
    fn judge(&self, script: &Script, rigour: Rigour, interrupt: &Interrupt) -> Result<Judgement, OracleError>;

    /// Whether a look may be wrong where the whole is right.
    fn is_provisional(&self) -> bool {
        false
    }

    /// A look was wrong: be stricter from now on.
    fn distrust(&self) {}
}
