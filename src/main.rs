//! Parses the command line, runs the verb, and turns its result into an exit code.

#![warn(clippy::print_stderr)]

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use mulstringfuzz::args::{Cli, Verb};
use mulstringfuzz::cmd::output::StandardOutput;
use mulstringfuzz::exit::{self, Status};
use mulstringfuzz::solver::process::Interrupt;
use mulstringfuzz::{cmd, console};

fn main() -> ExitCode {
    console::explain_panics();
    let result = match Cli::try_parse() {
        Ok(cli) => run(&cli.verb, cli.verbose),
        Err(told) => StandardOutput::default().tell_usage(&told),
    };
    match result {
        Ok(status) => status.code().into(),
        Err(error) => exit::tell(&error).into(),
    }
}

fn run(verb: &Verb, verbose: u8) -> anyhow::Result<Status> {
    cmd::log_to_stderr(verbose);
    let interrupt = Interrupt::on_signals()?;
    let mut output = StandardOutput::default();
    let result = dispatch(verb, verbose, &interrupt, &mut output);
    output.finish(result)
}

fn dispatch(verb: &Verb, verbose: u8, interrupt: &Interrupt, output: &mut StandardOutput) -> anyhow::Result<Status> {
    match verb {
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
