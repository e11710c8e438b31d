//! What a triage writes of one defect: the confirmed report, and below it what makes it worth reading.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::known::Known;
use super::severity::Severity;
use super::variants::Variant;
use crate::explain::{Growth, WhereTime, markdown};
use crate::known;
use crate::markdown::{fenced, plain_cell};
use crate::matrix::Matrix;
use crate::oracle::performance::{Confirmed, NotConfirmed};
use crate::reduce::size::Size;

/// What the line begins with that names an earlier defect.
const LIKE: &str = "Probably the same as ";
/// The heading of the instances.
const FOUND_AS: &str = "## Found as";

/// A raw instance that is this defect.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Member {
    /// Its name: the file's, or the number that the run gave it.
    pub name: String,
    /// Its file.
    pub path: String,
    /// Its size as it was found.
    pub found: Size,
    /// Its size after reduction; none if it was not reduced, because the defect's pattern explains it.
    pub reduced: Option<Size>,
    /// Whether the reduction was stopped before its end.
    pub unfinished: bool,
    /// Its reduced form, in the target's dialect.
    pub text: Option<String>,
}

/// The pattern of a defect.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PatternReport {
    /// The pattern as `--known` reads it.
    pub text: String,
    /// Of the fresh scripts with it that were tried, those on which the target is slow.
    pub slow: u32,
    /// Fresh scripts with it that were tried.
    pub tried: u32,
    /// Members that were not reduced, because the target is quick where it is taken out of them.
    pub explains: usize,
}

/// All that is known of one defect: `report.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Defect {
    /// Its number: 1 is the worst.
    pub number: usize,
    /// One line that says what is wrong.
    pub title: String,
    /// What decides its number.
    pub severity: Severity,
    /// The reduced instance as the target reads it.
    pub instance: String,
    /// The instances that are this defect: the one that is reported, those that are equal to it up to names and literals when
    /// reduced, and those that its pattern explains.
    pub members: Vec<Member>,
    /// What makes the target slow, if it could be learned.
    #[serde(default)]
    pub pattern: Option<PatternReport>,
    /// An earlier defect that is probably the same.
    pub like: Option<Like>,
    /// The evidence, if it is confirmed.
    pub confirmed: Option<Known<Confirmed>>,
    /// Why not, if it is not.
    pub not_confirmed: Option<Known<NotConfirmed>>,
    /// Whether a run has confirmed one of the members as it was found.
    #[serde(default)]
    pub confirmed_by_run: bool,
    /// The same instance in other words.
    pub variants: Vec<Known<Variant>>,
    /// The limit of the runs of the variants, CPU seconds.
    pub limit_seconds: f64,
    /// Other versions of the target.
    pub versions: Option<Known<Matrix>>,
    /// Where the time goes.
    pub where_time_goes: Option<Known<WhereTime>>,
    /// How it grows.
    pub growth: Option<Known<Growth>>,
}

/// An earlier defect that is probably the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Like {
    /// Its number.
    pub number: usize,
    /// Why.
    pub because: String,
}

impl Defect {
    /// Whether somebody tried to confirm it.
    pub fn is_tried(&self) -> bool {
        self.confirmed.is_some() || self.not_confirmed.is_some()
    }

    /// Whether more was found out than that it is a defect.
    pub fn is_explained(&self) -> bool {
        !self.variants.is_empty() || self.versions.is_some() || self.where_time_goes.is_some() || self.growth.is_some()
    }

    /// The report of an earlier triage, as that of this defect: it may have another number now, and so may the one that
    /// it is probably the same as.
    pub fn renumbered(&self, earlier: &str) -> String {
        let lines: Vec<&str> = earlier.lines().collect();
        let mut out = String::new();
        let mut index = 0;
        while index < lines.len() {
            if lines[index].starts_with(LIKE) {
                // The empty line behind it, too.
                index += 2;
                continue;
            }
            if let (FOUND_AS, Some(like)) = (lines[index], &self.like) {
                let _ = write!(out, "{LIKE}{:03} ({}).\n\n", like.number, like.because);
            }
            out += lines[index];
            out.push('\n');
            index += 1;
        }
        out
    }

    /// The report in Markdown of what this triage found out; `evidence` is the confirmed defect's own ([`crate::oracle::report`]), if it is confirmed.
    pub fn markdown(&self, evidence: Option<&str>) -> String {
        let mut out = String::new();
        // A string cannot fail to be written to.
        let _ = self.write(&mut out, evidence);
        out
    }

    fn write(&self, out: &mut String, evidence: Option<&str>) -> std::fmt::Result {
        if let Some(evidence) = evidence {
            writeln!(out, "{}", evidence.trim_end())?;
        } else {
            writeln!(out, "# {}\n", self.title)?;
            if self.confirmed_by_run {
                writeln!(out, "**Confirmed by the run**: see its report there. Of the reduced form:\n")?;
            }
            match self.not_confirmed.as_ref().and_then(Known::now) {
                Some(refusal) => writeln!(out, "**Not confirmed**: {}.\n", refusal.reason)?,
                None => {
                    writeln!(out, "**Not tried**: the triage was stopped before its confirmation came to an end.\n")?;
                }
            }
            write!(out, "{}", fenced("smt2", self.instance.trim_end()))?;
        }
        self.write_pattern(out)?;
        self.write_variants(out)?;
        if let Some(versions) = self.versions.as_ref().and_then(Known::now) {
            writeln!(out, "\n## Other versions\n\n{}", versions.markdown().trim_end())?;
        }
        if let Some(place) = self.where_time_goes.as_ref().and_then(Known::now) {
            writeln!(out, "\n{}", markdown::where_time_goes(place).trim_end())?;
        }
        if let Some(growth) = self.growth.as_ref().and_then(Known::now) {
            writeln!(out, "\n{}", markdown::how_it_grows(growth).trim_end())?;
        }
        self.write_members(out)
    }

