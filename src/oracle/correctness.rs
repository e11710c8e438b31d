//! Who is wrong: from what is known of a script, and what several solvers say about it.
//!
//! Nobody is accused by a vote alone: an `unsat` is wrong if some assignment satisfies the script by our evaluator, and a
//! `sat` if its model does not hold. Where neither is there, solvers that contradict each other are reported as that.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::testimony::{CrashOn, ModelVerdict, Testimony};
use crate::solver::answer::Answer;
use crate::solver::profile::SolverSpec;

/// The kinds of defect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `unsat`, although an assignment satisfies the script.
    RefutationUnsoundness,
    /// `sat` with a model that does not hold, where another solver says `unsat`.
    SolutionUnsoundness,
    /// A model that does not hold, of a script that may be satisfiable all the same.
    InvalidModel,
    /// A crash, a failed internal check, a signal.
    Crash,
    /// Solvers contradict each other, and nothing tells who is wrong.
    Disagreement,
    /// `unknown` in a logic that is decidable.
    Incompleteness,
}

impl Kind {
    /// The name in tables and folders: `refutation-unsoundness` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Kind::RefutationUnsoundness => "refutation-unsoundness",
            Kind::SolutionUnsoundness => "solution-unsoundness",
            Kind::InvalidModel => "invalid-model",
            Kind::Crash => "crash",
            Kind::Disagreement => "disagreement",
            Kind::Incompleteness => "incompleteness",
        }
    }

    /// Whether a solver is wrong for certain: not where nothing tells which of two it is, nor where one gives up.
    pub fn is_wrong(self) -> bool {
        !matches!(self, Kind::Disagreement | Kind::Incompleteness)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One defect of one solver on one script.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// Its kind.
    pub kind: Kind,
    /// The solver that is wrong; of a disagreement those in the minority, or all that contradict each other.
    pub solvers: Vec<String>,
    /// Why, in one sentence.
    pub because: String,
    /// The lines that prove it: an assertion that a model refutes, a crash's message, and what a crash that came once
    /// printed.
    pub evidence: Vec<String>,
}

impl Finding {
    /// The solvers that it is about, without their options, each once.
    pub fn programs(&self) -> Vec<String> {
        programs(&self.solvers)
    }

    /// The first line of the evidence: of a crash, its message.
    pub fn message(&self) -> &str {
        self.evidence.first().map_or("", String::as_str)
    }

    /// Whether another finding, on a smaller script, is the same one: the same solver is wrong in the same way. A wrong model is
    /// one whether another solver says `unsat` or nobody does; who is in the minority may change with the script.
    pub fn is_like(&self, other: &Finding) -> bool {
        let is_of_model = |kind: Kind| matches!(kind, Kind::InvalidModel | Kind::SolutionUnsoundness);
        match self.kind {
            Kind::InvalidModel | Kind::SolutionUnsoundness => is_of_model(other.kind) && self.solvers == other.solvers,
            Kind::Disagreement => {
                other.kind == self.kind && self.solvers.iter().any(|solver| other.solvers.contains(solver))
            }
            _ => self.kind == other.kind && self.solvers == other.solvers,
        }
    }
}

/// The program, with its version, of which this is a configuration.
pub fn program(solver: &str) -> String {
    let without_options = |spec| SolverSpec { options: Vec::new(), ..spec }.to_string();
    SolverSpec::parse(solver).map_or_else(|_| solver.to_owned(), without_options)
}

/// The programs of these configurations, sorted, each once.
pub fn programs(solvers: &[String]) -> Vec<String> {
    let programs: BTreeSet<String> = solvers.iter().map(|solver| program(solver)).collect();
    programs.into_iter().collect()
}

/// What is known of a script before anybody is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// Nothing.
    Unknown,
    /// An assignment satisfies it, at every question.
    Satisfied,
}

/// Logics in which every script is decidable. Strings with lengths and quantifiers beyond them are not known to be.
const DECIDABLE: &[&str] = &[
    "QF_UF",
    "QF_BV",
    "QF_UFBV",
    "QF_ABV",
    "QF_AUFBV",
    "QF_AX",
    "QF_IDL",
    "QF_RDL",
    "QF_LIA",
    "QF_LRA",
    "QF_LIRA",
    "QF_UFLIA",
    "QF_UFLRA",
    "QF_UFIDL",
    "QF_ALIA",
    "QF_AUFLIA",
    "LIA",
    "LRA",
    "BV",
];

/// Words of the reasons for an `unknown` that came of a bound on time or work.
const LIMITS: [&str; 5] = ["limit", "resource", "cancel", "interrupt", "max-conflicts"];

/// Accuses the solvers that are wrong about a script of this logic.
pub fn judge(truth: Truth, logic: Option<&str>, testimonies: &[Testimony]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let proof = proof_of_sat(truth, testimonies);
    for testimony in testimonies {
        findings.extend(crash(testimony));
        findings.extend(proof.as_ref().and_then(|(proof, _)| wrong_unsat(testimony, proof)));
        findings.extend(wrong_model(testimony, testimonies, proof.is_some()));
        findings.extend(incomplete(testimony, logic));
    }
    if proof.is_none() {
        findings.extend(disagreement(testimonies));
    }
    findings
}

