//! What a hunt asked about and found: the tables of TypeFuzz's Fig. 5 (by kind, logic and number of options) and of STORM's
//! Tables 2 (seeds by logic and solver) and 3 (defects with their logics, by solver and incremental mode).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::outcome::{Defect, Outcome};
use super::tally::NO_LOGIC;
use crate::number::counted;
use crate::oracle::correctness::programs;

/// The most options that have a row of their own.
const MOST_OPTIONS: usize = 3;

impl Outcome {
    /// The tables, in Markdown. Of findings that are probably the same, the one with the fewest options counts, if it
    /// can be repeated; one of several solvers counts for each, and once in all.
    pub fn tables(&self) -> String {
        let mut groups: BTreeMap<&str, &Defect> = BTreeMap::new();
        for defect in self.defects.iter().filter(|each| !each.once && !each.unfinished) {
            let first = groups.entry(defect.like.as_deref().unwrap_or(&defect.number)).or_insert(defect);
            if defect.options < first.options {
                *first = defect;
            }
        }
        let defects: Vec<&Defect> = groups.into_values().collect();
        let left_out = self.defects.len() - defects.len();
        let mut text = format!("# {}\n", counted(defects.len(), "distinct finding"));
        if left_out > 0 {
            let more = counted(left_out, "more finding");
            let _ = writeln!(
                text,
                "\nNot counted: {more}, probably the same as another one, not seen again, or not dealt with to the end."
            );
        }
        text += &self.seeds_by_logic();
        if defects.is_empty() {
            return text;
        }
        let options = |defect: &Defect| match defect.options {
            0 => "default".to_owned(),
            MOST_OPTIONS.. => format!("{MOST_OPTIONS} options or more"),
            few => counted(few, "option"),
        };
        text += &by_mode(&defects);
        text += &table("kind", &defects, |defect| (defect.kind as usize, defect.kind.to_string()));
        text += &table("logic", &defects, |defect| (0, logic_of(defect).to_owned()));
        text + &table("options", &defects, |defect| (defect.options.min(MOST_OPTIONS), options(defect)))
    }
}

impl Outcome {
    /// Of how many seeds of each logic each solver took the first instance; nothing where no seed was counted.
    fn seeds_by_logic(&self) -> String {
        let solvers: BTreeSet<&String> = self.tally.logics.values().flat_map(BTreeMap::keys).collect();
        if solvers.is_empty() {
            return String::new();
        }
        let names: Vec<&str> = solvers.iter().map(|solver| solver.as_str()).collect();
        let mut text = format!("\n| seeds of | {} |\n| --- |{}\n", names.join(" | "), " ---: |".repeat(names.len()));
        for (logic, by_solver) in &self.tally.logics {
            let count = |solver: &&String| by_solver.get(*solver).copied().unwrap_or(0).to_string();
            let _ = writeln!(text, "| {logic} | {} |", solvers.iter().map(count).collect::<Vec<_>>().join(" | "));
        }
        text
    }
}

fn logic_of(defect: &Defect) -> &str {
    defect.logic.as_deref().unwrap_or(NO_LOGIC)
}

/// The defects of each solver, with and without incremental mode, and their logics.
fn by_mode(defects: &[&Defect]) -> String {
    let mut rows: BTreeMap<(String, bool), (BTreeSet<&str>, usize)> = BTreeMap::new();
    for defect in defects {
        for solver in programs(&defect.solvers) {
            let (logics, count) = rows.entry((solver, defect.incremental)).or_default();
            logics.insert(logic_of(defect));
            *count += 1;
        }
    }
    let mut text = "\n| solver | incremental | logics | defects |\n| --- | --- | --- | ---: |\n".to_owned();
    for ((solver, incremental), (logics, count)) in rows {
        let mode = if incremental { "yes" } else { "" };
        let logics: Vec<&str> = logics.into_iter().collect();
        let _ = writeln!(text, "| {solver} | {mode} | {} | {count} |", logics.join(" "));
    }
    text
}

