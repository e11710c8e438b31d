//! Parses the command line, runs the verb, and turns its result into an exit code.

#![warn(clippy::print_stderr)]

use std::process::ExitCode;

use clap::Parser;
use mulstringfuzz::args::{Cli, Verb};
use mulstringfuzz::cmd::output::StandardOutput;
use mulstringfuzz::exit::{self, AlreadyReported, Status};
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
        Err(error) => {
            if !error.is::<AlreadyReported>() {
                console::tell(format_args!("error: {}", exit::message(&error)));
            }
            exit::code(&error).into()
        }
    }
}

fn run(verb: &Verb, verbose: u8) -> anyhow::Result<Status> {
    cmd::log_to_stderr(verbose);
    let interrupt = Interrupt::on_signals()?;
    let mut output = StandardOutput::default();
    let result = verb.run(verbose, &interrupt, &mut output);
    output.finish(result)
}
