//! `concats`: one deeply nested concatenation.

use rustc_hash::FxHashSet;

use super::InvalidParameters;
use super::sketch::{Shape, Sketch};
use crate::generator::fuzz_character;
use crate::random::below;
use crate::smtlib::term::TermId;

/// The greatest depth of a balanced tree: it has 2^depth leaves.
const DEEPEST_BALANCED: u32 = 16;

/// What nests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum DepthType {
    /// One assertion with a concatenation inside a concatenation
    #[default]
    Syntactic,
    /// One assertion for each concatenation, whose last variable the next one defines
    Semantic,
}

/// A variable is a concatenation of variables that nests `depth` times.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Concats {
    /// How deep concatenations nest
    #[arg(long, default_value_t = Concats::default().depth, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub depth: u32,
    /// What nests: terms, or definitions
    #[arg(long, value_enum, default_value_t)]
    pub depth_type: DepthType,
    /// What the outermost variable is equal to, in characters as they are
    #[arg(long)]
    pub solution: Option<String>,
    /// How many variables' characters are asserted
    #[arg(long, default_value_t = Concats::default().extract, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub extract: u32,
    /// The greatest index of such a character
    #[arg(long, default_value_t = Concats::default().extract_max, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub extract_max: u32,
    /// Nest on both sides, in a tree of 2^depth leaves
    #[arg(long)]
    pub balanced: bool,
}

impl Default for Concats {
    fn default() -> Self {
        let depth_type = DepthType::Syntactic;
        Concats { depth: 5, depth_type, solution: None, extract: 0, extract_max: 10, balanced: false }
    }
}

impl Concats {
    /// How many concatenations there are.
    fn concatenations(&self) -> usize {
        if self.balanced { (1 << self.depth) - 1 } else { self.depth as usize }
    }

    /// How many variables: the outermost, and the operands of all concatenations that are variables.
    fn variables(&self) -> usize {
        match self.depth_type {
            DepthType::Syntactic => self.concatenations() + 2,
            DepthType::Semantic => 2 * self.concatenations() + 1,
        }
    }

    /// How many different characters can be asserted.
    fn possible_extracts(&self) -> usize {
        self.variables() * (self.extract_max as usize + 1)
    }

    /// One concatenation of all `leaves`.
    fn concatenation(&self, leaves: &[TermId], sketch: &mut Sketch<'_>) -> TermId {
        if !self.balanced {
            return sketch.join("str.++", leaves);
        }
        let mut level = leaves.to_vec();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| sketch.apply("str.++", pair)).collect();
        }
        level[0]
    }

    /// Asserts random characters of variables, none of them twice.
    fn assert_characters(&self, variables: &[TermId], sketch: &mut Sketch<'_>) {
        let mut taken = FxHashSet::default();
        while taken.len() < self.extract as usize {
            let place = below(sketch.rng, self.possible_extracts());
            if taken.insert(place) {
                let (variable, index) = (place % variables.len(), place / variables.len());
                let character = fuzz_character(sketch.rng);
                let (character, index) = (sketch.string([character]), sketch.numeral(index as u64));
                let extracted = sketch.apply("str.at", &[variables[variable], index]);
                sketch.assert_equal(character, extracted);
            }
        }
    }
}

impl Shape for Concats {
    const NAME: &'static str = "stringfuzz-concats";

    fn check(&self) -> Result<(), InvalidParameters> {
        InvalidParameters::unless(!self.balanced || self.depth <= DEEPEST_BALANCED, || {
            format!("a balanced tree is at most {DEEPEST_BALANCED} deep")
        })?;
        InvalidParameters::unless(self.extract as usize <= self.possible_extracts(), || {
            format!("there are only {} different characters to extract", self.possible_extracts())
        })
    }

    fn draw(&self, sketch: &mut Sketch<'_>) {
        let variables = sketch.variables(self.variables());
        match self.depth_type {
            DepthType::Syntactic => {
                let concatenation = self.concatenation(&variables[1..], sketch);
                sketch.assert_equal(variables[0], concatenation);
            }
            DepthType::Semantic => {
                for number in 0..self.concatenations() {
                    // As in a heap, or only the second of two is a concatenation again.
                    let whole = if self.balanced { number } else { 2 * number };
                    let concatenation = sketch.apply("str.++", &variables[2 * number + 1..2 * number + 3]);
                    sketch.assert_equal(variables[whole], concatenation);
                }
            }
        }
        if let Some(solution) = &self.solution {
            let solution = sketch.string(solution.chars().map(u32::from));
            sketch.assert_equal(variables[0], solution);
        }
        self.assert_characters(&variables, sketch);
    }
}
