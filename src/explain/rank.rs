//! Which functions and lines make the difference between a slow run and a fast one: a ranking of exact counts.
//!
//! # The measure
//! A function's weight in a run is how often its own lines were executed, callees apart: that is exact, repeatable, and
//! knows no clock. Its *growth* is its weight in the slow run minus that in the fast one, at least 0; its *share* is its
//! part of the growth of all functions. (Code that the compiler inlined before it instrumented counts as the function's
//! own.) Growth is of counts, not of counts per second: both runs do the start-up, which
//! so cancels out, and what the slow run does for longer is what is looked for. (Against a relative that is itself cut
//! off at the limit the difference says which work is done instead; the runs' seconds, beside the counts, show that.)
//!
//! # Generic code apart
//! By self counts alone hash tables, vectors, allocation and the bookkeeping of terms lead every ranking, whatever is
//! slow. They are told apart by what they do, not by a list of names: *generic* is a function whose definition also runs
//! on the same script without its assertions, when there is nothing to reason about. Templates of one definition go
//! together. So does what stands in a folder called `util` or `utils`. Generic code is ranked too, but in a table of its
//! own, with its share of all growth, so that nothing is hidden: to be slow *there* means to be called too often by the
//! functions of the first table.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::coverage::{LineCounts, LineSlot, SourceFunction};

/// Functions and lines that are listed, and generic functions.
const LISTED: usize = 10;
const LISTED_GENERIC: usize = 5;
/// Folders of code for everybody.
const GENERIC_FOLDERS: [&str; 2] = ["util", "utils"];

/// The executed functions of one run, each with its lines; names are readable.
pub(super) type Profile = BTreeMap<SourceFunction, LineCounts>;

/// A function in the ranking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotFunction {
    /// Its name, without parameters.
    pub name: String,
    /// The file of its definition.
    pub file: String,
    /// The line of its definition, from 1.
    pub line: u32,
    /// Executions of its own lines in the slow run.
    pub slow: u64,
    /// The same in the fast run; 0 without one.
    pub fast: u64,
    /// `slow` over `fast`; `None` if it did not run in the fast run.
    pub ratio: Option<f64>,
    /// Its part of the growth of all functions, 0 to 1.
    pub share: f64,
}

/// A line in the ranking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotLine {
    /// Its file.
    pub file: String,
    /// Its number, from 1.
    pub line: u32,
    /// The function that it is in.
    pub function: String,
    /// Executions in the slow run.
    pub slow: u64,
    /// Executions in the fast run; 0 without one.
    pub fast: u64,
    /// `slow` over `fast`; `None` if it did not run in the fast run.
    pub ratio: Option<f64>,
    /// Its part of the growth of all lines, 0 to 1.
    pub share: f64,
}

/// The hottest functions and lines, by growth.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Ranking {
    /// The ten functions that grew most, without generic ones.
    pub functions: Vec<HotFunction>,
    /// The ten lines that grew most, without those of generic functions.
    pub lines: Vec<HotLine>,
    /// The five generic functions that grew most.
    pub generic: Vec<HotFunction>,
    /// The part of all growth that is in generic functions, 0 to 1.
    pub generic_share: f64,
}

