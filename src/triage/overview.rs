//! What a triage comes to: the list of all defects (`triage.md`), and the same for programs (`triage.json`).

use std::fmt::{self, Write};

use serde::{Deserialize, Serialize};

use super::expenses::{Expense, told};
use super::report::{Defect, Like};
use super::severity::Severity;
use crate::markdown::{cell, code, plain};
use crate::smtlib::printer::first_assertion;

/// The result of a triage: `triage.json`.
#[derive(Debug, Default, Serialize)]
pub struct Triage {
    /// How many instances there were.
    pub instances: usize,
    /// The distinct defects, the worst first.
    pub defects: Vec<Defect>,
    /// The instances that are in none of them.
    pub dropped: Vec<Dropped>,
    /// Why it was stopped before its end, if it was.
    pub stopped: Option<Stopped>,
    /// What all of it was found out with.
    pub conditions: Option<Conditions>,
    /// CPU seconds of solvers that it took.
    pub solver_seconds: f64,
    /// How many of the defects are as an earlier triage left them.
    pub taken_over: usize,
    /// What solvers took, and what for.
    pub spent: Vec<Expense>,
}

/// What a triage finds out something with: under others, it is something else.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// The target, with its version.
    pub target: String,
    /// The reference, with its version.
    pub reference: String,
    /// CPU time in which the target must fail to answer.
    pub limit_seconds: f64,
    /// CPU time of the runs that confirm.
    pub confirm_limit_seconds: f64,
    /// The patterns that were known beforehand.
    #[serde(default)]
    pub known: Vec<String>,
}

/// An instance that is in no defect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Dropped {
    /// Its name.
    pub instance: String,
    /// Why.
    pub reason: Reason,
    /// Whether a run has confirmed it.
    pub confirmed_by_run: bool,
}

/// Why an instance is in no defect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The triage was stopped before its turn.
    NotTried(Stopped),
    /// It is the same script as the instance of this name.
    SameAs(String),
    /// It cannot be read, or is not slow.
    Unfit(String),
    /// The program itself failed on it.
    Internal(String),
}

/// What stopped a triage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// The user.
    Interrupted,
    /// Its budget, or the time by which it had to end.
    Budget,
}

impl Stopped {
    /// What happened, as the end of a sentence.
    fn told(self) -> &'static str {
        match self {
            Stopped::Interrupted => "the triage was interrupted",
            Stopped::Budget => "the budget was used up",
        }
    }

    /// What the list ends with: how a triage that was stopped goes on.
    fn advice(self) -> &'static str {
        match self {
            Stopped::Interrupted => {
                "Interrupted: `mulstringfuzz triage` with the same inputs, options and `--out` goes on; reductions are kept \
                 as far as they came."
            }
            Stopped::Budget => {
                "The budget is used up: `mulstringfuzz triage` with the same `--out` and a new budget goes on; reductions \
                 are kept as far as they came."
            }
        }
    }
}

