//! `reduce`: a small script that keeps what is wrong with a large one.

mod keep;
mod slow;
mod summary;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, bail, ensure};

pub use keep::Keep;
use summary::{Summary, described};

use super::check::read;
use crate::config::parse_duration;
use crate::exit::Status;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::record::write_atomically;
use crate::reduce::property::{ExitCode, Keeps, KeptAnswer, Meter, Property, Spent};
use crate::reduce::search::Tally;
use crate::reduce::size::Size;
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Ended, Plan, Reduction, reduce};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, detect, parse_lenient};
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::provision::{Cache, find};

/// Shrink a script while a property holds. Candidates are judged by runs of the solvers.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct ReduceArgs {
    /// The script; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What to keep: `slow` (the target is slow, the reference quick), `result` (what both answer), `crash` (with its
    /// message), `invalid-model`, or `script:CMD` (CMD FILE ends with the same exit code as for the input)
    #[arg(long, value_name = "PROPERTY")]
    pub keep: Keep,
    /// The solver under test, as "NAME OPTION…" or "NAME@VERSION OPTION…"
    #[arg(long, value_name = "SOLVER", default_value = "z3str3")]
    pub target: SolverSpec,
    /// The solver that it is compared with
    #[arg(long, value_name = "SOLVER", default_value = "cvc4")]
    pub reference: SolverSpec,
    /// CPU time in which the target must fail to answer, or, of other properties, of each run
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub limit: Duration,
    /// CPU time in which the reference must answer [default: a tenth of the limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub reference_limit: Option<Duration>,
    /// CPU time in which the target must fail to answer the result, three times of three; 0s for no such runs
    /// [default: twice the limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub confirm_limit: Option<Duration>,
    /// Random seeds of the target that are tried, at milestones and at the end: the defect shall not hang on one
    #[arg(long, value_name = "N")]
    pub seeds: Option<u32>,
    /// On how many of --seeds the target must stay slow (as far as it is on the input) [default: three quarters]
    #[arg(long, value_name = "K", requires = "seeds")]
    pub robust: Option<u32>,
    /// Keep the reference's answer, sat or unsat
    #[arg(long)]
    pub keep_status: bool,
    /// Keep set-logic
    #[arg(long)]
    pub keep_logic: bool,
    /// Keep the names of variables
    #[arg(long)]
    pub keep_names: bool,
    /// Let a reference's sat count without its own check of its model
    #[arg(long)]
    pub no_model_check: bool,
    /// In which order what is tried
    #[arg(long, value_enum, default_value_t)]
    pub strategy: Strategy,
    /// The dialect of the result [default: the target's; with script:CMD, the file's]
    #[arg(long, value_name = "DIALECT")]
    pub dialect: Option<Dialect>,
    /// Stop after so many candidates
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    pub max_tests: u64,
    /// Decides what a strategy draws at random
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Candidates to look at at once; the result does not depend on it
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Write the result to this file, and the best so far all the while [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Print what was done as JSON; needs --out
    #[arg(long, requires = "out")]
    pub json: bool,
}

/// The solvers, the pool and the limits of a reduction.
struct Workshop<'a> {
    args: &'a ReduceArgs,
    script: &'a Script,
    /// The dialect of the file.
    detected: Dialect,
    meter: &'a Meter,
    pool: rayon::ThreadPool,
    interrupt: &'a Interrupt,
}

/// Reduces the file.
///
/// # Errors
/// A file that cannot be read or lacks the property, a solver that is missing, a result that cannot be written.
pub fn run(args: &ReduceArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    let name = args.file.display().to_string();
    let text = read(&args.file)?;
    let script = parse_lenient(&text, &name, &ParseOptions { dialect: None })?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.get()).build().context("cannot start threads")?;
    let shop = Workshop { args, script: &script, detected: detect(&text), meter: &Meter::default(), pool, interrupt };
    match &args.keep {
        Keep::Script(command) => shop.keep_exit_code(command, output),
        Keep::Slow => shop.keep_slow(&shop.find(&args.target)?, &shop.find(&args.reference)?, output),
        Keep::Answer(keeps) => {
            // Only `result` needs two.
            let reference = (*keeps == Keeps::Result).then(|| shop.find(&args.reference)).transpose()?;
            shop.keep_answer(*keeps, &shop.find(&args.target)?, reference.as_ref(), output)
        }
    }
}

