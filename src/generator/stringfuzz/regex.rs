//! `regex`: one variable in several regular languages, or outside them.

use std::str::FromStr;

use super::InvalidParameters;
use super::sketch::{Shape, Sketch};
use crate::random::{below, between, chance};
use crate::smtlib::term::TermId;

/// What the literals in regular expressions are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LiteralType {
    /// Random characters
    #[default]
    Random,
    /// One character again and again, the next of the alphabet in each literal
    Increasing,
}

/// Which languages the variable is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Membership {
    /// All
    #[default]
    In,
    /// None
    NotIn,
    /// The first, the third, and so on
    Alternating,
    /// Random ones
    Random,
}

/// How the operators of nested expressions follow one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OperatorType {
    /// At random
    #[default]
    Random,
    /// In the order in which they are given, one for each level
    Alternating,
}

/// The operators of nested regular expressions, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operators(Vec<&'static str>);

/// The letters of [`Operators`].
const LETTERS: [(char, &str); 5] = [('s', "re.*"), ('p', "re.+"), ('u', "re.union"), ('i', "re.inter"), ('c', "re.++")];

impl FromStr for Operators {
    type Err = String;

    fn from_str(letters: &str) -> Result<Self, Self::Err> {
        let mut operators = Vec::new();
        for letter in letters.chars() {
            let known = LETTERS.iter().find(|(each, _)| *each == letter);
            let (_, operator) = known.ok_or_else(|| format!("{letter:?} is none of the letters s, p, u, i and c"))?;
            if !operators.contains(operator) {
                operators.push(*operator);
            }
        }
        if operators.is_empty() { Err("at least one letter".to_owned()) } else { Ok(Operators(operators)) }
    }
}

impl Default for Operators {
    fn default() -> Self {
        Operators(LETTERS[..3].iter().map(|(_, operator)| *operator).collect())
    }
}

impl std::fmt::Display for Operators {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = |operator| LETTERS.iter().find(|(_, each)| *each == operator).map_or(' ', |(letter, _)| *letter);
        self.0.iter().try_for_each(|&operator| write!(f, "{}", letter(operator)))
    }
}

/// One variable, and regular expressions that are concatenations of terms.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Regex {
    /// Terms that each regular expression concatenates
    #[arg(long, visible_alias = "num-terms", default_value_t = Regex::default().terms,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub terms: u32,
    /// The least length of a literal
    #[arg(long, default_value_t = Regex::default().lit_min, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub lit_min: u32,
    /// The greatest length of a literal
    #[arg(long, default_value_t = Regex::default().lit_max, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub lit_max: u32,
    /// How deep operators nest in a term
    #[arg(long, default_value_t = Regex::default().depth, value_parser = clap::value_parser!(u32).range(0..=12))]
    pub depth: u32,
    /// Regular expressions
    #[arg(long, visible_alias = "num-regexes", default_value_t = Regex::default().regexes,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub regexes: u32,
    /// What literals are
    #[arg(long, value_enum, default_value_t)]
    pub literal_type: LiteralType,
    /// Which languages the variable is in
    #[arg(long, visible_alias = "membership-type", value_enum, default_value_t)]
    pub membership: Membership,
    /// The operators that nest: s for re.*, p for re.+, u for re.union, i for re.inter, c for re.++
    #[arg(long, default_value_t)]
    pub operators: Operators,
    /// How operators follow one another
    #[arg(long, value_enum, default_value_t)]
    pub operator_type: OperatorType,
    /// Increasing literals begin the alphabet again with each regular expression
    #[arg(long)]
    pub coincide: bool,
    /// The least length of the variable
    #[arg(long)]
    pub var_min: Option<u32>,
    /// The greatest length of the variable
    #[arg(long)]
    pub var_max: Option<u32>,
}

impl Default for Regex {
    fn default() -> Self {
        Regex {
            terms: 3,
            lit_min: 1,
            lit_max: 3,
            depth: 0,
            regexes: 1,
            literal_type: LiteralType::Random,
            membership: Membership::In,
            operators: Operators::default(),
            operator_type: OperatorType::Random,
            coincide: false,
            var_min: None,
            var_max: None,
        }
    }
}

