//! `random-ast`: random terms over `StringFuzz`'s operators.
//!
//! Scripts are always well-sorted. `StringFuzz` makes ill-sorted ones unless it is told not to, which no solver answers.
//! It lists the operators that take any number of arguments, and reads the most arguments that they may have, but never
//! draws them; here they are drawn, unless at most one argument is allowed, which gives what `StringFuzz` gives.

use super::{InvalidParameters, Recipe};
use crate::generator::parameters::probability;
use crate::generator::{Generator, Parameters, StringGenerator};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::operator_set::OperatorSet;

/// The operators that `StringFuzz` draws.
const DRAWN: [&str; 17] = [
    "not",
    ">",
    "<",
    ">=",
    "<=",
    "str.contains",
    "str.at",
    "str.len",
    "str.indexof",
    "str.prefixof",
    "str.suffixof",
    "str.replace",
    "str.substr",
    "str.in_re",
    "re.*",
    "re.+",
    "re.allchar",
];

/// Those that it lists besides, of any number of arguments or on literals, but does not draw.
const LISTED: [&str; 9] = ["str.++", "re.++", "and", "or", "=", "re.union", "re.inter", "str.to_re", "re.range"];

/// Random assertions over variables of three sorts.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct RandomAst {
    /// Variables of each sort; those that no assertion uses are not declared
    #[arg(long, visible_alias = "num-vars", default_value_t = RandomAst::default().variables,
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub variables: u32,
    /// Assertions
    #[arg(long, visible_alias = "num-asserts", default_value_t = RandomAst::default().assertions,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub assertions: u32,
    /// How deep an assertion may nest operators
    #[arg(long, default_value_t = RandomAst::default().depth, value_parser = clap::value_parser!(u32).range(1..=12))]
    pub depth: u32,
    /// The most arguments of operators that take any number; with 1 there are no such operators
    #[arg(long, default_value_t = RandomAst::default().max_terms, value_parser = clap::value_parser!(u32).range(1..=16))]
    pub max_terms: u32,
    /// The length of string literals
    #[arg(long, default_value_t = RandomAst::default().max_string, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub max_string: u32,
    /// The largest numeral
    #[arg(long, default_value_t = RandomAst::default().max_int)]
    pub max_int: u32,
    /// How likely a leaf is a literal
    #[arg(long, default_value_t = RandomAst::default().literal_chance, value_parser = probability)]
    pub literal_chance: f64,
    /// Make well-sorted scripts: always so, and accepted for the sake of StringFuzz's command lines
    #[arg(long = "meaningful")]
    pub meaningful: bool,
}

impl Default for RandomAst {
    fn default() -> Self {
        RandomAst {
            variables: 5,
            assertions: 10,
            depth: 2,
            max_terms: 5,
            max_string: 10,
            max_int: 10,
            literal_chance: 0.1,
            meaningful: true,
        }
    }
}

impl RandomAst {
    fn parameters(&self) -> Parameters {
        Parameters {
            variables: self.variables,
            assertions: self.assertions,
            depth: self.depth,
            literal_probability: self.literal_chance,
            string_length: self.max_string,
            maximum_integer: self.max_int,
            more_arguments_probability: 0.5,
            maximum_arguments: self.max_terms,
            ..Parameters::random_ast()
        }
    }

    /// The generator of such scripts in the logic of `fragment`.
    pub(super) fn generator(&self, fragment: &Fragment) -> StringGenerator {
        StringGenerator::new(self.parameters(), &fragment.restricted_to(&self.operators()))
    }

    /// The operators of the scripts.
    fn operators(&self) -> OperatorSet {
        let listed: &[&str] = if self.max_terms > 1 { &LISTED } else { &[] };
        OperatorSet::from_names(DRAWN.iter().chain(listed).copied()).expect("operators of the built-in theories")
    }
}

impl Recipe for RandomAst {
    fn name(&self) -> &'static str {
        "stringfuzz-random-ast"
    }

    fn prepare(&self, fragment: &Fragment) -> Result<Box<dyn Generator>, InvalidParameters> {
        Ok(Box::new(self.generator(fragment)))
    }
}