    /// Whether the triage or a run has confirmed it.
    pub fn is_confirmed(&self) -> bool {
        self.confirmed.is_some() || self.confirmed_by_run
    }

    /// The word for what is known of it: its class, or that only a run has confirmed it, or that nobody tried.
    pub(super) fn label(&self) -> &'static str {
        match (&self.confirmed, &self.not_confirmed) {
            (None, _) if self.confirmed_by_run => "by the run",
            (None, None) => "not tried",
            _ => self.severity.label(),
        }
    }

    fn write_variants(&self, out: &mut String) -> std::fmt::Result {
        if self.variants.is_empty() {
            return Ok(());
        }
        writeln!(out, "\n## The same in other words\n\n| form | answer | CPU |\n| --- | --- | ---: |")?;
        for Variant { name, timed } in self.variants.iter().filter_map(Known::now) {
            writeln!(out, "| {} | {} | {:.2} s |", plain_cell(name), timed.answer.name(), timed.cpu_seconds)?;
        }
        writeln!(out, "\nOne run each, {} s at most.", self.limit_seconds)
    }

    fn write_members(&self, out: &mut String) -> std::fmt::Result {
        if let Some(Like { number, because }) = &self.like {
            writeln!(out, "\n{LIKE}{number:03} ({because}).")?;
        }
        writeln!(out, "\n{FOUND_AS}\n")?;
        if self.members.iter().filter(|member| member.reduced.is_some()).count() > 1 {
            let explained = if self.pattern.is_some() { ", or the pattern explains them" } else { "" };
            writeln!(out, "Reduced, all of them are equal up to names and literals{explained}.\n")?;
        }
        writeln!(out, "| instance | bytes | bytes, reduced | complexity | complexity, reduced |")?;
        writeln!(out, "| --- | ---: | ---: | ---: | ---: |")?;
        for Member { name, found, reduced, unfinished, .. } in &self.members {
            let name = plain_cell(name);
            let so_far = if *unfinished { " so far" } else { "" };
            let Size { bytes, complexity, .. } = found;
            match reduced {
                Some(reduced) => writeln!(
                    out,
                    "| {name} | {bytes} | {}{so_far} | {complexity} | {}{so_far} |",
                    reduced.bytes, reduced.complexity
                )?,
                None => writeln!(out, "| {name} | {bytes} | by the pattern | {complexity} | |")?,
            }
        }
        Ok(())
    }

    fn write_pattern(&self, out: &mut String) -> std::fmt::Result {
        let Some(PatternReport { text, slow, tried, explains }) = &self.pattern else { return Ok(()) };
        out.push_str(&known::section(text, *slow, *tried));
        match explains {
            0 => writeln!(out, "."),
            1 => writeln!(out, ", and on 1 instance without it."),
            count => writeln!(out, ", and on {count} instances without it."),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A defect that nobody tried to confirm, found as `name`.
    pub(in crate::triage) fn untried(number: usize, name: &str) -> Defect {
        let size = |bytes| Size { complexity: 3, tokens: 3, commands: 2, bytes };
        let member = Member {
            name: name.into(),
            path: format!("in/{name}.smt2"),
            found: size(443),
            reduced: Some(size(97)),
            unfinished: true,
            text: Some(String::new()),
        };
        Defect {
            number,
            title: "z3str3 may be slow".into(),
            severity: Severity::of(None, 0, 3, 1),
            instance: "(assert true)\n".into(),
            members: vec![member],
            pattern: None,
            like: None,
            confirmed: None,
            not_confirmed: None,
            confirmed_by_run: false,
            variants: Vec::new(),
            limit_seconds: 5.0,
            versions: None,
            where_time_goes: None,
            growth: None,
        }
    }

    #[test]
    fn a_report_says_what_was_not_tried_what_was_not_finished_and_what_is_probably_the_same() {
        let like = Like { number: 1, because: "the same operators: `str.substr`".into() };
        let mut defect = Defect { like: Some(like), ..untried(2, "b") };
        defect.members.push(Member { name: "c".into(), unfinished: false, ..defect.members[0].clone() });
        insta::assert_snapshot!(defect.markdown(None), @r"
        # z3str3 may be slow

        **Not tried**: the triage was stopped before its confirmation came to an end.

        ```smt2
        (assert true)
        ```

        Probably the same as 001 (the same operators: `str.substr`).

        ## Found as

        Reduced, all of them are equal up to names and literals.

        | instance | bytes | bytes, reduced | complexity | complexity, reduced |
        | --- | ---: | ---: | ---: | ---: |
        | b | 443 | 97 so far | 3 | 3 so far |
        | c | 443 | 97 | 3 | 3 |
        ");
    }

    #[test]
    fn the_report_of_an_earlier_triage_names_defects_by_their_numbers_now() {
        let like = |number| Some(Like { number, because: "the same operators: `str.substr`".into() });
        let earlier = Defect { like: like(1), ..untried(2, "b") };
        let now = Defect { like: like(3), ..untried(4, "b") };
        let report = earlier.markdown(Some("# Evidence"));
        assert_eq!(now.renumbered(&report), report.replace("as 001", "as 003"));
        let alone = Defect { like: None, ..now.clone() };
        assert_eq!(now.renumbered(&alone.markdown(Some("# Evidence"))), now.markdown(Some("# Evidence")));
        assert_eq!(alone.renumbered(&report), alone.markdown(Some("# Evidence")));
    }
}
