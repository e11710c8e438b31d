//! Input that nobody writes by hand, to every verb that reads scripts: read right, or refused with its file, line and column,
//! in bounded memory and without a panic.
//!
//! Each verb runs under a limit of address space. There is none of time that a test could fail by on a slow machine, but
//! [`PATIENCE`]: what takes time that grows with the square, or doubles, is far beyond it.

mod shell_solver;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use shell_solver::solver_that;

/// Reaching it is a failure.
const PATIENCE: Duration = Duration::from_mins(5);
/// Address space, in kilobytes.
const MEMORY: u64 = 4_000_000;
/// How deep the deep ones are.
const LEVELS: usize = 100_000;

const DECLARATIONS: &str = "(declare-const x String)\n(declare-const p Bool)\n";
const MODEL: &str = "sat\n(\n(define-fun x () String \"ab\")\n(define-fun p () Bool true)\n)\n";

/// What `check` makes of an input.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Read {
    Well,
    /// Refused at this line and column.
    At(usize, usize),
}
use Read::{At, Well};

/// An input: its name, its bytes, and what is made of it.
struct Input {
    name: &'static str,
    bytes: Vec<u8>,
    read: Read,
}

fn input(name: &'static str, bytes: impl Into<Vec<u8>>, read: Read) -> Input {
    Input { name, bytes: bytes.into(), read }
}

/// An assertion about `x` and `p`, from line 3 on.
fn asserted(term: &str) -> String {
    format!("{DECLARATIONS}(assert {term})\n(check-sat)\n")
}

fn nested(before: &str, inner: &str, after: &str) -> String {
    asserted(&format!("{}{inner}{}", before.repeat(LEVELS), after.repeat(LEVELS)))
}

/// Inputs of a few lines that stand for something large, or have odd bytes.
fn small() -> Vec<Input> {
    let doubled = |index: usize| format!("((a{} (str.++ a{index} a{index})))", index + 1);
    let lets = (0..40).map(|index| format!("(let {} ", doubled(index))).collect::<Vec<_>>().concat();
    let double = |index: usize| format!("(define-fun a{} () String (str.++ a{index} a{index}))\n", index + 1);
    let defined: String = (0..40).map(double).collect();
    let with = |place: usize, byte: &[u8]| {
        let text = asserted("(= x \"ab\")");
        [&text.as_bytes()[..place], byte, &text.as_bytes()[place..]].concat()
    };
    let literal = asserted("(= x \"a").len() - ")\n(check-sat)\n".len();
    vec![
        input("let-2-40", asserted(&format!("(let ((a0 x)) {lets}(= a40 x){})", ")".repeat(40))), Well),
        input("define-2-40", format!("{DECLARATIONS}(define-fun a0 () String x)\n{defined}(assert (= a40 x))\n"), Well),
        input(
            "wide",
            "(declare-const v (_ BitVec 2147483648))\n(assert (= v (bvmul v (bvnot v))))\n(check-sat)\n",
            Well,
        ),
        input("wide-literal", asserted("(= (_ bv1 2147483648) (bvadd (_ bv2 2147483648) (_ bv3 2147483648)))"), Well),
        input("wide-extended", asserted("(= ((_ zero_extend 2147483640) #x01) ((_ repeat 268435456) #x01))"), Well),
        input("too-wide", "(declare-const v (_ BitVec 99999999999999999999))\n(check-sat)\n", At(1, 28)),
        input(
            "too-wide-together",
            "(declare-const v (_ BitVec 4294967295))\n(assert (= (concat v v) (concat v v)))\n(check-sat)\n",
            At(2, 12),
        ),
        input("wide-float", "(declare-const v (_ FloatingPoint 2147483648 2147483648))\n(assert (fp.isNaN v))\n", Well),
        input("char", asserted("(= x (_ char #x30000))"), At(3, 22)),
        input("char-escaped", asserted("(= x \"\\u{30000}\")"), Well),
        input("power", asserted("(str.in_re x ((_ re.^ 1000000000) (str.to_re \"ab\")))"), Well),
        input(
            "loop",
            asserted("(str.in_re x ((_ re.loop 1000000000 2000000000) ((_ re.loop 0 1000000000) re.allchar)))"),
            Well,
        ),
        input("power-of-a-power", asserted("(str.in_re x ((_ re.^ 99999999999999999999) re.allchar))"), At(3, 31)),
        input("code", asserted("(= x (str.from_code 99999999999999999999999999))"), Well),
        input("nul-in-literal", with(literal, b"\0"), Well),
        input("nul", with(DECLARATIONS.len(), b"\0"), At(3, 1)),
        input("mark", with(0, b"\xef\xbb\xbf"), Well),
        input("mark-inside", with(DECLARATIONS.len(), b"\xef\xbb\xbf"), At(3, 1)),
        input("windows", asserted("(= x \"ab\")").replace('\n', "\r\n"), Well),
        input("old-mac", asserted("(= x \"ab\")").replace('\n', "\r"), Well),
        input("latin-1", with(literal, b"\xe9"), At(3, 16)),
        input("latin-1-comment", with(DECLARATIONS.len(), b"; caf\xe9\n"), At(3, 6)),
        input("utf-16", b"\xff\xfe(\0c\0h\0e\0c\0k\0-\0s\0a\0t\0)\0".to_vec(), At(1, 1)),
        input("open-literal", format!("{DECLARATIONS}(assert (= x \"abc"), At(3, 14)),
        input("open-symbol", format!("{DECLARATIONS}(assert (= x |abc"), At(3, 14)),
        input("open-term", format!("{DECLARATIONS}(assert (= x \"a\""), At(3, 17)),
        input("empty", "", Well),
    ]
}

