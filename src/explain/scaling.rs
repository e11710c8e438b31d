//! Scaled copies of an instance, one dimension at a time: `StringFuzz`'s idea, for a defect's instance instead of a
//! generator's. Every copy is well-sorted, and all but its dimension stays as it is.

mod assertions;
mod terms;

#[cfg(test)]
mod tests;

use serde::Serialize;

use crate::operator::declarations::is_status;
use crate::smtlib::script::{Command, Script};

/// Most applications and leaves that a copy may have, written out: larger ones measure the parser.
const LARGEST_TREE: f64 = 1e6;

/// What is scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dimension {
    /// The length of every string literal: a shorter one is its beginning, a longer one its repetition. Literals that an
    /// operator demands (the bounds of `re.range`) stay. Size: characters of all literals together.
    StringLengths,
    /// Every integer constant, rounded. Size: the largest one.
    Integers,
    /// The assertions, again and again with fresh variables: a conjunction of independent problems. Size: assertions.
    Assertions,
    /// The arguments of operators that take any number of them, such as `str.++`: again and again, or the first few. Not
    /// of connectives, nor of `-`, nor of what must stay linear. Size: such arguments of all terms together.
    Arguments,
}

impl Dimension {
    /// All dimensions, in the order of reports.
    pub const ALL: [Dimension; 4] =
        [Dimension::StringLengths, Dimension::Integers, Dimension::Assertions, Dimension::Arguments];

    /// What its size counts.
    pub fn title(self) -> &'static str {
        match self {
            Dimension::StringLengths => "characters of string literals",
            Dimension::Integers => "largest integer constant",
            Dimension::Assertions => "assertions",
            Dimension::Arguments => "arguments of n-ary operators",
        }
    }

    /// Its name: that of its JSON.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::StringLengths => "string-lengths",
            Dimension::Integers => "integers",
            Dimension::Assertions => "assertions",
            Dimension::Arguments => "arguments",
        }
    }

    /// The factors by which it is scaled, ascending: numerator and denominator.
    pub(super) fn factors(self) -> &'static [(u32, u32)] {
        match self {
            Dimension::StringLengths | Dimension::Integers => {
                &[(0, 1), (1, 4), (1, 2), (3, 4), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (6, 1), (8, 1)]
            }
            Dimension::Assertions => &[(1, 1), (2, 1), (3, 1), (4, 1), (6, 1), (8, 1)],
            Dimension::Arguments => &[(1, 4), (1, 2), (1, 1), (2, 1), (3, 1), (4, 1), (6, 1), (8, 1)],
        }
    }
}

/// A scaled copy.
#[derive(Clone, Debug)]
pub struct Scaled {
    /// By what the instance was scaled; 1 is the instance itself.
    pub factor: f64,
    /// How large it is, in the dimension's unit.
    pub size: f64,
    /// The copy.
    pub script: Script,
}

/// The copies of `script` along a dimension, ascending and of different sizes, the script itself among them. Empty if
/// there is nothing to scale.
pub fn scaled(script: &Script, dimension: Dimension) -> Vec<Scaled> {
    let script = without_status(script);
    let original = copy(&script, dimension, (1, 1));
    let mut copies: Vec<Scaled> = Vec::new();
    for &factor in dimension.factors() {
        let Some(copy) = copy(&script, dimension, factor) else { continue };
        let is_original = factor == (1, 1);
        let taken = |size: f64| original.as_ref().is_some_and(|original| original.size == size);
        let is_new = copies.last().is_none_or(|last| last.size < copy.size) && (is_original || !taken(copy.size));
        if (is_new || is_original) && terms::tree_size(&copy.script) <= LARGEST_TREE {
            copies.push(copy);
        }
    }
    if copies.len() < 2 { Vec::new() } else { copies }
}

fn copy(script: &Script, dimension: Dimension, (numerator, denominator): (u32, u32)) -> Option<Scaled> {
    let mut copy = script.clone();
    let factor = terms::Factor { numerator, denominator };
    let size = match dimension {
        Dimension::StringLengths => terms::scale_strings(&mut copy, factor),
        Dimension::Integers => terms::scale_integers(&mut copy, factor),
        Dimension::Arguments => terms::scale_arguments(&mut copy, factor),
        Dimension::Assertions => assertions::repeat(&mut copy, numerator),
    }?;
    Some(Scaled { factor: f64::from(numerator) / f64::from(denominator), size, script: copy })
}

/// The script without what it says of its status, which a change makes a lie.
pub(super) fn without_status(script: &Script) -> Script {
    let mut script = script.clone();
    script.commands.retain(|command| !matches!(command, Command::Other(text) if is_status(*text)));
    script
}

/// The script with nothing asserted or assumed.
pub(super) fn without_assertions(script: &Script) -> Script {
    let mut script = without_status(script);
    script.commands.retain(|command| !matches!(command, Command::Assert(_) | Command::GetValue(_)));
    for command in &mut script.commands {
        if matches!(command, Command::CheckSatAssuming(_)) {
            *command = Command::CheckSat;
        }
    }
    script
}
