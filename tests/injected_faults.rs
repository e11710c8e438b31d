//! Kills, full disks, lost rights, signals and a calendar that jumps, while the program searches, learns, triages and hunts with
//! solvers that are a few lines of the shell.

mod faults;
mod shell_solver;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use faults::{Kind, at_change, with_jumping_calendar};
use mulstringfuzz::record::{OBSERVATION_LOG, ObservationLog, names, read_suspects};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use shell_solver::solver_that;
use tempfile::TempDir;

/// Far above what anything takes on a busy machine: a guard against waiting for ever.
const PATIENCE: Duration = Duration::from_secs(200);
/// Answers as a solver does to what it is asked besides.
const READY: &str = "echo sat; if grep -q get-model \"$1\"; then echo '()'; fi";
/// Endless on some scripts, and wrong on others.
const FAULTY: &str = "if grep -q 'str.replace_re ' \"$1\"; then while :; do :; done; fi
if grep -q str.prefixof \"$1\"; then echo unsat; exit; fi";
const SEARCH: &str = "fuzz --profiles own.toml --target mine --reference other --variant no-coverage --limit 50ms \
                      --confirm-limit 60ms --pop 6 --generations 2 --jobs 1 --seed 3 --quiet";

/// A folder in memory, where nobody waits for thousands of writes, with these solvers.
fn place(mine: &str) -> TempDir {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a scratch folder");
    let mine = solver_that(folder.path(), "mine", &format!("{mine}\n{READY}"));
    fs::write(folder.path().join("own.toml"), mine + &solver_that(folder.path(), "other", READY)).expect("a file");
    folder
}

/// The program in a folder, with arguments between spaces.
fn program(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    command.current_dir(folder).args(arguments.split_whitespace());
    command
}

