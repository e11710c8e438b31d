//! `hunt`: campaigns against wrong answers, models that do not hold, and crashes.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::config::parse_duration;
use crate::console::say;
use crate::exit::{SolverUnusable, Status};
use crate::hunt::choices::{Minimise, StrategyName};
use crate::hunt::parameters::{FormulaParameters, MutantParameters, StormParameters};
use crate::job::hunt::{self as job, HuntRequest};
use crate::number::positive;
use crate::oracle::correctness::Kind;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  # formulas of the seeds' parts that are satisfiable by construction (STORM)
  mulstringfuzz hunt --seeds benchmarks --solver z3@5.4.1 --solver cvc5@1.4.2 --out hunts/storm
  # type-aware mutants (TypeFuzz), until 10 minutes of CPU are used
  mulstringfuzz hunt --strategy typefuzz --seeds benchmarks --solver z3 --solver cvc5 --budget 10m --out hunts/mutants
  # fresh bit-vector formulas, without seeds (FuzzSMT)
  mulstringfuzz hunt --strategy fuzzsmt --generator qf-bv --solver z3 --solver bitwuzla --out hunts/bits";

/// The headings of the options.
const SOLVERS: &str = "Solvers";
const QUESTIONS: &str = "What to ask";
const STOP: &str = "When to stop";
const OUTPUT: &str = "Output";

/// Make instances of seeds, ask solvers about them, and report who is wrong: DIR/findings/NNN has each defect with its
/// smallest instance, the evidence and the commands.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct HuntArgs {
    /// A solver: "NAME OPTION…", "NAME@VERSION OPTION…", or an executable, "./build/z3 like=NAME"; may be repeated
    #[arg(long = "solver", value_name = "SOLVER", required_unless_present_any = ["resume", "print_lists"], help_heading = SOLVERS)]
    pub solvers: Vec<SolverSpec>,
    /// A file with sets of options for solvers, by name; one of a solver's sets is drawn for each instance
    #[arg(long, value_name = "FILE", help_heading = SOLVERS)]
    pub options: Option<PathBuf>,
    /// The share of instances on which a solver whose profile lists tactics (Z3) is asked by (check-sat-using TACTIC);
    /// STORM's published tool has one half
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = crate::generator::parameters::probability, help_heading = SOLVERS)]
    pub check_sat_using: f64,
    /// A file that describes further solvers
    #[arg(long, value_name = "FILE", help_heading = SOLVERS)]
    pub profiles: Option<PathBuf>,
    /// Scripts and folders of scripts, searched recursively
    #[arg(long, short = 'i', value_name = "PATH", num_args = 1.., help_heading = QUESTIONS)]
    pub seeds: Vec<PathBuf>,
    /// What to make of the seeds
    #[arg(long, value_enum, default_value_t = StrategyName::Storm, help_heading = QUESTIONS)]
    pub strategy: StrategyName,
    /// Use the seeds in a random order, which --seed decides, instead of by name
    #[arg(long, help_heading = QUESTIONS)]
    pub shuffle: bool,
    /// Take this solver's model of each seed, or of its negation, as the first assignment (STORM); its truth is still
    /// computed
    #[arg(long, value_name = "SOLVER", help_heading = QUESTIONS)]
    pub models_from: Option<SolverSpec>,
    /// CPU time of each run [default: 8s where seeds are mutated, else 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = QUESTIONS)]
    pub limit: Option<Duration>,
    /// The random seed: equal seeds give equal instances, whatever --jobs is
    #[arg(long, value_name = "SEED", default_value_t = 0, help_heading = QUESTIONS)]
    pub seed: u64,
    /// Instances to ask about at once
    #[arg(long, short, value_name = "N", default_value = "1", value_parser = positive::<NonZeroUsize>, help_heading = QUESTIONS)]
    pub jobs: NonZeroUsize,
    /// Stop after N instances; a resumed hunt counts all of them [default: 1000]
    #[arg(short = 'n', long, value_name = "N", help_heading = STOP)]
    pub instances: Option<u64>,
    /// Make no new instance after this much CPU time of the solvers, minimising included; a resumed hunt counts all of
    /// it
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = STOP)]
    pub budget: Option<Duration>,
    /// Stop after this wall time, such as 10m or 24h, whatever is going on; a resumed hunt counts all of it
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = STOP)]
    pub time: Option<Duration>,
    /// Stop at the first defect of this kind
    #[arg(long, value_name = "KIND", value_enum, help_heading = STOP)]
    pub until: Option<Kind>,
    /// A folder for the findings; must not exist
    #[arg(long, short, value_name = "DIR", required_unless_present_any = ["resume", "print_lists"], help_heading = OUTPUT)]
    pub out: Option<PathBuf>,
    /// Continue the hunt in DIR; only when to stop may change
    #[arg(long, value_name = "DIR", conflicts_with_all = FIXED_ON_RESUME, help_heading = OUTPUT)]
    pub resume: Option<PathBuf>,
    /// How to make the instances of findings small
    #[arg(long, value_enum, default_value_t = Minimise::Both, help_heading = OUTPUT)]
    pub minimise: Minimise,
    /// A file of texts: messages of crashes, outputs to ignore, known findings; see --print-lists
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub lists: Option<PathBuf>,
    /// Print the messages that count as a crash, for all solvers and for single ones, as a file for --lists
    #[arg(long, help_heading = OUTPUT)]
    pub print_lists: bool,
    /// Exit with code 1 if a defect is found
    #[arg(long, help_heading = OUTPUT)]
    pub fail_on_defect: bool,
    /// Print the result as JSON
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// STORM's parameters.
    #[command(flatten)]
    pub storm: StormParameters,
    /// How seeds are mutated.
    #[command(flatten)]
    pub mutants: MutantParameters,
    /// How fresh formulas are made.
    #[command(flatten)]
    pub fuzzsmt: FormulaParameters,
}

