//! Strategies: in which order what is tried.

mod delta_smt;
mod storm;

use serde::{Deserialize, Serialize};

use super::search::{Search, Stop};
use crate::operator::normal::{OPENINGS, opened};

/// A published strategy, or the best combination.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Assertions, then terms by levels, then literals, until nothing changes.
    #[default]
    Levels,
    /// Assertions and other commands only.
    Ddmin,
    /// `DeltaSMT`'s three phases: a search through the boolean layer, substitution in breadth, a new root.
    DeltaSmt,
    /// STORM's binary search for the fewest assertions, then for the least depth.
    Storm,
}

/// What a reduction may change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Freedom {
    /// `set-logic` stays.
    pub keep_logic: bool,
    /// Names stay.
    pub keep_names: bool,
}

impl Search<'_> {
    /// Reduces by `strategy`, to the end.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn reduce(&mut self, strategy: Strategy, freedom: Freedom, seed: u64) -> Result<(), Stop> {
        loop {
            match strategy {
                Strategy::Levels => self.by_levels(freedom)?,
                Strategy::Ddmin => {
                    self.narrow_assertions()?;
                    self.drop_commands(freedom.keep_logic)?;
                }
                Strategy::DeltaSmt => self.by_delta_smt()?,
                Strategy::Storm => self.by_storm(seed)?,
            }
            // Where the last milestone refutes what was trusted, other ways are found.
            let was_trusting = self.is_trusting();
            if self.polish(freedom.keep_logic, freedom.keep_names)? || !was_trusting {
                return Ok(());
            }
        }
    }

    /// Brings the script into its normal form, as far as that keeps the property.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn open(&mut self) -> Result<(), Stop> {
        for opening in OPENINGS {
            if let Some(candidate) = opened(self.best(), &[opening])
                && candidate != *self.best()
            {
                self.attempt_wholly(&candidate)?;
            }
        }
        Ok(())
    }

    /// A milestone on the way, unless looks are trusted. Returns whether all that was accepted stands.
    fn milestone(&mut self) -> Result<bool, Stop> {
        if self.is_trusting() { Ok(true) } else { self.settle() }
    }

    fn by_levels(&mut self, freedom: Freedom) -> Result<(), Stop> {
        self.narrow_assertions()?;
        self.drop_commands(freedom.keep_logic)?;
        self.milestone()?;
        // What a milestone refuted is known not to hold, and other ways are found in the next round.
        loop {
            let before = self.size();
            self.simplify_terms()?;
            self.simplify_operators()?;
            self.shrink_literals()?;
            self.drop_letters()?;
            self.narrow_assertions()?;
            let smaller = self.size() < before;
            let stands = !smaller || self.milestone()?;
            if stands && !smaller {
                return Ok(());
            }
        }
    }
}
