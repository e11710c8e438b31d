//! Arrays of which nothing is known but that equal reads make them equal.

use super::by_table::{ByTable, Domain};
use super::parameters::Parameters;
use super::part::Part;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;

/// The part of `QF_AX`: arrays from a declared sort to another, with reads, writes and equalities.
pub(super) fn extensional(fragment: &Fragment, parameters: &Parameters) -> Box<dyn Part> {
    let [index, element] = ["Index", "Element"].map(|name| Sort::named(Symbol::new(name)));
    let domain = Domain {
        theories: &["ArraysEx"],
        sorts: vec![(index, "i"), (element, "e"), (Sort::array(index, element), "a")],
        without_variables: Vec::new(),
        declared: true,
        literal: |_, _| None,
    };
    ByTable::of(domain, fragment, parameters)
}
