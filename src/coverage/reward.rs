//! The coverage reward of a run: Algorithm 2 of the `MulStringFuzz` paper.

use serde::{Deserialize, Serialize};

use super::archive::Archive;
use super::counts::LineCounts;

/// Reward for a file of which no line ran before.
const NEW_FILE: u128 = 1000;
/// Reward for each execution of a line that never ran before.
const NEW_LINE: u128 = 100;
/// Reward for each execution of a line beyond its maximum.
const MORE_EXECUTIONS: u128 = 10;
/// Reward for a line that ran no more often than before.
const KNOWN_LINE: u128 = 1;

/// Which reading of Algorithm 2 scores a run: the paper's prose and its printed algorithm differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The prose of section III-C. A new file gives 1000, and its lines count too; then each line falls into one
    /// case: new, 100 × count; run more often than ever, 10 × (count − maximum); else 1.
    #[default]
    Prose,
    /// Algorithm 2 as printed. A new file gives 1000 and its lines nothing. In a known file a new line gives
    /// 100 × count *and* the 1 of the `else` in lines 13–16; a line run more often than ever gives 10 × count.
    Printed,
}

/// The reward of a run with these counts, against the archive as it stands. The sum is exact in 128 bits; the result
/// is its nearest `f64`, at least 0.
pub fn reward(counts: &LineCounts, archive: &Archive, mode: Mode) -> f64 {
    exact_reward(counts, archive, mode) as f64
}

/// As [`reward`], exactly. Cannot overflow: 2³² lines × 2⁶⁴ executions × 100 is below 2¹²⁸.
pub fn exact_reward(counts: &LineCounts, archive: &Archive, mode: Mode) -> u128 {
    let mut sum = 0;
    let mut last_new_file = None;
    for (slot, count) in counts.iter() {
        let Some(file) = archive.file_of(slot) else { continue };
        let new_file = !archive.knows_file(file);
        // Slots ascend by file, so a file's lines stand together.
        if new_file && last_new_file != Some(file) {
            last_new_file = Some(file);
            sum += NEW_FILE;
        }
        sum += match mode {
            Mode::Prose => prose(count, archive.maximum(slot)),
            Mode::Printed if new_file => 0,
            Mode::Printed => printed(count, archive.maximum(slot)),
        };
    }
    sum
}

fn prose(count: u64, maximum: u64) -> u128 {
    if maximum == 0 {
        NEW_LINE * u128::from(count)
    } else if count > maximum {
        MORE_EXECUTIONS * u128::from(count - maximum)
    } else {
        KNOWN_LINE
    }
}

fn printed(count: u64, maximum: u64) -> u128 {
    let new = if maximum == 0 { NEW_LINE * u128::from(count) } else { 0 };
    let more = if maximum > 0 && count > maximum { MORE_EXECUTIONS * u128::from(count) } else { KNOWN_LINE };
    new + more
}

#[cfg(test)]
mod tests {
    use super::super::counts::LineSlot;
    use super::*;

    /// Slots 0–2 are file 0, slots 3–4 are file 1.
    fn archive(known: &[(u32, u64)]) -> Archive {
        let mut archive = Archive::new([0, 0, 0, 1, 1].into());
        archive.merge(&counts(known));
        archive
    }

    fn counts(pairs: &[(u32, u64)]) -> LineCounts {
        pairs.iter().map(|&(slot, count)| (LineSlot::new(slot), count)).collect()
    }

    #[test]
    fn the_first_run_of_all() {
        let run = counts(&[(0, 2), (1, 1), (3, 4)]);
        // Prose: two new files, and 2 + 1 + 4 executions of new lines.
        assert_eq!(exact_reward(&run, &archive(&[]), Mode::Prose), 2 * 1000 + 100 * 7);
        // Printed: the two files alone.
        assert_eq!(exact_reward(&run, &archive(&[]), Mode::Printed), 2 * 1000);
    }

    #[test]
    fn every_case_at_once() {
        let archive = archive(&[(0, 5), (1, 9)]);
        // Line 0 rises from 5 to 8, line 1 does not rise, line 2 is new; file 1 is new.
        let run = counts(&[(0, 8), (1, 9), (2, 3), (3, 2), (4, 1)]);
        assert_eq!(exact_reward(&run, &archive, Mode::Prose), 10 * 3 + 1 + 100 * 3 + 1000 + 100 * 2 + 100);
        assert_eq!(exact_reward(&run, &archive, Mode::Printed), 10 * 8 + 1 + (100 * 3 + 1) + 1000);
    }

    #[test]
    fn nothing_new_counts_the_lines() {
        let archive = archive(&[(0, 5), (3, 5)]);
        for mode in [Mode::Prose, Mode::Printed] {
            assert_eq!(exact_reward(&counts(&[(0, 5), (3, 1)]), &archive, mode), 2);
            assert_eq!(exact_reward(&counts(&[]), &archive, mode), 0);
        }
    }

    #[test]
    fn huge_counts_do_not_overflow() {
        let run = counts(&[(0, u64::MAX), (1, u64::MAX)]);
        let exact = exact_reward(&run, &archive(&[]), Mode::Prose);
        assert_eq!(exact, 1000 + 200 * u128::from(u64::MAX));
        assert!(reward(&run, &archive(&[]), Mode::Prose).is_finite());
    }
}
