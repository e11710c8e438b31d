//! Suspicion of a wrong answer, from the runs that an evaluation makes anyway: who is wrong is for a hunt to find out.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::solver::answer::Answer;

/// Why a script is worth a hunt, the strongest reason first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Suspicion {
    /// A solver crashed.
    Crash,
    /// One says `sat`, the other `unsat`.
    Contradiction,
    /// A solver's own check refutes its model.
    InvalidModel,
    /// The target says `sat`, and nobody has looked at its model.
    UnseenModel,
}

impl Suspicion {
    /// What these answers of target and reference to one script raise, the strongest suspicion.
    pub fn of(target: &Answer, reference: &Answer) -> Option<Suspicion> {
        let either = |is: fn(&Answer) -> bool| is(target) || is(reference);
        if either(|answer| matches!(answer, Answer::Crash(_))) {
            Some(Suspicion::Crash)
        } else if target.is_solved() && reference.is_solved() && target != reference {
            Some(Suspicion::Contradiction)
        } else if either(|answer| matches!(answer, Answer::InvalidModel(_))) {
            Some(Suspicion::InvalidModel)
        } else {
            (*target == Answer::Sat).then_some(Suspicion::UnseenModel)
        }
    }

    /// The word for it in tables.
    pub fn name(self) -> &'static str {
        match self {
            Suspicion::Crash => "crash",
            Suspicion::Contradiction => "contradiction",
            Suspicion::InvalidModel => "invalid-model",
            Suspicion::UnseenModel => "unseen-model",
        }
    }
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_suspicion_is_raised() {
        let crash = || Answer::Crash("signal 11".into());
        assert_eq!(Suspicion::of(&crash(), &Answer::Sat), Some(Suspicion::Crash));
        assert_eq!(Suspicion::of(&Answer::Unsat, &crash()), Some(Suspicion::Crash));
        assert_eq!(Suspicion::of(&Answer::Sat, &Answer::Unsat), Some(Suspicion::Contradiction));
        let invalid = Answer::InvalidModel(String::new());
        assert_eq!(Suspicion::of(&Answer::Sat, &invalid), Some(Suspicion::InvalidModel));
        assert_eq!(Suspicion::of(&Answer::Sat, &Answer::Timeout), Some(Suspicion::UnseenModel));
    }

    #[test]
    fn what_contradicts_nobody_raises_none() {
        assert_eq!(Suspicion::of(&Answer::Unsat, &Answer::Unsat), None);
        assert_eq!(Suspicion::of(&Answer::Timeout, &Answer::Sat), None);
        assert_eq!(Suspicion::of(&Answer::Rejected(String::new()), &Answer::Unsat), None);
    }
}
