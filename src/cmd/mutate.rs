//! `mutate STRATEGY FILE`: mutants of a script.

mod chains;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::builder::PossibleValuesParser;

use super::batch::{BatchArgs, unknown};
use crate::generator::grammar;
use crate::hunt::parameters::StormParameters;
use crate::hunt::source::{INSTANCES_A_ROUND, Source, Storm, StormSettings};
use crate::job::input::read;
use crate::number::positive;
use crate::operator::Context;
use crate::operator::mutation::{MUTATORS, Mutator, mutate_once};
use crate::operator::seed::normalise_seed;
use crate::operator::stringfuzz::{self, Options, transformers};
use crate::operator::type_aware::Way;
use crate::random::{FuzzRng, rng_for};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::parser::{ParseOptions, detect, parse};
use crate::smtlib::printer::{PrintOptions, print_into};
use crate::smtlib::script::Script;
use chains::Mutants;

/// Arguments of `mutate`.
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true, subcommand_value_name = "STRATEGY", subcommand_help_heading = "Strategies")]
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

impl Args {
    /// The name of the file, its dialect, and its script.
    fn script_in(&self, file: &Path) -> anyhow::Result<(String, Dialect, Script)> {
        let name = file.display().to_string();
        let text = read(file)?;
        let dialect = self.dialect.unwrap_or_else(|| detect(&text));
        let script = parse(&text, &name, &ParseOptions { dialect: Some(dialect) })?;
        Ok((name, dialect, script))
    }
}

/// Runs the verb. A mutant stays within the operators that the file uses, or that Z3 4.8.10 and CVC4 1.6 (the
/// standard, for a file of SMT-LIB 2.6) accept in its logic.
///
/// # Errors
/// An unknown strategy, a file that cannot be read or parsed or that nothing applies to, a folder that is not empty
/// (all the user's fault), or mutants that cannot be written ([`OutputError`](super::output::OutputError) inside).
pub fn run(args: &Args) -> anyhow::Result<()> {
    match &args.strategy {
        Strategy::Mulstringfuzz(SevenOperators { file, rounds }) => {
            write_mutants(args, file, |script, rng, context| {
                (0..rounds.get()).all(|_| mutate_once(script, &MUTATORS, rng, context).is_some())
            })
        }
        Strategy::Stringfuzz(Pipeline { file, transformers: names, options }) => {
            let table = transformers(options);
            let all: Vec<&dyn Mutator> = table.iter().map(Box::as_ref).collect();
            write_mutants(args, file, |script, rng, context| {
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
        Strategy::Storm(StormMutants { file, storm }) => write_storm(args, file, *storm),
        Strategy::Typefuzz(mutants) => chains::write(args, mutants, Way::Typefuzz),
        Strategy::Opfuzz(mutants) => chains::write(args, mutants, Way::Opfuzz),
        Strategy::Fuzzchick(mutants) => chains::write(args, mutants, Way::Fuzzchick),
        Strategy::Mixed(mutants) => chains::write(args, mutants, Way::Mixed),
        Strategy::Unknown(words) => Err(unknown::<Strategy>("strategy", "strategies", words)),
    }
}

/// Writes mutants of the script in `file` that `mutate` makes; it gives `false` if there is nothing to mutate.
fn write_mutants(
    args: &Args,
    file: &Path,
    mutate: impl Fn(&mut Script, &mut FuzzRng, &Context<'_>) -> bool + Sync,
) -> anyhow::Result<()> {
    let (name, dialect, seed) = args.script_in(file)?;
    let seed = normalise_seed(&seed).with_context(|| name.clone())?;
    let fragment = fragment_of(&seed, dialect);
    let grammar = grammar(&fragment);
    let context = Context { fragment: &fragment, grammar: grammar.as_ref() };
    let options = PrintOptions::default();
    args.batch.write(Script::new, |script, number, text| {
        script.clone_from(&seed);
        if !mutate(script, &mut rng_for(args.batch.seed, 0, number as u32), &context) {
            bail!("{name}: no mutation applies");
        }
        Ok(print_into(text, script, dialect, &options)?)
    })
}

/// Rounds that may give no instance before there is none.
const BARREN_ROUNDS: u32 = 50;

/// Writes STORM's instances of the script in `file`.
fn write_storm(args: &Args, file: &Path, storm: StormParameters) -> anyhow::Result<()> {
    let (name, dialect, seed) = args.script_in(file)?;
    let StormParameters { incremental, .. } = storm;
    let settings =
        StormSettings { bounds: storm.bounds(), incremental, instances: Some(u32::MAX), seed: args.batch.seed };
    let seeds = vec![(name.clone(), seed)];
    let source = Storm::new(&seeds, settings);
    // A seed has fragments under every assignment, or under none.
    let first = (0..BARREN_ROUNDS).find_map(|round| source.cases(0, round).transpose());
    first.with_context(|| format!("{name}: no part of it has a truth that is known"))??;
    let options = PrintOptions::default();
    args.batch.write(
        || (u32::MAX, Vec::new()),
        |(kept, cases), number, text| {
            let (round, place) = ((number - 1) as u32 / INSTANCES_A_ROUND, (number - 1) % INSTANCES_A_ROUND as usize);
            if *kept != round {
                // A round without instances has others in its place, far from all that are asked for.
                let mut rounds =
                    (0..BARREN_ROUNDS).filter_map(|far| source.cases(0, round.wrapping_add(far << 20)).ok());
                (*kept, *cases) = (round, rounds.find_map(|cases| cases).unwrap_or_default());
            }
            let case = cases.get(place).with_context(|| format!("{name}: no instance {number}"))?;
            anyhow::ensure!(case.is_satisfied(), "{name}: instance {number} is not satisfied by its assignment");
            Ok(print_into(text, &case.script, dialect, &options)?)
        },
    )
}

/// What mutants of `seed` may use.
fn fragment_of(seed: &Script, dialect: Dialect) -> Fragment {
    let standard = match (seed.logic(), dialect) {
        (Some(logic), Dialect::SmtLib26) => Fragment::standard().in_logic(logic.as_str()),
        (None, Dialect::SmtLib26) => Fragment::standard(),
        (Some(logic), _) => Fragment::paper().in_logic(logic.as_str()),
        (None, _) => Fragment::paper(),
    };
    standard.spelled_in(dialect).admitting(seed)
}
