//! A sort of which nothing is known but that it is not empty.

use super::by_table::{ByTable, Domain};
use super::parameters::Parameters;
use super::part::Part;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;

/// The part of `QF_UF` beside its functions.
pub(super) fn uninterpreted(fragment: &Fragment, parameters: &Parameters) -> Box<dyn Part> {
    let sorts = [("S0", "x"), ("S1", "y")];
    let domain = Domain {
        theories: &[],
        sorts: sorts.map(|(name, stem)| (Sort::named(Symbol::new(name)), stem)).to_vec(),
        without_variables: Vec::new(),
        declared: true,
        literal: |_, _| None,
    };
    ByTable::of(domain, fragment, parameters)
}
