//! An experiment on a real Slurm cluster: a run that is killed goes on where it was, nothing is submitted twice, and the
//! tables are written when all is over.

mod experiment;
mod installed;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use experiment::{Experiment, RUNS, logs, text, until};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Far above what anything takes on a busy machine: a guard against waiting for ever.
const PATIENCE: Duration = Duration::from_secs(300);
/// The longest path that the cluster's script takes.
const LONGEST_PATH: usize = 90;

/// A cluster on this machine, which ends with the test however that ends.
struct Cluster {
    folder: PathBuf,
    /// Held so that two tests do not stop each other's.
    _lock: File,
}

impl Cluster {
    /// Starts it, after stopping what an earlier test left in the same folder.
    fn start() -> Self {
        let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slurm");
        let unfit = own.as_os_str().len() > LONGEST_PATH || own.to_string_lossy().contains([' ', '%']);
        let folder = if unfit { std::env::temp_dir().join("mulstringfuzz-test-slurm") } else { own };
        fs::create_dir_all(&folder).expect("a folder for the cluster");
        let lock = File::create(folder.join("test.lock")).expect("a lock");
        lock.lock().expect("the lock");
        let cluster = Cluster { folder, _lock: lock };
        cluster.script("start", &["2"]);
        cluster
    }

    fn script(&self, verb: &str, further: &[&str]) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/slurm.sh");
        // To files: daemons keep the streams that they are given, and pipes would never end.
        let said = self.folder.join(format!("{verb}.out"));
        let stream = || File::create(&said).expect("a file for what the script says");
        let mut command = Command::new(script);
        command.arg(verb).arg(&self.folder).args(further).stdout(stream()).stderr(stream());
        let status = command.status().expect("scripts/slurm.sh can be run");
        let said = fs::read_to_string(&said).unwrap_or_default();
        assert!(
            status.success(),
            "the test needs a Slurm that it can start; `scripts/requirements.sh --tests` installs it: {said}"
        );
    }

    /// `experiment VERB` where this cluster is at hand.
    fn ask(&self, experiment: &Experiment, verb: &str, further: &[&str]) -> String {
        let output = experiment.command(verb, further).env("SLURM_CONF", self.conf()).output().expect("it starts");
        assert!(output.status.success(), "{verb}: {}", text(&output));
        String::from_utf8(output.stdout).expect("text")
    }

    fn status(&self, experiment: &Experiment) -> Vec<serde_json::Value> {
        experiment::runs(self.ask(experiment, "status", &["--json"]).as_bytes())
    }

    fn conf(&self) -> PathBuf {
        self.folder.join("slurm.conf")
    }

    fn slurm(&self, program: &str, arguments: &[&str]) -> String {
        let output = Command::new(program).args(arguments).env("SLURM_CONF", self.conf()).output();
        String::from_utf8_lossy(&output.expect("Slurm's commands").stdout).into_owned()
    }

    /// Everything that explains why something did not happen.
    fn explain(&self, experiment: &Experiment) -> String {
        let queue = self.slurm("squeue", &["--array", "--states=all"]);
        format!("{queue}\n{}\n{}", logs(&experiment.folder().join("slurm/log")), logs(&self.folder.join("log")))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/slurm.sh");
        let stopped = Command::new(script).arg("stop").arg(&self.folder).status();
        // A second panic would hide the first.
        if !stopped.is_ok_and(|status| status.success()) {
            eprintln!("the cluster in {} could not be stopped", self.folder.display());
        }
    }
}

/// Two runs side by side need no more memory than a small machine has.
const SUBMIT: [&str; 4] = ["--engine", "slurm", "--slurm-memory", "1G"];

