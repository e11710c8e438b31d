//! `equality`: concatenations of constants and variables that are all equal.

use super::sketch::{Shape, Sketch};
use crate::generator::parameters::probability;
use crate::random::{between, chance};
use crate::smtlib::term::TermId;

/// One variable is equal to several concatenations of a prefix, variables of their own, and a suffix.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct Equality {
    /// Concatenations
    #[arg(long, visible_alias = "num-exprs", default_value_t = Equality::default().expressions,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub expressions: u32,
    /// Operands of each, prefix and suffix included
    #[arg(long, visible_alias = "num-terms", default_value_t = Equality::default().terms,
        value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub terms: u32,
    /// The length of the prefixes
    #[arg(long, default_value_t = Equality::default().prefix_len, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub prefix_len: u32,
    /// The length of the suffixes
    #[arg(long, default_value_t = Equality::default().suffix_len, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub suffix_len: u32,
    /// The length of the infixes
    #[arg(long, default_value_t = Equality::default().infix_len, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub infix_len: u32,
    /// How likely an infix stands in the place of a variable
    #[arg(long, default_value_t = Equality::default().infix_chance, value_parser = probability)]
    pub infix_chance: f64,
    /// Put constant infixes in the places of some variables
    #[arg(long)]
    pub add_infixes: bool,
    /// Constants have random lengths up to those given
    #[arg(long)]
    pub random_lengths: bool,
}

impl Default for Equality {
    fn default() -> Self {
        Equality {
            expressions: 2,
            terms: 7,
            prefix_len: 5,
            suffix_len: 0,
            infix_len: 3,
            infix_chance: 0.2,
            add_infixes: false,
            random_lengths: false,
        }
    }
}

impl Equality {
    fn constant(&self, length: u32, sketch: &mut Sketch<'_>) -> TermId {
        let length = if self.random_lengths { between(sketch.rng, 0, length) } else { length };
        sketch.random_string(length)
    }

    fn concatenation(&self, sketch: &mut Sketch<'_>) -> TermId {
        let mut operands = vec![self.constant(self.prefix_len, sketch)];
        for _ in 2..self.terms {
            let infix = self.add_infixes && chance(sketch.rng, self.infix_chance);
            operands.push(if infix { self.constant(self.infix_len, sketch) } else { sketch.variable() });
        }
        operands.push(self.constant(self.suffix_len, sketch));
        sketch.join("str.++", &operands)
    }
}

impl Shape for Equality {
    const NAME: &'static str = "stringfuzz-equality";

    fn draw(&self, sketch: &mut Sketch<'_>) {
        let root = sketch.variable();
        for _ in 0..self.expressions {
            let concatenation = self.concatenation(sketch);
            sketch.assert_equal(root, concatenation);
        }
    }
}
