//! A solver that does its worst (`tests/hostile/solver.c`): every limit holds, its answer is read as what it is, and nothing
//! of it is left, neither a process nor a file nor a descriptor nor a thread.
//!
//! Few tests, because each looks at all that this process holds: they take turns.

mod shell_solver;

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::process::{
    Command, Exit, Interrupt, Limits, Run, Scratch, Signal, Stopped, find_program, run,
};
use shell_solver::solver_that;

/// Long enough for any process here to end on a loaded machine: reaching it is a failure.
const PATIENCE: f64 = 100.0;

/// One test at a time.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The hostile solver, compiled in a folder of its own, so that its processes are known by their executable.
struct Hostile {
    folder: tempfile::TempDir,
}

impl Hostile {
    fn compiled() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/solver.c");
        let compiled = std::process::Command::new("gcc")
            .args(["-O1", "-pthread", "-o"])
            .args([folder.path().join("hostile"), source])
            .status()
            .expect("gcc starts");
        assert!(compiled.success());
        Hostile { folder }
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("hostile")
    }

    fn command(&self, mode: &str) -> Command {
        Command::new(self.program()).arg(mode)
    }

    /// Its living processes, whoever their parents are.
    fn alive(&self) -> BTreeSet<String> {
        let ours = self.program();
        let entries = fs::read_dir("/proc").expect("the processes").flatten();
        let is_ours = |folder: &Path| fs::read_link(folder.join("exe")).is_ok_and(|program| program == ours);
        entries
            .filter(|entry| is_ours(&entry.path()))
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }

    /// Runs it in this mode, and checks that nothing is left.
    fn run(&self, mode: &str, limits: &Limits) -> Run {
        self.run_command(self.command(mode), limits)
    }

    fn run_command(&self, command: Command, limits: &Limits) -> Run {
        let said = format!("{command:?}");
        let held = Held::now();
        let scratch = Scratch::new().expect("a scratch folder");
        let folder = scratch.path().to_owned();
        let ended = run(command.in_folder(&folder), limits, &Interrupt::new()).expect("it starts");
        assert_eq!(self.alive(), BTreeSet::new(), "{said}");
        drop(scratch);
        assert!(!folder.exists(), "{said}");
        assert_eq!(Held::now(), held, "{said}");
        ended
    }
}

/// What this process holds.
#[derive(Debug, PartialEq)]
struct Held {
    descriptors: usize,
    threads: usize,
    /// Living or dead.
    children: Vec<String>,
}

impl Held {
    fn now() -> Self {
        let count = |folder: &str| fs::read_dir(folder).expect("our entries").count();
        let threads = fs::read_dir("/proc/self/task").expect("our threads").flatten();
        let children = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let children: String = threads.map(children).collect();
        Held {
            descriptors: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
            children: children.split_whitespace().map(str::to_owned).collect(),
        }
    }
}

fn patient() -> Limits {
    Limits { cpu_seconds: PATIENCE, wall_seconds: PATIENCE, ..Limits::cpu(5.0) }
}

fn cpu(seconds: f64) -> Limits {
    Limits { cpu_seconds: seconds, ..patient() }
}

fn wall(seconds: f64) -> Limits {
    Limits { wall_seconds: seconds, ..patient() }
}

#[test]
fn each_limit_holds_and_nothing_is_left() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    let timeout = Answer::Timeout;
    let unknown = |reason: &str| Answer::Unknown(reason.to_owned());
    let table = [
        ("busy", cpu(0.2), Some(Stopped::Cpu), timeout.clone()),
        ("leaves-busy", cpu(0.3), Some(Stopped::Cpu), timeout.clone()),
        ("closes", cpu(0.2), Some(Stopped::Cpu), timeout.clone()),
        ("sleeps", wall(0.3), Some(Stopped::Wall), timeout.clone()),
        ("ignores-signals", wall(0.3), Some(Stopped::Wall), timeout.clone()),
        ("first-thread-ends", wall(0.3), Some(Stopped::Wall), timeout),
        ("allocates", Limits { memory_bytes: 200_000_000, ..patient() }, Some(Stopped::Memory), Answer::MemoryOut),
        ("prints", Limits { printed_bytes: 10 << 20, ..patient() }, Some(Stopped::Output), unknown("too much output")),
        (
            "prints-errors",
            Limits { printed_bytes: 1 << 20, ..patient() },
            Some(Stopped::Output),
            unknown("too much output"),
        ),
        (
            "writes-a-file",
            Limits { file_bytes: 1 << 20, ..patient() },
            Some(Stopped::Output),
            unknown("too much output"),
        ),
        (
            "writes-files",
            Limits { file_bytes: 4 << 20, ..patient() },
            Some(Stopped::Output),
            unknown("too much output"),
        ),
        ("spreads", Limits { threads: 50, ..patient() }, Some(Stopped::Threads), unknown("too many processes")),
        (
            "spreads-and-leaves",
            Limits { threads: 50, ..patient() },
            Some(Stopped::Threads),
            unknown("too many processes"),
        ),
        ("spreads-threads", Limits { threads: 50, ..patient() }, Some(Stopped::Threads), unknown("too many processes")),
        ("leaves", patient(), None, Answer::Sat),
        ("leaves-without-environment", patient(), None, Answer::Sat),
        ("leaves-to-a-parent-of-its-own", patient(), None, Answer::Sat),
        ("leaves-and-prints", patient(), None, Answer::Unsat),
        ("leaves-dead", patient(), None, Answer::Sat),
        ("leaps", patient(), None, Answer::Sat),
        ("prints-binary", patient(), None, Answer::Unsat),
        ("locks-its-folder", patient(), None, Answer::Sat),
        ("reads", patient(), None, Answer::Unsat),
    ];
    for (mode, limits, stopped, answer) in table {
        let run = hostile.run(mode, &limits);
        assert_eq!((run.stopped, Answer::of(&run)), (stopped, answer), "{mode}: {run:?}");
        // What a run does between two looks, on a busy machine.
        assert!(run.cpu_seconds < limits.cpu_seconds + 5.0, "{mode}: {} s", run.cpu_seconds);
        assert!(run.wall_seconds < PATIENCE, "{mode}: {} s", run.wall_seconds);
    }
}