/// Inputs of some megabytes.
fn large() -> Vec<Input> {
    let lets = (0..LEVELS).map(|index| format!("(let ((v{index} p)) ")).collect::<Vec<_>>().concat();
    let bound = (0..LEVELS).map(|index| format!("(forall ((v{index} Int)) ")).collect::<Vec<_>>().concat();
    vec![
        input("nots", nested("(not ", "p", ")"), Well),
        input(
            "concatenations",
            asserted(&format!("(= x {}x{})", "(str.++ x ".repeat(LEVELS), ")".repeat(LEVELS))),
            Well,
        ),
        input(
            "regexes",
            asserted(&format!("(str.in_re x {}re.allchar{})", "(re.* ".repeat(LEVELS), ")".repeat(LEVELS))),
            Well,
        ),
        input("lets", asserted(&format!("{lets}p{}", ")".repeat(LEVELS))), Well),
        input("quantifiers", asserted(&format!("{bound}p{}", ")".repeat(LEVELS))), Well),
        input("attributes", format!("(set-info :x {}{})\n(check-sat)\n", "(".repeat(LEVELS), ")".repeat(LEVELS)), Well),
        input(
            "sorts",
            format!("(declare-const y {}Int{})\n", "(Array Int ".repeat(LEVELS), ")".repeat(LEVELS)),
            At(1, 2225),
        ),
        input("opened", "(".repeat(LEVELS), At(1, 2)),
        input("closed", format!("{DECLARATIONS}{}", ")".repeat(LEVELS)), At(3, 1)),
        input("numeral", asserted(&format!("(= {} (+ 1 2))", "7".repeat(2_000_000))), Well),
        input("decimal", asserted(&format!("(= 0.{} (+ 1.0 2.0))", "7".repeat(2_000_000))), Well),
        input("hexadecimal", asserted(&format!("(= #x{0} #x{0})", "7".repeat(2_000_000))), Well),
        input("to-int", asserted(&format!("(= 1 (str.to_int \"{}\"))", "7".repeat(2_000_000))), Well),
    ]
}

