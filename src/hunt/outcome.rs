//! What a hunt came to, as its folder has it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::likeness::Likeness;
use super::{Ended, Position, Tally};
use crate::number::counted;
use crate::oracle::correctness::Kind;

/// The names in a hunt's folder.
pub mod names {
    /// The numbers and the list of defects.
    pub const HUNT: &str = "hunt.json";
    /// What was asked for: all that a hunt needs to go on.
    pub const CONFIG: &str = "hunt.toml";
    /// `NNN`, a folder for each defect.
    pub const FINDINGS: &str = "findings";
    /// The findings by kind, logic and number of options, as tables.
    pub const TABLES: &str = "tables.md";
    /// A defect's instance as it was found.
    pub const INSTANCE: &str = "instance.smt2";
    /// A defect's smallest instance.
    pub const REDUCED: &str = "reduced.smt2";
}

/// The most answers that contradict the status of a seed that are printed.
const SHOWN_AGAINST_STATUS: usize = 5;

/// What a hunt came to, as `hunt.json` says it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether it came to its end: no interrupt, no failure.
    #[serde(default)]
    pub complete: bool,
    /// Why it ended; none while it goes on, or if it failed.
    #[serde(default)]
    pub ended: Option<Ended>,
    /// Where it is.
    #[serde(default)]
    pub position: Position,
    /// Elapsed seconds, of all processes that worked on it.
    #[serde(default)]
    pub wall_seconds: f64,
    /// What was asked and answered.
    #[serde(flatten)]
    pub tally: Tally,
    /// The defects, in the order in which they were found.
    pub defects: Vec<Defect>,
    /// What is known to show them, by which a repetition is told before it is made small.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<Seen>,
}

/// What is known to show a defect: a finding of the same kind and place, of the same solvers, made of the same seed, is a
/// repetition of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The defect's number.
    pub defect: String,
    /// The kind, as it was found.
    pub kind: Kind,
    /// The place that the message of a crash names; empty otherwise.
    pub place: String,
    /// The seed's name.
    pub seed: String,
}

/// A defect of a hunt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Defect {
    /// Its folder's name.
    pub number: String,
    /// Its kind, as the smallest instance shows it.
    pub kind: Kind,
    /// Its kind on the instance on which it was found, if that is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_as: Option<Kind>,
    /// Who is wrong.
    pub solvers: Vec<String>,
    /// The logic that the instance sets on which it was found, if it sets one: a small one seldom needs any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logic: Option<String>,
    /// Whether the instance on which it was found asks several times, among `push` and `pop`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incremental: bool,
    /// With how many options the first of these was run.
    #[serde(default)]
    pub options: usize,
    /// Why, in one sentence about the smallest instance.
    pub because: String,
    /// The lines that prove it.
    pub evidence: Vec<String>,
    /// The seed's name.
    pub seed: String,
    /// On which instance of that seed it was first found.
    pub instance: u64,
    /// How many instances show it.
    pub times: u64,
    /// Whether it did not show when all were asked again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
    /// Whether the hunt was stopped while it dealt with this defect: it is not counted, and a hunt that goes on finds it
    /// again and makes it small.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
    /// The first defect that is probably the same ([`Likeness`]); none if this is the first.
    #[serde(default)]
    pub like: Option<String>,
    /// By what later findings are probably the same.
    #[serde(default)]
    pub likeness: Option<Likeness>,
    /// The [`shape`](crate::triage::cluster::shape) of the smallest instance, hexadecimal.
    #[serde(default)]
    pub shape: String,
    /// Bytes of the smallest instance.
    pub bytes: usize,
    /// Lines of it.
    pub lines: usize,
    /// Bytes of the instance as it was found.
    pub bytes_before: usize,
    /// Why the smallest instance is no smaller, where that is not for want of a smaller one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_note: Option<String>,
}