/// Why the script is satisfiable, and whose model shows it.
fn proof_of_sat(truth: Truth, testimonies: &[Testimony]) -> Option<(String, Option<String>)> {
    if truth == Truth::Satisfied {
        return Some(("the assignment that comes with it satisfies every assertion".to_owned(), None));
    }
    let holder = testimonies.iter().find(|each| each.verdict == ModelVerdict::Satisfies)?;
    Some((format!("{}'s model satisfies every assertion", holder.solver), Some(holder.solver.clone())))
}

fn says(testimony: &Testimony, answer: &str) -> bool {
    testimony.answers.iter().any(|each| each == answer)
}

fn crash(testimony: &Testimony) -> Option<Finding> {
    let (message, on) = testimony.crash()?;
    let when = match on {
        CrashOn::Script => "crashes",
        CrashOn::Model => "crashes, but only when it is asked for its model",
        CrashOn::OwnCheck => "crashes when it checks its own model",
        CrashOn::Once => "crashed once, and not when it was asked again",
    };
    let printed = testimony.crashed_once.iter().flat_map(|printed| printed.lines());
    let evidence = std::iter::once(message).chain(printed.filter(|line| *line != message)).map(str::to_owned).collect();
    Some(Finding {
        kind: Kind::Crash,
        solvers: vec![testimony.solver.clone()],
        because: format!("{} {when}", testimony.solver),
        evidence,
    })
}

fn wrong_unsat(testimony: &Testimony, proof: &str) -> Option<Finding> {
    let question = testimony.answers.iter().position(|answer| answer == "unsat")?;
    let place = if testimony.answers.len() > 1 { format!(" to question {}", question + 1) } else { String::new() };
    Some(Finding {
        kind: Kind::RefutationUnsoundness,
        solvers: vec![testimony.solver.clone()],
        because: format!("{} answers unsat{place}, but {proof}", testimony.solver),
        evidence: Vec::new(),
    })
}

fn wrong_model(testimony: &Testimony, all: &[Testimony], satisfiable: bool) -> Option<Finding> {
    if !testimony.model_is_wrong() {
        return None;
    }
    let opposed = all.iter().find(|other| says(other, "unsat")).filter(|_| !satisfiable);
    let by_own_check =
        [Some(&testimony.timed.answer), testimony.own_check.as_ref()].into_iter().flatten().find_map(|answer| {
            match answer {
                Answer::InvalidModel(message) => Some(format!("its own check: {message}")),
                _ => None,
            }
        });
    let mut evidence = match &testimony.verdict {
        ModelVerdict::Refuted(lines) => lines.clone(),
        _ => Vec::new(),
    };
    evidence.extend(by_own_check);
    let solver = &testimony.solver;
    let (kind, because) = match opposed {
        Some(other) => (
            Kind::SolutionUnsoundness,
            format!("{solver} answers sat with a model that does not hold, and {} answers unsat", other.solver),
        ),
        None => (Kind::InvalidModel, format!("{solver} answers sat with a model that does not hold")),
    };
    Some(Finding { kind, solvers: vec![solver.clone()], because, evidence })
}

fn incomplete(testimony: &Testimony, logic: Option<&str>) -> Option<Finding> {
    let logic = logic.filter(|logic| DECIDABLE.contains(logic))?;
    let Answer::Unknown(reason) = &testimony.timed.answer else { return None };
    // What we make of an output that is too long is no word of the solver.
    testimony.answers.last().filter(|answer| *answer == "unknown")?;
    // A tactic may be a simplification that leaves most of what it is given open.
    if SolverSpec::parse(&testimony.solver).is_ok_and(|solver| solver.tactic().is_some()) {
        return None;
    }
    // A bound that somebody set says nothing about what the solver can decide.
    if LIMITS.iter().any(|limit| reason.to_lowercase().contains(limit)) {
        return None;
    }
    Some(Finding {
        kind: Kind::Incompleteness,
        solvers: vec![testimony.solver.clone()],
        because: format!("{} answers unknown, and {logic} is decidable", testimony.solver),
        evidence: vec![reason.clone()],
    })
}

/// Solvers that contradict each other although nothing speaks against the models of those that say `sat`.
fn disagreement(testimonies: &[Testimony]) -> Option<Finding> {
    let questions = testimonies.iter().map(|each| each.answers.len()).max()?;
    for question in 0..questions {
        let saying = |answer: &str| -> Vec<&Testimony> {
            testimonies
                .iter()
                .filter(|each| each.answers.get(question).is_some_and(|it| it == answer) && !each.model_is_wrong())
                .collect()
        };
        let (sat, unsat) = (saying("sat"), saying("unsat"));
        if sat.is_empty() || unsat.is_empty() {
            continue;
        }
        let names = |side: &[&Testimony]| side.iter().map(|each| each.solver.clone()).collect::<Vec<String>>();
        let (sat, unsat) = (names(&sat), names(&unsat));
        let solvers = match sat.len().cmp(&unsat.len()) {
            std::cmp::Ordering::Less => sat.clone(),
            std::cmp::Ordering::Greater => unsat.clone(),
            std::cmp::Ordering::Equal => [sat.clone(), unsat.clone()].concat(),
        };
        return Some(Finding {
            kind: Kind::Disagreement,
            solvers,
            because: format!("sat by {}; unsat by {}; no model decides", sat.join(", "), unsat.join(", ")),
            evidence: Vec::new(),
        });
    }
    None
}

#[cfg(test)]
mod tests;
