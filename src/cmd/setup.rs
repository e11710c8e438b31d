//! `setup`: gets solvers, or builds them, into the user's cache folder.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Context;
use serde::Serialize;

use crate::exit::AlreadyReported;
use crate::job::solvers::set_up;
use crate::number::positive;
use crate::solver::installed::Solver;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;

/// What `setup` gets when no solver is named: the paper's pair, and a newer solver to verify their answers.
const DEFAULT_SOLVERS: &[&str] = &["z3str3", "cvc4", "z3@5.4.1"];
/// The default instrumented target, which takes minutes to build.
const DEFAULT_INSTRUMENTED: &str = "z3str3-gcov";

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz setup                      # the paper's solvers and the instrumented Z3
  mulstringfuzz setup z3 cvc5 bitwuzla     # the newest of each
  mulstringfuzz setup z3-gcov@5.4.1        # an instrumented build, for coverage";

/// Get and build solvers.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct SetupArgs {
    /// Solvers, as NAME or NAME@VERSION; z3, cvc5 and bitwuzla alone mean their newest release. Without any: z3str3,
    /// cvc4, z3@5.4.1 and z3str3-gcov
    #[arg(value_name = "SOLVER")]
    pub solvers: Vec<SolverSpec>,
    /// Leave out the instrumented solver of the default set; its build takes minutes, and only coverage needs it
    #[arg(long)]
    pub no_instrumented: bool,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Compilers to run at once [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    pub jobs: Option<NonZeroUsize>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

impl SetupArgs {
    /// The solvers to get: those named, or the default set.
    fn wanted(&self) -> anyhow::Result<Vec<SolverSpec>> {
        if !self.solvers.is_empty() {
            return Ok(self.solvers.clone());
        }
        let instrumented = (!self.no_instrumented).then_some(&DEFAULT_INSTRUMENTED);
        Ok(DEFAULT_SOLVERS.iter().chain(instrumented).map(|text| text.parse()).collect::<Result<_, _>>()?)
    }
}

/// One line of the result.
#[derive(Debug, Serialize)]
struct Row {
    solver: String,
    version: String,
    path: PathBuf,
}

impl From<&Solver> for Row {
    fn from(solver: &Solver) -> Self {
        Row { solver: solver.spec.to_string(), version: solver.version.to_string(), path: solver.executable.clone() }
    }
}

/// Gets every solver that is asked for, and prints to `output` what it has got. A solver that cannot be got does not
/// keep the others from being got.
///
/// # Errors
/// The first solver's error, a `ProvisionError` unless the profiles cannot be read or `output` not be written.
pub fn run(args: &SetupArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<()> {
    let jobs = args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, NonZeroUsize::get), Into::into);
    let (ready, failure) = set_up(&args.wanted()?, args.profiles.as_deref(), jobs, interrupt)?;
    let rows: Vec<Row> = ready.iter().map(Row::from).collect();
    print(&rows, args.json, output).context("cannot write the result")?;
    // Each failure was told when it happened; only the exit code is left to say.
    failure.map_or(Ok(()), |error| Err(anyhow::Error::from(error).context(AlreadyReported)))
}

fn print(rows: &[Row], json: bool, output: &mut dyn Write) -> anyhow::Result<()> {
    if json {
        serde_json::to_writer_pretty(&mut *output, rows)?;
        writeln!(output)?;
    } else {
        for Row { solver, version, path } in rows {
            writeln!(output, "{solver:<16} {version:<12} {}", path.display())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(solvers: &[&str]) -> SetupArgs {
        SetupArgs {
            solvers: solvers.iter().map(|text| text.parse().expect("spec")).collect(),
            no_instrumented: false,
            profiles: None,
            jobs: None,
            json: false,
        }
    }

    fn wanted(args: &SetupArgs) -> Vec<String> {
        args.wanted().expect("specs").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn without_names_the_papers_pair_and_a_verifier_are_wanted() {
        assert_eq!(wanted(&args(&[])), ["z3str3", "cvc4", "z3@5.4.1", "z3str3-gcov"]);
        let plain = SetupArgs { no_instrumented: true, ..args(&[]) };
        assert_eq!(wanted(&plain), ["z3str3", "cvc4", "z3@5.4.1"]);
        assert_eq!(wanted(&args(&["cvc4@1.8"])), ["cvc4@1.8"]);
    }

    #[test]
    fn the_result_is_a_table_or_json() {
        let rows = [Row { solver: "z3str3".into(), version: "4.8.10".into(), path: "/c/z3".into() }];
        let mut table = Vec::new();
        print(&rows, false, &mut table).expect("print");
        assert_eq!(String::from_utf8_lossy(&table), "z3str3           4.8.10       /c/z3\n");
        let mut json = Vec::new();
        print(&rows, true, &mut json).expect("print");
        let json: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
        assert_eq!(json[0]["version"], "4.8.10");
    }
}
