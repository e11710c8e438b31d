//! What shapes generated scripts.

/// The parameters of the string generator. Every probability is in `0.0..=1.0`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Parameters {
    /// Variables of each sort (`String`, `Int`, `Bool`); those that no assertion uses are not declared.
    pub variables: u32,
    /// Assertions.
    pub assertions: u32,
    /// How deep an assertion may nest operators; 1 applies one operator to leaves.
    pub depth: u32,
    /// How likely a leaf is a literal; otherwise it is a variable.
    pub literal_probability: f64,
    /// The length of a random string literal in characters.
    pub string_length: u32,
    /// How likely a string literal is shorter than `string_length` (uniformly 0 to that, half of them digits).
    pub short_string_probability: f64,
    /// How likely a string literal is a piece of the one drawn before it, so that they can meet.
    pub related_string_probability: f64,
    /// The largest numeral; the smallest is 0.
    pub maximum_integer: u32,
    /// How likely an operator of any number of arguments takes one more, after two and after each further one.
    pub more_arguments_probability: f64,
    /// The most arguments of such an operator; at most 16.
    pub maximum_arguments: u32,
    /// How many times as often as another an operator of the string theory is chosen.
    pub string_weight: u32,
}

impl Default for Parameters {
    /// The seed population of `StringFuzz`'s genetic search, which is the paper's (one variable per sort, five
    /// assertions, depth 3, numerals up to 30, strings of 10 characters), with three changes. Half of the strings are
    /// short or pieces of one another, because ten random characters never occur in ten others, while the defects
    /// that were reported hinge on strings that nearly fit. String operators are drawn more often, because the
    /// operator set here, unlike `StringFuzz`'s, has all connectives, and an assertion of connectives alone costs a
    /// string solver nothing. And fewer leaves are literals, because what has no variables is simplified away: on 120
    /// scripts `z3str3` 4.8.10 gave no answer within a second to 8 % with `StringFuzz`'s 50 % of literals and a weight
    /// of 3, to 17 % with 30 % of literals, and to 14 % with a weight of 6.
    fn default() -> Self {
        Parameters {
            variables: 1,
            assertions: 5,
            depth: 3,
            literal_probability: 0.3,
            string_length: 10,
            short_string_probability: 0.25,
            related_string_probability: 0.25,
            maximum_integer: 30,
            more_arguments_probability: 0.1,
            maximum_arguments: 3,
            string_weight: 6,
        }
    }
}

impl Parameters {
    /// The defaults of `StringFuzz`'s generator `random-ast`: five variables per sort, ten assertions, depth 2, few
    /// literals.
    pub fn random_ast() -> Self {
        Parameters {
            variables: 5,
            assertions: 10,
            depth: 2,
            literal_probability: 0.1,
            string_length: 10,
            short_string_probability: 0.0,
            related_string_probability: 0.0,
            maximum_integer: 10,
            more_arguments_probability: 0.0,
            maximum_arguments: 2,
            string_weight: 1,
        }
    }
}

/// Reads a number from 0 to 1.
///
/// # Errors
/// Any other text; the message says what is wanted.
pub fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a number from 0 to 1".to_owned()),
    }
}
