//! Why an application or a sort does not check.

/// Why an application or a sort does not check.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SortError {
    /// The table has no operator of this name.
    #[error("unknown operator {name}")]
    UnknownOperator {
        /// The name.
        name: String,
    },
    /// No signature of the operator fits.
    #[error("{name} does not take {found}; it takes {}", .expected.join(" or "))]
    Arguments {
        /// The operator.
        name: String,
        /// The arguments' sorts.
        found: String,
        /// The parameters of its signatures.
        expected: Vec<String>,
    },
    /// There is no sort of this name.
    #[error("unknown sort {name}")]
    UnknownSort {
        /// The name.
        name: String,
    },
    /// The sort takes another number of indices or arguments.
    #[error("the sort {name} takes {indices} indices and {arity} arguments")]
    SortArguments {
        /// The name.
        name: String,
        /// How many indices it takes.
        indices: usize,
        /// How many arguments it takes.
        arity: usize,
    },
}