/// How many defects each solver has in each row; rows in the order of their keys.
fn table<K: Ord>(heading: &str, defects: &[&Defect], key: impl Fn(&Defect) -> (K, String)) -> String {
    let solvers: BTreeSet<String> = defects.iter().flat_map(|defect| programs(&defect.solvers)).collect();
    let mut rows: BTreeMap<(K, String), Vec<&Defect>> = BTreeMap::new();
    for &defect in defects {
        rows.entry(key(defect)).or_default().push(defect);
    }
    let counts = |defects: &[&Defect]| {
        let of = |solver: &String| defects.iter().filter(|defect| programs(&defect.solvers).contains(solver)).count();
        let cells: Vec<String> = solvers.iter().map(|solver| of(solver).to_string()).collect();
        format!("{} | {}", cells.join(" | "), defects.len())
    };
    let names: Vec<&str> = solvers.iter().map(String::as_str).collect();
    let mut text = format!("\n| {heading} | {} | all |\n", names.join(" | "));
    let _ = writeln!(text, "| --- |{} ---: |", " ---: |".repeat(solvers.len()));
    for ((_, name), defects) in &rows {
        let _ = writeln!(text, "| {name} | {} |", counts(defects));
    }
    if rows.len() > 1 {
        let _ = writeln!(text, "| all | {} |", counts(defects));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::correctness::Kind;

    #[test]
    fn findings_are_counted_by_kind_logic_and_options() {
        let mut outcome = Outcome::of_one(Kind::Crash, 9, 1.0);
        let first = outcome.defects[0].clone();
        let with = |solvers: &[&str], kind, options, logic: Option<&str>| Defect {
            solvers: solvers.iter().map(|&name| name.to_owned()).collect(),
            kind,
            options,
            logic: logic.map(str::to_owned),
            ..first.clone()
        };
        outcome.defects = vec![
            with(&["z3@4.8.10"], Kind::RefutationUnsoundness, 0, Some("QF_S")),
            with(&["z3@4.8.10 rewriter.flat=false"], Kind::InvalidModel, 1, Some("QF_S")),
            with(&["cvc4@1.6 -a -b -c -d"], Kind::Crash, 4, None),
            with(&["cvc4@1.6", "z3@4.8.10"], Kind::Disagreement, 0, Some("QF_NIA")),
            Defect { like: Some("002".into()), ..with(&["z3@4.8.10 a=1 b=2"], Kind::InvalidModel, 2, Some("QF_S")) },
        ];
        for (number, defect) in (1..).zip(&mut outcome.defects) {
            defect.number = format!("{number:03}");
        }
        // Seen once, and a later one that is probably the same could be repeated: it counts.
        let once = Defect { once: true, number: "000".into(), ..outcome.defects[2].clone() };
        outcome.defects[2].like = Some("000".into());
        outcome.defects.insert(0, once);
        outcome.defects[1].incremental = true;
        let seeds = |counts: &[(&str, u64)]| counts.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        outcome.tally.logics.insert("QF_S".into(), seeds(&[("cvc4@1.6", 9), ("z3@4.8.10", 10)]));
        outcome.tally.logics.insert("QF_NIA".into(), seeds(&[("z3@4.8.10", 3)]));
        insta::assert_snapshot!(outcome.tables(), @"
        # 4 distinct findings

        Not counted: 2 more findings, probably the same as another one, not seen again, or not dealt with to the end.

        | seeds of | cvc4@1.6 | z3@4.8.10 |
        | --- | ---: | ---: |
        | QF_NIA | 0 | 3 |
        | QF_S | 9 | 10 |

        | solver | incremental | logics | defects |
        | --- | --- | --- | ---: |
        | cvc4@1.6 |  | QF_NIA none given | 2 |
        | z3@4.8.10 |  | QF_NIA QF_S | 2 |
        | z3@4.8.10 | yes | QF_S | 1 |

        | kind | cvc4@1.6 | z3@4.8.10 | all |
        | --- | ---: | ---: | ---: |
        | refutation-unsoundness | 0 | 1 | 1 |
        | invalid-model | 0 | 1 | 1 |
        | crash | 1 | 0 | 1 |
        | disagreement | 1 | 1 | 1 |
        | all | 2 | 3 | 4 |

        | logic | cvc4@1.6 | z3@4.8.10 | all |
        | --- | ---: | ---: | ---: |
        | QF_NIA | 1 | 1 | 1 |
        | QF_S | 0 | 2 | 2 |
        | none given | 1 | 0 | 1 |
        | all | 2 | 3 | 4 |

        | options | cvc4@1.6 | z3@4.8.10 | all |
        | --- | ---: | ---: | ---: |
        | default | 1 | 2 | 2 |
        | 1 option | 0 | 1 | 1 |
        | 3 options or more | 1 | 0 | 1 |
        | all | 2 | 3 | 4 |
        ");
    }

    #[test]
    fn a_hunt_that_found_nothing_has_no_table() {
        assert_eq!(Outcome::default().tables(), "# 0 distinct findings\n");
    }
}
