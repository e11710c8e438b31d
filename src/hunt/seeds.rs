//! Seeds, read when their turn comes: a folder of them may be larger than the memory, or take longer to read than a hunt.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use crate::oracle::OracleError;
use crate::smtlib::script::Script;

/// The scripts that instances are made of.
pub trait Seeds: Debug + Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// The name of one.
    fn name(&self, seed: usize) -> String;

    /// The script of one.
    ///
    /// # Errors
    /// [`Unusable::Unreadable`].
    fn read(&self, seed: usize) -> Result<Script, Unusable>;
}

/// Scripts that were read before, by their names.
impl Seeds for Vec<(String, Script)> {
    fn count(&self) -> usize {
        self.len()
    }

    fn name(&self, seed: usize) -> String {
        self[seed].0.clone()
    }

    fn read(&self, seed: usize) -> Result<Script, Unusable> {
        Ok(self[seed].1.clone())
    }
}

/// Why nothing is made of a seed.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// It is no script: why, with its name.
    #[error("{0}")]
    Unreadable(String),
    /// It is a script of which the strategy makes nothing: why, with its name.
    #[error("{0}")]
    Unfit(String),
    /// A solver that was to give a model of it could not be asked.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

/// So few seeds that what was made of them is kept. Of more, each is read again in each round.
const FEW: usize = 64;

/// What was made of seeds, where there are few of them.
#[derive(Debug)]
pub(super) struct Prepared<T>(Mutex<HashMap<usize, Arc<T>>>);

impl<T> Prepared<T> {
    pub(super) fn new() -> Self {
        Prepared(Mutex::new(HashMap::new()))
    }

    /// What is made of the script of a seed: kept from an earlier round, or made now.
    pub(super) fn of(
        &self,
        seeds: &dyn Seeds,
        seed: usize,
        make: impl FnOnce(Script) -> Result<T, Unusable>,
    ) -> Result<Arc<T>, Unusable> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().get(&seed) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(make(seeds.read(seed)?)?);
        if seeds.count() <= FEW {
            kept().insert(seed, Arc::clone(&made));
        }
        Ok(made)
    }
}