impl Workshop<'_> {
    fn find(&self, spec: &SolverSpec) -> anyhow::Result<InstalledProver> {
        let profiles = Profiles::with_file(self.args.profiles.as_deref())?;
        Ok(InstalledProver::new(find(spec, &profiles, &Cache::locate()?)?))
    }

    fn keep_exit_code(&self, command: &str, output: &mut dyn Write) -> anyhow::Result<Status> {
        let dialect = self.args.dialect.unwrap_or(self.detected);
        let property = ExitCode::of(self.script, command, dialect, self.args.limit, self.meter, self.interrupt)?;
        ensure!(property.is_usable(), "{command}: {}, so that nothing could be told from it", property.kept());
        let kept = format!("{command}: {}", property.kept());
        let Some(reduction) = self.reduce(&property, dialect)? else { bail!("{command} does not end alike twice") };
        let summary = self.summary(kept, &reduction);
        self.finish(&reduction, dialect, summary, output)
    }

    fn keep_answer(
        &self,
        keeps: Keeps,
        target: &InstalledProver,
        reference: Option<&InstalledProver>,
        output: &mut dyn Write,
    ) -> anyhow::Result<Status> {
        let reference = reference.map(|prover| prover as &dyn Prover);
        let provers = (target as &dyn Prover, reference);
        let found = KeptAnswer::of(self.script, keeps, provers, self.args.limit, self.meter, self.interrupt)?;
        let property = match found {
            Ok(property) => property,
            Err(answer) => bail!("{} answers {answer}: there is nothing to keep", target.name()),
        };
        if property.reference_answer() == Some(property.answer()) {
            tracing::warn!("both solvers answer {}: nothing is wrong that could be kept", property.answer().name());
        }
        let also = property.reference_answer().map(|answer| format!(", {} {}", self.args.reference, answer.name()));
        let kept = format!("{} {}{}", target.name(), property.answer(), also.unwrap_or_default());
        let dialect = self.args.dialect.unwrap_or(target.dialect());
        let Some(reduction) = self.reduce(&property, dialect)? else {
            bail!("{} does not answer alike twice", target.name())
        };
        let summary = self.summary(kept, &reduction);
        self.finish(&reduction, dialect, summary, output)
    }

    fn reduce(&self, property: &dyn Property, dialect: Dialect) -> anyhow::Result<Option<Reduction>> {
        let args = self.args;
        let plan = Plan {
            strategy: args.strategy,
            freedom: Freedom { keep_logic: args.keep_logic, keep_names: args.keep_names },
            dialect,
            seed: args.seed,
            most_tests: args.max_tests,
            enough: &|| false,
            pool: &self.pool,
        };
        let failure = Mutex::new(None);
        let on_best = |script: &Script, size: &Size, tally: &Tally| {
            tracing::info!(
                bytes = size.bytes,
                complexity = size.complexity,
                commands = size.commands,
                judged = tally.judged,
                "smaller"
            );
            if let Some(out) = &args.out
                && let Err(error) = write_best(out, script, dialect)
            {
                failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                self.interrupt.set();
            }
        };
        let reduced = reduce(self.script, property, &plan, &on_best, self.interrupt);
        if let Some(error) = failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            return Err(error);
        }
        Ok(reduced?)
    }

    fn summary(&self, kept: String, reduction: &Reduction) -> Summary {
        Summary {
            file: self.args.file.clone(),
            kept,
            ended: reduction.ended,
            before: reduction.before,
            after: reduction.after,
            assertions: reduction.script.assertions().count(),
            tests: reduction.tally,
            spent: self.meter.spent(),
            total: Spent::default(),
            confirmed_runs: None,
            seeds: None,
            slow_seeds: None,
            slow_seeds_of_input: None,
            model_checked: None,
        }
    }

    fn finish(
        &self,
        reduction: &Reduction,
        dialect: Dialect,
        summary: Summary,
        output: &mut dyn Write,
    ) -> anyhow::Result<Status> {
        let summary = Summary { total: self.meter.spent(), ..summary };
        match &self.args.out {
            Some(out) => write_best(out, &reduction.script, dialect)?,
            None => output.write_all(printed(&reduction.script, dialect)?.as_bytes())?,
        }
        if self.args.json {
            serde_json::to_writer_pretty(&mut *output, &summary)?;
            writeln!(output)?;
        }
        eprint!("{}", described(&summary));
        Ok(if reduction.ended == Ended::Interrupted { Status::Interrupted } else { Status::Done })
    }
}

fn printed(script: &Script, dialect: Dialect) -> anyhow::Result<String> {
    printer::print(script, dialect, &PrintOptions::default()).context("the result cannot be written in this dialect")
}

fn write_best(out: &Path, script: &Script, dialect: Dialect) -> anyhow::Result<()> {
    Ok(write_atomically(out, printed(script, dialect)?.as_bytes())?)
}
