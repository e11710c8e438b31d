//! A reduction: a small script that keeps what is wrong with a large one, and what is known of it then.

mod keep;
mod opposed;
mod result;
mod slow;
mod summary;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

pub use keep::Keep;
pub use result::Reduced;
use result::{check_place, write_best};
use summary::CrashTime;

use crate::config::format_duration;
use crate::console::{Console, is_terminal, say};
use crate::job::input::read;
use crate::job::patterns::patterns_at;
use crate::known::{self, Modulo, Pattern};
use crate::number::counted;
use crate::oracle::model::remove_printing;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::reduce::property::{CRASH_PATIENCE, ExitCode, Keeps, KeptAnswer, Meter, Property, RunLimit, refusal};
use crate::reduce::search::Tally;
use crate::reduce::size::Size;
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Plan, Reduction, reduce};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, detect, parse, parse_lenient};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, find_working, known_profiles};

/// CPU time of each run, unless the user says otherwise.
const LIMIT: Duration = Duration::from_secs(5);

/// What a reduction is asked for.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ReduceRequest {
    /// The script; - is standard input.
    pub file: PathBuf,
    /// What to keep: `slow` (the target is slow, the reference quick), `result` (what both answer), `crash` (with its
    /// message), `invalid-model`, or `script:CMD` (CMD FILE ends with the same exit code as for the input).
    pub keep: Keep,
    /// The solver under test, as "NAME OPTION…" or "NAME@VERSION OPTION…".
    pub target: SolverSpec,
    /// The solver that it is compared with.
    pub reference: SolverSpec,
    /// With `--keep result`, instead of the reference: a solver that is trusted; may be repeated. Kept is that all of them
    /// agree on sat or unsat, and the target says the opposite.
    pub trusted: Vec<SolverSpec>,
    /// CPU time in which the target must fail to answer, or, of other properties, of each run [default: 5s; of `crash`, what
    /// the crash takes on FILE, and 3s more].
    pub limit: Option<Duration>,
    /// CPU time in which the reference must answer [default: a tenth of the limit; if it needs more for FILE, half as much
    /// again as it needs, and half the limit at most].
    pub reference_limit: Option<Duration>,
    /// CPU time in which the target must fail to answer the result, three times of three: the limit at least, or 0s for no
    /// such runs [default: twice the limit].
    pub confirm_limit: Option<Duration>,
    /// Random seeds of the target that are tried, at milestones and at the end: the defect shall not hang on one.
    pub seeds: Option<u32>,
    /// On how many of --seeds the target must stay slow (as far as it is on the input) [default: three quarters].
    pub robust: Option<u32>,
    /// A file of patterns of what is known already, or a triage or run with such; may be given again: the result keeps the
    /// property without them. Where one occurs in the script, fresh variables take its place first. A pattern is a define-fun
    /// whose parameters stand for anything, or, as (! x :not-literal) and (! x :literal), for what has a variable or none.
    pub known: Vec<PathBuf>,
    /// Keep the answer of the reference, or of the trusted solvers, sat or unsat.
    pub keep_status: bool,
    /// Keep set-logic.
    pub keep_logic: bool,
    /// Keep the names of variables.
    pub keep_names: bool,
    /// Let a reference's sat count without its own check of its model.
    pub no_model_check: bool,
    /// In which order what is tried.
    pub strategy: Strategy,
    /// The dialect of the result [default: the target's; with script:CMD, the file's].
    pub dialect: Option<Dialect>,
    /// Stop after so many candidates.
    pub max_tests: u64,
    /// Decides what a strategy draws at random.
    pub seed: u64,
    /// Candidates to look at at once; the result does not depend on it.
    pub jobs: NonZeroUsize,
    /// Write the result to this file, and the best so far all the while [default: standard output]. If you interrupt, the
    /// file is the best that surely has the property, and a smaller one that may have it goes beside it, with the
    /// extension .unsure.smt2.
    pub out: Option<PathBuf>,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
}

/// The solvers, the pool and the limits of a reduction.
struct Workshop<'a> {
    args: &'a ReduceRequest,
    script: &'a Script,
    /// What is known, and must not occur.
    known: &'a [Pattern],
    /// The file's text.
    text: &'a str,
    /// The dialect of the file.
    detected: Dialect,
    meter: &'a Meter,
    pool: rayon::ThreadPool,
    interrupt: &'a Interrupt,
    /// On a terminal, one line says where it stands.
    console: Console,
}

