//! `mutate STRATEGY FILE`: mutants of a script.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::batch::write_scripts;
use super::output::Destination;
use crate::generator::{Parameters, StringGenerator};
use crate::operator::Context;
use crate::operator::mutation::{MUTATORS, mutate_once};
use crate::operator::seed::normalise_seed;
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::parser::{ParseOptions, detect, parse};
use crate::smtlib::printer::{PrintOptions, print_into};
use crate::smtlib::script::Script;

/// The mutation strategies.
const STRATEGIES: [&str; 1] = ["mulstringfuzz"];

/// Arguments of `mutate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How to mutate: mulstringfuzz (one of the seven operators of its paper)
    strategy: String,
    /// The script to mutate
    file: PathBuf,
    /// How many mutants
    #[arg(short = 'n', long = "count", default_value = "1")]
    count: NonZeroUsize,
    /// How many mutations each mutant gets, one after the other
    #[arg(long, default_value = "1")]
    rounds: NonZeroUsize,
    /// An empty or new folder for the mutants, 000001.smt2 and so on [default: standard output, with (reset) between]
    #[arg(long)]
    out: Option<PathBuf>,
    /// The seed: equal seeds give equal mutants, whatever --jobs is
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Threads
    #[arg(long, default_value = "1")]
    jobs: NonZeroUsize,
    /// The dialect of the file and of the mutants [default: as the file looks]
    #[arg(long)]
    dialect: Option<Dialect>,
}

/// Runs the verb. A mutant stays within the operators that the file uses, or that Z3 4.8.10 and CVC4 1.6 (the
/// standard, for a file of SMT-LIB 2.6) accept in its logic.
///
/// # Errors
/// An unknown strategy, a file that cannot be read or parsed or that nothing applies to, a folder that is not empty
/// (all the user's fault), or mutants that cannot be written ([`OutputError`](super::output::OutputError) inside).
pub fn run(args: &Args) -> anyhow::Result<()> {
    if !STRATEGIES.contains(&args.strategy.as_str()) {
        bail!("unknown strategy {:?}: the strategies are {}", args.strategy, STRATEGIES.join(", "));
    }
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).with_context(|| format!("reading {name}"))?;
    let dialect = args.dialect.unwrap_or_else(|| detect(&text));
    let seed = parse(&text, &name, &ParseOptions { dialect: Some(dialect) })?;
    let seed = normalise_seed(&seed).with_context(|| name.clone())?;
    let fragment = fragment_of(&seed, dialect);
    let generator = StringGenerator::new(Parameters::default(), &fragment);
    let context = Context { fragment: &fragment, generator: &generator };
    let destination = Destination::open(args.out.as_deref(), args.count.get())?;
    let options = PrintOptions::default();
    write_scripts(args.count.get(), args.jobs.get(), &destination, Script::new, |script, number, text| {
        script.clone_from(&seed);
        let mut rng = rng_for(args.seed, 0, number as u32);
        for _ in 0..args.rounds.get() {
            if mutate_once(script, &MUTATORS, &mut rng, &context).is_none() {
                bail!("{name}: no mutation applies");
            }
        }
        Ok(print_into(text, script, dialect, &options)?)
    })
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
