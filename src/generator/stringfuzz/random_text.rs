//! `random-text`: random characters, which ask a solver's parser how it takes them.
//!
//! It is no script. `StringFuzz`'s own `random-text` ends in an error, because it puts a command before the text.

use crate::generator::text_character;
use crate::random::FuzzRng;

/// Random printable characters and white space.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct RandomText {
    /// The length of the text
    #[arg(long, default_value_t = RandomText::default().length, value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
    pub length: u32,
}

impl Default for RandomText {
    fn default() -> Self {
        RandomText { length: 10 }
    }
}

impl RandomText {
    /// Appends a text to `out`.
    pub fn generate_into(&self, out: &mut String, rng: &mut FuzzRng) {
        out.extend((0..self.length).filter_map(|_| char::from_u32(text_character(rng))));
    }
}