/// Reduces the file.
///
/// # Errors
/// A file that cannot be read or lacks the property, a solver that is missing, a result that cannot be written.
pub fn run(args: &ReduceRequest, interrupt: &Interrupt) -> anyhow::Result<Reduced> {
    check_limits(args)?;
    check_trusted(args)?;
    let name = args.file.display().to_string();
    let text = read(&args.file)?;
    let mut script = parse_lenient(&text, &name, &ParseOptions { dialect: None })?;
    if matches!(args.keep, Keep::Slow | Keep::Answer(Keeps::Result)) {
        // A solver that has no model to print would seem to refuse the script.
        remove_printing(&mut script);
    }
    let known = patterns_at(&args.known)?;
    if let Some((without, replaced)) = known::neutralised(&script, &known, known::Numbers::Same) {
        for (pattern, terms) in replaced {
            say!("{name}: {} occurs: {} became variables", pattern.name.as_str(), counted(terms, "term"));
        }
        script = without;
    }
    check_place(args)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.jobs.get()).build().context("cannot start threads")?;
    let shop = Workshop {
        args,
        script: &script,
        known: &known,
        text: &text,
        detected: detect(&text),
        meter: &Meter::default(),
        pool,
        interrupt,
        console: Console::new(0, !is_terminal()),
    };
    let reduced = shop.keep();
    shop.console.close();
    reduced
}

/// Refuses limits that contradict each other.
fn check_limits(args: &ReduceRequest) -> anyhow::Result<()> {
    match args.confirm_limit {
        Some(confirm) if !confirm.is_zero() && confirm < args.limit() => bail!(
            "--confirm-limit {} is below --limit {}, and so would confirm nothing: give it more, or 0s for no such runs",
            format_duration(confirm),
            format_duration(args.limit())
        ),
        _ => Ok(()),
    }
}

/// Refuses trusted solvers where nothing would be asked of them.
fn check_trusted(args: &ReduceRequest) -> anyhow::Result<()> {
    let result = args.keep == Keep::Answer(Keeps::Result);
    ensure!(args.trusted.is_empty() || result, "--trusted is for --keep result: a wrong answer is what it tells");
    Ok(())
}

impl ReduceRequest {
    /// CPU time of each run, but for `crash`, where the crash itself decides.
    fn limit(&self) -> Duration {
        self.limit.unwrap_or(LIMIT)
    }

    /// CPU time of each run where an answer is kept.
    fn run_limit(&self, keeps: Keeps) -> RunLimit {
        match (self.limit, keeps) {
            (None, Keeps::Crash) => RunLimit::AboveCrash,
            _ => RunLimit::Of(self.limit()),
        }
    }
}

