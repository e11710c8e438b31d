//! `lengths`: variables of given lengths.

use super::InvalidParameters;
use super::sketch::{Shape, Sketch};
use crate::random::{between, choose_front, pick};

/// Every variable, and some concatenations of two variables, have a given length.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Lengths {
    /// Variables
    #[arg(long, visible_alias = "num-vars", default_value_t = Lengths::default().variables,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub variables: u32,
    /// The least length
    #[arg(long, default_value_t = Lengths::default().min_length)]
    pub min_length: u32,
    /// The greatest length
    #[arg(long, default_value_t = Lengths::default().max_length)]
    pub max_length: u32,
    /// Concatenations of two variables, no variable in two of them
    #[arg(long, visible_alias = "num-concats", default_value_t = Lengths::default().concats)]
    pub concats: u32,
    /// Lengths are equal to, less than or greater than what is given, instead of equal
    #[arg(long)]
    pub random_relations: bool,
}

impl Default for Lengths {
    fn default() -> Self {
        Lengths { variables: 5, min_length: 0, max_length: 10, concats: 0, random_relations: false }
    }
}

impl Shape for Lengths {
    const NAME: &'static str = "stringfuzz-lengths";

    fn check(&self) -> Result<(), InvalidParameters> {
        let Lengths { variables, min_length, max_length, concats, .. } = *self;
        InvalidParameters::unless(min_length <= max_length, || {
            format!("the least length is {min_length}, the greatest {max_length}")
        })?;
        InvalidParameters::unless(concats <= variables / 2, || {
            format!("{variables} variables make at most {} concatenations", variables / 2)
        })
    }

    fn draw(&self, sketch: &mut Sketch<'_>) {
        let mut variables: Vec<_> = sketch
            .variables(self.variables as usize)
            .into_iter()
            .map(|variable| (variable, u64::from(between(sketch.rng, self.min_length, self.max_length))))
            .collect();
        let assert_length = |term, length, sketch: &mut Sketch<'_>| {
            let relations: &[&str] = if self.random_relations { &["=", ">", "<"] } else { &["="] };
            let relation = pick(sketch.rng, relations).copied().unwrap_or("=");
            let (given, actual) = (sketch.numeral(length), sketch.apply("str.len", &[term]));
            let related = sketch.apply(relation, &[given, actual]);
            sketch.assert(related);
        };
        for &(variable, length) in &variables {
            assert_length(variable, length, sketch);
        }
        let operands = 2 * self.concats as usize;
        choose_front(sketch.rng, &mut variables, operands);
        for pair in variables[..operands].chunks(2) {
            let concatenation = sketch.apply("str.++", &[pair[0].0, pair[1].0]);
            assert_length(concatenation, pair[0].1 + pair[1].1, sketch);
        }
    }
}
