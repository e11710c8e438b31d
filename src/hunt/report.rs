//! A finding as a page to paste into an issue.

use std::fmt::Write;

use super::Found;
use crate::oracle::correctness::Finding;
use crate::oracle::testimony::{ModelVerdict, Testimony};

/// The texts that a finding's page shows.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The smallest instance, as the solver that is wrong reads it.
    pub instance: &'a str,
    /// The assignment that satisfies it, as a model; empty if there is none.
    pub assignment: &'a str,
    /// Why the solver is wrong about the smallest instance.
    pub finding: &'a Finding,
    /// What the solvers say about the smallest instance.
    pub testimonies: &'a [Testimony],
}

/// The page.
pub fn markdown(found: &Found, texts: &Texts<'_>) -> String {
    let (case, finding) = (&found.case, texts.finding);
    let mut page = format!("# {}\n\n", finding.because);
    let _ = writeln!(
        page,
        "{}: {}. Made of {} (instance {}).\n",
        finding.kind,
        finding.solvers.join(", "),
        case.seed,
        case.number
    );
    let _ = writeln!(page, "## Instance\n\n```smt2\n{}```\n", texts.instance);
    if !texts.assignment.is_empty() {
        let _ = writeln!(page, "This assignment satisfies it:\n\n```smt2\n{}```\n", texts.assignment);
    }
    if !finding.evidence.is_empty() {
        let _ = writeln!(page, "## Evidence\n\n```\n{}\n```\n", finding.evidence.join("\n"));
    }
    page.push_str("## Answers\n\n| solver | version | answers | model | CPU |\n| --- | --- | --- | --- | ---: |\n");
    for testimony in texts.testimonies {
        let answers = if testimony.answers.len() > 1 {
            testimony.answers.join(" ")
        } else {
            testimony.timed.answer.name().to_owned()
        };
        let _ = writeln!(
            page,
            "| {} | {} | {answers} | {} | {:.2} s |",
            testimony.solver,
            testimony.version,
            worth(testimony),
            testimony.timed.cpu_seconds
        );
    }
    page.push_str("\n## How to reproduce\n\nSave the instance as `instance.smt2`.\n\n");
    for testimony in texts.testimonies.iter().filter(|each| finding.solvers.contains(&each.solver)) {
        let _ = writeln!(page, "```sh\n{}\n```", testimony.command);
    }
    page
}

fn worth(testimony: &Testimony) -> String {
    let checked = match &testimony.own_check {
        Some(answer) if answer.name() == "invalid-model" => "; its own check fails",
        _ => "",
    };
    let ours = match &testimony.verdict {
        ModelVerdict::None => "-",
        ModelVerdict::Satisfies => "holds",
        ModelVerdict::Refuted(_) => "does not hold",
        ModelVerdict::Open(_) => "undecided",
        ModelVerdict::Unreadable(_) => "unreadable",
    };
    format!("{ours}{checked}")
}
