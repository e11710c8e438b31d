//! The logics that there are layered formulas of: a row each.

use super::arrays::Arrays;
use super::bit_vectors::BitVectors;
use super::extensional::extensional;
use super::floats::floats;
use super::functions::Functions;
use super::numbers::{integers, reals};
use super::parameters::Parameters;
use super::part::Part;
use super::strings::strings;
use super::uninterpreted::uninterpreted;
use crate::smtlib::fragment::Fragment;

/// Makes a part for a fragment.
type Make = fn(&Fragment, &Parameters) -> Box<dyn Part>;

/// A logic, and what its formulas are made of.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name on the command line.
    pub name: &'static str,
    /// The logic that scripts set.
    pub logic: &'static str,
    /// What it has, in a few words.
    pub about: &'static str,
    pub(super) parts: &'static [Make],
}

/// The name of that with strings.
const OF_STRINGS: &str = "qf-slia";

/// All of them.
pub const PRESETS: &[Preset] = &[
    row("qf-bv", "QF_BV", "FuzzSMT: bit-vectors", &[BitVectors::of]),
    row("qf-abv", "QF_ABV", "FuzzSMT: bit-vectors and arrays of them", &[BitVectors::of, Arrays::of]),
    row("qf-ufbv", "QF_UFBV", "FuzzSMT: bit-vectors and functions", &[BitVectors::of, one_function]),
    row(
        "qf-aufbv",
        "QF_AUFBV",
        "FuzzSMT: bit-vectors, arrays of them, and functions",
        &[BitVectors::of, Arrays::of, no_function],
    ),
    row("qf-lia", "QF_LIA", "FuzzSMT: linear integers", &[integers]),
    row("qf-nia", "QF_NIA", "FuzzSMT: integers with products of terms", &[integers]),
    row("qf-lra", "QF_LRA", "FuzzSMT: linear reals", &[reals]),
    row("qf-ax", "QF_AX", "FuzzSMT: arrays of declared sorts", &[extensional]),
    row("qf-uf", "QF_UF", "FuzzSMT: declared sorts and functions", &[uninterpreted, one_function]),
    row("qf-uflia", "QF_UFLIA", "FuzzSMT: linear integers and functions", &[integers, one_function]),
    row(OF_STRINGS, "QF_SLIA", "In layers as FuzzSMT's: strings, integers and regular expressions", &[strings]),
    row("qf-fp", "QF_FP", "In layers as FuzzSMT's: floating-point numbers", &[floats]),
];

const fn row(name: &'static str, logic: &'static str, about: &'static str, parts: &'static [Make]) -> Preset {
    Preset { name, logic, about, parts }
}

impl Preset {
    /// That of this name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// That of this logic. Logics of strings have none: the grammar of strings knows more of them, as what makes two strings
    /// meet.
    pub fn of_logic(logic: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.logic == logic && preset.name != OF_STRINGS)
    }
}

fn one_function(_: &Fragment, _: &Parameters) -> Box<dyn Part> {
    Box::new(Functions { usual: 1 })
}

fn no_function(_: &Fragment, _: &Parameters) -> Box<dyn Part> {
    Box::new(Functions { usual: 0 })
}
