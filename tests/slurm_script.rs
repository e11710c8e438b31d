//! The script of a cluster's job, and what is asked of Slurm, with stand-ins for Slurm's commands and for the run: which
//! ends put a run back into the queue, and which jobs are found again. `tests/slurm.rs` has the real ones.

mod experiment;
mod installed;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use experiment::{Experiment, text, until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// An experiment, and a folder with stand-ins for Slurm's commands, each a shell script that notes how it was called.
struct Fake {
    experiment: Experiment,
}

impl Fake {
    fn new() -> Self {
        let fake = Fake { experiment: Experiment::without_solvers() };
        fs::create_dir(fake.commands()).expect("a folder");
        fake.command("sbatch", "echo 7");
        fake.command("squeue", "");
        fake.command("scontrol", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
        fake
    }

    fn commands(&self) -> PathBuf {
        self.experiment.scratch_file("commands")
    }

    fn command(&self, name: &str, body: &str) {
        let path = self.commands().join(name);
        let calls = self.commands().join("calls");
        let script = format!("#!/bin/sh\necho {name} \"$@\" >>'{}'\n{body}\n", calls.display());
        fs::write(&path, script).expect("a stand-in");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    /// How the stand-ins were called since the last look.
    fn calls(&self) -> String {
        let path = self.commands().join("calls");
        let calls = fs::read_to_string(&path).unwrap_or_default();
        fs::remove_file(path).ok();
        calls
    }

    fn path(&self) -> String {
        format!("{}:{}", self.commands().display(), std::env::var("PATH").unwrap_or_default())
    }

    fn submit(&self) -> Output {
        self.submit_with(&[])
    }

    fn submit_with(&self, further: &[&str]) -> Output {
        let mut command = self.experiment.command("run", &["--engine", "slurm", "--quiet"]);
        command.args(further).env("PATH", self.path()).output().expect("it starts")
    }

    /// The script of the runs, with `run` instead of the run, as a command that Slurm would start.
    fn job(&self, run: &str, restarts: u32) -> Command {
        let script = fs::read_to_string(self.experiment.folder().join("slurm/array.sh")).expect("the script");
        let line = script.lines().find(|line| line.starts_with("command=(")).expect("the run's command");
        let changed = self.experiment.scratch_file("job.sh");
        fs::write(&changed, script.replace(line, &format!("command=(bash -c '{run}')"))).expect("a script");
        let mut command = Command::new("bash");
        let variables = [("ARRAY_JOB_ID", "7"), ("ARRAY_TASK_ID", "2"), ("JOB_ID", "9"), ("RESTART_COUNT", "")];
        for (name, value) in variables {
            command.env(format!("SLURM_{name}"), value);
        }
        command.env("SLURM_RESTART_COUNT", restarts.to_string()).env("PATH", self.path()).arg(changed);
        command
    }

    /// Whether a run that ends so is put back into the queue, and what the job's exit code is.
    fn end(&self, run: &str, restarts: u32) -> (bool, Option<i32>) {
        self.calls();
        let output = self.job(run, restarts).output().expect("bash");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(&format!("default/002, job 7_2, restart {restarts}: starts on ")), "{said}");
        (self.calls().contains("scontrol requeue 7_2"), output.status.code())
    }
}

const RUNNING: &str = "echo 'JobId=9 ArrayJobId=7 ArrayTaskId=2 JobName=x JobState=RUNNING Reason=None Restarts=0'";

#[test]
fn only_a_run_that_was_stopped_or_killed_is_put_back_and_not_for_ever() {
    let fake = Fake::new();
    assert!(fake.submit().status.success());
    fake.command("scontrol", RUNNING);
    assert_eq!(fake.end("exit 0", 0), (false, Some(0)));
    for code in [1, 2, 3, 4, 101, 139] {
        assert_eq!(fake.end(&format!("exit {code}"), 0), (false, Some(code)));
    }
    for code in [130, 137, 143] {
        assert_eq!(fake.end(&format!("exit {code}"), 19), (true, Some(code)));
    }
    assert_eq!(fake.end("kill -KILL $$", 0), (true, Some(137)));
    assert_eq!(fake.end("exit 137", 20), (false, Some(137)));
    fake.command("scontrol", &RUNNING.replace("RUNNING", "COMPLETING"));
    assert_eq!(fake.end("exit 130", 0), (false, Some(130)), "not when it was cancelled");
}

#[test]
fn a_warning_is_passed_on_and_the_run_is_waited_for() {
    let fake = Fake::new();
    assert!(fake.submit().status.success());
    fake.command("scontrol", RUNNING);
    let begun = fake.experiment.scratch_file("begun");
    let run = format!("trap \"sleep 0.3; exit 130\" USR1; touch \"{}\"; while :; do sleep 0.05; done", begun.display());
    for signal in [Signal::SIGUSR1, Signal::SIGTERM] {
        fs::remove_file(&begun).ok();
        fake.calls();
        let job = fake.job(&run, 0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("bash");
        until("the run", Duration::from_secs(60), || begun.exists().then_some(()), String::new);
        kill(Pid::from_raw(i32::try_from(job.id()).expect("a process")), signal).expect("it is under way");
        let output = job.wait_with_output().expect("its end");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output));
        assert!(fake.calls().contains("scontrol requeue 7_2"), "{}", text(&output));
    }
}

#[test]
fn a_job_whose_number_we_did_not_get_to_know_is_found_by_its_name() {
    let fake = Fake::new();
    assert!(fake.submit().status.success());
    assert_eq!(fake.calls().matches("sbatch --parsable").count(), 2, "the runs and the tables");
    let jobs = fake.experiment.folder().join("slurm/jobs.json");
    let record = fs::read_to_string(&jobs).expect("the record of jobs");
    let name = serde_json::from_str::<serde_json::Value>(&record).expect("JSON")["submissions"][0]["name"].clone();
    let forget = || {
        let without = record.replace("\"job\": 7", "\"job\": null").replace("\"tables\": 7", "\"tables\": null");
        fs::write(Path::new(&jobs), without).expect("a record without numbers");
    };

    forget();
    fake.command("squeue", "echo 7");
    let name = name.as_str().expect("a name");
    let pending =
        format!("echo 'JobId=7 ArrayJobId=7 ArrayTaskId=0-3%100 JobName={name} JobState=PENDING Reason=Priority'");
    fake.command("scontrol", &pending);
    let output = fake.submit();
    assert!(text(&output).contains("4 runs are in the queue already"), "{}", text(&output));
    let calls = fake.calls();
    assert!(calls.contains(&format!("--name={name}")) && !calls.contains("array.sh"), "{calls}");
    assert!(calls.contains("--dependency=afterany:7 "), "the tables are still to be written: {calls}");

    forget();
    fake.command("squeue", "");
    let output = fake.submit();
    assert!(text(&output).contains("submitted 4 runs as job 7"), "{}", text(&output));
}

#[test]
fn a_refusal_of_slurm_is_told_and_leaves_no_job_behind() {
    let fake = Fake::new();
    fake.command("sbatch", "echo 'sbatch: error: invalid partition specified: x' >&2; exit 1");
    let output = fake.submit();
    assert_eq!(output.status.code(), Some(2));
    let expected = "error: Slurm's sbatch failed: sbatch: error: invalid partition specified: x";
    assert!(text(&output).contains(expected), "{}", text(&output));
    fake.command("sbatch", "echo 7");
    assert!(text(&fake.submit()).contains("submitted 4 runs as job 7"));
}

#[test]
fn arms_and_repeats_may_be_added_while_jobs_are_queued() {
    let fake = Fake::new();
    assert!(fake.submit().status.success());
    let script = || fs::read_to_string(fake.experiment.folder().join("slurm/array.sh")).expect("the script");
    let name = script().lines().find_map(|line| line.strip_prefix("#SBATCH --job-name=").map(str::to_owned));
    let pending = format!("JobId=7 ArrayJobId=7 ArrayTaskId=0-3 JobName={} JobState=PENDING", name.expect("a name"));
    fake.command(
        "scontrol",
        &format!("case $* in *' 7') echo '{pending}' ;; *) echo Invalid job id >&2; exit 1 ;; esac"),
    );
    fake.command("sbatch", "echo 8");

    fake.experiment.add_arm("third");
    assert!(text(&fake.submit_with(&["--repeats", "3"])).contains("submitted 5 runs as job 8"));
    let runs =
        "runs=(\n    [2]=third/001\n    [5]=third/002\n    [6]=default/003\n    [7]=random/003\n    [8]=third/003\n)\n";
    assert!(script().contains(runs), "{}", script());
    assert!(script().contains("#SBATCH --array=2,5-8%100\n"));
}

#[test]
fn what_the_command_line_says_holds_for_a_folder_too() {
    let fake = Fake::new();
    assert!(fake.submit().status.success());
    let folder = fake.experiment.folder();
    let run = |further: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
        command.args(["experiment", "run", "--engine", "slurm"]).arg(&folder).args(further);
        command.env("PATH", fake.path()).output().expect("it starts")
    };
    assert!(text(&run(&["--repeats", "3"])).contains("submitted 6 runs"));
    let refused = run(&["--limit", "2s"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("differs in the settings of arm default"), "{}", text(&refused));
}