fn output(mut command: Command) -> Output {
    command.output().expect("the program starts")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn assert_done(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{}", said(output));
}

/// One that met a fault and told it, or came to its end without it.
fn is_told(output: &Output, what: &str) -> bool {
    let text = said(output);
    assert!(!text.contains("panicked") && !text.contains("internal error"), "{what}: {text}");
    if output.status.success() {
        return false;
    }
    assert_eq!(output.status.code(), Some(4), "{what}: {text}");
    assert!(text.contains("cannot write"), "{what}: {text}");
    true
}

fn json(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The fingerprints of all evaluations that are in the log of a run; none before it is one.
fn evaluated(root: &Path) -> BTreeSet<u128> {
    let log = root.join(names::OBSERVATIONS).join(OBSERVATION_LOG);
    ObservationLog::read(&log).map(|log| log.fingerprints_before(u32::MAX).collect()).unwrap_or_default()
}

/// How many folders are in one of a run.
fn folders(root: &Path, name: &str) -> usize {
    fs::read_dir(root.join(name)).map_or(0, Iterator::count)
}

fn rows(root: &Path, name: &str) -> Vec<String> {
    let text = fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    text.lines().skip(1).map(str::to_owned).collect()
}

/// What a run holds does not contradict itself, and is what its replay comes to.
fn assert_sound(folder: &Path, run: &str) {
    let root = folder.join(run);
    let summary = json(&root.join(names::SUMMARY));
    let evaluations = rows(&root, names::EVALUATIONS);
    let ids: BTreeSet<&str> = evaluations.iter().filter_map(|row| row.split(',').next()).collect();
    assert_eq!(ids.len(), evaluations.len(), "no evaluation has two rows");
    assert_eq!(summary["evaluations"], evaluations.len(), "{summary}");
    let suspicions = folders(&root, names::CANDIDATES) + folders(&root, names::DEFECTS);
    let triage = json(&root.join("triage/triage.json"));
    assert_eq!(triage["instances"], suspicions, "the triage was told of each suspicion once: {triage}");
    let members: usize = triage["defects"]
        .as_array()
        .expect("defects")
        .iter()
        .map(|it| it["members"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(members + triage["dropped"].as_array().map_or(0, Vec::len), suspicions, "{triage}");
    assert!(suspicions > 0 && root.join(names::KNOWN).exists(), "{summary}");
    let suspects = read_suspects(&root).expect("suspects");
    let judged = json(&root.join("hunt/hunt.json"));
    assert_eq!(judged["asked"].as_object().map(serde_json::Map::len), Some(suspects.len()), "{judged}");

    let again = format!("{run}-again");
    assert_done(&output(program(folder, &format!("fuzz --replay {run} --out {again} --quiet"))));
    for name in [names::EVALUATIONS, names::GENERATIONS, names::FRONT, names::KNOWN, names::SUSPECT_TABLE] {
        let read = |root: &Path| fs::read_to_string(root.join(name)).unwrap_or_default();
        assert_eq!(read(&root), read(&folder.join(&again)), "{name}");
    }
}

#[test]
fn a_run_that_is_killed_at_its_changes_loses_nothing_and_counts_nothing_twice() {
    let folder = place(FAULTY);
    let folder = folder.path();
    let root = folder.join("run");
    let (mut kills, mut before, mut suspicions) = (0, BTreeSet::new(), 0);
    let mut moment = 30;
    loop {
        let arguments = if root.join(names::CONFIG).exists() {
            "fuzz --resume run --profiles own.toml --jobs 1 --quiet".to_owned()
        } else {
            format!("{SEARCH} --out run")
        };
        let mut command = program(folder, &arguments);
        if kills < 25 {
            at_change(&mut command, folder, moment, Kind::Kill);
        }
        let ended = output(command);
        let now = evaluated(&root);
        assert!(now.is_superset(&before), "an evaluation is lost after kill {kills}");
        let all = folders(&root, names::CANDIDATES) + folders(&root, names::DEFECTS);
        assert!(all >= suspicions, "a suspicion is lost after kill {kills}");
        (before, suspicions) = (now, all);
        if ended.status.signal() != Some(9) {
            assert_done(&ended);
            break;
        }
        kills += 1;
        moment = 25 + (moment * 7 + 13) % 190;
    }
    eprintln!("{kills} kills");
    assert!(kills > 5, "{kills}");
    assert_sound(folder, "run");
    let after = json(&root.join(names::SUMMARY));
    assert_done(&output(program(folder, "fuzz --resume run --profiles own.toml --quiet")));
    let once_more = json(&root.join(names::SUMMARY));
    for key in ["evaluations", "defects", "candidates", "refuted", "wrong_answers", "learned_patterns"] {
        assert_eq!(after[key], once_more[key], "{key}");
    }
}

/// The kinds of faults, in turn, so that each meets changes of each kind.
fn kind_of(step: u32) -> Kind {
    [Kind::Full, Kind::Kill, Kind::Broken, Kind::Denied][step as usize % 4]
}

/// Does `work` once for each of these changes, in a folder of its own, with a program in which it is faulty; until several in a
/// row are told by nobody, because they are not met any more. `begun` runs the faulty program, `goes_on` is to bring it to its end.
fn with_faults(
    changes: impl Iterator<Item = u32>,
    mine: &str,
    begun: impl Fn(&Path) -> String,
    goes_on: impl Fn(&Path, u32),
) -> u32 {
    let (mut faults, mut untold) = (0, 0);
    for (step, at) in (0..).zip(changes) {
        let kind = kind_of(step);
        let folder = place(mine);
        let mut command = program(folder.path(), &begun(folder.path()));
        at_change(&mut command, folder.path(), at, kind);
        let ended = output(command);
        let is_met = ended.status.signal() == Some(9) || is_told(&ended, &format!("{kind:?} at change {at}"));
        // That a file was not removed in passing is told by nobody.
        untold = if is_met { 0 } else { untold + 1 };
        if untold > 3 {
            break;
        }
        faults += u32::from(is_met);
        goes_on(folder.path(), at);
    }
    eprintln!("{faults} faults");
    faults
}

#[test]
fn a_run_ends_with_its_code_at_whatever_change_a_fault_comes_and_goes_on_without_it() {
    let begin = format!("{SEARCH} --out run");
    let goes_on = |folder: &Path, at: u32| {
        if !folder.join("run").join(names::CONFIG).exists() {
            return assert_done(&output(program(folder, &begin)));
        }
        assert_done(&output(program(folder, "status run")));
        let report = output(program(folder, "report run --out page"));
        // Before its first evaluation there is nothing to report.
        assert!(report.status.success() || at < 50, "{}", said(&report));
        assert_done(&output(program(folder, "fuzz --resume run --profiles own.toml --quiet --jobs 2")));
    };
    let faults = with_faults((0..).map(|step| 3 + step * (7 * step + 20)), FAULTY, |_| begin.clone(), goes_on);
    assert!(faults > 5, "{faults}");
}

/// Scripts on which [`CRASHING`] crashes.
fn seeds(folder: &Path) {
    fs::create_dir(folder.join("seeds")).expect("a folder");
    for (number, operator) in ["add", "mul", "and"].iter().enumerate() {
        let text = format!(
            "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (= x (bv{operator} x #x03)))\n(check-sat)\n"
        );
        fs::write(folder.join(format!("seeds/{number}.smt2")), text).expect("a file");
    }
}

const CRASHING: &str = "if grep -q bvmul \"$1\"; then echo 'Fatal failure within mul' >&2; kill -SEGV $$; fi";

#[test]
fn a_hunt_ends_with_its_code_at_whatever_change_a_fault_comes_and_goes_on_without_it() {
    let begin = "hunt --seeds seeds --solver mine --profiles own.toml --strategy none --out out --quiet";
    let begun = |folder: &Path| {
        seeds(folder);
        begin.to_owned()
    };
    let goes_on = |folder: &Path, at: u32| {
        let is_begun = folder.join("out/hunt.toml").exists();
        assert_done(&output(program(folder, if is_begun { "hunt --resume out --quiet" } else { begin })));
        let hunt = json(&folder.join("out/hunt.json"));
        let defects = hunt["defects"].as_array().map(Vec::len);
        assert_eq!((&hunt["instances"], defects), (&3.into(), Some(1)), "after change {at}: {hunt}");
    };
    let faults = with_faults(1.., CRASHING, begun, goes_on);
    assert!(faults > 20, "{faults}");
}

#[test]
fn a_triage_ends_with_its_code_at_whatever_change_a_fault_comes_and_is_completed_without_it() {
    let slow = "if grep -q str.replace_re \"$1\"; then while :; do :; done; fi";
    let verb = "triage a.smt2 --target mine --reference other --profiles own.toml --limit 50ms --out out --no-explain";
    let begun = |folder: &Path| {
        let text = "(declare-fun s () String)\n(assert (= s (str.replace_re s re.allchar s)))\n(check-sat)\n";
        fs::write(folder.join("a.smt2"), text).expect("a file");
        verb.to_owned()
    };
    let goes_on = |folder: &Path, at: u32| {
        assert_done(&output(program(folder, verb)));
        let triage = json(&folder.join("out/triage.json"));
        let defects = triage["defects"].as_array().map(Vec::len);
        assert_eq!((&triage["instances"], defects), (&1.into(), Some(1)), "after change {at}: {triage}");
        assert!(folder.join("out/clusters/001/report.md").is_file());
    };
    let faults = with_faults((0..).map(|step| 1 + step * (step + 1)), slow, begun, goes_on);
    assert!(faults > 5, "{faults}");
}

fn spawned(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_signal_ends_a_run_with_its_results_and_a_second_one_at_once() {
    // The scripts of the search are asked about for ever, and only a signal ends the run.
    let folder = place("if grep -qi 'str\\|re\\.' \"$1\"; then sleep 0.2; fi");
    let folder = folder.path();
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        for times in [1, 2] {
            let name = format!("{signal}-{times}");
            let arguments = SEARCH.replace("--generations 2", "--generations 4000");
            let child = spawned(program(folder, &format!("{arguments} --out {name}")));
            wait_until("an evaluation", || evaluated(&folder.join(&name)).len() > 1);
            let process = Pid::from_raw(i32::try_from(child.id()).expect("a number"));
            for _ in 0..times {
                kill(process, signal).expect("it is ours");
                // Two of one kind that come at once are one to the kernel.
                std::thread::sleep(Duration::from_millis(3));
            }
            let ended = child.wait_with_output().expect("it is ours");
            let expected = if times == 1 { &[130][..] } else { &[code, 130] };
            assert!(
                ended.status.code().is_some_and(|code| expected.contains(&code)),
                "{name}: {} {}",
                ended.status,
                said(&ended)
            );
            if ended.status.code() == Some(130) && times == 1 {
                assert_eq!(json(&folder.join(&name).join(names::SUMMARY))["stop_reason"], "interrupted");
            }
            let more =
                output(program(folder, &format!("fuzz --resume {name} --evaluations 3 --profiles own.toml --quiet")));
            assert_done(&more);
        }
    }
}

#[test]
fn a_budget_is_of_time_that_passes_whatever_the_calendar_says() {
    let folder = place("");
    let folder = folder.path();
    let ten_years = 10 * 365 * 24 * 3600;
    let mut command = program(folder, &format!("{} --budget 4s --out run", SEARCH.replace("--generations 2", "")));
    with_jumping_calendar(&mut command, ten_years);
    let begun = Instant::now();
    assert_done(&output(command));
    assert!(begun.elapsed() > Duration::from_secs(2), "{:?}", begun.elapsed());
    let summary = json(&folder.join("run").join(names::SUMMARY));
    assert_eq!(summary["stop_reason"], "budget", "{summary}");
    assert!(summary["wall_seconds"].as_f64().is_some_and(|seconds| seconds > 1.0 && seconds < 200.0), "{summary}");
    let mut command = program(folder, "status run");
    with_jumping_calendar(&mut command, ten_years);
    assert_done(&output(command));
}

#[test]
fn a_folder_in_which_somebody_searches_is_refused_to_all_who_would_change_it() {
    let folder = place("if grep -qi 'str\\|re\\.' \"$1\"; then sleep 30; fi");
    let folder = folder.path();
    let mut child = spawned(program(folder, &format!("{SEARCH} --out run")));
    wait_until("it begins", || folder.join("run").join(names::CONFIG).exists());
    for (arguments, words) in [
        ("fuzz --resume run --profiles own.toml".to_owned(), "is in use by process"),
        (format!("{SEARCH} --out run"), "already exists"),
    ] {
        let refused = output(program(folder, &arguments));
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        assert!(said(&refused).contains(words), "{}", said(&refused));
    }
    assert_done(&output(program(folder, "status run")));
    child.kill().expect("it is ours");
    child.wait().expect("it is ours");
}
