//! `overlaps`: a string that begins with one constant and ends with another, with the same variables beside them.

use super::sketch::{Shape, Sketch};

/// A·X = X·B, where A and B are constants and X is a concatenation of variables.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Overlaps {
    /// Variables
    #[arg(long, visible_alias = "num-vars", default_value_t = Overlaps::default().variables,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub variables: u32,
    /// The length of the two constants
    #[arg(long, visible_alias = "length-of-consts", default_value_t = Overlaps::default().string_length,
        value_parser = clap::value_parser!(u32).range(0..=100_000))]
    pub string_length: u32,
}

impl Default for Overlaps {
    fn default() -> Self {
        Overlaps { variables: 2, string_length: 5 }
    }
}

impl Shape for Overlaps {
    const NAME: &'static str = "stringfuzz-overlaps";

    fn draw(&self, sketch: &mut Sketch<'_>) {
        let [left, right] = [(); 2].map(|()| sketch.random_string(self.string_length));
        let variables = sketch.variables(self.variables as usize);
        let middle = sketch.join("str.++", &variables);
        let (one, other) = (sketch.apply("str.++", &[left, middle]), sketch.apply("str.++", &[middle, right]));
        sketch.assert_equal(one, other);
    }
}