/// The alphabet of increasing literals: `StringFuzz`'s (digits, letters, punctuation), but for the backslash, which
/// solvers read in different ways.
fn alphabet() -> impl Iterator<Item = u32> + Clone {
    let punctuation = (b'!'..=b'~').filter(|character| character.is_ascii_punctuation() && *character != b'\\');
    (b'0'..=b'9').chain(b'a'..=b'z').chain(b'A'..=b'Z').chain(punctuation).map(u32::from)
}

impl Regex {
    /// A regular expression that nests `depth` operators, the outermost of them the one of this number.
    fn term(
        &self,
        depth: u32,
        operator: usize,
        fillers: &mut dyn Iterator<Item = u32>,
        sketch: &mut Sketch<'_>,
    ) -> TermId {
        if depth == 0 {
            return self.literal(fillers, sketch);
        }
        let Operators(operators) = &self.operators;
        let next = match self.operator_type {
            OperatorType::Random => below(sketch.rng, operators.len()),
            OperatorType::Alternating => (operator + 1) % operators.len(),
        };
        let name = operators[operator];
        let arity = if matches!(name, "re.*" | "re.+") { 1 } else { 2 };
        let arguments: Vec<TermId> = (0..arity).map(|_| self.term(depth - 1, next, fillers, sketch)).collect();
        sketch.apply(name, &arguments)
    }

    fn literal(&self, fillers: &mut dyn Iterator<Item = u32>, sketch: &mut Sketch<'_>) -> TermId {
        let length = between(sketch.rng, self.lit_min, self.lit_max);
        let literal = match self.literal_type {
            LiteralType::Random => sketch.random_string(length),
            LiteralType::Increasing => {
                let filler = fillers.next();
                sketch.string((0..length).filter_map(|_| filler))
            }
        };
        sketch.apply("str.to_re", &[literal])
    }

    fn expression(&self, fillers: &mut dyn Iterator<Item = u32>, sketch: &mut Sketch<'_>) -> TermId {
        let terms: Vec<TermId> = (0..self.terms)
            .map(|_| {
                let first = match self.operator_type {
                    OperatorType::Random => below(sketch.rng, self.operators.0.len()),
                    OperatorType::Alternating => 0,
                };
                self.term(self.depth, first, fillers, sketch)
            })
            .collect();
        sketch.join("re.++", &terms)
    }
}

impl Shape for Regex {
    const NAME: &'static str = "stringfuzz-regex";

    fn check(&self) -> Result<(), InvalidParameters> {
        let Regex { lit_min, lit_max, .. } = *self;
        InvalidParameters::unless(lit_min <= lit_max, || {
            format!("the least length of a literal is {lit_min}, the greatest {lit_max}")
        })
    }

    fn draw(&self, sketch: &mut Sketch<'_>) {
        let variable = sketch.variable();
        let mut fillers = alphabet().cycle();
        for number in 0..self.regexes {
            if self.coincide {
                fillers = alphabet().cycle();
            }
            let expression = self.expression(&mut fillers, sketch);
            let member = sketch.apply("str.in_re", &[variable, expression]);
            let is_in = match self.membership {
                Membership::In => true,
                Membership::NotIn => false,
                Membership::Alternating => number % 2 == 0,
                Membership::Random => chance(sketch.rng, 0.5),
            };
            let constraint = if is_in { member } else { sketch.apply("not", &[member]) };
            sketch.assert(constraint);
        }
        let length = sketch.apply("str.len", &[variable]);
        if let Some(least) = self.var_min {
            let least = sketch.numeral(u64::from(least));
            let bound = sketch.apply("<=", &[least, length]);
            sketch.assert(bound);
        }
        if let Some(greatest) = self.var_max {
            let greatest = sketch.numeral(u64::from(greatest));
            let bound = sketch.apply("<=", &[length, greatest]);
            sketch.assert(bound);
        }
    }
}