#[test]
fn an_experiment_on_a_cluster_survives_the_kill_of_a_run() {
    let experiment = Experiment::new();
    let cluster = Cluster::start();
    let explain = || cluster.explain(&experiment);

    let said = cluster.ask(&experiment, "run", &SUBMIT);
    assert!(said.starts_with("submitted 4 runs as job ") && said.contains("submitted the tables as job "), "{said}");
    let said = cluster.ask(&experiment, "run", &SUBMIT);
    assert_eq!(said, "no run to submit\n4 runs are in the queue already\n");

    // Killed in the middle: a generation is recorded, and the next is under way.
    let victim = until(
        "a run with a finished generation",
        PATIENCE,
        || {
            let mut generations = RUNS.iter().map(|run| (*run, experiment.generations(run).len()));
            let (run, _) = generations.find(|(_, count)| (2..4).contains(count))?;
            let worker = Pid::from_raw(experiment.worker(run)?);
            // Stopped first, so that what is read is what it had recorded.
            kill(worker, Signal::SIGSTOP).ok()?;
            Some((run, worker))
        },
        explain,
    );
    let (run, worker) = victim;
    let before = experiment.recorded(run);
    kill(worker, Signal::SIGKILL).expect("the run's process is there");

    let place = |run: &str| {
        let rows = cluster.status(&experiment);
        rows.into_iter().find(|row| name_of(row) == run).expect("the run's row")
    };
    until("the killed run back in the queue", PATIENCE, || (place(run)["restarts"] == 1).then_some(()), explain);
    let said = cluster.ask(&experiment, "run", &SUBMIT);
    assert!(said.starts_with("no run to submit\n"), "a run that is put back is not submitted again: {said}");

    let mut waiting = experiment.command("run", &[&SUBMIT[..], &["--wait"]].concat());
    let said = experiment.scratch_file("wait.out");
    let stream = || File::create(&said).expect("a file");
    let mut waiting =
        waiting.env("SLURM_CONF", cluster.conf()).stdout(stream()).stderr(stream()).spawn().expect("it starts");
    let status = until("the end of the experiment", PATIENCE, || waiting.try_wait().expect("our child"), explain);
    assert!(status.success(), "{}\n{}", fs::read_to_string(&said).unwrap_or_default(), explain());

    experiment.assert_complete();
    before.assert_begins(&experiment.recorded(run));
    experiment.assert_tables();

    let jobs = fs::read_to_string(experiment.folder().join("slurm/jobs.json")).expect("the record of jobs");
    let jobs: serde_json::Value = serde_json::from_str(&jobs).expect("JSON");
    assert_eq!(jobs["submissions"].as_array().map(Vec::len), Some(1), "{jobs}");
    let tables = logs_named(&experiment, &format!("tables_{}.log", jobs["submissions"][0]["tables"]));
    assert!(tables.contains("4 of 4 runs are finished"), "the last job printed the tables: {tables}");
    for row in cluster.status(&experiment) {
        let name = name_of(&row);
        let log = fs::read_to_string(row["log"].as_str().expect("a log")).expect("the run's log");
        let restarts = u32::from(name == run);
        assert_eq!(
            (&row["queue"], row["restarts"].as_u64()),
            (&serde_json::Value::Null, Some(restarts.into())),
            "{row}"
        );
        assert_eq!(log.matches(": starts on ").count(), 1 + restarts as usize, "{log}");
        assert_eq!(log.matches(": finished").count(), 1, "{log}");
        assert!(log.contains(&format!("restart {restarts}: finished")), "{log}");
        assert_eq!(log.contains("exit code 137; back into the queue"), name == run, "{log}");
    }

    let said = cluster.ask(&experiment, "run", &SUBMIT);
    assert!(said.starts_with("no run to submit\n"), "{said}");
    assert_eq!(cluster.slurm("squeue", &["--noheader"]), "", "nothing was submitted");
}

/// The name of the run that a row of `status --json` is about.
fn name_of(row: &serde_json::Value) -> String {
    format!("{}/{:03}", row["arm"].as_str().expect("an arm"), row["repeat"].as_u64().expect("a repeat"))
}

fn logs_named(experiment: &Experiment, name: &str) -> String {
    fs::read_to_string(experiment.folder().join("slurm/log").join(name)).unwrap_or_default()
}
