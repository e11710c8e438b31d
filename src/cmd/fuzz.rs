//! `fuzz`: one campaign — new, resumed, or replayed.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use crate::config::{
    ConfirmSettings, CoverageMode, CoverageSettings, Mutators, ObserveSettings, Rescore, Settings, TraceSettings,
    parse_duration,
};
use crate::evaluate::Fusion;
use crate::exit::Status;
use crate::generator;
use crate::job::fuzz::{self as job, Afterwards, Asked, Course};
use crate::job::patterns::patterns_at;
use crate::number::{positive, whole};
use crate::search::Variant;
use crate::solver::process::Interrupt;
use crate::trace::TraceLines;

/// Search for scripts that are slow for the target and quick for the reference.
#[derive(Clone, Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct FuzzArgs {
    /// Where the run is recorded; must not exist
    #[arg(long, short, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Continue the run in DIR; only when to stop and confirmation may change
    #[arg(long, value_name = "DIR", conflicts_with = "replay")]
    pub resume: Option<PathBuf>,
    /// Run again on the evaluations recorded in DIR, without solvers
    #[arg(long, value_name = "DIR", requires = "out")]
    pub replay: Option<PathBuf>,
    /// A configuration file; the command line wins over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The solver under test, as "NAME OPTION…" or "NAME@VERSION OPTION…" [default: z3str3]
    #[arg(long, value_name = "SOLVER")]
    pub target: Option<String>,
    /// The solver that its times are compared with [default: cvc4]
    #[arg(long, value_name = "SOLVER")]
    pub reference: Option<String>,
    /// The instrumented build of the target, or "none" [default: NAME-gcov at the target's version, if there is one]
    #[arg(long, value_name = "SOLVER")]
    pub instrumented: Option<String>,
    /// Population size [default: 40]
    #[arg(long, value_name = "N", value_parser = positive::<u32>)]
    pub pop: Option<u32>,
    /// Crossover probability [default: 0.75]
    #[arg(long, value_name = "P")]
    pub crossover: Option<f64>,
    /// Mutation probability [default: 0.25]
    #[arg(long, value_name = "P")]
    pub mutation: Option<f64>,
    /// What offspring are mutated by [default: variant]
    #[arg(long, value_name = "NAME", value_enum)]
    pub mutators: Option<Mutators>,
    /// Stop after N generations
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    pub generations: Option<u32>,
    /// Stop after this wall time, 10m or 24h: search, confirmation, triage and hunt together, which end within half of it
    /// more, and 40 s at most
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub budget: Option<Duration>,
    /// Stop after this CPU time of the solver runs that the variant needs: the same work on a busy machine as on an
    /// idle one
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub solver_budget: Option<Duration>,
    /// Stop after N evaluations
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub evaluations: Option<u64>,
    /// Stop after N generations without a better mean t-score
    #[arg(long, value_name = "N", value_parser = whole::<u32>)]
    pub stagnation: Option<u32>,
    /// CPU time of target and reference [default: 1s, and 5s with the paper's variants]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub limit: Option<Duration>,
    /// With the `stringfuzz` variants: time the target N times on each script; the median counts [default: 8]
    #[arg(long, value_name = "N", value_parser = positive::<u32>)]
    pub timings: Option<u32>,
    /// CPU time of the run that yields coverage and trace [default: 1s, or 500ms where the limit is 1s by default]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub observe_limit: Option<Duration>,
    /// The target's own, repeatable limit of that run, in its own units (Z3: rlimit); 0 for none [default: what it
    /// usually does within --observe-limit]
    #[arg(long, value_name = "N")]
    pub observe_soft_limit: Option<u64>,
    /// Whether coverage and trace come from one run or two [default: fused]
    #[arg(long, value_name = "RUNS")]
    pub observe_runs: Option<Fusion>,
    /// Cut traces after N lines, and end the run that writes them [default: never]
    #[arg(long, value_name = "N")]
    pub trace_max_lines: Option<u64>,
    /// CPU time of confirmation runs [default: 4 times the limit, or 5s where the limit is 1s by default]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub confirm_limit: Option<Duration>,
    /// Leave all defects candidates
    #[arg(long)]
    pub no_confirm: bool,
    /// Leave out the triage of what was confirmed, for which the search leaves a tenth of the --budget; without one, it may
    /// take a tenth of the run's core time more, and two minutes at least
    #[arg(long)]
    pub no_triage: bool,
    /// Leave out the hunt among scripts on which a solver may be wrong, for which the search leaves a twentieth of the
    /// --budget; without one, it may take a twentieth of the run's core time more, and a minute at least
    #[arg(long)]
    pub no_hunt: bool,
    /// Do not learn what makes candidates slow, as the paper's algorithm does not. Else the pattern of each defect is learned
    /// once, and kept out of nine of ten scripts that are bred from then on
    #[arg(long)]
    pub no_learn: bool,
    /// A file of patterns of what is known already, or an earlier run or triage with such; may be given again
    #[arg(long, value_name = "PATH", conflicts_with_all = ["resume", "no_learn"])]
    pub known: Vec<PathBuf>,
    /// How to search: diverse gives each fresh script its own choice of operators, makes a quarter of every generation fresh,
    /// and keeps the best script for each set of string operators; swarm does the first two, and for the rest what default
    /// does; default is the paper's, and with --no-learn its algorithm [default: diverse]
    #[arg(long, value_name = "VARIANT")]
    pub variant: Option<Variant>,
    /// Which lines of traces are compared [default: raw]
    #[arg(long, value_name = "LINES")]
    pub trace_lines: Option<TraceLines>,
    /// How the coverage archive is kept [default: snapshot]
    #[arg(long, value_name = "MODE")]
    pub coverage_mode: Option<CoverageMode>,
    /// When coverage is scored again [default: each-generation]
    #[arg(long, value_name = "WHEN")]
    pub coverage_rescore: Option<Rescore>,
    /// What fresh scripts are about; the logic follows from it [default: strings]
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(generator::names()))]
    pub generator: Option<String>,
    /// Begin with the scripts of this folder
    #[arg(long, short = 'i', value_name = "DIR")]
    pub seeds: Option<PathBuf>,
    /// A file with the signatures of further operators; may be repeated
    #[arg(long, value_name = "FILE")]
    pub theory: Vec<PathBuf>,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// The master seed [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u64>)]
    pub seed: Option<u64>,
    /// Evaluations in flight [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    pub jobs: Option<NonZeroUsize>,
    /// Exit with 1 if there are confirmed defects, or the run's hunt finds target or reference wrong
    #[arg(long)]
    pub fail_on_defect: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