impl Workshop<'_> {
    fn keep(&self) -> anyhow::Result<Reduced> {
        let args = self.args;
        self.console.status("asking about the input");
        match &args.keep {
            Keep::Script(command) => self.keep_exit_code(command),
            Keep::Slow => self.keep_slow(&self.find(&args.target)?, &self.find(&args.reference)?),
            Keep::Answer(Keeps::Result) if !args.trusted.is_empty() => {
                let trusted: anyhow::Result<Vec<_>> = args.trusted.iter().map(|spec| self.find(spec)).collect();
                self.keep_opposed(&self.find(&args.target)?, &trusted?)
            }
            Keep::Answer(keeps) => {
                // Only `result` needs two.
                let reference = (*keeps == Keeps::Result).then(|| self.find(&args.reference)).transpose()?;
                self.keep_answer(*keeps, &self.find(&args.target)?, reference.as_ref())
            }
        }
    }

    fn find(&self, spec: &SolverSpec) -> anyhow::Result<InstalledProver> {
        let cache = Cache::locate()?;
        let profiles = known_profiles(self.args.profiles.as_deref(), &cache)?;
        Ok(InstalledProver::new(find_working(spec, &profiles, &cache, self.interrupt)?))
    }

    fn keep_exit_code(&self, command: &str) -> anyhow::Result<Reduced> {
        let dialect = self.args.dialect.unwrap_or(self.detected);
        let property = ExitCode::of(self.script, command, dialect, self.args.limit(), self.meter, self.interrupt)?;
        ensure!(property.is_usable(), "{command}: {}, so that nothing could be told from it", property.kept());
        let kept = format!("{command}: {}", property.kept());
        let Some(reduction) = self.reduce(&property, dialect)? else { bail!("{command} does not end alike twice") };
        let mut summary = self.summary(kept, &reduction);
        summary.command_said = Some(property.said());
        self.finish(&reduction, dialect, summary)
    }

    fn keep_answer(
        &self,
        keeps: Keeps,
        target: &InstalledProver,
        reference: Option<&InstalledProver>,
    ) -> anyhow::Result<Reduced> {
        let args = self.args;
        let provers = (target as &dyn Prover, reference.map(|prover| prover as &dyn Prover));
        let found =
            KeptAnswer::of(self.script, keeps, provers, self.args.run_limit(keeps), self.meter, self.interrupt)?;
        let property = match found {
            Ok(property) => property,
            Err(answer) => {
                if let Some(refusal) = refusal(target.name(), &answer) {
                    bail!("{refusal}{}", self.fault());
                }
                let instead = match answer {
                    Answer::Timeout if args.run_limit(keeps) == RunLimit::AboveCrash => {
                        let waited = format_duration(CRASH_PATIENCE);
                        format!(" (within {waited}); if it crashes later than that, give --limit")
                    }
                    Answer::Timeout | Answer::MemoryOut => "; to keep that it is slow, use --keep slow".to_owned(),
                    _ => String::new(),
                };
                bail!("{} answers {answer}: there is nothing to keep{instead}", target.name())
            }
        };
        if let (Some(reference), Some(ignored)) = (reference, property.ignored()) {
            tracing::warn!("{} is ignored, because it does not decide the script: {ignored}", reference.name());
        }
        if property.reference_answer() == Some(property.answer()) {
            tracing::warn!("both solvers answer {}: nothing is wrong that could be kept", property.answer().name());
        }
        let also = property.reference_answer().zip(reference);
        let also = also.map(|(answer, reference)| format!(", {} {}", reference.name(), answer.name()));
        let kept = format!("{} {}{}", target.name(), property.answer(), also.unwrap_or_default());
        let dialect = self.args.dialect.unwrap_or(target.dialect());
        let Some(reduction) = self.reduce(&property, dialect)? else {
            bail!("{} does not answer alike twice", target.name())
        };
        let mut summary = self.summary(kept, &reduction);
        if keeps == Keeps::Crash {
            summary.crash = Some(CrashTime::of(&property, args.run_limit(keeps)));
        }
        self.finish(&reduction, dialect, summary)
    }

    /// What is wrong with the file by the standard, to stand behind a solver's word.
    fn fault(&self) -> String {
        let name = self.args.file.display().to_string();
        let fault = parse(self.text, &name, &ParseOptions::default()).err();
        fault.map(|fault| format!("; {fault}")).unwrap_or_default()
    }

    fn reduce(&self, property: &dyn Property, dialect: Dialect) -> anyhow::Result<Option<Reduction>> {
        let args = self.args;
        let bytes = AtomicUsize::new(self.text.len());
        let show = || {
            let spent = self.meter.spent();
            self.console.status(&format!(
                "reducing: {} bytes, {} solver runs, {:.0} s of CPU time",
                bytes.load(Ordering::Relaxed),
                spent.solver_calls,
                spent.solver_seconds
            ));
        };
        let plan = Plan {
            strategy: args.strategy,
            freedom: Freedom { keep_logic: args.keep_logic, keep_names: args.keep_names },
            dialect,
            seed: args.seed,
            most_tests: args.max_tests,
            trusting: false,
            enough: &|| {
                show();
                false
            },
            pool: &self.pool,
        };
        let failure = Mutex::new(None);
        let on_best = |script: &Script, size: &Size, tally: &Tally| {
            bytes.store(size.bytes, Ordering::Relaxed);
            show();
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
        let reduced = reduce(self.script, &Modulo { property, known: self.known }, &plan, &on_best, self.interrupt);
        if let Some(error) = failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            return Err(error);
        }
        Ok(reduced?)
    }
}