impl Reason {
    /// What the text of one begins with that was not tried.
    pub const NOT_TRIED: &str = "not tried";
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotTried(stopped) => write!(f, "{}: {}", Self::NOT_TRIED, stopped.told()),
            Reason::SameAs(other) => write!(f, "the same as {other}"),
            Reason::Unfit(reason) => f.write_str(reason),
            Reason::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Triage {
    /// How many distinct defects are confirmed, by this triage or by the runs that found them.
    pub fn confirmed(&self) -> usize {
        self.defects.iter().filter(|defect| defect.is_confirmed()).count()
    }

    /// How many of those are not probably the same as another of them.
    pub fn unlike(&self) -> usize {
        let is_confirmed =
            |number: usize| self.defects.iter().any(|other| other.number == number && other.is_confirmed());
        let is_like = |like: &Like| is_confirmed(like.number);
        self.defects.iter().filter(|defect| defect.is_confirmed() && !defect.like.as_ref().is_some_and(is_like)).count()
    }

    /// How many instances are confirmed by the runs that found them, but were not tried here: which defects they are is
    /// not known.
    pub fn confirmed_untried(&self) -> usize {
        let is_one = |dropped: &&Dropped| dropped.confirmed_by_run && matches!(dropped.reason, Reason::NotTried(_));
        self.dropped.iter().filter(is_one).count()
    }

    /// The list: `triage.md`.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        // A string cannot fail to be written to.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "# {}\n", self.heading())?;
        if !self.defects.is_empty() {
            writeln!(
                out,
                "| defect | class | times slower | complexity | bytes | instances | probably | first line |"
            )?;
            writeln!(out, "| ---: | --- | ---: | ---: | ---: | ---: | --- | --- |")?;
        }
        for defect in &self.defects {
            write_row(out, defect)?;
        }
        if self.defects.iter().any(|defect| defect.severity.members > 1) {
            writeln!(
                out,
                "\nThe instances of one defect are equal up to names and literals when reduced, or its pattern explains them."
            )?;
        }
        for Defect { number, like, .. } in &self.defects {
            if let Some(Like { number: other, because }) = like {
                writeln!(out, "\n{number:03} is probably the same as {other:03} ({because}).")?;
            }
        }
        if self.taken_over > 0 {
            let (noun, verb, object) =
                if self.taken_over == 1 { ("defect", "is", "it") } else { ("defects", "are", "them") };
            writeln!(out, "\n{} {noun} {verb} as an earlier triage left {object}.", self.taken_over)?;
        }
        self.write_dropped(out)?;
        if let Some(spent) = told(&self.spent) {
            writeln!(out, "\n{spent}")?;
        }
        if let Some(stopped) = self.stopped {
            writeln!(out, "\n{}", stopped.advice())?;
        }
        Ok(())
    }

    /// `2 distinct defects in 3 instances: 1 confirmed, 1 probably the same as an earlier one`.
    fn heading(&self) -> String {
        let plural = |count: usize, noun: &str| match count {
            0 => format!("no {noun}"),
            1 => format!("1 {noun}"),
            _ => format!("{count} {noun}s"),
        };
        let confirmed = self.defects.iter().filter(|defect| defect.confirmed.is_some()).count();
        let by_runs = self.confirmed() - confirmed;
        let like = self.defects.iter().filter(|defect| defect.like.is_some()).count();
        let mut told =
            format!("{} in {}", plural(self.defects.len(), "distinct defect"), plural(self.instances, "instance"));
        if !self.defects.is_empty() {
            let confirmed = if confirmed == 0 { "none".to_owned() } else { confirmed.to_string() };
            let _ = write!(told, ": {confirmed} confirmed");
        }
        if by_runs > 0 {
            let _ = write!(told, ", {by_runs} confirmed by the run alone");
        }
        if like > 0 {
            let _ = write!(told, ", {like} probably the same as an earlier one");
        }
        if self.stopped.is_some() {
            told += " (not finished)";
        }
        told[..1].to_uppercase() + &told[1..]
    }

    /// One line for each, but only one for all that were not tried and that no run has confirmed.
    fn write_dropped(&self, out: &mut String) -> fmt::Result {
        let (untried, others): (Vec<&Dropped>, Vec<&Dropped>) = self
            .dropped
            .iter()
            .partition(|dropped| matches!(dropped.reason, Reason::NotTried(_)) && !dropped.confirmed_by_run);
        if !self.dropped.is_empty() {
            writeln!(out, "\nNot among them:\n")?;
        }
        for Dropped { instance, reason, confirmed_by_run } in others {
            let confirmed = if *confirmed_by_run { "confirmed by the run, but here " } else { "" };
            writeln!(out, "- {}: {confirmed}{}", plain(instance), plain(&reason.to_string()))?;
        }
        for stopped in [Stopped::Interrupted, Stopped::Budget] {
            let count = untried.iter().filter(|dropped| dropped.reason == Reason::NotTried(stopped)).count();
            let verb = if count == 1 { "was" } else { "were" };
            if count > 0 {
                writeln!(out, "- {count} more {verb} not tried: {}", stopped.told())?;
            }
        }
        Ok(())
    }
}