impl FuzzArgs {
    /// What the command line sets.
    fn settings(&self) -> anyhow::Result<Settings> {
        let known: Vec<String> = patterns_at(&self.known)?.iter().map(ToString::to_string).collect();
        let mut settings = Settings {
            learn: self.no_learn.then_some(false),
            known: (!known.is_empty()).then_some(known),
            target: self.target.clone(),
            reference: self.reference.clone(),
            instrumented: self.instrumented.clone(),
            variant: self.variant,
            seed: self.seed,
            population: self.pop,
            crossover: self.crossover,
            mutation: self.mutation,
            mutators: self.mutators,
            limit: self.limit,
            timings: self.timings,
            observe_limit: self.observe_limit,
            budget: self.budget,
            solver_budget: self.solver_budget,
            generations: self.generations,
            evaluations: self.evaluations,
            stagnation: self.stagnation,
            generator: self.generator.clone(),
            seeds: self.seeds.clone(),
            theories: (!self.theory.is_empty()).then(|| self.theory.clone()),
            trace_lines: self.trace_lines,
            observe: ObserveSettings { runs: self.observe_runs, soft_limit: self.observe_soft_limit },
            trace: TraceSettings { max_lines: self.trace_max_lines },
            coverage: CoverageSettings { mode: self.coverage_mode, rescore: self.coverage_rescore },
            confirm: ConfirmSettings {
                enabled: self.no_confirm.then_some(false),
                limit: self.confirm_limit,
                share: None,
            },
            resolved: None,
        };
        settings.relative_to(Path::new(""));
        Ok(settings)
    }

    fn asked(&self) -> anyhow::Result<Asked<'_>> {
        let file = self.config.as_deref().map(Settings::read).transpose()?.unwrap_or_default();
        let settings = self.settings()?.or(file);
        // A run that is resumed goes on as it began.
        let unless = if self.resume.is_some() { Settings::default() } else { settings.unless_told() };
        Ok(Asked {
            settings: settings.or(unless),
            profiles: self.profiles.as_deref(),
            jobs: self.jobs().get(),
            reserve: self.afterwards().reserve(!self.no_confirm),
        })
    }

    /// What is to be done.
    fn course(&self) -> anyhow::Result<Course<'_>> {
        Ok(match (&self.resume, &self.replay, &self.out) {
            (Some(root), _, _) => Course::Resumed(self.asked()?, root),
            (None, Some(root), Some(out)) => Course::Replayed(root, out),
            (None, None, Some(out)) => Course::New(self.asked()?, out),
            (None, _, None) => anyhow::bail!("--out DIR is missing"),
        })
    }

    /// What comes after the search.
    fn afterwards(&self) -> Afterwards<'_> {
        Afterwards {
            triages: !self.no_triage,
            hunts: !self.no_hunt,
            jobs: self.jobs(),
            profiles: self.profiles.as_deref(),
        }
    }

    fn jobs(&self) -> NonZeroUsize {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

/// Runs the campaign and prints its summary to `output`.
///
/// # Errors
/// When the user asks for what cannot be had, a solver is missing, or results cannot be written.
pub fn run(args: &FuzzArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    let fuzzed = job::run(|| args.course(), &args.afterwards(), args.quiet, interrupt)?;
    fuzzed.print(args.json, output).context("cannot write the summary")?;
    Ok(match () {
        () if fuzzed.is_interrupted => Status::Interrupted,
        () if args.fail_on_defect && fuzzed.summary.defects + fuzzed.own_wrong_answers > 0 => Status::DefectsFound,
        () => Status::Done,
    })
}