impl Outcome {
    /// One defect, found on the last of so many instances.
    #[cfg(test)]
    pub(crate) fn of_one(kind: Kind, instances: u64, solver_seconds: f64) -> Outcome {
        let defect = Defect {
            number: "001".into(),
            kind,
            found_as: None,
            solvers: vec!["z3".into()],
            logic: None,
            incremental: false,
            options: 0,
            because: "z3 is wrong".into(),
            evidence: Vec::new(),
            seed: "seed.smt2".into(),
            instance: instances,
            times: 1,
            once: false,
            unfinished: false,
            like: None,
            likeness: None,
            shape: String::new(),
            bytes: 10,
            lines: 1,
            bytes_before: 20,
            size_note: None,
        };
        let tally = Tally { instances, solver_seconds, ..Tally::default() };
        Outcome { complete: true, tally, defects: vec![defect], ..Outcome::default() }
    }

    /// The first defect that was found as one of this kind, or is one.
    pub fn first(&self, kind: Kind) -> Option<&Defect> {
        self.defects.iter().find(|defect| defect.found_as == Some(kind) || defect.kind == kind)
    }

    /// How many wrong answers, wrong models and crashes there are that are probably none of the others.
    pub fn wrong_answers(&self) -> usize {
        self.defects.iter().filter(|defect| defect.like.is_none() && defect.kind.is_wrong()).count()
    }

    /// How many findings there are of which nobody is wrong for certain, that are probably none of the others.
    pub fn other_findings(&self) -> usize {
        self.defects.iter().filter(|defect| defect.like.is_none() && !defect.kind.is_wrong()).count()
    }

    /// How many findings are probably the same as an earlier one.
    pub fn alike_findings(&self) -> usize {
        self.defects.iter().filter(|defect| defect.like.is_some()).count()
    }

    /// The table that is printed.
    pub fn text(&self) -> String {
        let Tally { instances, unsatisfied, barren_seeds, answers, solver_seconds, minimising_seconds, .. } =
            &self.tally;
        let asked = counted(*instances as usize, "instance");
        let mut text = format!("{asked}, {:.1} s of CPU time of solvers\n", solver_seconds + minimising_seconds);
        match unsatisfied {
            0 => {}
            1 => text += "1 instance was not satisfied by its assignment and was not judged\n",
            _ => {
                let _ = writeln!(
                    text,
                    "{unsatisfied} instances were not satisfied by their assignments and were not judged"
                );
            }
        }
        if *barren_seeds > 0 {
            let _ = writeln!(text, "{} gave no instance", counted(*barren_seeds as usize, "seed"));
        }
        text += &self.left_out();
        for (solver, counts) in answers {
            let counts: Vec<String> = counts.iter().map(|(answer, count)| format!("{count} {answer}")).collect();
            let _ = writeln!(text, "{solver}: {}", counts.join(", "));
        }
        for (known, times) in &self.tally.known {
            let _ = writeln!(text, "{} known by {known:?}", counted(*times as usize, "finding"));
        }
        let shown = self.tally.against_status.iter().take(SHOWN_AGAINST_STATUS);
        text.extend(shown.map(|line| format!("note: {line}\n")));
        if let more @ 1.. = self.tally.against_status.len().saturating_sub(SHOWN_AGAINST_STATUS) {
            let (answers, contradict) = if more == 1 { ("answer", "contradicts") } else { ("answers", "contradict") };
            let _ = writeln!(text, "note: {more} more {answers} {contradict} a :status; hunt.json has them");
        }
        if self.tally.excused > 0 {
            let excused = counted(self.tally.excused as usize, "answer");
            let _ = writeln!(
                text,
                "{excused} seemed wrong under options of a script's own, but not without them: nobody is accused"
            );
        }
        if !self.tally.internal_errors.is_empty() {
            let failed = counted(self.tally.internal_errors.len(), "internal error");
            let _ = writeln!(text, "{failed} of mulstringfuzz itself: see internal-errors, and please report them");
        }
        if self.defects.is_empty() {
            return match self.tally.nothing_compared() {
                Some(why) => text + &why + "\n",
                None if self.tally.judged == 0 => {
                    text + "nothing was compared: no instance got answers from enough solvers\n"
                }
                None => text + "no defects\n",
            };
        }
        text += "\n| defect | like | kind | solver | times | bytes | lines | seed |\n";
        text += "| ---: | ---: | --- | --- | ---: | ---: | ---: | --- |\n";
        for each in &self.defects {
            let Defect { number, like, kind, solvers, times, bytes, lines, seed, .. } = each;
            let like = like.as_deref().unwrap_or_default();
            let _ = writeln!(
                text,
                "| {number} | {like} | {kind} | {} | {times} | {bytes} | {lines} | {seed} |",
                solvers.join(" ")
            );
        }
        text + &self.count() + "\n"
    }

