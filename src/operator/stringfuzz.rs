//! `StringFuzz`'s transformers (Blotsky, Mora, Berzish, Zheng, Kabir, Ganesh: *StringFuzz: A Fuzzer for String
//! Solvers*, CAV 2018), one file each.
//!
//! Unlike the paper's seven mutations they change a script everywhere at once. Every result is well-sorted; whether it
//! is satisfiable may be another matter than before.

mod add;
mod fuzz;
mod graft;
mod multiply;
mod pop;
mod reverse;
mod rotate;
mod translate;
mod unprintable;
mod walk;

pub use add::Add;
pub use fuzz::Fuzz;
pub use graft::Graft;
pub use multiply::Multiply;
pub use pop::Pop;
pub use reverse::Reverse;
pub use rotate::Rotate;
pub use translate::Translate;
pub use unprintable::Unprintable;

use super::mutation::{MUTATORS, Mutator};

/// What users may ask of the transformers.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct Options {
    /// multiply: by what
    #[arg(long, default_value_t = Options::default().factor, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub factor: u32,
    /// translate: exchange digits too
    #[arg(long)]
    pub integers: bool,
    /// fuzz and translate: change the bounds of re.range too; each stays one character
    #[arg(long)]
    pub re_range: bool,
    /// graft: move the strings that are regular expressions too
    #[arg(long)]
    pub str_to_re: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { factor: 2, integers: false, re_range: false, str_to_re: false }
    }
}

/// The most characters of a string, and repetitions of a loop, that multiplication leaves in offspring: without a bound
/// each lineage doubles them without end, and a solver that is slow on a string of a million characters is no news.
const MOST: u32 = 64;

/// The paper's seven mutations, and the transformers as `StringFuzz` has them: what the offspring of our own variants are
/// mutated by. Not `unprintable`: what it does to characters `fuzz` does too.
pub const WITH_TRANSFORMERS: [&dyn Mutator; 13] = {
    let [a, b, c, d, e, f, g] = MUTATORS;
    [
        a,
        b,
        c,
        d,
        e,
        f,
        g,
        &Fuzz { re_range: false },
        &Graft { str_to_re: false },
        &Multiply { factor: 2, most: MOST },
        &Reverse,
        &Rotate,
        &Translate { integers: false, re_range: false },
    ]
};

/// What `StringFuzz`'s genetic search, `stringbreak`, mutates by. As it was published its `fuzz` and `graft` leave a script
/// as it is, and only `add` and `pop` do anything; here they are the transformers of these names.
pub const STRINGBREAK: [&dyn Mutator; 4] = [&Fuzz { re_range: false }, &Graft { str_to_re: false }, &Add, &Pop];

/// The names of the transformers, in the order of [`transformers`].
pub const NAMES: [&str; 7] = ["fuzz", "graft", "multiply", "reverse", "rotate", "translate", "unprintable"];

/// All transformers.
pub fn transformers(options: &Options) -> [Box<dyn Mutator>; NAMES.len()] {
    let Options { factor, integers, re_range, str_to_re } = *options;
    [
        Box::new(Fuzz { re_range }),
        Box::new(Graft { str_to_re }),
        Box::new(Multiply { factor, most: u32::MAX }),
        Box::new(Reverse),
        Box::new(Rotate),
        Box::new(Translate { integers, re_range }),
        Box::new(Unprintable),
    ]
}

#[cfg(test)]
mod tests;
