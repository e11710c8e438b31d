//! Reducers that are not ours, for comparison: called as `COMMAND… INPUT OUTPUT TEST`.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

use super::shown::{Asked, Shown};
use crate::exit::NotWritten;
use crate::experiment::{External, HuntRun};
use crate::hunt::outcome::names;
use crate::record::write_atomically;
use crate::reduce::property::Meter;
use crate::solver::process::{
    Command, Exit, Interrupt, Limits, Run, Scratch, Stopped, find_program, run as run_process,
};

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
        if name.contains('/') {
            let program = PathBuf::from(name);
            ensure!(program.is_file(), "there is no file {name}, which `minimise-with` needs");
            let executable = program.metadata().is_ok_and(|data| data.permissions().mode() & 0o111 != 0);
            ensure!(executable, "{name}, which `minimise-with` needs, is not executable: `chmod +x` makes it so");
            return Ok(Reducer { program, arguments });
        }
        let Ok(program) = find_program(name) else {
            let how = if name == "ddsmt" { ": `pip install ddsmt` brings it" } else { "" };
            bail!("no program named {name} on the PATH, which `minimise-with` needs{how}");
        };
        Ok(Reducer { program, arguments })
    }

    /// Has it reduce the file `instance`, and records in `run` what came of it. `false` after an interrupt, which leaves
    /// no record.
    pub(super) fn reduce(
        &self,
        instance: &Path,
        run: &HuntRun,
        shown: &Shown,
        interrupt: &Interrupt,
    ) -> anyhow::Result<bool> {
        // Before it runs: a solver that is missing is no failure of the reducer.
        let provers = shown.provers(interrupt)?;
        let test = shown.test(&std::env::current_exe().context("cannot find this program")?);
        let meter = Meter::default();
        let asked = shown.asked(&provers, &meter);
        Reduction { run, instance, test, asked, allowance: shown.allowance }.by(self, interrupt)
    }
}

/// An instance that another reducer is to make smaller.
#[derive(Debug)]
struct Reduction<'a> {
    /// Where it is recorded.
    run: &'a HuntRun,
    /// The file of the instance.
    instance: &'a Path,
    /// What TEST is.
    test: String,
    /// Who tells us what TEST tells the reducer.
    asked: Asked<'a>,
    /// Its CPU time, with all that it runs.
    allowance: Duration,
}

impl Reduction<'_> {
    /// Whatever the reducer does is data; an interrupt or a failure of ours says nothing about it, and is not recorded.
    fn by(&self, reducer: &Reducer<'_>, interrupt: &Interrupt) -> anyhow::Result<bool> {
        let folder = self.run.external();
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        let (output, test) = (folder.join(names::REDUCED), folder.join("test.sh"));
        write_atomically(&test, self.test.as_bytes())?;
        let mode = Permissions::from_mode(0o755);
        fs::set_permissions(&test, mode).map_err(|source| NotWritten { path: test.clone(), source })?;
        let text =
            fs::read_to_string(self.instance).with_context(|| format!("cannot read {}", self.instance.display()))?;
        // A copy, which it may change, and a place for what it leaves when it is killed.
        let scratch = Scratch::on_disk()?;
        let (input, temporary) = (scratch.path().join(names::INSTANCE), scratch.path().join("tmp"));
        fs::write(&input, &text).map_err(|source| NotWritten { path: input.clone(), source })?;
        fs::create_dir(&temporary).map_err(|source| NotWritten { path: temporary.clone(), source })?;
        let limits = Limits::cpu(self.allowance.as_secs_f64());
        let command = Command::new(&reducer.program).args(reducer.arguments).args([input, output.clone(), test]);
        let ended = run_process(command.env("TMPDIR", temporary), &limits, interrupt)?;
        if interrupt.is_set() {
            return Ok(false);
        }
        let succeeded = match self.is_reduced(&output, text.len(), interrupt) {
            Err(_) if interrupt.is_set() => return Ok(false),
            succeeded => succeeded?,
        };
        // The answers may be those of solvers that the interrupt ended.
        if interrupt.is_set() {
            return Ok(false);
        }
        let external = External {
            succeeded,
            ended: how(&ended),
            cpu_seconds: ended.cpu_seconds,
            candidates: None,
            said: ended.stderr_text().lines().last().unwrap_or_default().to_owned(),
        };
        write_atomically(&self.run.external_record(), serde_json::to_string_pretty(&external)?.as_bytes())?;
        Ok(true)
    }

    /// Whether the file holds a script of fewer bytes that shows the same.
    fn is_reduced(&self, output: &Path, bytes: usize, interrupt: &Interrupt) -> anyhow::Result<bool> {
        let text = match fs::read_to_string(output) {
            Ok(text) => text,
            // The reducer wrote none, or no text.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidData) => return Ok(false),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", output.display())),
        };
        Ok(text.len() < bytes && self.asked.objection(&text, interrupt)?.is_none())
    }
}

