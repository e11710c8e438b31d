//! Runs real processes that hang, burn, print, fork, crash and refuse to die, and checks what became of them.

use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use mulstringfuzz::solver::process::{
    Command, Exit, Interrupt, Limits, ProcessError, Run, Scratch, Signal, Stopped, find_program, run,
};

/// Long enough for any process here to end on a loaded machine: reaching it is a failure.
const PATIENCE: f64 = 60.0;

fn shell(script: &str) -> Command {
    Command::new("/bin/sh").arg("-c").arg(script)
}

fn python(script: &str) -> Command {
    Command::new(find_program("python3").expect("python3")).arg("-c").arg(script)
}

fn patient() -> Limits {
    Limits { cpu_seconds: PATIENCE, wall_seconds: PATIENCE, ..Limits::cpu(5.0) }
}

fn run_within(command: Command, limits: &Limits) -> Run {
    run(command, limits, &Interrupt::new()).expect("the command starts")
}

fn is_alive(pid: &str) -> bool {
    // A zombie is dead: only its entry is left.
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

fn wait_until_dead(pid: &str) {
    let started = Instant::now();
    while is_alive(pid) {
        assert!(started.elapsed().as_secs_f64() < PATIENCE, "{pid} lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn output_and_exit_code_are_reported() {
    let run = run_within(shell("printf out; printf err >&2; exit 7"), &patient());
    assert_eq!((run.stdout.as_slice(), run.stderr.as_slice()), (&b"out"[..], &b"err"[..]));
    assert_eq!((run.exit, run.stopped, run.truncated, run.stdout_bytes), (Exit::Code(7), None, false, 3));
    assert!(!run.succeeded());
}

#[test]
fn peak_memory_is_the_solvers_and_not_ours() {
    // Resident memory of ours, which a child that shares it until it executes its program would inherit.
    let ballast = vec![1_u8; 200_000_000];
    let run = run_within(shell("sleep 0.3"), &patient());
    assert!(run.peak_memory_bytes > 100_000, "{}", run.peak_memory_bytes);
    assert!(run.peak_memory_bytes < 100_000_000, "{}", run.peak_memory_bytes);
    assert_eq!(ballast[ballast.len() - 1], 1);
}

#[test]
fn a_sleeping_process_is_stopped_by_elapsed_time() {
    let run = run_within(shell("sleep 600"), &Limits { wall_seconds: 0.3, ..patient() });
    assert_eq!((run.stopped, run.exit), (Some(Stopped::Wall), Exit::Signal(9)));
    assert!(run.wall_seconds >= 0.3 && run.wall_seconds < PATIENCE);
    assert!(run.cpu_seconds < 0.3);
}

#[test]
fn a_busy_process_is_stopped_just_after_its_cpu_time() {
    let run = run_within(shell("while :; do :; done"), &Limits { cpu_seconds: 0.4, ..patient() });
    assert_eq!(run.stopped, Some(Stopped::Cpu));
    assert!((0.4..0.6).contains(&run.cpu_seconds), "{}", run.cpu_seconds);
}

#[test]
fn threads_are_counted_together() {
    // OpenSSL's hashing leaves Python's lock, so that two threads burn two CPUs where there are two.
    let script = "import threading, hashlib
def burn():
    while True: hashlib.sha512(bytes(1 << 22)).digest()
[threading.Thread(target=burn).start() for _ in range(3)]";
    let run = run_within(python(script), &Limits { cpu_seconds: 0.6, ..patient() });
    assert_eq!(run.stopped, Some(Stopped::Cpu));
    assert!((0.6..0.9).contains(&run.cpu_seconds), "{}", run.cpu_seconds);
}

#[test]
fn cpu_time_of_a_grandchild_counts_towards_the_limit() {
    let script = "sh -c 'sh -c \"while :; do :; done\" & wait' & wait";
    let run = run_within(shell(script), &Limits { cpu_seconds: 0.4, ..patient() });
    assert_eq!(run.stopped, Some(Stopped::Cpu));
    assert!((0.4..0.7).contains(&run.cpu_seconds), "{}", run.cpu_seconds);
}

#[test]
fn cpu_time_of_many_short_children_counts_towards_the_limit() {
    let script = "while :; do sh -c 'i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done'; done";
    let run = run_within(shell(script), &Limits { cpu_seconds: 0.5, ..patient() });
    assert_eq!(run.stopped, Some(Stopped::Cpu));
    assert!((0.5..0.9).contains(&run.cpu_seconds), "{}", run.cpu_seconds);
}

#[test]
fn children_left_behind_die_with_the_run() {
    let run = run_within(shell("sleep 600 & echo $!; (sleep 601 & echo $!)"), &patient());
    assert_eq!(run.exit, Exit::Code(0));
    let output = run.stdout_text();
    assert_eq!(output.lines().count(), 2);
    for pid in output.lines() {
        assert!(!is_alive(pid), "{pid} lives on");
    }
}

#[test]
fn a_child_that_leaves_the_group_dies_with_the_run() {
    let script = "setsid sh -c 'echo $$; exec sleep 600' & sleep 1";
    let run = run_within(shell(script), &patient());
    let output = run.stdout_text();
    assert_eq!(output.lines().count(), 1);
    assert!(!is_alive(output.trim()));
}

#[test]
fn a_process_out_of_memory_is_told_from_other_failures() {
    let script = "kept = []\nwhile True: kept.append(bytearray(4 << 20))";
    let run = run_within(python(script), &Limits { memory_bytes: 300_000_000, ..patient() });
    assert_eq!(run.stopped, Some(Stopped::Memory));
    assert!(run.peak_memory_bytes <= 300_000_000);
}

#[test]
fn several_processes_together_may_not_use_more_memory_than_one() {
    let script = "import os, time
os.fork(); os.fork()
kept = bytearray(os.urandom(1 << 20)) * 150
time.sleep(600)";
    let run = run_within(python(script), &Limits { memory_bytes: 400_000_000, ..patient() });
    assert_eq!(run.stopped, Some(Stopped::Memory));
}

#[test]
fn a_process_that_prints_without_end_is_stopped_and_its_output_is_bounded() {
    let limits = Limits { output_bytes: 1000, printed_bytes: 10 << 20, ..patient() };
    let run = run_within(Command::new(find_program("yes").expect("yes")), &limits);
    assert_eq!(run.stopped, Some(Stopped::Output));
    assert_eq!(run.stdout.len(), 1000);
    assert!(run.truncated);
    assert!((10 << 20..100 << 20).contains(&run.stdout_bytes), "{}", run.stdout_bytes);
}

#[test]
fn more_output_than_a_pipe_holds_is_read_to_its_end() {
    let run = run_within(shell("head -c 3000000 /dev/zero"), &patient());
    assert_eq!((run.exit, run.stdout_bytes, run.truncated), (Exit::Code(0), 3_000_000, true));
}

#[test]
fn a_file_that_grows_without_end_is_stopped() {
    let scratch = Scratch::new().expect("scratch");
    let command = shell("exec yes > file").in_folder(scratch.path());
    let run = run_within(command, &Limits { file_bytes: 1 << 20, ..patient() });
    assert_ne!(run.exit, Exit::Code(0));
    assert!(scratch.path().join("file").metadata().expect("file").len() <= 1 << 20);
}

#[test]
fn death_by_a_signal_is_reported() {
    let run = run_within(shell("kill -SEGV $$"), &patient());
    assert_eq!((run.exit, run.stopped), (Exit::Signal(11), None));
}

#[test]
fn a_kill_that_is_not_ours_is_neither_memory_nor_time() {
    for script in ["kill -KILL $$", "sh -c 'kill -KILL $$'; exit $?", "ulimit -t 1; while :; do :; done"] {
        let run = run_within(shell(script), &patient());
        assert_eq!(run.stopped, Some(Stopped::Killed), "{script}: {run:?}");
    }
    let most = "kept = [bytearray(os.urandom(1 << 20)) for _ in range(245)]\nos.kill(os.getpid(), 9)";
    let run = run_within(python(&format!("import os\n{most}")), &Limits { memory_bytes: 300_000_000, ..patient() });
    assert_eq!(run.stopped, Some(Stopped::Memory), "{run:?}");
}

#[test]
fn a_missing_program_is_a_clear_error() {
    let error = run(Command::new("/nonexistent/solver"), &patient(), &Interrupt::new()).expect_err("missing");
    assert!(matches!(error, ProcessError::Start { .. }));
    assert!(error.to_string().contains("/nonexistent/solver"), "{error}");
    let error = run(Command::new("/bin/sh").in_folder("/nonexistent"), &patient(), &Interrupt::new());
    assert!(matches!(error, Err(ProcessError::Start { .. })));
    let error = run(Command::new("/bin/sh").arg("a\0b"), &patient(), &Interrupt::new());
    assert!(matches!(error, Err(ProcessError::Invalid { .. })));
    assert!(matches!(find_program("no-such-solver"), Err(ProcessError::NotFound(_))));
}

#[test]
fn a_graceful_stop_lets_the_process_say_goodbye() {
    let mut command = shell("trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done");
    command.graceful = Some((Signal::SIGTERM, Duration::from_mins(1)));
    let run = run_within(command, &Limits { wall_seconds: 1.0, ..patient() });
    assert_eq!((run.stopped, run.exit), (Some(Stopped::Wall), Exit::Code(3)));
    assert_eq!(run.stdout_text(), "ready\nbye\n");
}

#[test]
fn a_process_that_ignores_the_graceful_signal_is_killed_after_the_grace() {
    let mut command = shell("trap '' TERM; while :; do sleep 0.01; done");
    command.graceful = Some((Signal::SIGTERM, Duration::from_millis(200)));
    let run = run_within(command, &Limits { wall_seconds: 0.3, ..patient() });
    assert_eq!((run.stopped, run.exit), (Some(Stopped::Wall), Exit::Signal(9)));
    assert!(run.wall_seconds >= 0.5);
}

/// Runs `command`, and interrupts it after 200 ms.
fn run_interrupted(command: Command) -> Run {
    let interrupt = Interrupt::new();
    let setter = interrupt.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        setter.set();
    });
    let run = run(command, &patient(), &interrupt).expect("run");
    thread.join().expect("thread");
    run
}

#[test]
fn an_interrupt_kills_promptly_whatever_the_grace() {
    let mut command = shell("trap '' TERM; while :; do sleep 0.01; done");
    command.graceful = Some((Signal::SIGTERM, Duration::from_mins(10)));
    assert_eq!(run_interrupted(command).stopped, Some(Stopped::Interrupted));
}

#[test]
fn a_child_that_hears_of_the_end_before_us_was_interrupted_too() {
    let told_first = run_interrupted(shell("kill -TERM $$"));
    assert_eq!((told_first.exit, told_first.stopped), (Exit::Signal(15), Some(Stopped::Interrupted)));
    let told_alone = run_within(shell("kill -TERM $$"), &patient());
    assert_eq!((told_alone.exit, told_alone.stopped), (Exit::Signal(15), None));
}

#[test]
fn an_inherited_pipe_has_its_number_and_ends_with_the_child() {
    let (mut reader, writer) = std::io::pipe().expect("pipe");
    let command = shell("echo traced > /dev/fd/9; ls /proc/self/fd").inherit(9, OwnedFd::from(writer));
    let run = run_within(command, &patient());
    let mut text = String::new();
    reader.read_to_string(&mut text).expect("the pipe ends");
    assert_eq!(text, "traced\n");
    // 0 to 2, the pipe, and the folder that `ls` reads: nothing else leaks.
    assert_eq!(run.stdout_text().lines().collect::<Vec<_>>(), ["0", "1", "2", "3", "9"]);
}

#[test]
fn inherited_descriptors_may_swap_numbers() {
    use std::os::fd::AsRawFd;
    let (mut first_reader, first) = std::io::pipe().expect("pipe");
    let (mut second_reader, second) = std::io::pipe().expect("pipe");
    let (one, two) = (first.as_raw_fd(), second.as_raw_fd());
    let script = format!("printf first >/dev/fd/{two}; printf second >/dev/fd/{one}");
    run_within(shell(&script).inherit(two, first.into()).inherit(one, second.into()), &patient());
    let mut texts = (String::new(), String::new());
    first_reader.read_to_string(&mut texts.0).expect("read");
    second_reader.read_to_string(&mut texts.1).expect("read");
    assert_eq!(texts, ("first".to_owned(), "second".to_owned()));
}

#[test]
fn the_child_starts_with_default_signals_and_no_core_dumps() {
    let run = run_within(shell("ulimit -c; grep -E 'SigBlk|SigIgn' /proc/self/status"), &patient());
    let output = run.stdout_text();
    let masks: Vec<u64> = output
        .lines()
        .skip(1)
        .map(|line| u64::from_str_radix(line.rsplit('\t').next().expect("a mask"), 16).expect("hexadecimal"))
        .collect();
    assert_eq!(output.lines().next(), Some("0"));
    // Signals 32 and 33 are the C library's own, which nobody can set through it.
    assert_eq!(masks.iter().map(|mask| mask & !(0b11 << 31)).collect::<Vec<_>>(), [0, 0], "{output}");
}

#[test]
fn the_environment_can_be_cleared_and_set() {
    let mut command = Command::new("/usr/bin/env").env("ANSWER", "42");
    command.clear_environment = true;
    assert_eq!(run_within(command, &patient()).stdout_text(), "ANSWER=42\n");
    let overridden = shell("echo $HOME").env("HOME", "/nowhere").env("HOME", "/elsewhere");
    assert_eq!(run_within(overridden, &patient()).stdout_text(), "/elsewhere\n");
}

#[test]
fn an_observer_sees_the_output_as_it_arrives() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut command = shell("echo one; sleep 0.2; echo two");
    command.observer = Some(Box::new(move |bytes| sender.send(bytes.to_vec()).expect("receiver")));
    run_within(command, &patient());
    assert_eq!(receiver.into_iter().flatten().collect::<Vec<u8>>(), b"one\ntwo\n");
}