/// What decides the course of a hunt, and cannot change when it goes on.
const FIXED_ON_RESUME: [&str; 52] = [
    "seeds",
    "strategy",
    "solvers",
    "options",
    "check_sat_using",
    "out",
    "until",
    "limit",
    "shuffle",
    "models_from",
    "depth",
    "assertions",
    "incremental",
    "chain",
    "exhaustive",
    "operators",
    "more_arguments",
    "neighbours",
    "new_assertions",
    "exchange",
    "generator",
    "together",
    "min_variables",
    "max_variables",
    "min_constants",
    "max_constants",
    "min_width",
    "max_width",
    "references",
    "min_arrays",
    "max_arrays",
    "min_reads",
    "max_reads",
    "min_writes",
    "max_writes",
    "min_array_equalities",
    "max_array_equalities",
    "min_functions",
    "max_functions",
    "min_predicates",
    "max_predicates",
    "min_arguments",
    "max_arguments",
    "division",
    "overflows",
    "compact",
    "structure",
    "clauses",
    "max_assertions",
    "written_out",
    "minimise",
    "seed",
];

impl HuntArgs {
    /// What is asked for.
    fn request(&self) -> HuntRequest {
        HuntRequest {
            seeds: self.seeds.clone(),
            strategy: self.strategy,
            solvers: self.solvers.clone(),
            options: self.options.clone(),
            check_sat_using: self.check_sat_using,
            out: self.out.clone(),
            resume: self.resume.clone(),
            instances: self.instances,
            budget: self.budget,
            time: self.time,
            until: self.until,
            limit: self.limit,
            shuffle: self.shuffle,
            models_from: self.models_from.clone(),
            storm: self.storm,
            mutants: self.mutants.clone(),
            fuzzsmt: self.fuzzsmt.clone(),
            minimise: self.minimise,
            seed: self.seed,
            jobs: self.jobs,
            profiles: self.profiles.clone(),
            lists: self.lists.clone(),
            quiet: self.quiet,
        }
    }
}

/// Hunts, and prints what was found.
///
/// # Errors
/// No seeds, a solver that cannot be got, solvers that refuse all scripts, or a result that cannot be written. An interrupt is none: what was found stands.
pub fn run(args: &HuntArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    if args.print_lists {
        let text = job::lists_in_force(args.lists.as_deref(), args.profiles.as_deref())?;
        output.write_all(text.as_bytes()).context("cannot write the result")?;
        return Ok(Status::Done);
    }
    let hunted = job::run(&args.request(), interrupt)?;
    let (outcome, is_interrupted) = (&hunted.outcome, hunted.is_interrupted());
    let text = if args.json { serde_json::to_string_pretty(outcome)? + "\n" } else { outcome.text() };
    output.write_all(text.as_bytes()).context("cannot write the result")?;
    if is_interrupted {
        say!("interrupted; go on: mulstringfuzz hunt --resume {}", hunted.out.display());
    }
    if let Some(why) = outcome.tally.nothing_compared().filter(|_| !is_interrupted) {
        return Err(SolverUnusable(why).into());
    }
    Ok(match outcome.defects.is_empty() {
        _ if is_interrupted => Status::Interrupted,
        false if args.fail_on_defect => Status::DefectsFound,
        _ => Status::Done,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Args, Command};

    use super::*;

    #[test]
    fn a_resumed_hunt_takes_only_what_may_change() {
        let changeable = ["resume", "instances", "budget", "time", "jobs", "profiles", "lists", "print_lists"];
        let printing = ["fail_on_defect", "json", "quiet"];
        let command = HuntArgs::augment_args(Command::new("hunt"));
        let all = command.get_arguments().map(|argument| argument.get_id().as_str());
        let fixed: BTreeSet<&str> = all.filter(|name| !changeable.contains(name) && !printing.contains(name)).collect();
        assert_eq!(fixed, BTreeSet::from(FIXED_ON_RESUME));
    }
}