fn how(run: &Run) -> String {
    match (run.stopped, run.exit) {
        (Some(Stopped::Cpu), _) => "CPU time".into(),
        (Some(Stopped::Wall), _) => "elapsed time".into(),
        (Some(Stopped::Memory), _) => "memory".into(),
        (Some(Stopped::Killed), _) => "killed by somebody else".into(),
        (Some(Stopped::Output | Stopped::Threads | Stopped::Interrupted), _) => "stopped".into(),
        (None, Exit::Code(code)) => format!("exit code {code}"),
        (None, Exit::Signal(signal)) => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::individual::Timed;
    use crate::oracle::OracleError;
    use crate::oracle::prover::{Prover, Question, Reply};
    use crate::smtlib::dialect::Dialect;
    use crate::solver::answer::Answer;

    /// What a solver does that is asked.
    #[derive(Debug)]
    enum Fake {
        Says(Answer),
        /// Is interrupted, and killed before it answers.
        IsKilled,
        /// Is interrupted while it answers.
        IsLate(Answer),
        IsMissing,
    }

    impl Prover for Fake {
        fn name(&self) -> &'static str {
            "fake"
        }

        fn version(&self) -> &'static str {
            "1"
        }

        fn dialect(&self) -> Dialect {
            Dialect::SmtLib26
        }

        fn ask(&self, _: &Question<'_>, interrupt: &Interrupt) -> Result<Reply, OracleError> {
            if matches!(self, Fake::IsKilled | Fake::IsLate(_)) {
                interrupt.set();
            }
            let answer = match self {
                Fake::Says(answer) | Fake::IsLate(answer) => answer.clone(),
                Fake::IsKilled => return Err(OracleError::Interrupted),
                Fake::IsMissing => return Err(crate::solver::process::ProcessError::NotFound("fake".into()).into()),
            };
            let timed = Timed { answer, cpu_seconds: 0.5, wall_seconds: 0.5, peak_memory_bytes: 0 };
            Ok(Reply { timed, command: String::new(), output: String::new() })
        }
    }

    const INSTANCE: &str = "(assert true)\n(assert true)\n(check-sat)\n";
    /// A reducer that knows what comes out.
    const KNOWS: &str = "echo '(assert true)' >\"$2\"; echo hm >&2; exit 3";

    /// What comes of a reducer that is a shell script, of an instance in `root`, and what is recorded.
    fn reduced(root: &Path, reducer: &str, right: &Fake) -> (anyhow::Result<bool>, Option<External>) {
        let (run, instance) = (HuntRun::new(root), root.join("instance.smt2"));
        fs::write(&instance, INSTANCE).unwrap();
        let (meter, limit) = (Meter::default(), Duration::from_secs(1));
        let asked = Asked::wrong_unsat(&Fake::Says(Answer::Unsat), right, limit, &meter);
        let test = "#!/bin/sh\nexit 0\n".to_owned();
        let arguments = ["-c", reducer, "reducer"].map(str::to_owned);
        let reducer = Reducer { program: "/bin/sh".into(), arguments: &arguments };
        let ended = Reduction { run: &run, instance: &instance, test, asked, allowance: limit.mul_f64(300.0) }
            .by(&reducer, &Interrupt::new());
        assert_eq!(fs::read_to_string(&instance).unwrap(), INSTANCE, "the record of the hunt is as it was");
        (ended, run.external_outcome().unwrap())
    }

    #[test]
    fn an_interrupt_or_a_failure_of_ours_in_the_last_check_is_no_failure_of_the_reducer() {
        let root = tempfile::tempdir().unwrap();
        for right in [Fake::IsKilled, Fake::IsLate(Answer::Sat), Fake::IsLate(Answer::Timeout)] {
            let (ended, record) = reduced(root.path(), KNOWS, &right);
            assert_eq!((ended.unwrap(), record), (false, None), "{right:?}");
        }
        let (ended, record) = reduced(root.path(), KNOWS, &Fake::IsMissing);
        assert!(ended.unwrap_err().to_string().contains("no program named fake"));
        assert_eq!(record, None);
        let (ended, record) = reduced(root.path(), KNOWS, &Fake::Says(Answer::Timeout));
        assert_eq!((ended.unwrap(), record.unwrap().succeeded), (true, false));
        let (ended, record) = reduced(root.path(), KNOWS, &Fake::Says(Answer::Sat));
        let record = record.unwrap();
        assert!(ended.unwrap() && record.succeeded);
        assert_eq!((record.ended.as_str(), record.said.as_str()), ("exit code 3", "hm"));
    }

    #[test]
    fn only_fewer_bytes_of_a_script_are_a_success() {
        let root = tempfile::tempdir().unwrap();
        for (reducer, expected) in [
            ("cp \"$1\" \"$2\"", false),
            ("rm -f \"$2\"", false),
            ("echo '(assert' >\"$2\"", false),
            ("printf '\\377' >\"$2\"", false),
            ("\"$3\" \"$1\" && echo '(check-sat)' >\"$2\"", true),
        ] {
            let (ended, record) = reduced(root.path(), reducer, &Fake::Says(Answer::Sat));
            assert_eq!((ended.unwrap(), record.unwrap().succeeded), (true, expected), "{reducer}");
        }
    }

    #[test]
    fn a_reducer_may_change_its_input_and_leave_temporary_files_which_go_away() {
        let root = tempfile::tempdir().unwrap();
        // `reduced` looks at the instance.
        let reducer = "echo '(assert true)' >\"$1\"; cp \"$1\" \"$2\"; touch \"$TMPDIR/left\" && echo \"$TMPDIR\" >&2";
        let (ended, record) = reduced(root.path(), reducer, &Fake::Says(Answer::Sat));
        let record = record.unwrap();
        assert!(ended.unwrap() && record.succeeded && record.ended == "exit code 0", "{record:?}");
        let temporary = Path::new(&record.said);
        assert!(temporary.is_absolute() && temporary != std::env::temp_dir(), "{record:?}");
        assert!(!temporary.exists(), "{record:?}");
    }

    #[test]
    fn a_reducer_that_is_missing_is_named_as_it_was_meant() {
        let folder = tempfile::tempdir().unwrap();
        let complaint = |name: &str| Reducer::of(&[name.to_owned()]).unwrap_err().to_string();
        let file = folder.path().join("reducer").display().to_string();
        assert_eq!(complaint(&file), format!("there is no file {file}, which `minimise-with` needs"));
        fs::write(&file, "").unwrap();
        assert!(complaint(&file).contains("is not executable"));
        fs::set_permissions(&file, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(Reducer::of(std::slice::from_ref(&file)).unwrap().program, Path::new(&file));
        assert!(complaint("no-such-reducer").starts_with("no program named no-such-reducer on the PATH"));
    }
}
