//! A finding's instance made small, and what is to be said where it could not be.

use std::time::Duration;

use super::store::{Keeping, Store};
use crate::hunt::Found;
use crate::hunt::choices::Minimise;
use crate::hunt::kept::KeptFinding;
use crate::hunt::minimise::{by_bounds, shrunk};
use crate::oracle::OracleError;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;

/// The smallest instance that shows a finding.
#[derive(Debug)]
pub(super) struct Small {
    pub(super) script: Script,
    /// CPU seconds of solvers that it took.
    pub(super) seconds: f64,
    /// Why it is no smaller, where that is not for want of a smaller one.
    pub(super) note: Option<String>,
}

impl Small {
    /// The instance as it was found.
    pub(super) fn not_at_all(script: &Script, seconds: f64, why: Option<&str>) -> Small {
        let note = why.map(|why| format!("not made small: {why}"));
        Small { script: script.clone(), seconds, note }
    }

    /// `smaller` if it is smaller than `script` when it is printed, or else that.
    fn of(script: &Script, smaller: Script, kept: &KeptFinding<'_>, dialect: Dialect) -> Small {
        let bytes =
            |script: &Script| print(script, dialect, &PrintOptions::default()).map_or(usize::MAX, |it| it.len());
        let is_smaller = bytes(&smaller) < bytes(script);
        match (is_smaller, kept.is_spent()) {
            (true, false) => Small { script: smaller, seconds: kept.spent(), note: None },
            (true, true) => {
                let note = Some("perhaps not as small as it can be: the budget was used up".to_owned());
                Small { script: smaller, seconds: kept.spent(), note }
            }
            (false, true) => Small::not_at_all(script, kept.spent(), Some("the budget was used up")),
            (false, false) => Small::not_at_all(script, kept.spent(), None),
        }
    }
}

impl Store<'_> {
    /// The smallest instance that still shows the finding, by STORM's bounds, then by our reducer, both under the truth.
    pub(super) fn made_small(&self, found: &Found, left: Option<Duration>) -> anyhow::Result<Small> {
        let script = &found.case.script;
        let Keeping { limit, minimise, bounds, seed, .. } = self.keeping;
        if minimise == Minimise::None {
            return Ok(Small::not_at_all(script, 0.0, None));
        }
        // What comes after is to get its share, too.
        let left = left.map(|left| left / 4);
        let Some(kept) = KeptFinding::of(found, self.provers, limit, left) else {
            return Ok(Small::not_at_all(script, 0.0, Some("what proves it is gone")));
        };
        let dialect = self.dialect(found);
        let bounded = if minimise == Minimise::Reduction {
            script.clone()
        } else {
            by_bounds(&found.case, bounds, &kept, seed, self.interrupt)?
        };
        if minimise == Minimise::Bounds {
            return Ok(Small::of(script, bounded, &kept, dialect));
        }
        // What was found by bounds holds; what came with the finding may be seen once only.
        match shrunk(&bounded, &kept, dialect, self.interrupt) {
            Ok(Some(reduction)) => Ok(Small::of(script, reduction.script, &kept, dialect)),
            Ok(None) if bounded == *script && !kept.is_spent() && !self.interrupt.is_set() => {
                Ok(Small::not_at_all(script, kept.spent(), Some("the solver did not show it a second time")))
            }
            Ok(None) | Err(OracleError::Interrupted) => Ok(Small::of(script, bounded, &kept, dialect)),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::source::Case;
    use crate::oracle::correctness::{Finding, Kind};
    use crate::oracle::scripted::Scripted;
    use crate::oracle::testimony::Testimony;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::solver::answer::Answer;
    use crate::solver::process::Interrupt;

    /// Crashes always.
    const FRAGILE: Scripted = Scripted::new("fragile", |_| Answer::Crash("signal 11".to_owned()));

    fn script(text: &str) -> Script {
        parse(text, "test", &ParseOptions::default()).expect("a script")
    }

    #[test]
    fn a_result_that_is_not_smaller_gives_way_to_the_instance() {
        let limit = Duration::from_secs(1);
        let original = script("(declare-const p Bool)(assert p)(check-sat)");
        let larger = script("(declare-const p Bool)(assert (and p p))(check-sat)");
        let testimony = Testimony::of(&FRAGILE, &original, limit, &Interrupt::new()).expect("nothing is run");
        let finding = Finding {
            kind: Kind::Crash,
            solvers: vec!["fragile".to_owned()],
            because: String::new(),
            evidence: Vec::new(),
        };
        let case = Case::open("seed".to_owned(), 1, original.clone());
        let found = Found { case, testimonies: vec![testimony], finding };
        let kept = |left| KeptFinding::of(&found, &[&FRAGILE], limit, left).expect("its solver is there");
        let small = |one: &Script, other: &Script, left| {
            let small = Small::of(one, other.clone(), &kept(left), Dialect::SmtLib26);
            (small.script == *other, small.note)
        };
        let spent = Some(Duration::ZERO);
        let note = |text: &str| Some(text.to_owned());
        assert_eq!(small(&original, &larger, spent), (false, note("not made small: the budget was used up")));
        assert_eq!(small(&original, &larger, None), (false, None));
        assert_eq!(small(&larger, &original, None), (true, None));
        assert!(small(&larger, &original, spent).1.is_some_and(|note| note.starts_with("perhaps not as small")));
    }
}
