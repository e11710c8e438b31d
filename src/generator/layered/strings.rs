//! Strings, integers and regular expressions.

use super::build::{Build, operator};
use super::by_table::{ByTable, Domain};
use super::parameters::Parameters;
use super::part::Part;
use crate::generator::fuzz_character;
use crate::random::{below, between};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

/// The longest string literal.
const LONGEST: u32 = 6;

/// The part of `QF_SLIA`.
pub(super) fn strings(fragment: &Fragment, parameters: &Parameters) -> Box<dyn Part> {
    let domain = Domain {
        theories: &["Strings", "Ints"],
        sorts: vec![(Sort::STRING, "s"), (Sort::INT, "i")],
        without_variables: vec![Sort::REGLAN],
        declared: false,
        literal: literal_of,
    };
    ByTable::of(domain, fragment, parameters)
}

/// A literal; of a language, that of one string, or that of all characters.
fn literal_of(sort: Sort, build: &mut Build<'_>) -> Option<TermId> {
    match sort {
        Sort::INT => {
            let value = below(build.rng, 20) as u64;
            Some(build.terms.numeral(value))
        }
        Sort::STRING => {
            let text: Vec<u32> = (0..between(build.rng, 0, LONGEST)).map(|_| fuzz_character(build.rng)).collect();
            Some(build.terms.string(&text))
        }
        Sort::REGLAN if below(build.rng, 4) == 0 => build.apply(operator("re.allchar"), &[], &[]),
        Sort::REGLAN => {
            let text = literal_of(Sort::STRING, build)?;
            build.apply(operator("str.to_re"), &[], &[text])
        }
        _ => None,
    }
}
