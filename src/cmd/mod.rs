//! The verbs of the command line: one file each, with its arguments and a short `run`.

mod batch;
pub mod check;
pub mod convert;
pub mod evaluate;
pub mod generate;
pub mod mutate;
pub mod output;
pub mod setup;
pub mod similarity;
pub mod solvers;

use tracing_subscriber::filter::LevelFilter;

/// Lets the library's log through to standard error: warnings, and with each `-v` one level more.
pub fn log_to_stderr(verbose: u8) {
    let level = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .without_time()
        .with_writer(std::io::stderr)
        .init();
}