#[test]
fn death_by_each_signal_is_the_right_verdict() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    for signal in 1..=31 {
        let run = hostile.run_command(hostile.command("dies").arg(signal.to_string()), &wall(1.0));
        let answer = match signal {
            libc::SIGCHLD | libc::SIGCONT | libc::SIGURG | libc::SIGWINCH => Answer::Sat,
            libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU => Answer::Timeout,
            libc::SIGXFSZ => Answer::Unknown("too much output".to_owned()),
            // Somebody else's: the kernel's limits of CPU time lie above ours.
            libc::SIGHUP | libc::SIGINT | libc::SIGKILL | libc::SIGTERM | libc::SIGXCPU => Answer::Killed,
            _ => Answer::Crash(format!("signal {signal}")),
        };
        assert_eq!(Answer::of(&run), answer, "{signal}: {run:?}");
    }
}

#[test]
fn an_answer_after_the_limit_is_none() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    let mut command = hostile.command("answers-late");
    command.graceful = Some((Signal::SIGTERM, Duration::from_mins(1)));
    let run = hostile.run_command(command, &wall(1.0));
    assert_eq!((run.stopped, run.exit, run.stdout_text().as_str()), (Some(Stopped::Wall), Exit::Code(0), "sat\n"));
    assert_eq!(Answer::of(&run), Answer::Timeout);
}

#[test]
fn a_wrapper_is_stopped_with_what_it_wraps() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    for (mode, limits, answer) in [
        ("busy", cpu(0.2), Answer::Timeout),
        ("sleeps", wall(0.3), Answer::Timeout),
        ("leaves", patient(), Answer::Sat),
        ("dies 11", patient(), Answer::Crash("Segmentation fault".to_owned())),
    ] {
        let script = format!("{} {mode}; exit $?", hostile.program().display());
        let run = hostile.run_command(Command::new("/bin/sh").arg("-c").arg(script), &limits);
        assert_eq!(Answer::of(&run), answer, "{mode}: {run:?}");
    }
}

#[test]
fn a_pipe_that_an_escaped_process_holds_open_ends_with_the_run() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    let (mut reader, writer) = std::io::pipe().expect("a pipe");
    let run = run(hostile.command("leaves").inherit(9, OwnedFd::from(writer)), &patient(), &Interrupt::new());
    assert_eq!(Answer::of(&run.expect("it starts")), Answer::Sat);
    // Would wait for ten minutes otherwise.
    assert_eq!(reader.read(&mut [0]).expect("the end"), 0);
}

#[test]
fn runs_beside_each_other_end_their_own_processes_only() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    let held = Held::now();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let stopped = || run(hostile.command("leaves-busy"), &cpu(0.3), &Interrupt::new()).expect("it starts");
                // While others begin and end.
                let quick = || run(hostile.command("leaves"), &patient(), &Interrupt::new()).expect("it starts");
                for _ in 0..3 {
                    assert_eq!(quick().stopped, None);
                    // It only sleeps once what it started is killed, and would end by itself after ten minutes.
                    assert_eq!(stopped().stopped, Some(Stopped::Cpu));
                }
            });
        }
    });
    assert_eq!((hostile.alive(), Held::now().children), (BTreeSet::new(), held.children));
}

/// Runs this file again, with one of the tests below that do nothing otherwise.
fn ourselves(test: &str, variable: &str, value: &Path) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().expect("our own path"));
    command.args([test, "--exact"]).env(variable, value).stdout(Stdio::null());
    command
}

