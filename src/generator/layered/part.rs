//! What a theory brings to the layers of a formula.

use std::fmt::Debug;

use super::build::Build;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

/// One theory of a logic, as the layers need it. A step that finds no operands makes nothing.
pub(super) trait Part: Send + Sync + Debug {
    /// Makes the variables of the input layer, and the constants.
    fn inputs(&self, build: &mut Build<'_>);

    /// Makes constants alone: beside the variables that a script already has.
    fn constants(&self, build: &mut Build<'_>);

    /// Whether a layer is not complete before every node of this sort is used.
    fn counts(&self, sort: Sort) -> bool;

    /// A term of the main layer over random nodes.
    fn term(&self, build: &mut Build<'_>) -> Option<TermId>;

    /// A predicate over random nodes.
    fn predicate(&self, build: &mut Build<'_>) -> Option<TermId>;

    /// A random node made to `sort`, or a literal; `None` for a sort that is not the part's.
    fn argument(&self, sort: Sort, build: &mut Build<'_>) -> Option<TermId>;

    /// A literal of `sort`; `None` for a sort that is not the part's, or has no literals.
    fn literal(&self, sort: Sort, build: &mut Build<'_>) -> Option<TermId>;

    /// A sort for a new variable, or of a function.
    fn some_sort(&self, build: &mut Build<'_>) -> Option<Sort>;

    /// Whether its sorts are some that a script declares.
    fn must_declare(&self) -> bool {
        false
    }

    /// Whether variables can be of its sorts.
    fn has_sorts(&self) -> bool {
        true
    }

    /// Whether the part has values, of which functions can be: arrays and functions themselves are none here.
    fn has_values(&self) -> bool {
        true
    }

    /// Whether it makes terms between two main layers.
    fn interleaves(&self) -> bool {
        false
    }

    /// What is made between the two main layers, a half at a time; `false` if nothing is left. Whatever it makes is
    /// used in the second main layer, which there is only then.
    fn between(&self, _: &mut Build<'_>) -> bool {
        false
    }

    /// Further predicates at the end.
    fn last_predicates(&self, _: &mut Build<'_>) {}
}
