//! `generate KIND`: fresh scripts.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::bail;

use super::batch::write_scripts;
use super::output::Destination;
use crate::generator::{Parameters, StringGenerator};
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::printer::{PrintOptions, print_into};
use crate::smtlib::script::Script;

/// The kinds of script that can be generated.
const KINDS: [&str; 1] = ["strings"];

/// Arguments of `generate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to generate: strings (random scripts of the string theory)
    kind: String,
    /// How many scripts
    #[arg(short = 'n', long = "count", default_value = "1")]
    count: NonZeroUsize,
    /// An empty or new folder for the scripts, 000001.smt2 and so on [default: standard output, with (reset) between]
    #[arg(long)]
    out: Option<PathBuf>,
    /// The seed: equal seeds give equal scripts, whatever --jobs is
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads
    #[arg(long, default_value = "1")]
    jobs: NonZeroUsize,
    /// How to spell them: smtlib-2.5 uses what Z3 4.8.10 and CVC4 1.6 both accept, smtlib-2.6 the standard's operators
    #[arg(long, default_value_t = Dialect::SmtLib25)]
    dialect: Dialect,
    /// Variables of each sort
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=1000))]
    variables: Option<u32>,
    /// Assertions
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    assertions: Option<u32>,
    /// How deep an assertion may nest operators
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=12))]
    depth: Option<u32>,
    /// How likely a leaf is a literal
    #[arg(long, value_parser = probability)]
    literal_probability: Option<f64>,
    /// The length of a random string literal
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    string_length: Option<u32>,
    /// How likely a string literal is shorter than that
    #[arg(long, value_parser = probability)]
    short_string_probability: Option<f64>,
    /// How likely a string literal is a piece of another
    #[arg(long, value_parser = probability)]
    related_string_probability: Option<f64>,
    /// The largest numeral
    #[arg(long)]
    maximum_integer: Option<u32>,
    /// How many times as often as another an operator of the string theory is drawn
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    string_weight: Option<u32>,
}

/// A number from 0 to 1.
fn probability(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a number from 0 to 1".to_owned()),
    }
}

impl Args {
    fn parameters(&self) -> Parameters {
        let default = Parameters::default();
        Parameters {
            variables: self.variables.unwrap_or(default.variables),
            assertions: self.assertions.unwrap_or(default.assertions),
            depth: self.depth.unwrap_or(default.depth),
            literal_probability: self.literal_probability.unwrap_or(default.literal_probability),
            string_length: self.string_length.unwrap_or(default.string_length),
            short_string_probability: self.short_string_probability.unwrap_or(default.short_string_probability),
            related_string_probability: self.related_string_probability.unwrap_or(default.related_string_probability),
            maximum_integer: self.maximum_integer.unwrap_or(default.maximum_integer),
            string_weight: self.string_weight.unwrap_or(default.string_weight),
            ..default
        }
    }
}

/// Runs the verb.
///
/// # Errors
/// An unknown kind, a folder that is not empty (both the user's fault), or scripts that cannot be written
/// ([`OutputError`](super::output::OutputError) inside).
pub fn run(args: &Args) -> anyhow::Result<()> {
    if !KINDS.contains(&args.kind.as_str()) {
        bail!("unknown kind {:?}: the kinds are {}", args.kind, KINDS.join(", "));
    }
    let fragment = match args.dialect {
        Dialect::SmtLib26 => Fragment::standard(),
        Dialect::SmtLib25 => Fragment::paper(),
        Dialect::SmtLib20 => Fragment::paper().spelled_in(Dialect::SmtLib20),
    };
    let generator = StringGenerator::new(args.parameters(), &fragment);
    let destination = Destination::open(args.out.as_deref(), args.count.get())?;
    let options = PrintOptions::default();
    write_scripts(args.count.get(), args.jobs.get(), &destination, Script::new, |script, number, text| {
        generator.generate_into(script, &mut rng_for(args.seed, 0, number as u32));
        Ok(print_into(text, script, args.dialect, &options)?)
    })
}