const VICTIM: &str = "MULSTRINGFUZZ_TEST_VICTIM";
const NEXT: &str = "MULSTRINGFUZZ_TEST_NEXT";
const TERMINAL: &str = "MULSTRINGFUZZ_TEST_TERMINAL";

/// Runs what leaves its parents, until it is killed.
#[test]
fn victim() {
    let Some(program) = std::env::var_os(VICTIM) else { return };
    run(Command::new(program).arg("leaves-busy"), &patient(), &Interrupt::new()).expect("it starts");
}

/// The first run of a process.
#[test]
fn next() {
    let Some(program) = std::env::var_os(NEXT) else { return };
    let run = run(Command::new(program).arg("reads"), &patient(), &Interrupt::new()).expect("it starts");
    assert_eq!(run.stopped, None);
}

#[test]
fn what_a_killed_process_of_ours_left_is_ended_by_the_next_one() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    let mut victim = ourselves("victim", VICTIM, &hostile.program()).spawn().expect("we start");
    let started = Instant::now();
    // The solver, and the process that has left it: not while its parents still live.
    while hostile.alive().len() != 2 || {
        std::thread::sleep(Duration::from_millis(200));
        hostile.alive().len() != 2
    } {
        assert!(started.elapsed().as_secs_f64() < PATIENCE, "it never came: {:?}", hostile.alive());
        std::thread::sleep(Duration::from_millis(10));
    }
    victim.kill().expect("kill");
    victim.wait().expect("reap");
    let status = ourselves("next", NEXT, &hostile.program()).status().expect("we start");
    assert!(status.success());
    while !hostile.alive().is_empty() {
        assert!(started.elapsed().as_secs_f64() < PATIENCE, "{:?} live on", hostile.alive());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Reads from the terminal that this process has.
#[test]
fn on_a_terminal() {
    let Some(program) = std::env::var_os(TERMINAL) else { return };
    fs::File::open("/dev/tty").expect("this process has a terminal");
    let run = run(Command::new(program).arg("reads-the-terminal"), &wall(5.0), &Interrupt::new()).expect("it starts");
    assert_eq!((run.stopped, run.stdout_text().as_str()), (None, "unsat\n"));
}

#[test]
fn a_solver_has_no_terminal_even_if_we_have_one() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    let script = "import os, pty, sys\nsys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    let status = std::process::Command::new(find_program("python3").expect("python3"))
        .args(["-c", script])
        .arg(std::env::current_exe().expect("our own path"))
        .args(["on_a_terminal", "--exact"])
        .env(TERMINAL, hostile.program())
        .stdin(Stdio::null())
        .output()
        .expect("Python starts");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
}

/// The program itself, on scripts of which each says what the solver does to it, through a wrapper.
#[test]
fn a_matrix_of_a_hostile_solver_has_the_right_verdicts_and_leaves_nothing() {
    let _turn = turn();
    let hostile = Hostile::compiled();
    let folder = tempfile::tempdir().expect("a scratch folder");
    let scratch = folder.path().join("tmp");
    let scripts = folder.path().join("scripts");
    fs::create_dir(&scratch).and_then(|()| fs::create_dir(&scripts)).expect("folders");
    let modes = [
        ("busy", "timeout"),
        ("closes", "timeout"),
        ("leaves-busy", "timeout"),
        ("prints", "unknown"),
        ("spreads-and-leaves", "unknown"),
        ("writes-a-file", "unknown"),
        ("leaves", "sat"),
        ("leaves-and-prints", "unsat"),
        ("prints-binary", "unsat"),
        ("locks-its-folder", "sat"),
        ("allocates", "memout"),
    ];
    for (mode, _) in modes {
        let text = format!("(declare-const x String)\n(assert (= x \"mode-{mode}\"))\n(check-sat)\n");
        fs::write(scripts.join(format!("{mode}.smt2")), text).expect("a script");
    }
    // Without `exec`: a wrapper.
    let does = format!(
        "mode=$(sed -n 's/.*\"mode-\\([a-z-]*\\)\".*/\\1/p' \"$1\")\nif [ $mode = allocates ]; then ulimit -v 500000; fi\n\
         {} $mode",
        hostile.program().display()
    );
    fs::write(folder.path().join("own.toml"), solver_that(folder.path(), "mine", &does)).expect("a file");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"))
        .current_dir(folder.path())
        .args(["matrix", "--profiles", "own.toml", "--solver", "mine", "--limit", "1s", "--jobs", "2"])
        .args(["--out", "matrix", "scripts"])
        .env("TMPDIR", &scratch)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    eprintln!("{said}");
    for entry in fs::read_dir(folder.path().join("matrix")).expect("results").flatten() {
        eprintln!("{}: {}", entry.path().display(), fs::read_to_string(entry.path()).unwrap_or_default());
    }
    assert_eq!(hostile.alive(), BTreeSet::new(), "{said}");
    assert_eq!(fs::read_dir(&scratch).expect("the folder").count(), 0, "{said}");
}
