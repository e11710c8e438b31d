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

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  # Z3's strings for an hour; the report of each defect is in runs/z3/defects
  mulstringfuzz fuzz --target z3@5.4.1 --reference cvc5@1.4.2 --budget 1h --out runs/z3
  # a build of your own on bit-vectors, without what an earlier run has found
  mulstringfuzz fuzz --target ./build/z3 --reference bitwuzla --generator qf-bv --known runs/bits --out runs/mine
  # the paper's algorithm on the paper's solvers
  mulstringfuzz fuzz --variant default --no-learn --target z3str3 --reference cvc4 --budget 24h --out runs/paper
  # go on after Ctrl-C
  mulstringfuzz fuzz --resume runs/z3 --budget 2h";

/// The headings of the options.
const SOLVERS: &str = "Solvers";
const STOP: &str = "When to stop";
const SEARCH: &str = "Search";
const MEASURING: &str = "Measuring";
const AFTERWARDS: &str = "Confirmation, triage, hunt";
const OUTPUT: &str = "Output";

/// Search for scripts that are slow for the target and quick for the reference
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct FuzzArgs {
    /// The solver under test: "NAME OPTION…", "NAME@VERSION OPTION…", or an executable, "./build/z3 like=NAME" [default:
    /// z3str3]
    #[arg(long, value_name = "SOLVER", help_heading = SOLVERS)]
    pub target: Option<String>,
    /// The solver that its times are compared with [default: cvc4]
    #[arg(long, value_name = "SOLVER", help_heading = SOLVERS)]
    pub reference: Option<String>,
    /// The instrumented build of the target, or "none" [default: NAME-gcov at the target's version, if there is one]
    #[arg(long, value_name = "SOLVER", help_heading = SOLVERS)]
    pub instrumented: Option<String>,
    /// A file that describes further solvers
    #[arg(long, value_name = "FILE", help_heading = SOLVERS)]
    pub profiles: Option<PathBuf>,
    /// Stop after this wall time, such as 10m or 24h. It covers search, confirmation, triage and hunt, which end at
    /// most half of it, and at most 40 s, later [default: until Ctrl-C]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = STOP)]
    pub budget: Option<Duration>,
    /// Stop once the solver runs that the variant needs have used this CPU time, however busy the machine is
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = STOP)]
    pub solver_budget: Option<Duration>,
    /// Stop after N evaluations
    #[arg(long, value_name = "N", value_parser = whole::<u64>, help_heading = STOP)]
    pub evaluations: Option<u64>,
    /// Stop after N generations
    #[arg(long, value_name = "N", value_parser = whole::<u32>, help_heading = STOP)]
    pub generations: Option<u32>,
    /// Stop after N generations without a better mean t-score
    #[arg(long, value_name = "N", value_parser = whole::<u32>, help_heading = STOP)]
    pub stagnation: Option<u32>,
    /// How to search. diverse: each fresh script draws its own operators, a quarter of every generation is fresh, and
    /// the best script of each set of string operators survives. swarm: the same scripts, but the survival of default.
    /// default: the paper's; with --no-learn, its algorithm [default: diverse]
    #[arg(long, value_name = "VARIANT", help_heading = SEARCH)]
    pub variant: Option<Variant>,
    /// What fresh scripts are about; the logic follows from it [default: strings]
    #[arg(long, value_name = "NAME", value_parser = clap::builder::PossibleValuesParser::new(generator::names()), help_heading = SEARCH)]
    pub generator: Option<String>,
    /// Start with the scripts of this folder
    #[arg(long, short = 'i', value_name = "DIR", help_heading = SEARCH)]
    pub seeds: Option<PathBuf>,
    /// What is known already: a file of patterns, or an earlier run or triage; may be repeated
    #[arg(long, value_name = "PATH", conflicts_with_all = ["resume", "no_learn"], help_heading = SEARCH)]
    pub known: Vec<PathBuf>,
    /// Do not learn what makes candidates slow. Otherwise the run learns the pattern of each defect once, and leaves it
    /// out of nine of ten scripts from then on, which the paper does not do
    #[arg(long, help_heading = SEARCH)]
    pub no_learn: bool,
    /// The random seed [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<u64>, help_heading = SEARCH)]
    pub seed: Option<u64>,
    /// Population size [default: 40]
    #[arg(long, value_name = "N", value_parser = positive::<u32>, help_heading = SEARCH)]
    pub pop: Option<u32>,
    /// Crossover probability [default: 0.75]
    #[arg(long, value_name = "P", help_heading = SEARCH)]
    pub crossover: Option<f64>,
    /// Mutation probability [default: 0.25]
    #[arg(long, value_name = "P", help_heading = SEARCH)]
    pub mutation: Option<f64>,
    /// Which mutations offspring get [default: variant]
    #[arg(long, value_name = "NAME", value_enum, help_heading = SEARCH)]
    pub mutators: Option<Mutators>,
    /// A file with the signatures of further operators; may be repeated
    #[arg(long, value_name = "FILE", help_heading = SEARCH)]
    pub theory: Vec<PathBuf>,
    /// CPU time of target and reference [default: 1s; 5s with the paper's variants]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = MEASURING)]
    pub limit: Option<Duration>,
    /// CPU time of the run that yields coverage and trace [default: 1s, or 500ms where the limit is 1s by default]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = MEASURING)]
    pub observe_limit: Option<Duration>,
    /// The target's own, repeatable limit of that run, in its own units (Z3: rlimit); 0 for none [default: what it
    /// usually reaches within --observe-limit]
    #[arg(long, value_name = "N", help_heading = MEASURING)]
    pub observe_soft_limit: Option<u64>,
    /// Whether coverage and trace come from one run or two [default: fused]
    #[arg(long, value_name = "RUNS", help_heading = MEASURING)]
    pub observe_runs: Option<Fusion>,
    /// With the `stringfuzz` variants: time the target N times on each script; the median counts [default: 8]
    #[arg(long, value_name = "N", value_parser = positive::<u32>, help_heading = MEASURING)]
    pub timings: Option<u32>,
    /// Cut traces after N lines, and end the run that writes them [default: never]
    #[arg(long, value_name = "N", help_heading = MEASURING)]
    pub trace_max_lines: Option<u64>,
    /// Which lines of traces are compared [default: raw]
    #[arg(long, value_name = "LINES", help_heading = MEASURING)]
    pub trace_lines: Option<TraceLines>,
    /// How the coverage archive is kept [default: snapshot]
    #[arg(long, value_name = "MODE", help_heading = MEASURING)]
    pub coverage_mode: Option<CoverageMode>,
    /// When coverage is scored again [default: each-generation]
    #[arg(long, value_name = "WHEN", help_heading = MEASURING)]
    pub coverage_rescore: Option<Rescore>,
    /// Evaluations to run at once [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = positive::<NonZeroUsize>, help_heading = MEASURING)]
    pub jobs: Option<NonZeroUsize>,
    /// CPU time of confirmation runs [default: 4 times the limit, or 5s where the limit is 1s by default]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = AFTERWARDS)]
    pub confirm_limit: Option<Duration>,
    /// Leave all defects candidates
    #[arg(long, help_heading = AFTERWARDS)]
    pub no_confirm: bool,
    /// Skip the triage of what was found. The search leaves it a tenth of the --budget; without a budget, it may take a
    /// tenth of the run's core time, or two minutes if that is more
    #[arg(long, help_heading = AFTERWARDS)]
    pub no_triage: bool,
    /// Skip the hunt among scripts on which a solver may be wrong. The search leaves it a twentieth of the --budget;
    /// without a budget, it may take a twentieth of the run's core time, or one minute if that is more
    #[arg(long, help_heading = AFTERWARDS)]
    pub no_hunt: bool,
    /// Where to record the run; must not exist
    #[arg(long, short, value_name = "DIR", required_unless_present = "resume", conflicts_with = "resume", help_heading = OUTPUT)]
    pub out: Option<PathBuf>,
    /// Continue the run in DIR; only when to stop and confirmation may change
    #[arg(long, value_name = "DIR", conflicts_with = "replay", help_heading = OUTPUT)]
    pub resume: Option<PathBuf>,
    /// Repeat the run in DIR on its recorded evaluations, without solvers
    #[arg(long, value_name = "DIR", requires = "out", help_heading = OUTPUT)]
    pub replay: Option<PathBuf>,
    /// A configuration file; options on the command line override it
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub config: Option<PathBuf>,
    /// Exit with code 1 if a defect is confirmed, or the run's hunt finds target or reference wrong
    #[arg(long, help_heading = OUTPUT)]
    pub fail_on_defect: bool,
    /// Print the summary as JSON
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short, help_heading = OUTPUT)]
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