#[test]
fn parallel_runs_do_not_mix_their_figures() {
    let busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
    let threads: Vec<_> = (0..8)
        .map(|number| {
            let script = if number % 2 == 0 { busy.to_owned() } else { format!("sleep 0.1; exit {number}") };
            std::thread::spawn(move || (number, run_within(shell(&script), &patient())))
        })
        .collect();
    let runs: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("thread")).collect();
    for (number, run) in runs {
        assert_eq!(run.exit, Exit::Code(if number % 2 == 0 { 0 } else { number }));
        assert!(if number % 2 == 0 { run.cpu_seconds > 0.02 } else { run.cpu_seconds < 0.05 }, "{run:?}");
    }
}

/// The child of [`a_solver_dies_with_the_process_that_started_it`]: runs a long sleep until it is killed.
#[test]
fn victim() {
    let Some(file) = std::env::var_os("MULSTRINGFUZZ_TEST_VICTIM") else { return };
    run_within(
        shell("echo $$ > \"$FILE.new\"; mv \"$FILE.new\" \"$FILE\"; sleep 600; :").env("FILE", file),
        &patient(),
    );
}

#[test]
fn a_solver_dies_with_the_process_that_started_it() {
    let scratch = Scratch::new().expect("scratch");
    let file = scratch.path().join("pid");
    let mut victim = std::process::Command::new(std::env::current_exe().expect("our own path"))
        .args(["victim", "--exact"])
        .env("MULSTRINGFUZZ_TEST_VICTIM", &file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("start ourselves");
    let pid = read_when_there(&file);
    assert!(is_alive(&pid));
    victim.kill().expect("kill");
    victim.wait().expect("reap");
    wait_until_dead(&pid);
}

fn read_when_there(file: &Path) -> String {
    let started = Instant::now();
    loop {
        match std::fs::read_to_string(file) {
            Ok(text) => return text,
            Err(_) => assert!(started.elapsed().as_secs_f64() < PATIENCE, "{} never came", file.display()),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
