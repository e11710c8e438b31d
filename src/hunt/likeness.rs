//! Which findings are probably one defect: the same solver, with whatever options, is wrong in the same direction, about the
//! same operators, or crashes at the same place.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Found;
use crate::oracle::correctness::Kind;
use crate::smtlib::script::Script;
use crate::solver::answer::crash::place_of_crash;

/// What findings of one defect share.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Likeness {
    direction: Direction,
    solvers: Vec<String>,
    about: About,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Direction {
    /// `sat` with a model that does not hold, whether another solver says `unsat` or nobody does.
    WrongModel,
    Other(Kind),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum About {
    Operators(BTreeSet<String>),
    Place(String),
}

impl Likeness {
    /// That of a finding with this smallest instance; `None` if there is nothing by which to tell.
    pub fn of(found: &Found, small: &Script) -> Option<Likeness> {
        let finding = &found.finding;
        let direction = match finding.kind {
            Kind::InvalidModel | Kind::SolutionUnsoundness => Direction::WrongModel,
            kind => Direction::Other(kind),
        };
        let about = match finding.kind {
            Kind::Crash => About::Place(place_of_crash(finding.message())),
            _ => About::Operators(small.telling_operators().into_iter().map(str::to_owned).collect()),
        };
        let tells = about != About::Operators(BTreeSet::new());
        tells.then(|| Likeness { direction, solvers: finding.programs(), about })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunt::source::Case;
    use crate::oracle::correctness::Finding;
    use crate::smtlib::parser::{ParseOptions, parse};

    fn likeness(kind: Kind, solver: &str, evidence: &str, assertion: &str) -> Option<Likeness> {
        let text = format!("(declare-fun a () String)\n(declare-fun n () Int)\n(assert {assertion})\n(check-sat)\n");
        let small = parse(&text, "small", &ParseOptions::default()).expect("a script");
        let finding = Finding {
            kind,
            solvers: vec![solver.to_owned()],
            because: String::new(),
            evidence: vec![evidence.to_owned()],
        };
        let found = Found { case: Case::open("seed".into(), 1, small.clone()), testimonies: Vec::new(), finding };
        Likeness::of(&found, &small)
    }

    #[test]
    fn the_same_operators_are_one_defect_of_one_solver() {
        let model = |kind, assertion| likeness(kind, "z3", "", assertion);
        let one = model(Kind::InvalidModel, "(str.< \"a\" a)");
        assert_eq!(one, model(Kind::SolutionUnsoundness, "(and (= n 0) (str.< a \"\"))"));
        assert_ne!(one, model(Kind::InvalidModel, "(str.<= \"a\" a)"));
        assert_ne!(one, model(Kind::RefutationUnsoundness, "(str.< \"a\" a)"));
        assert_ne!(one, likeness(Kind::InvalidModel, "cvc4", "", "(str.< \"a\" a)"));
        assert_eq!(one, likeness(Kind::InvalidModel, "z3 smt.arith.solver=2", "", "(str.< \"a\" a)"));
        assert_eq!(model(Kind::InvalidModel, "(= a \"b\")"), None, "nothing tells it from others");
    }

    #[test]
    fn crashes_are_one_defect_if_they_are_at_one_place() {
        let crash = |message, assertion| likeness(Kind::Crash, "z3", message, assertion);
        let one = crash("ASSERTION VIOLATION File: rewriter.cpp Line: 12", "(str.< \"a\" a)");
        assert!(one.is_some());
        assert_eq!(one, crash("ASSERTION VIOLATION File: rewriter.cpp Line: 13", "(= a \"b\")"));
        assert_ne!(one, crash("ASSERTION VIOLATION File: solver.cpp Line: 12", "(str.< \"a\" a)"));
    }
}