impl Ranking {
    /// Ranks the growth from `fast` (nothing, for counts alone) to `slow`; what is in `empty`, the run without
    /// assertions, is generic. `location` tells a line's file and number.
    pub(super) fn of(
        slow: &Profile,
        fast: &Profile,
        empty: &Profile,
        location: impl Fn(LineSlot) -> (String, u32),
    ) -> Ranking {
        let common: BTreeSet<(&str, u32)> = empty.keys().map(|each| (each.file.as_str(), each.line)).collect();
        let is_generic = |each: &SourceFunction| {
            common.contains(&(each.file.as_str(), each.line)) || is_in_generic_folder(&each.file)
        };
        let mut total = 0;
        let mut total_generic = 0;
        let (mut own, mut generic, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for (function, counts) in slow {
            let before = fast.get(function);
            let weights = (total_of(counts), before.map_or(0, total_of));
            let growth = weights.0.saturating_sub(weights.1);
            total += u128::from(growth);
            if is_generic(function) {
                total_generic += u128::from(growth);
                generic.push((growth, function, weights));
            } else {
                own.push((growth, function, weights));
                lines.extend(counts.iter().map(|(slot, count)| {
                    let earlier = before.map_or(0, |before| before.get(slot));
                    (count.saturating_sub(earlier), slot, function, (count, earlier))
                }));
            }
        }
        let share = |growth: u64| growth as f64 / (total as f64).max(1.0);
        let listed = |mut functions: Vec<(u64, &SourceFunction, (u64, u64))>, most: usize| {
            functions.retain(|(growth, ..)| *growth > 0);
            // Equal growth: by name, as they come.
            functions.sort_by_key(|(growth, ..)| std::cmp::Reverse(*growth));
            functions.truncate(most);
            let row = |(growth, function, (slow, fast)): (u64, &SourceFunction, (u64, u64))| {
                let SourceFunction { name, file, line } = function.clone();
                HotFunction { name, file, line, slow, fast, ratio: ratio(slow, fast), share: share(growth) }
            };
            functions.into_iter().map(row).collect()
        };
        lines.retain(|(growth, ..)| *growth > 0);
        lines.sort_by_key(|(growth, slot, ..)| (std::cmp::Reverse(*growth), *slot));
        lines.truncate(LISTED);
        let line = |(growth, slot, function, (slow, fast)): (u64, LineSlot, &SourceFunction, (u64, u64))| {
            let (file, line) = location(slot);
            let function = function.name.clone();
            HotLine { file, line, function, slow, fast, ratio: ratio(slow, fast), share: share(growth) }
        };
        Ranking {
            functions: listed(own, LISTED),
            generic: listed(generic, LISTED_GENERIC),
            lines: lines.into_iter().map(line).collect(),
            generic_share: total_generic as f64 / (total as f64).max(1.0),
        }
    }
}

fn total_of(counts: &LineCounts) -> u64 {
    u64::try_from(counts.total()).unwrap_or(u64::MAX)
}

fn ratio(slow: u64, fast: u64) -> Option<f64> {
    (fast > 0).then(|| slow as f64 / fast as f64)
}

fn is_in_generic_folder(file: &str) -> bool {
    let folders = file.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|folder| GENERIC_FOLDERS.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, file: &str, line: u32) -> SourceFunction {
        SourceFunction { name: name.into(), file: file.into(), line }
    }

    fn counts(pairs: &[(u32, u64)]) -> LineCounts {
        pairs.iter().map(|&(slot, count)| (LineSlot::new(slot), count)).collect()
    }

    fn location(slot: LineSlot) -> (String, u32) {
        ("theory.cpp".into(), slot.index() as u32)
    }

    #[test]
    fn growth_ranks_and_generic_code_stands_apart() {
        let search = function("search", "smt/theory.cpp", 3);
        let parse = function("parse", "parse.cpp", 1);
        let find = function("table<int>::find", "table.h", 7);
        let push = function("push", "src/util/vector.h", 2);
        let slow = Profile::from([
            (search.clone(), counts(&[(3, 10), (4, 50)])),
            (parse.clone(), counts(&[(20, 100)])),
            (find, counts(&[(30, 900)])),
            (push, counts(&[(40, 40)])),
        ]);
        let fast = Profile::from([(search, counts(&[(3, 10), (4, 2)])), (parse.clone(), counts(&[(20, 100)]))]);
        // Another instance of the same template runs without assertions.
        let empty = Profile::from([(function("table<char>::find", "table.h", 7), counts(&[(30, 1)]))]);
        let ranking = Ranking::of(&slow, &fast, &empty, location);
        let names = |list: &[HotFunction]| list.iter().map(|each| each.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&ranking.functions), ["search"], "what did not grow is not hot");
        assert_eq!(names(&ranking.generic), ["table<int>::find", "push"]);
        let hottest = &ranking.functions[0];
        assert_eq!((hottest.slow, hottest.fast, hottest.ratio), (60, 12, Some(5.0)));
        // All growth: 48 + 900 + 40.
        assert!((hottest.share - 48.0 / 988.0).abs() < 1e-12);
        assert!((ranking.generic_share - 940.0 / 988.0).abs() < 1e-12);
        assert_eq!(ranking.lines.len(), 1);
        assert_eq!((ranking.lines[0].line, ranking.lines[0].slow, ranking.lines[0].fast), (4, 50, 2));
    }

    #[test]
    fn without_a_relative_counts_rank_alone_and_ten_are_listed() {
        let slow: Profile =
            (1..=12).map(|line| (function("f", "a.cpp", line), counts(&[(line, u64::from(line))]))).collect();
        let ranking = Ranking::of(&slow, &Profile::new(), &Profile::new(), location);
        assert_eq!((ranking.functions.len(), ranking.lines.len()), (10, 10));
        assert_eq!((ranking.functions[0].line, ranking.functions[0].ratio), (12, None));
        assert_eq!(Ranking::of(&Profile::new(), &slow, &Profile::new(), location), Ranking::default());
    }

    #[test]
    fn only_folders_are_generic_by_name() {
        assert!(is_in_generic_folder("src/util/vector.h") && is_in_generic_folder("util/vector.h"));
        assert!(!is_in_generic_folder("util.cpp") && !is_in_generic_folder("smt/util_theory/a.cpp"));
    }
}