    /// How many seeds gave nothing because of what they are, and why the first did not.
    fn left_out(&self) -> String {
        let Tally { unreadable_seeds, unfit_seeds, .. } = &self.tally;
        let counts = [(unreadable_seeds, "could not be read"), (unfit_seeds, "could not be used")];
        let said = counts.into_iter().filter(|(count, _)| **count > 0);
        let said: Vec<String> =
            said.map(|(count, why)| format!("{} {why}", counted(*count as usize, "seed"))).collect();
        if said.is_empty() {
            return String::new();
        }
        format!("{}:\n{}", said.join(", "), self.tally.reasons())
    }

    /// How many findings there are, and how many of them are probably none of their own.
    fn count(&self) -> String {
        let mut line = counted(self.defects.len(), "finding");
        if let alike @ 1.. = self.alike_findings() {
            let _ = write!(line, ", {alike} of them probably the same as an earlier one (column like)");
        }
        if let once @ 1.. = self.defects.iter().filter(|defect| defect.once).count() {
            let _ = write!(line, ", {once} not seen again when all were asked once more");
        }
        if let unfinished @ 1.. = self.defects.iter().filter(|defect| defect.unfinished).count() {
            let _ = write!(line, ", {unfinished} not dealt with when the hunt was stopped");
        }
        line
    }
}

impl Defect {
    /// Its folder, of the hunt in `folder`.
    pub fn folder(&self, folder: &Path) -> PathBuf {
        folder.join(names::FINDINGS).join(&self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_nouns() {
        let text = |instances, unsatisfied, barren_seeds| {
            let tally = Tally { instances, unsatisfied, barren_seeds, judged: 1, ..Tally::default() };
            Outcome { complete: true, tally, ..Outcome::default() }.text()
        };
        let one = text(1, 1, 1);
        for line in ["1 instance, 0.0 s", "1 instance was not satisfied by its assignment and was", "1 seed gave"] {
            assert!(one.contains(line), "{line}: {one}");
        }
        let two = text(2, 2, 2);
        for line in
            ["2 instances, 0.0 s", "2 instances were not satisfied by their assignments and were", "2 seeds gave"]
        {
            assert!(two.contains(line), "{line}: {two}");
        }
    }

    #[test]
    fn the_last_line_says_how_many_findings_are_probably_the_same() {
        let mut outcome = Outcome::of_one(Kind::Crash, 9, 1.0);
        assert!(outcome.text().ends_with("|\n1 finding\n"), "{}", outcome.text());
        let again = |number: &str| Defect {
            number: number.to_owned(),
            like: Some("001".to_owned()),
            ..outcome.defects[0].clone()
        };
        let others = [again("002"), Defect { once: true, ..again("003") }];
        outcome.defects.extend(others);
        let last = "3 findings, 2 of them probably the same as an earlier one (column like), 1 not seen again when all were \
                    asked once more\n";
        assert!(outcome.text().ends_with(last), "{}", outcome.text());
    }
}
