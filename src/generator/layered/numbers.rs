//! Integers and reals.

use super::build::Build;
use super::by_table::{ByTable, Domain};
use super::parameters::Parameters;
use super::part::Part;
use crate::random::{below, between};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{LiteralKind, TermId, Terms};

/// The most bits of a constant, whatever the largest width of bit-vectors is.
const MOST_BITS: u32 = 62;

/// The integers, linear or not as the fragment has it.
pub(super) fn integers(fragment: &Fragment, parameters: &Parameters) -> Box<dyn Part> {
    let domain = Domain {
        theories: &["Ints"],
        sorts: vec![(Sort::INT, "i")],
        without_variables: Vec::new(),
        declared: false,
        literal: |_, build| {
            let value = magnitude(build);
            Some(build.terms.numeral(value))
        },
    };
    ByTable::of(domain, fragment, parameters)
}

/// The reals, linear or not as the fragment has it.
pub(super) fn reals(fragment: &Fragment, parameters: &Parameters) -> Box<dyn Part> {
    let domain = Domain {
        theories: &["Reals"],
        sorts: vec![(Sort::REAL, "r")],
        without_variables: Vec::new(),
        declared: false,
        literal: |_, build| {
            let value = magnitude(build);
            Some(decimal(build.terms, value))
        },
    };
    ByTable::of(domain, fragment, parameters)
}

/// A number of at most as many bits as the widest bit-vector, small ones more often.
fn magnitude(build: &mut Build<'_>) -> u64 {
    let bits = between(build.rng, 0, build.parameters.max_width.min(MOST_BITS));
    below(build.rng, 1_usize << bits) as u64
}

/// A whole real number, as `7.0`.
pub(super) fn decimal(terms: &mut Terms, value: u64) -> TermId {
    let text: Vec<u32> = format!("{value}.0").bytes().map(u32::from).collect();
    terms.literal(LiteralKind::Decimal, Sort::REAL, &text)
}
