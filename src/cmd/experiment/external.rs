//! Reducers that are not ours, for comparison: called as `COMMAND… INPUT OUTPUT TEST`. They know no assignment, so that
//! the test has a second solver for the truth.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::cmd::setup::provided;
use crate::config::{absolute, format_duration, parse_duration};
use crate::exit::NotWritten;
use crate::experiment::{Defect, External, HuntRun};
use crate::hunt::kept::MOST_LIMITS;
use crate::hunt::outcome::names;
use crate::oracle::prover::{InstalledProver, Prover, Question};
use crate::record::write_atomically;
use crate::shell::quote;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::solver::answer::Answer;
use crate::solver::process::{Command, Exit, Interrupt, Limits, Run, Stopped, find_program, run as run_process};
use crate::solver::profile::{Profiles, SolverSpec};

/// Whether a script still shows a wrong `unsat`.
#[derive(Clone, Debug, clap::Args)]
pub struct ShowsArgs {
    /// The script
    #[arg(value_name = "FILE")]
    script: PathBuf,
    /// The solver that must say `unsat`
    #[arg(long, value_name = "SOLVER")]
    wrong: SolverSpec,
    /// The solver that must say `sat`
    #[arg(long, value_name = "SOLVER")]
    right: SolverSpec,
    /// CPU time of each
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_duration)]
    limit: Duration,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    profiles: Option<PathBuf>,
}

/// Fails if the script does not show it.
pub(super) fn run(args: &ShowsArgs, interrupt: &Interrupt) -> anyhow::Result<()> {
    let profiles = Profiles::with_file(args.profiles.as_deref())?;
    let prover = |spec| anyhow::Ok(InstalledProver::new(provided(spec, &profiles, interrupt)?));
    let text = fs::read_to_string(&args.script).with_context(|| format!("cannot read {}", args.script.display()))?;
    let wrong = prover(&args.wrong)?;
    let script = parse(&text, "candidate", &ParseOptions { dialect: Some(wrong.dialect()) })?;
    let question = Question { script: &script, seed: None, limit: args.limit, check_model: false };
    for (prover, expected) in [(wrong, Answer::Unsat), (prover(&args.right)?, Answer::Sat)] {
        let answer = prover.ask(&question, interrupt)?.timed.answer;
        if answer != expected {
            bail!("{} says {}", prover.name(), answer.name());
        }
    }
    Ok(())
}

/// A reducer on this machine.
#[derive(Debug)]
pub(super) struct Reducer<'a> {
    program: PathBuf,
    arguments: &'a [String],
}

impl<'a> Reducer<'a> {
    /// Finds it. That it is missing is no reason to stop the runs of other arms.
    pub(super) fn of(command: &'a [String]) -> anyhow::Result<Self> {
        let (name, arguments) = command.split_first().context("`minimise-with` needs a command")?;
        let Ok(program) = find_program(name) else {
            let how = if name == "ddsmt" { ": `pip install ddsmt` brings it" } else { "" };
            bail!("no program named {name} on the PATH, which `minimise-with` needs{how}");
        };
        Ok(Reducer { program, arguments })
    }

    /// Has it reduce the instance in the folder `found`, and records what came of it: whatever it does is data. `false`
    /// after an interrupt.
    pub(super) fn reduce(
        &self,
        run: &HuntRun,
        found: &Path,
        defect: &Defect,
        limit: Duration,
        profiles: Option<&Path>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<bool> {
        let folder = run.external();
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        let (input, output, test) = (found.join(names::INSTANCE), folder.join(names::REDUCED), folder.join("test.sh"));
        let shows = ShowsArgs {
            script: output.clone(),
            wrong: defect.solver.clone(),
            right: defect.second_solver.clone().context("the defect has no second solver")?,
            limit,
            profiles: profiles.map(absolute),
        };
        let program = std::env::current_exe().context("cannot find this program")?;
        write_atomically(&test, shows.script(&program).as_bytes())?;
        let mode = Permissions::from_mode(0o755);
        fs::set_permissions(&test, mode).map_err(|source| NotWritten { path: test.clone(), source })?;
        // As much as one finding gets of our own reducers.
        let limits = Limits::cpu(MOST_LIMITS * limit.as_secs_f64());
        let command = Command::new(&self.program).args(self.arguments).args([input, output, test]);
        let ended = run_process(command, &limits, interrupt)?;
        if interrupt.is_set() {
            return Ok(false);
        }
        let external = External {
            succeeded: self::run(&shows, interrupt).is_ok(),
            ended: how(&ended),
            cpu_seconds: ended.cpu_seconds,
            said: ended.stderr_text().lines().last().unwrap_or_default().to_owned(),
        };
        write_atomically(&run.external_record(), serde_json::to_string_pretty(&external)?.as_bytes())?;
        Ok(!interrupt.is_set())
    }
}

impl ShowsArgs {
    /// The script that asks the same of another file.
    fn script(&self, program: &Path) -> String {
        let ShowsArgs { wrong, right, limit, profiles, .. } = self;
        let mut words = vec![program.display().to_string(), "experiment".into(), "shows".into()];
        words.extend(["--wrong".into(), wrong.to_string(), "--right".into(), right.to_string()]);
        words.extend(["--limit".into(), format_duration(*limit)]);
        words.extend(profiles.iter().flat_map(|file| ["--profiles".into(), file.display().to_string()]));
        let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
        format!("#!/bin/sh\nexec {} \"$1\"\n", words.join(" "))
    }
}

fn how(run: &Run) -> String {
    match (run.stopped, run.exit) {
        (Some(Stopped::Cpu), _) => "CPU time".into(),
        (Some(Stopped::Wall), _) => "elapsed time".into(),
        (Some(Stopped::Memory), _) => "memory".into(),
        (Some(Stopped::Output | Stopped::Interrupted), _) => "stopped".into(),
        (None, Exit::Code(code)) => format!("exit code {code}"),
        (None, Exit::Signal(signal)) => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_asks_both_solvers_about_its_argument() {
        let spec = |text: &str| SolverSpec::parse(text).unwrap();
        let shows = ShowsArgs {
            script: PathBuf::new(),
            wrong: spec("z3@4.8.10 smt.string_solver=seq"),
            right: spec("z3@5.4.1"),
            limit: Duration::from_millis(1500),
            profiles: Some("my profiles.toml".into()),
        };
        insta::assert_snapshot!(shows.script(Path::new("/opt/mulstringfuzz")), @r##"
        #!/bin/sh
        exec /opt/mulstringfuzz experiment shows --wrong 'z3@4.8.10 smt.string_solver=seq' --right z3@5.4.1 --limit 1s500ms --profiles 'my profiles.toml' "$1"
        "##);
    }
}
