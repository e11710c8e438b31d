//! `generate KIND`: fresh scripts.

mod layered;

use super::batch::{BatchArgs, unknown};
use crate::generator::parameters::probability;
use crate::generator::stringfuzz::{Concats, Equality, Lengths, Overlaps, RandomAst, RandomText, Recipe, Regex};
use crate::generator::{Layered, Parameters, StringGenerator, Swarm};
use crate::job::generate::{fragment, write, write_texts};
use crate::smtlib::dialect::Dialect;
use layered::LayeredKind;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz generate strings
  mulstringfuzz generate qf-bv -n 100 --seed 7 --out formulas";

/// Arguments of `generate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true, subcommand_value_name = "KIND", subcommand_help_heading = "Kinds")]
pub struct Args {
    #[command(subcommand)]
    kind: Kind,
    #[command(flatten)]
    batch: BatchArgs,
    /// How to spell them: smtlib-2.5 uses what Z3 4.8.10 and CVC4 1.6 both accept, smtlib-2.6 the standard's operators
    #[arg(long, default_value_t = Dialect::SmtLib25, global = true)]
    dialect: Dialect,
}

/// The kinds of script. Those of `StringFuzz` are its generators, with its parameters and defaults.
#[derive(Debug, clap::Subcommand)]
enum Kind {
    /// Random scripts of the string theory
    Strings(StringsArgs),
    /// Random scripts, each with its own choice of operators, variables and depth, or one of StringFuzz's
    Swarm,
    /// StringFuzz: one deeply nested concatenation
    StringfuzzConcats(Concats),
    /// StringFuzz: variables of given lengths
    StringfuzzLengths(Lengths),
    /// StringFuzz: strings that overlap themselves, A·X = X·B
    StringfuzzOverlaps(Overlaps),
    /// StringFuzz: concatenations of constants and variables that are all equal
    StringfuzzEquality(Equality),
    /// StringFuzz: one variable in regular languages
    StringfuzzRegex(Regex),
    /// StringFuzz: random characters, which are no script, to test a solver's parser
    StringfuzzRandomText(RandomText),
    /// StringFuzz: random terms over its operators; always well-sorted
    StringfuzzRandomAst(RandomAst),
    #[command(flatten)]
    Layered(LayeredKind),
    #[command(external_subcommand)]
    Unknown(Vec<String>),
}

/// Arguments of `generate strings`.
#[derive(Debug, clap::Args)]
struct StringsArgs {
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

impl StringsArgs {
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
/// An unknown kind, parameters that do not fit together, a folder that is not empty (all the user's fault), or scripts
/// that cannot be written ([`OutputError`](crate::job::destination::OutputError) inside).
pub fn run(args: &Args) -> anyhow::Result<()> {
    let (batch, dialect) = (args.batch.batch(), args.dialect);
    let recipe: &dyn Recipe = match &args.kind {
        Kind::Unknown(words) => return Err(unknown::<Kind>("kind", "kinds", words)),
        Kind::Strings(strings) => {
            let generator = StringGenerator::new(strings.parameters(), &fragment(dialect));
            return write(&batch, dialect, &generator);
        }
        Kind::Swarm => return write(&batch, dialect, &Swarm::new(&fragment(dialect), batch.seed)),
        Kind::StringfuzzRandomText(text) => return write_texts(&batch, text),
        Kind::Layered(LayeredKind { preset, parameters }) => {
            // These logics are spelled alike in all dialects, but for the names of operators of strings.
            let fragment = fragment(dialect).in_logic(preset.logic);
            return write(&batch, dialect, &Layered::new(preset, *parameters, &fragment)?);
        }
        Kind::StringfuzzConcats(recipe) => recipe,
        Kind::StringfuzzLengths(recipe) => recipe,
        Kind::StringfuzzOverlaps(recipe) => recipe,
        Kind::StringfuzzEquality(recipe) => recipe,
        Kind::StringfuzzRegex(recipe) => recipe,
        Kind::StringfuzzRandomAst(recipe) => recipe,
    };
    write(&batch, dialect, recipe.prepare(&fragment(dialect))?.as_ref())
}
