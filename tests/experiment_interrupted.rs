//! An experiment on this machine that is interrupted and killed at all sorts of points, and started again each time: in
//! the end it holds what one that was left alone would hold.

mod experiment;
mod installed;

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use experiment::{Experiment, RUNS, Recorded, logs, text, until};
use mulstringfuzz::record::format::ResultRow;
use mulstringfuzz::record::{RunDirectory, names, read_rows};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// Far above what anything takes on a busy machine: a guard against waiting for ever.
const PATIENCE: Duration = Duration::from_secs(300);

/// `experiment run`, under way.
struct Running<'a> {
    experiment: &'a Experiment,
    child: Child,
    said: PathBuf,
}

impl<'a> Running<'a> {
    /// Starts it in a process group of its own.
    fn start(experiment: &'a Experiment, name: &str) -> Self {
        let said = experiment.scratch_file(name);
        let stream = || File::create(&said).expect("a file for what it says");
        let mut command = experiment.command("run", &["--jobs", "2"]);
        let child = command.process_group(0).stdout(stream()).stderr(stream()).spawn().expect("it starts");
        Running { experiment, child, said }
    }

    fn signal_group(&self, signal: Signal) {
        let group = Pid::from_raw(i32::try_from(self.child.id()).expect("a process number"));
        killpg(group, signal).expect("it is under way");
    }

    /// Looks until something is there, or it has ended.
    fn until<T>(&mut self, what: &str, mut look: impl FnMut() -> Option<T>) -> Option<T> {
        let said = &self.said;
        let child = &mut self.child;
        let ended = || fs::read_to_string(said).unwrap_or_default();
        until(what, PATIENCE, || look().map(Some).or_else(|| child.try_wait().expect("our child").map(|_| None)), ended)
    }

    /// Waits for its end; how it ended and what it said.
    fn wait(mut self) -> (ExitStatus, String) {
        let log = || logs(self.experiment.folder().as_path());
        let status = until("its end", PATIENCE, || self.child.try_wait().expect("our child"), log);
        (status, fs::read_to_string(&self.said).unwrap_or_default())
    }
}

/// Waits until nobody works in any run's folder, and returns what they hold.
fn at_rest(experiment: &Experiment) -> Vec<(&'static str, Recorded)> {
    let busy = || RUNS.iter().any(|run| RunDirectory::is_in_use(&experiment.run_folder(run)));
    until("the end of all workers", Duration::from_secs(20), || (!busy()).then_some(()), String::new);
    RUNS.iter().map(|run| (*run, experiment.recorded(run))).collect()
}

fn assert_nothing_lost(before: &[(&str, Recorded)], experiment: &Experiment) {
    for (run, recorded) in before {
        recorded.assert_begins(&experiment.recorded(run));
    }
}

fn evaluations(experiment: &Experiment) -> u64 {
    let last = |run: &&str| experiment.generations(run).last().map_or(0, |row| row.total_evaluations);
    RUNS.iter().map(last).sum()
}

#[test]
fn an_experiment_that_is_killed_again_and_again_ends_as_planned() {
    let experiment = Experiment::new();

    // The whole process group, at once.
    let mut first = Running::start(&experiment, "first.out");
    let recorded = first.until("two recorded generations", || (evaluations(&experiment) >= 10).then_some(()));
    assert!(recorded.is_some(), "it goes on");
    first.signal_group(Signal::SIGKILL);
    first.wait();
    // Started again while its workers may still be dying: none of their runs is left out.
    let mut second = Running::start(&experiment, "second.out");
    let done = evaluations(&experiment);
    second.until("progress", || (evaluations(&experiment) > done).then_some(())).expect("it goes on");

    // Ctrl-C.
    second.signal_group(Signal::SIGINT);
    let (status, said) = second.wait();
    assert_eq!(status.code(), Some(130), "{said}");
    let at_second = at_rest(&experiment);

    // One worker, while it measures if that can be seen.
    let mut third = Running::start(&experiment, "third.out");
    let measuring = |run: &&&str| {
        let rows = read_rows::<ResultRow>(&experiment.run_folder(run).join(names::RESULT_SET));
        (1..5).contains(&rows.map_or(0, |rows| rows.len()))
    };
    let worker = third.until("a worker that measures", || {
        let run = RUNS.iter().find(measuring)?;
        Some((*run, experiment.worker(run)?))
    });
    if let Some((run, worker)) = worker
        && kill(Pid::from_raw(worker), Signal::SIGKILL).is_ok()
    {
        let (status, said) = third.wait();
        // It may have ended in the same moment.
        if status.code() != Some(0) {
            assert_eq!(status.code(), Some(2), "{said}");
            assert!(said.contains(&format!("1 of 4 runs failed, {run} first: signal 9 ended it")), "{said}");
        }
    } else {
        third.wait();
    }
    assert_nothing_lost(&begun(at_second), &experiment);
    let at_third = at_rest(&experiment);

    // Two at once, as on two machines that share the folder: each leaves to the other what the other works on.
    let both = ["fourth.out", "fifth.out"].map(|name| Running::start(&experiment, name));
    for one in both {
        let (status, said) = one.wait();
        assert_eq!(status.code(), Some(0), "{said}");
    }
    experiment.assert_complete();
    assert_nothing_lost(&begun(at_third), &experiment);

    nothing_is_left_to_do(&experiment);
    experiment.assert_tables();
    another_experiment_is_refused(&experiment);
}

/// Those that have a generation.
fn begun(runs: Vec<(&'static str, Recorded)>) -> Vec<(&'static str, Recorded)> {
    runs.into_iter().filter(|(_, recorded)| recorded.has_generation()).collect()
}

fn nothing_is_left_to_do(experiment: &Experiment) {
    let files = [names::EVALUATIONS, names::GENERATIONS, names::RESULT_SET, names::SUMMARY];
    let content = || -> Vec<Vec<u8>> {
        let paths = RUNS.iter().flat_map(|run| files.map(|file| experiment.run_folder(run).join(file)));
        paths.map(|path| fs::read(path).expect("a finished run's file")).collect()
    };
    let before = content();
    let output = experiment.ask("run", &["--jobs", "2"]);
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("| default |    2 |"), "the first table is printed: {}", text(&output));
    assert!(content() == before, "no evaluation is made again");
    experiment.assert_complete();
}

fn another_experiment_is_refused(experiment: &Experiment) {
    experiment.write_spec("400ms");
    let output = experiment.ask("run", &[]);
    let said = text(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("differs in the settings of arm default; choose another folder for --out"), "{said}");
    experiment.write_spec("300ms");
    experiment.assert_complete();
}
