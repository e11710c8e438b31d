//! Dialects: the three ways in which string scripts are written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How operators and string literals are spelled. Structure and commands are the same in all three.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum Dialect {
    /// Z3-str 1 and 2: `(Concat x y)`, and `\"` for a quote inside a literal.
    #[serde(rename = "smtlib-2.0")]
    SmtLib20,
    /// What Z3 4.8.10 and CVC4 1.6 both read: `(str.to.int x)`, `(re.loop r 1 2)`, C-style escapes such as `\x5c`.
    #[serde(rename = "smtlib-2.5")]
    SmtLib25,
    /// The standard: `(str.to_int x)`, `((_ re.loop 1 2) r)`, and `\u{5c}` as the only escape.
    #[default]
    #[serde(rename = "smtlib-2.6")]
    SmtLib26,
}

impl Dialect {
    /// All dialects, oldest first.
    pub const ALL: [Dialect; 3] = [Dialect::SmtLib20, Dialect::SmtLib25, Dialect::SmtLib26];

    /// The dialect's name: `smtlib-2.0`, `smtlib-2.5` or `smtlib-2.6`.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::SmtLib20 => "smtlib-2.0",
            Dialect::SmtLib25 => "smtlib-2.5",
            Dialect::SmtLib26 => "smtlib-2.6",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A dialect name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect {0:?}: use smtlib-2.0, smtlib-2.5 or smtlib-2.6")]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let version = name.strip_prefix("smtlib-").unwrap_or(name);
        match version {
            "2.0" => Ok(Dialect::SmtLib20),
            "2.5" => Ok(Dialect::SmtLib25),
            "2.6" => Ok(Dialect::SmtLib26),
            _ => Err(UnknownDialect(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.name().parse(), Ok(dialect));
        }
        assert_eq!("2.5".parse(), Ok(Dialect::SmtLib25));
        assert!("smtlib-3".parse::<Dialect>().is_err());
    }
}
