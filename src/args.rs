//! The command line: one struct a verb, which stands beside the verb in `cmd/`, and which verb does what.

use clap::{ArgAction, CommandFactory, Parser, Subcommand};

use crate::cmd;
use crate::cmd::output::StandardOutput;
use crate::exit::Status;
use crate::solver::process::Interrupt;

/// What `--help` prints below the options.
const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    defects were found (only with --fail-on-defect)
  2    usage, or bad input
  3    a solver is missing or unusable
  4    results could not be written
  101  an internal error of ours, told on standard error; the results so far are safe
  130  interrupted; the results so far are safe";

/// Find the inputs that make an SMT solver slow, or wrong.
#[derive(Debug, Parser)]
#[command(name = "mulstringfuzz", version, after_help = EXIT_CODES, propagate_version = true)]
pub struct Cli {
    /// Say more on standard error (-v: what is done; -vv: every solver run)
    #[arg(short, long, action = ArgAction::Count, global = true, help_heading = "General")]
    pub verbose: u8,

    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Get and build solvers
    Setup(cmd::setup::SetupArgs),
    /// List the solver profiles with version and health
    Solvers(cmd::solvers::SolversArgs),
    /// Search for scripts that are slow for the target and quick for the reference
    Fuzz(cmd::fuzz::FuzzArgs),
    /// Search for wrong answers, models that do not hold, and crashes
    Hunt(cmd::hunt::HuntArgs),
    /// Compare ways to search: many runs, statistics, the papers' tables
    Experiment(cmd::experiment::ExperimentArgs),
    /// Print the objectives of given scripts
    Evaluate(cmd::evaluate::EvaluateArgs),
    /// Say why a script is slow: where the time goes, and how it grows
    Explain(cmd::explain::ExplainArgs),
    /// Print how alike the traces of two scripts are
    Similarity(cmd::similarity::SimilarityArgs),
    /// Shrink a script while a property holds
    Reduce(cmd::reduce::ReduceArgs),
    /// Reduce, cluster, confirm and explain what runs found
    Triage(cmd::triage::TriageArgs),
    /// Run the same scripts on many versions of a solver
    Matrix(cmd::matrix::MatrixArgs),
    /// Say where runs and hunts stand, also while they go on
    Status(cmd::status::StatusArgs),
    /// Write an HTML page with plots about runs or an experiment
    Report(cmd::report::ReportArgs),
    /// Make fresh scripts
    Generate(cmd::generate::Args),
    /// Make mutants of a script
    Mutate(cmd::mutate::Args),
    /// Parse and sort-check scripts
    Check(cmd::check::Args),
    /// Print a script in a dialect
    Convert(cmd::convert::Args),
    /// Evaluate a script's assertions under a model, without a solver
    Eval(cmd::eval::Args),
    /// Print completions for a shell
    Completions(cmd::completions::Args),
    /// Write the manual pages
    Manual(cmd::manual::Args),
}

impl Verb {
    /// Does it.
    ///
    /// # Errors
    /// Those of the verb.
    pub fn run(&self, verbose: u8, interrupt: &Interrupt, output: &mut StandardOutput) -> anyhow::Result<Status> {
        match self {
            Verb::Setup(args) => cmd::setup::run(args, interrupt, output)?,
            Verb::Solvers(args) => cmd::solvers::run(args, interrupt, output)?,
            Verb::Fuzz(args) => return cmd::fuzz::run(args, interrupt, output),
            Verb::Hunt(args) => return cmd::hunt::run(args, interrupt, output),
            Verb::Experiment(args) => return cmd::experiment::run(args, interrupt, output),
            Verb::Evaluate(args) => cmd::evaluate::run(args, interrupt, output)?,
            Verb::Reduce(args) => return cmd::reduce::run(args, interrupt, output),
            Verb::Matrix(args) => return cmd::matrix::run(args, interrupt, output),
            Verb::Explain(args) => cmd::explain::run(args, interrupt, output)?,
            Verb::Triage(args) => return cmd::triage::run(args, interrupt, output),
            Verb::Similarity(args) => cmd::similarity::run(args, interrupt, output)?,
            Verb::Status(args) => cmd::status::run(args, output)?,
            Verb::Report(args) => cmd::report::run(args, output)?,
            Verb::Generate(args) => cmd::generate::run(args)?,
            Verb::Mutate(args) => cmd::mutate::run(args)?,
            Verb::Check(args) => cmd::check::run(args, output)?,
            Verb::Convert(args) => cmd::convert::run(args, output)?,
            Verb::Eval(args) => cmd::eval::run(args, verbose, output)?,
            Verb::Completions(args) => cmd::completions::run(args, &Cli::command(), output)?,
            Verb::Manual(args) => cmd::manual::run(args, &Cli::command(), output)?,
        }
        Ok(Status::Done)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// All verbs, also those below others.
    fn all(command: &clap::Command) -> Vec<&clap::Command> {
        command.get_subcommands().flat_map(|verb| std::iter::once(verb).chain(all(verb))).collect()
    }

    #[test]
    fn every_verb_has_two_examples_and_they_are_read() {
        let command = Cli::command();
        for verb in command.get_subcommands() {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            let mut examples = 0;
            for line in help.lines().filter(|line| !line.trim_start().starts_with('#')) {
                let Some((_, call)) = line.split_once("mulstringfuzz ") else { continue };
                let end = [" #", " | ", " > ", " < ", " && ", ")"].iter().filter_map(|end| call.find(end)).min();
                let words = crate::shell::words(&call[..end.unwrap_or(call.len())]).expect("a shell reads it");
                let read = Cli::try_parse_from(std::iter::once("mulstringfuzz".to_owned()).chain(words));
                assert!(read.is_ok(), "{line}: {}", read.expect_err("an error"));
                examples += 1;
            }
            assert!(examples >= 2, "{} has {examples} examples", verb.get_name());
        }
    }

    #[test]
    fn what_has_a_usual_letter_has_it_in_every_verb() {
        let command = Cli::command();
        let (mut seen, mut without) = (0, Vec::new());
        for verb in all(&command) {
            for (long, short) in [("out", 'o'), ("jobs", 'j'), ("quiet", 'q'), ("instances", 'n'), ("count", 'n')] {
                let found = verb.get_arguments().find(|argument| argument.get_long() == Some(long));
                let Some(argument) = found else { continue };
                seen += 1;
                if argument.get_short() != Some(short) {
                    without.push(format!("--{long} of {}", verb.get_name()));
                }
            }
        }
        assert!(seen > 20, "{seen}");
        assert_eq!(without, Vec::<String>::new());
    }
}
