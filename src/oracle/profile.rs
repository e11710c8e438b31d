//! The seed profile: how robust a defect is against the target's random seed, which maintainers ask for first.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::candidate::{Failing, failing};
use crate::evaluate::individual::Timed;

/// How many random seeds a profile tries: 0 to 9.
pub const PROFILE_SEEDS: u32 = 10;
/// How many of ten seeds must agree for a defect to be called after them.
const STABLE_TENTHS: usize = 9;

/// What a profile says in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stability {
    /// No answer on at least nine of ten seeds, and mostly because time ran out.
    Stable,
    /// Some seeds answer.
    SeedSensitive,
    /// No answer on at least nine of ten seeds, and mostly because the target says `unknown`.
    GivesUp,
}

impl Stability {
    /// The word that reports use.
    pub fn label(self) -> &'static str {
        match self {
            Stability::Stable => "stable",
            Stability::SeedSensitive => "seed-sensitive",
            Stability::GivesUp => "gives up",
        }
    }
}

/// The target over several random seeds at the search limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeedProfile {
    /// Seeds that were tried.
    pub seeds: usize,
    /// Seeds on which time or memory ran out.
    pub slow: usize,
    /// Seeds on which the target said `unknown`.
    pub gave_up: usize,
    /// Seeds on which the target answered `sat` or `unsat`.
    pub answered: usize,
    /// What that amounts to.
    pub stability: Stability,
}

impl SeedProfile {
    /// The profile of these runs at `limit`, one per seed.
    pub fn of<'a>(runs: impl IntoIterator<Item = &'a Timed>, limit: Duration) -> SeedProfile {
        let (mut seeds, mut slow, mut gave_up, mut answered) = (0, 0, 0, 0);
        for run in runs {
            seeds += 1;
            slow += usize::from(failing(run, limit) == Some(Failing::Slow));
            gave_up += usize::from(failing(run, limit) == Some(Failing::GivesUp));
            answered += usize::from(run.answer.is_solved());
        }
        let stability = if (slow + gave_up) * 10 < seeds * STABLE_TENTHS {
            Stability::SeedSensitive
        } else if slow >= gave_up {
            Stability::Stable
        } else {
            Stability::GivesUp
        };
        SeedProfile { seeds, slow, gave_up, answered, stability }
    }
}
