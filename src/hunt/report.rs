//! A finding as a page to paste into an issue.

use std::fmt::Write;

use super::Found;
use crate::markdown::{fenced, plain, plain_cell};
use crate::oracle::correctness::{Finding, Kind};
use crate::oracle::testimony::{CrashOn, ModelVerdict, Testimony};
use crate::smtlib::dialect::Dialect;
use crate::solver::answer::Answer;

/// The texts that a finding's page shows.
#[derive(Clone, Copy, Debug)]
pub struct Texts<'a> {
    /// The smallest instance, as the solver that is wrong reads it.
    pub instance: &'a str,
    /// The assignment that satisfies it, as a model; empty if there is none.
    pub assignment: &'a str,
    /// Why the solver is wrong about the smallest instance.
    pub finding: &'a Finding,
    /// The dialect of the instance, and of the model that the solver prints.
    pub dialect: Dialect,
    /// What the solvers say about the smallest instance.
    pub testimonies: &'a [Testimony],
    /// What the solvers said when the finding was seen, if they do not say it again.
    pub seen: Option<&'a [Testimony]>,
    /// Why the instance is no smaller, where that is not for want of a smaller one.
    pub size_note: Option<&'a str>,
}

/// The page.
pub fn markdown(found: &Found, texts: &Texts<'_>) -> String {
    let (case, finding) = (&found.case, texts.finding);
    let mut page = format!("# {}\n\n", plain(&finding.because));
    let _ = writeln!(
        page,
        "{}: {}. Made of {} (instance {}).\n",
        finding.kind,
        finding.solvers.join(", "),
        plain(&case.seed),
        case.number
    );
    if found.finding.kind != finding.kind {
        let _ = writeln!(page, "On the instance as it was found it was {}.\n", found.finding.kind);
    }
    // Whoever wrote it may be wrong, or right: a reader wants to know.
    for line in case.against_status(&found.testimonies) {
        let _ = writeln!(page, "{}.\n", plain(&line));
    }
    if let Some(note) = texts.size_note {
        let _ = writeln!(page, "The instance is {note}.\n");
    }
    let _ = writeln!(page, "## Instance\n\n{}", fenced("smt2", texts.instance));
    if !texts.assignment.is_empty() {
        let _ = writeln!(page, "This assignment satisfies it:\n\n{}", fenced("smt2", texts.assignment));
    }
    if !finding.evidence.is_empty() {
        let _ = writeln!(page, "## Evidence\n\n{}", fenced("", &finding.evidence.join("\n")));
    }
    if let Some(seen) = texts.seen {
        page.push_str("## Answers when it was seen\n\n");
        push_answers(&mut page, seen);
        page.push_str("\n## Answers when all were asked again\n\n");
    } else {
        page.push_str("## Answers\n\n");
    }
    push_answers(&mut page, texts.testimonies);
    page.push_str("\n## How to reproduce\n\nSave the instance as `instance.smt2`");
    page.push_str(if texts.assignment.is_empty() { ".\n" } else { ", and the assignment as `assignment.smt2`.\n" });
    if texts.seen.is_some() {
        page.push_str("It was not seen again: this is how it was asked.\n");
    }
    for testimony in
        texts.seen.unwrap_or(texts.testimonies).iter().filter(|each| finding.solvers.contains(&each.solver))
    {
        let (solver, version) = (plain(&testimony.solver), plain(&testimony.version));
        let lines = commands(finding.kind, testimony, texts.dialect).join("\n");
        let _ = write!(page, "\nWith {solver}, version {version}:\n\n{}", fenced("sh", &lines));
    }
    if !texts.assignment.is_empty() {
        page.push_str("\nThe assignment satisfies it:\n\n```sh\n");
        // An assignment is always written as the newest standard has it.
        let dialect = Dialect::SmtLib26.name();
        let _ = writeln!(page, "mulstringfuzz eval instance.smt2 --model assignment.smt2 --dialect {dialect}\n```");
    }
    page
}

/// A table of what the solvers say.
fn push_answers(page: &mut String, testimonies: &[Testimony]) {
    page.push_str("| solver | version | answers | model | CPU |\n| --- | --- | --- | --- | ---: |\n");
    for testimony in testimonies {
        let mut answers = if testimony.answers.len() > 1 {
            testimony.answers.join(" ")
        } else {
            testimony.timed.answer.name().to_owned()
        };
        if testimony.form.plain {
            answers += " (without the script's own options, which it refuses)";
        }
        if testimony.crashed_once.is_some() {
            answers += " (once, and not when it was asked again)";
        }
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {:.2} s |",
            plain_cell(&testimony.solver),
            plain_cell(&testimony.version),
            plain_cell(&answers),
            plain_cell(&worth(testimony)),
            testimony.timed.cpu_seconds
        );
    }
}

/// The commands that show what is wrong with a testimony, a line each.
fn commands(kind: Kind, testimony: &Testimony, dialect: Dialect) -> Vec<String> {
    let command = &testimony.command;
    // The answer of the solver's own check, and how it was asked for.
    let checked = testimony.own_check.as_ref().zip(testimony.check_command.as_ref());
    match kind {
        Kind::Crash if matches!(testimony.crash(), Some((_, CrashOn::OwnCheck))) => {
            vec![checked.map_or(command, |(_, check)| check).clone()]
        }
        Kind::InvalidModel | Kind::SolutionUnsoundness => {
            let mut lines = vec![command.clone()];
            if matches!(testimony.verdict, ModelVerdict::Refuted(_)) {
                lines = vec![
                    format!("{command} > model.txt"),
                    format!("mulstringfuzz eval instance.smt2 --model model.txt --dialect {} -v", dialect.name()),
                ];
            }
            let fails = checked.filter(|(answer, _)| matches!(answer, Answer::InvalidModel(_)));
            lines.extend(fails.map(|(_, check)| format!("{check} # its own check of its model")));
            lines
        }
        _ => vec![command.clone()],
    }
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
