//! Floating-point numbers of the two formats that every solver of them has.

use super::build::{Build, operator};
use super::by_table::{ByTable, Domain};
use super::parameters::Parameters;
use super::part::Part;
use crate::random::{below, pick};
use crate::semantics::value::Value;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::TermId;

/// The part of `QF_FP`.
pub(super) fn floats(fragment: &Fragment, parameters: &Parameters) -> Box<dyn Part> {
    let domain = Domain {
        theories: &["FloatingPoint"],
        sorts: vec![(format(8, 24), "s"), (format(11, 53), "d"), (Sort::named(Symbol::new("RoundingMode")), "m")],
        without_variables: Vec::new(),
        declared: false,
        literal: literal_of,
    };
    ByTable::of(domain, fragment, parameters)
}

/// The sort with so many bits of exponent and of significand, the hidden one among these.
fn format(exponent: u32, significand: u32) -> Sort {
    Sort::new(Symbol::new("FloatingPoint"), &[exponent, significand], &[])
}

/// A literal: of numbers, the special ones as often as all others together.
fn literal_of(sort: Sort, build: &mut Build<'_>) -> Option<TermId> {
    const MODES: [&str; 5] = ["RNE", "RNA", "RTP", "RTN", "RTZ"];
    const SPECIAL: [&str; 5] = ["+oo", "-oo", "+zero", "-zero", "NaN"];
    let &[exponent, significand] = &sort.expression().indices[..] else {
        let mode = pick(build.rng, &MODES)?;
        return build.apply(operator(mode), &[], &[]);
    };
    if below(build.rng, 2) == 0 {
        let special = pick(build.rng, &SPECIAL)?;
        return build.apply(operator(special), &[exponent, significand], &[]);
    }
    let mut field = |width: u32| {
        let bits = below(build.rng, 1_usize << width) as u64;
        Value::bits(width, bits).term(build.terms)
    };
    let fields = [field(1), field(exponent), field(significand - 1)];
    build.named("fp", &fields)
}