/// Runs the program under a limit of memory; its end, which is no panic and no signal.
fn program(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = std::process::Command::new("/bin/sh")
        .args(["-c", &format!("ulimit -v {MEMORY} && exec \"$@\""), "sh", env!("CARGO_BIN_EXE_mulstringfuzz")])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(fs::File::create(folder.join("stdout")).expect("a file"))
        .stderr(fs::File::create(folder.join("stderr")).expect("a file"))
        .spawn()
        .expect("the program starts");
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().expect("kill");
            child.wait().expect("reap");
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let read = |name: &str| fs::read(folder.join(name)).expect("output");
    let output = Output { status, stdout: read("stdout"), stderr: read("stderr") };
    let said = stderr(&output);
    assert!(matches!(status.code(), Some(0 | 2 | 3)), "{arguments:?}: {status}\n{said}");
    assert!(!said.contains("panicked") && said.len() < 100_000, "{arguments:?}: {said}");
    output
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with solvers `mine` and `other` that answer `sat` to everything, a model, and the scripts in a folder.
struct Ground {
    folder: tempfile::TempDir,
}

impl Ground {
    fn with(inputs: &[Input]) -> Ground {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let answers = "echo sat; if grep -q get-model \"$1\"; then echo '()'; fi";
        let profiles = ["mine", "other"].map(|name| solver_that(folder.path(), name, answers));
        fs::write(folder.path().join("own.toml"), profiles.concat()).expect("a file");
        fs::write(folder.path().join("x.model"), MODEL).expect("a file");
        fs::create_dir(folder.path().join("scripts")).expect("a folder");
        for Input { name, bytes, .. } in inputs {
            fs::write(folder.path().join(format!("scripts/{name}.smt2")), bytes).expect("a file");
        }
        Ground { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }
}

fn file(input: &Input) -> String {
    format!("scripts/{}.smt2", input.name)
}

/// That a verb ended as the input is read: well, or with its place.
fn assert_read(input: &Input, verb: &str, output: &Output) {
    let (said, code) = (stderr(output), output.status.code());
    // These two copy terms whose sorts do not fit.
    let read = match verb {
        "convert" | "reduce" if input.name == "too-wide-together" => Well,
        _ => input.read,
    };
    match read {
        Well => assert_eq!(code, Some(0), "{verb} {}: {said}", input.name),
        At(line, column) => {
            assert_eq!(code, Some(2), "{verb} {}: {said}", input.name);
            let place = format!("{}:{line}:{column}: ", file(input));
            assert!(said.contains(&place), "{verb} {}: {place} in {said}", input.name);
        }
    }
}

#[test]
fn small_inputs_are_read_or_refused_with_their_place_by_every_verb() {
    let inputs = small();
    let ground = Ground::with(&inputs);
    for input in &inputs {
        let name = file(input);
        let run = |arguments: &[&str]| program(&ground.path(), arguments);
        assert_read(input, "check", &run(&["check", &name]));
        assert_read(input, "convert", &run(&["convert", "--dialect", "smtlib-2.6", &name]));
        // What cannot be made of a script that is read well is said, without a place.
        for arguments in [
            &["eval", "--model", "x.model", &name][..],
            &["mutate", "mulstringfuzz", "-n", "3", "--jobs", "1", &name],
            &["mutate", "stringfuzz", "-n", "3", "--jobs", "1", &name],
            &["mutate", "mixed", "-n", "3", "--jobs", "1", &name],
            &["mutate", "storm", "-n", "1", "--jobs", "1", &name],
            &["reduce", "--keep", "script:true", "--limit", "10s", &name],
        ] {
            let output = run(arguments);
            if let At(..) = input.read {
                assert_read(input, arguments[0], &output);
            }
        }
        // As a pattern of what is known, a file of theories, profiles of solvers, and the specification of an experiment.
        for arguments in [
            &["reduce", "--keep", "script:true", "--known", &name, "scripts/windows.smt2"][..],
            &["check", "--theory", &name, "scripts/windows.smt2"],
            &["solvers", "--profiles", &name],
            &["experiment", "run", &name],
        ] {
            let output = run(arguments);
            assert!(
                output.status.code() != Some(2) || stderr(&output).contains(&name),
                "{arguments:?}: {}",
                stderr(&output)
            );
        }
    }
}

#[test]
fn large_inputs_are_read_or_refused_with_their_place() {
    let inputs = large();
    let ground = Ground::with(&inputs);
    for input in &inputs {
        let name = file(input);
        assert_read(input, "check", &program(&ground.path(), &["check", &name]));
        let eval = program(&ground.path(), &["eval", "--model", "x.model", &name]);
        let mutate = program(&ground.path(), &["mutate", "mulstringfuzz", "--jobs", "1", &name]);
        if let At(..) = input.read {
            assert_read(input, "eval", &eval);
            assert_read(input, "mutate", &mutate);
        }
    }
}

#[test]
fn a_line_of_fifty_megabytes_is_read() {
    let comment = format!("{DECLARATIONS}; {}\n(check-sat)\n", "x".repeat(50_000_000));
    let inputs = [input("line", comment, Well)];
    let ground = Ground::with(&inputs);
    assert_read(&inputs[0], "check", &program(&ground.path(), &["check", &file(&inputs[0])]));
}

/// The verbs that take a folder of scripts go on after those that they cannot read, and say which these are.
#[test]
fn folders_of_bad_scripts_end_no_search() {
    // Without the two that a seed is made of by expanding them as far as allowed: half a minute without optimisation.
    let inputs: Vec<Input> = small().into_iter().filter(|input| !input.name.ends_with("-2-40")).collect();
    let ground = Ground::with(&inputs);
    let solvers =
        ["--profiles", "own.toml", "--target", "mine", "--reference", "other", "--limit", "1s", "--jobs", "2"];
    let fuzz =
        ["fuzz", "--out", "run", "--variant", "no-coverage", "--pop", "4", "--generations", "1", "--seeds", "scripts"];
    let output = program(&ground.path(), &[&fuzz[..], &solvers].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for arguments in [
        &["hunt", "--seeds", "scripts", "--solver", "mine", "--solver", "other", "--out", "hunt", "--instances", "40"]
            [..],
        &["matrix", "--solver", "mine", "--out", "matrix", "scripts"],
        &["triage", "--target", "mine", "--reference", "other", "--out", "triage", "scripts"],
    ] {
        let output = program(&ground.path(), &[arguments, &["--profiles", "own.toml", "--limit", "1s"]].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    }
    // Refuses the whole, and names all that it cannot read.
    let evaluate = ["evaluate", "--profiles", "own.toml", "--target", "mine", "--reference", "other", "scripts"];
    let output = program(&ground.path(), &evaluate);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    for input in &inputs {
        let is_named = stderr(&output).contains(&format!("error: {}:", file(input)));
        assert_eq!(is_named, input.read != Well, "{}: {}", input.name, stderr(&output));
    }
}
