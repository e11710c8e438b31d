//! What a reduction keeps, as the user says it.

use std::str::FromStr;

use crate::reduce::property::Keeps;

/// A property by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Keep {
    /// `slow`
    Slow,
    /// `result`, `crash`, `invalid-model`
    Answer(Keeps),
    /// `script:CMD`
    Script(String),
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "slow" => Ok(Keep::Slow),
            "result" => Ok(Keep::Answer(Keeps::Result)),
            "crash" => Ok(Keep::Answer(Keeps::Crash)),
            "invalid-model" => Ok(Keep::Answer(Keeps::InvalidModel)),
            _ => match text.strip_prefix("script:") {
                Some(command) if !command.trim().is_empty() => Ok(Keep::Script(command.to_owned())),
                _ => Err("use slow, result, crash, invalid-model or script:CMD".to_owned()),
            },
        }
    }
}
