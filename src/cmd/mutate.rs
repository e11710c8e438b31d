//! `mutate STRATEGY FILE`: mutants of a script.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;

use super::batch::{BatchArgs, unknown};
use crate::hunt::parameters::{MutantParameters, StormParameters};
use crate::job::mutate::{MutateRequest, TypeAware, write_mutants, write_storm};
use crate::number::positive;
use crate::operator::mutation::{MUTATORS, Mutator, mutate_once};
use crate::operator::stringfuzz::{self, Options, transformers};
use crate::operator::type_aware::Way;
use crate::smtlib::dialect::Dialect;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz mutate typefuzz a.smt2 -n 10 --out mutants
  mulstringfuzz mutate stringfuzz a.smt2 --transformer fuzz --transformer rotate";

/// Arguments of `mutate`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true, subcommand_value_name = "STRATEGY", subcommand_help_heading = "Strategies")]
pub struct Args {
    #[command(subcommand)]
    strategy: Strategy,
    #[command(flatten)]
    batch: BatchArgs,
    /// The dialect of the file and of the mutants [default: as the file looks]
    #[arg(long, global = true)]
    dialect: Option<Dialect>,
}

/// The mutation strategies.
#[derive(Debug, clap::Subcommand)]
enum Strategy {
    /// One of the seven operators of MulStringFuzz's paper
    Mulstringfuzz(SevenOperators),
    /// StringFuzz's transformers
    Stringfuzz(Pipeline),
    /// STORM: scripts of the file's parts that one known assignment satisfies
    Storm(StormMutants),
    /// TypeFuzz: an expression gives way to an operator over expressions of the file
    Typefuzz(Mutants),
    /// OpFuzz: an operator gives way to another one over the same arguments
    Opfuzz(Mutants),
    /// FuzzChick: an expression gives way to another one of the file
    Fuzzchick(Mutants),
    /// TypeFuzz, OpFuzz and FuzzChick, drawn for each step
    Mixed(Mutants),
    #[command(external_subcommand)]
    Unknown(Vec<String>),
}

/// Arguments of `mutate mulstringfuzz`.
#[derive(Debug, clap::Args)]
struct SevenOperators {
    /// The script to mutate, or - for standard input
    file: PathBuf,
    /// How many mutations each mutant gets, one after the other
    #[arg(long, default_value = "1", value_parser = positive::<NonZeroUsize>)]
    rounds: NonZeroUsize,
}

/// Arguments of `mutate stringfuzz`.
#[derive(Debug, clap::Args)]
struct Pipeline {
    /// The script to transform, or - for standard input
    file: PathBuf,
    /// What to do; given several times, one after the other [default: a random one for each mutant]
    #[arg(long = "transformer", value_parser = PossibleValuesParser::new(stringfuzz::NAMES))]
    transformers: Vec<String>,
    #[command(flatten)]
    options: Options,
}

/// Arguments of `mutate storm`.
#[derive(Debug, clap::Args)]
struct StormMutants {
    /// The seed, or - for standard input
    file: PathBuf,
    #[command(flatten)]
    storm: StormParameters,
}

/// Arguments of the type-aware mutations.
#[derive(Debug, clap::Args)]
struct Mutants {
    /// The seed, or - for standard input
    file: PathBuf,
    /// Use operators that this solver accepts, as NAME or NAME@VERSION; may be repeated [default: those of the standard]
    #[arg(long = "solver", value_name = "SOLVER")]
    solvers: Vec<SolverSpec>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    profiles: Option<PathBuf>,
    #[command(flatten)]
    chains: MutantParameters,
}

impl Args {
    fn request(&self, file: &Path) -> MutateRequest {
        MutateRequest { file: file.to_owned(), dialect: self.dialect, batch: self.batch.batch() }
    }

    fn write_type_aware(&self, mutants: &Mutants, way: Way) -> anyhow::Result<()> {
        let Mutants { file, solvers, profiles, chains } = mutants;
        let (chains, solvers, profiles) = (chains.clone(), solvers.clone(), profiles.clone());
        TypeAware { way, chains, solvers, profiles }.write(&self.request(file))
    }
}

/// Runs the verb. A mutant stays within the operators that the file uses, or that Z3 4.8.10 and CVC4 1.6 (the
/// standard, for a file of SMT-LIB 2.6) accept in its logic.
///
/// # Errors
/// An unknown strategy, a file that cannot be read or parsed or that nothing applies to, a folder that is not empty
/// (all the user's fault), or mutants that cannot be written ([`OutputError`](crate::job::destination::OutputError) inside).
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.strategy {
        Strategy::Mulstringfuzz(SevenOperators { file, rounds }) => {
            write_mutants(&args.request(file), |script, rng, context| {
                (0..rounds.get()).all(|_| mutate_once(script, &MUTATORS, rng, context).is_some())
            })
        }
        Strategy::Stringfuzz(Pipeline { file, transformers: names, options }) => {
            let table = transformers(options);
            let all: Vec<&dyn Mutator> = table.iter().map(Box::as_ref).collect();
            write_mutants(&args.request(file), |script, rng, context| {
                if names.is_empty() {
                    return mutate_once(script, &all, rng, context).is_some();
                }
                for name in names {
                    let named: Vec<&dyn Mutator> = all.iter().copied().filter(|each| each.name() == name).collect();
                    // One that has nothing to work on passes the script on, as in StringFuzz's pipelines.
                    mutate_once(script, &named, rng, context);
                }
                true
            })
        }
        Strategy::Storm(StormMutants { file, storm }) => write_storm(&args.request(file), *storm),
        Strategy::Typefuzz(mutants) => args.write_type_aware(mutants, Way::Typefuzz),
        Strategy::Opfuzz(mutants) => args.write_type_aware(mutants, Way::Opfuzz),
        Strategy::Fuzzchick(mutants) => args.write_type_aware(mutants, Way::Fuzzchick),
        Strategy::Mixed(mutants) => args.write_type_aware(mutants, Way::Mixed),
        Strategy::Unknown(words) => Err(unknown::<Strategy>("strategy", "strategies", words)),
    }
}
