//! PLACEHOLDER of branch evaluate: branch solver's file replaces it.
#![expect(missing_docs, reason = "placeholder")]

use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(String),
    Timeout,
    MemoryOut,
    Rejected(String),
    Unsupported(String),
    Crash(String),
}

impl Answer {
    pub fn is_solved(&self) -> bool {
        matches!(self, Answer::Sat | Answer::Unsat)
    }
}