fn write_row(out: &mut String, defect: &Defect) -> fmt::Result {
    let Severity { ratio, complexity, members, .. } = defect.severity;
    let times = if ratio > 0.0 { format!("> {ratio:.0}") } else { "-".to_owned() };
    let like = defect.like.as_ref().map_or_else(|| "-".to_owned(), |like| format!("{:03}", like.number));
    let line = code(&cell(first_assertion(&defect.instance)));
    writeln!(
        out,
        "| {:03} | {} | {times} | {complexity} | {} | {members} | {like} | {line} |",
        defect.number,
        defect.label(),
        defect.instance.len()
    )
}

#[cfg(test)]
mod tests {
    use super::super::report::tests::untried;
    use super::*;

    #[test]
    fn a_triage_that_was_stopped_says_so_and_how_to_go_on() {
        let not_tried = |name: &str| Dropped {
            instance: name.into(),
            reason: Reason::NotTried(Stopped::Budget),
            confirmed_by_run: false,
        };
        let unfit = Dropped { instance: "c".into(), reason: Reason::SameAs("b".into()), confirmed_by_run: false };
        let like = Like { number: 1, because: "the same operators: `str.substr`".into() };
        let triage = Triage {
            instances: 6,
            defects: vec![
                Defect { confirmed_by_run: true, ..untried(1, "a") },
                Defect { like: Some(like), ..untried(2, "b") },
            ],
            dropped: vec![not_tried("d"), unfit, not_tried("e"), Dropped { confirmed_by_run: true, ..not_tried("f") }],
            stopped: Some(Stopped::Budget),
            taken_over: 1,
            ..Triage::default()
        };
        assert_eq!((triage.confirmed(), triage.unlike()), (1, 1));
        insta::assert_snapshot!(triage.markdown(), @r"
        # 2 distinct defects in 6 instances: none confirmed, 1 confirmed by the run alone, 1 probably the same as an earlier one (not finished)

        | defect | class | times slower | complexity | bytes | instances | probably | first line |
        | ---: | --- | ---: | ---: | ---: | ---: | --- | --- |
        | 001 | by the run | - | 3 | 14 | 1 | - | `(assert true)` |
        | 002 | not tried | - | 3 | 14 | 1 | 001 | `(assert true)` |

        002 is probably the same as 001 (the same operators: `str.substr`).

        1 defect is as an earlier triage left it.

        Not among them:

        - c: the same as b
        - f: confirmed by the run, but here not tried: the budget was used up
        - 2 more were not tried: the budget was used up

        The budget is used up: `mulstringfuzz triage` with the same `--out` and a new budget goes on; reductions are kept as far as they came.
        ");
        let json = serde_json::to_value(&triage).expect("JSON");
        assert_eq!(json["dropped"][0]["reason"], "not tried: the budget was used up");
        assert_eq!(
            (json["stopped"].as_str(), json["defects"][1]["like"]["number"].as_u64()),
            (Some("budget"), Some(1))
        );
    }

    #[test]
    fn counts_and_nouns_agree() {
        let one = |name: &str| Dropped {
            instance: name.into(),
            reason: Reason::NotTried(Stopped::Interrupted),
            confirmed_by_run: false,
        };
        let triage = Triage { instances: 2, dropped: vec![one("a")], ..Triage::default() };
        assert!(triage.markdown().contains("\n- 1 more was not tried: the triage was interrupted\n"));
        assert_eq!(triage.heading(), "No distinct defect in 2 instances");
        let triage = Triage { instances: 1, defects: vec![untried(1, "a")], ..Triage::default() };
        assert_eq!(triage.heading(), "1 distinct defect in 1 instance: none confirmed");
    }
}
