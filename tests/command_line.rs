//! Bad input at the command line: one clear line, the documented exit code, nothing overwritten.

mod shell_solver;

use std::fs;
use std::path::Path;

use assert_cmd::Command;

use shell_solver::solver_that;

fn program() -> Command {
    Command::cargo_bin("mulstringfuzz").expect("the program is built with its tests")
}

/// Runs the program, and returns its exit code and standard error.
fn run(arguments: &[&str]) -> (i32, String) {
    let output = program().args(arguments).output().expect("the program starts");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A folder with one file.
fn folder_with(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join(name), text).expect("a file in it");
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// One line that starts with `error:` and holds all of `words`.
fn assert_one_clear_line(stderr: &str, words: &[&str]) {
    let errors: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    assert_eq!(errors.len(), 1, "one line: {stderr}");
    for word in words {
        assert!(errors[0].contains(word), "{word:?} is in {:?}", errors[0]);
    }
}

const WELL_FORMED: &str = "(declare-fun x () String)\n(assert (= (str.len x) 3))\n(check-sat)\n";

#[test]
fn a_malformed_file_is_reported_with_line_and_column() {
    let folder = folder_with("bad.smt2", "(declare-fun x () Int)\n(assert (= x 1)\n(check-sat)\n");
    let (code, stderr) = run(&["check", text(&folder.path().join("bad.smt2"))]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["bad.smt2:3:", "expected"]);
}

#[test]
fn an_unknown_sort_is_reported_by_name() {
    let folder = folder_with("bad.smt2", "(declare-fun x () Strin)\n(check-sat)\n");
    let (code, stderr) = run(&["check", text(&folder.path().join("bad.smt2"))]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["bad.smt2:1:19", "Strin"]);
}

#[test]
fn check_is_silent_on_success() {
    let folder = folder_with("good.smt2", WELL_FORMED);
    let output = program().arg("check").arg(folder.path().join("good.smt2")).output().expect("the program starts");
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
}

#[test]
fn check_goes_on_after_a_file_that_cannot_be_read_and_searches_folders() {
    let folder = folder_with("good.smt2", WELL_FORMED);
    fs::create_dir(folder.path().join("deep")).expect("a folder");
    fs::write(folder.path().join("deep/bad.smt2"), "(assert\n").expect("a file");
    fs::write(folder.path().join("latin1.smt2"), b"(set-info :x \"\xff\")").expect("a file");
    let missing = folder.path().join("missing.smt2");
    let mut check = program();
    check.args(["check", "--json", text(&missing), text(folder.path()), "-"]);
    let output = check.write_stdin(WELL_FORMED).output().expect("the program starts");
    let files: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let files = files.as_array().expect("an entry for each file");
    let valid: Vec<_> = files.iter().map(|file| file["valid"].as_bool()).collect();
    assert_eq!(valid, [false, false, true, false, true].map(Some), "{files:?}");
    assert!(files[0]["error"].as_str().is_some_and(|error| error.contains("cannot read")), "{files:?}");
    assert!(files[1]["errors"][0]["line"].is_u64() && files[1]["error"].is_null(), "{files:?}");
    assert!(files[3]["error"].as_str().is_some_and(|error| error.contains("not UTF-8")), "{files:?}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn evaluate_goes_on_after_a_bad_file_and_tells_why_the_reference_refuses() {
    let folder = folder_with("good.smt2", WELL_FORMED);
    fs::write(folder.path().join("bad.smt2"), "(assert\n").expect("a file");
    let refusing = "echo '(error \"no models today\")'; exit 1";
    let solvers = [solver_that(folder.path(), "ready", "echo sat"), solver_that(folder.path(), "refusing", refusing)];
    let profiles = folder.path().join("own.toml");
    fs::write(&profiles, solvers.concat()).expect("a file");
    let evaluate = ["evaluate", "--no-coverage", "--profiles", text(&profiles)];
    let solvers = ["--target", "ready", "--reference", "refusing"];
    let mut with_json = program();
    with_json.args(evaluate).args(solvers).args(["--json", text(folder.path()), "-"]);
    let output = with_json.write_stdin(WELL_FORMED).output().expect("the program starts");
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(2));
    assert!(rows[0]["error"].as_str().is_some_and(|error| error.contains("bad.smt2:")), "{rows}");
    for row in [&rows[1], &rows[2]] {
        assert_eq!((row["target_result"].as_str(), row["reference_result"].as_str()), (Some("sat"), Some("error")));
        assert!(row["reference_detail"].as_str().is_some_and(|detail| detail.contains("no models today")), "{rows}");
        assert!(row["target_seconds"].is_number() && row["reference_seconds"].is_null(), "{rows}");
    }
    let output = program().args(evaluate).args(solvers).arg(folder.path().join("good.smt2")).output();
    let output = output.expect("the program starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.lines().any(|line| line.contains("reference_result") && line.contains("no models today")));
    assert!(printed.lines().any(|line| line.split_whitespace().eq(["reference_seconds", "-"])), "{printed}");
    assert_eq!(output.status.code(), Some(0), "{printed}");
}

#[test]
fn evaluate_tells_what_is_finished_when_it_is_interrupted() {
    let folder = folder_with("1.smt2", WELL_FORMED);
    let last = WELL_FORMED.replace("(check-sat)", "(assert (= 1 2))\n(check-sat)");
    fs::write(folder.path().join("2.smt2"), last).expect("a file");
    // At the second script the solver has the program itself interrupted, as Ctrl-C would.
    let interrupts = "if grep -q '= 1 2' \"$1\"; then kill -INT $PPID; sleep 100; fi; echo sat";
    let solvers = [solver_that(folder.path(), "ready", "echo sat"), solver_that(folder.path(), "slow", interrupts)];
    let profiles = folder.path().join("own.toml");
    fs::write(&profiles, solvers.concat()).expect("a file");
    let evaluate = ["evaluate", "--no-coverage", "--profiles", text(&profiles), "--target", "slow"];
    for json in [false, true] {
        let mut program = program();
        program.args(evaluate).args(["--reference", "ready", text(folder.path())]);
        let output = if json { program.arg("--json") } else { &mut program }.output().expect("the program starts");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(printed.contains("1.smt2") && printed.contains("sat") && !printed.contains("2.smt2"), "{printed}");
        assert!(!json || serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok(), "{printed}");
    }
}

#[test]
fn standard_output_that_is_full_is_told_and_has_an_exit_code_of_its_own() {
    let folder = folder_with("good.smt2", WELL_FORMED);
    let good = folder.path().join("good.smt2");
    let profiles = folder.path().join("own.toml");
    fs::write(&profiles, solver_that(folder.path(), "ready", "echo sat")).expect("a file");
    let with_solver = ["--profiles", text(&profiles), text(&good)];
    let verbs: [Vec<&str>; 9] = [
        vec!["--help"],
        vec!["fuzz", "--help"],
        vec!["completions", "bash"],
        vec!["generate", "strings", "-n", "10"],
        vec!["convert", "--dialect", "smtlib-2.6", text(&good)],
        vec!["check", "--json", text(&good)],
        vec!["mutate", "mulstringfuzz", text(&good)],
        [&["evaluate", "--no-coverage", "--target", "ready", "--reference", "ready"], &with_solver[..]].concat(),
        [&["matrix", "--solver", "ready"], &with_solver[..]].concat(),
    ];
    for arguments in verbs {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
        let mut command = std::process::Command::new(program().get_program());
        let output = command.args(&arguments).stdout(full).output().expect("the program starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{arguments:?}: {stderr}");
        assert!(stderr.contains("cannot write standard output"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let (code, stderr) = run(&["check", "no-such-file.smt2"]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["no-such-file.smt2"]);
}

#[test]
fn convert_prints_the_other_dialect() {
    let folder = folder_with("old.smt2", "(declare-fun x () String)\n(assert (= (str.to.int x) 3))\n(check-sat)\n");
    let output = program()
        .args(["convert", "--dialect", "smtlib-2.6"])
        .arg(folder.path().join("old.smt2"))
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("(assert (= (str.to_int x) 3))"));
}

#[test]
fn an_empty_seed_folder_is_refused() {
    let (seeds, out) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let run_folder = out.path().join("run");
    let (code, stderr) =
        run(&["fuzz", "--variant", "no-coverage", "--seeds", text(seeds.path()), "--out", text(&run_folder)]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["seed", text(seeds.path())]);
    assert!(!run_folder.exists(), "nothing is left behind");
}

#[test]
fn an_unwritable_output_folder_is_reported() {
    // A file where a folder is wanted is unwritable even for root.
    let folder = folder_with("file", "");
    let out = folder.path().join("file").join("run");
    let (code, stderr) = run(&["fuzz", "--variant", "no-coverage", "--generations", "1", "--out", text(&out)]);
    assert_eq!(code, 4, "{stderr}");
    assert_one_clear_line(&stderr, &[text(&out)]);
}

#[test]
fn a_missing_solver_is_named() {
    let out = tempfile::tempdir().expect("a folder");
    let run_folder = out.path().join("run");
    let (code, stderr) = run(&["fuzz", "--target", "no-such-solver", "--out", text(&run_folder)]);
    assert_eq!(code, 3, "{stderr}");
    assert_one_clear_line(&stderr, &["no-such-solver"]);
    assert!(!run_folder.exists(), "nothing is left behind");
}

#[test]
fn an_existing_run_directory_is_never_overwritten() {
    let folder = folder_with("summary.json", "{\"mine\": true}");
    let (code, stderr) = run(&["fuzz", "--variant", "no-coverage", "--generations", "1", "--out", text(folder.path())]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &[text(folder.path()), "--resume"]);
    assert_eq!(fs::read_to_string(folder.path().join("summary.json")).expect("still there"), "{\"mine\": true}");
}

#[test]
fn generated_scripts_never_overwrite_files() {
    let folder = folder_with("mine.smt2", WELL_FORMED);
    let (code, stderr) = run(&["generate", "strings", "-n", "3", "--out", text(folder.path())]);
    assert_eq!(code, 2, "{stderr}");
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}

#[test]
fn the_same_seed_generates_the_same_scripts() {
    let generate = |seed: &str| program().args(["generate", "strings", "-n", "20", "--seed", seed]).output();
    let (first, second, other) = (generate("7").unwrap(), generate("7").unwrap(), generate("8").unwrap());
    assert!(first.status.success());
    assert_eq!(first.stdout, second.stdout);
    assert_ne!(first.stdout, other.stdout);
}

#[test]
fn an_unknown_generator_lists_those_that_exist() {
    let (code, stderr) = run(&["generate", "sonnets", "-n", "1"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("strings"), "{stderr}");
}

/// What the program prints on standard output, if it succeeds.
fn printed(arguments: &[&str]) -> String {
    let output = program().args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn every_generator_of_stringfuzz_has_a_kind_with_parameters_of_its_own() {
    let kinds = ["concats", "lengths", "overlaps", "equality", "regex", "random-text", "random-ast"];
    let help = printed(&["generate", "--help"]);
    for kind in kinds {
        let kind = format!("stringfuzz-{kind}");
        assert!(help.contains(&kind), "{kind} is in the help");
        let folder = tempfile::tempdir().expect("a scratch folder");
        let arguments = ["generate", &kind, "-n", "3", "--seed", "5", "--jobs", "2", "--out", text(folder.path())];
        assert_eq!(printed(&arguments), "");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 3);
        let first = fs::read_to_string(folder.path().join("000001.smt2")).expect("the first of them");
        assert_eq!(first, printed(&["generate", "--seed", "5", &kind]));
        assert_eq!(first.starts_with("(set-logic QF_S)"), kind != "stringfuzz-random-text");
    }
    let regex = printed(&["generate", "stringfuzz-regex", "--terms", "1", "--lit-min", "3", "--membership", "not-in"]);
    assert!(regex.contains("(assert (not (str.in.re var0 (str.to.re \""), "{regex}");
    assert!(printed(&["generate", "stringfuzz-random-ast", "--meaningful"]).contains("(assert "));
}

#[test]
fn a_swarm_is_a_kind_whose_scripts_the_seed_decides() {
    assert!(printed(&["generate", "--help"]).contains("swarm"));
    let scripts = printed(&["generate", "swarm", "-n", "20", "--seed", "5"]);
    assert_eq!(scripts, printed(&["generate", "swarm", "-n", "20", "--seed", "5", "--jobs", "2"]));
    assert_ne!(scripts, printed(&["generate", "swarm", "-n", "20", "--seed", "6"]));
    assert_eq!(scripts.matches("(check-sat)").count(), 20);
}

#[test]
fn parameters_that_do_not_fit_are_told_in_one_line() {
    let (code, stderr) = run(&["generate", "stringfuzz-lengths", "--concats", "3"]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["5 variables make at most 2 concatenations"]);
    let (code, stderr) = run(&["generate", "stringfuzz-regex", "--operators", "spx"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("'x'"), "{stderr}");
}

#[test]
fn transformers_are_named_and_follow_one_another() {
    let script = "(set-logic QF_S)\n(set-info :status sat)\n(declare-fun x () String)\n\
                  (assert (= (str.to.int x) (str.len (str.++ x \"ab\"))))\n(check-sat)\n";
    let folder = folder_with("seed.smt2", script);
    let file = folder.path().join("seed.smt2");
    let mutate = |arguments: &[&str]| printed(&[&["mutate", "stringfuzz", text(&file)], arguments].concat());
    let both = mutate(&["--transformer", "reverse", "--transformer", "multiply", "--factor", "3"]);
    assert!(both.contains(r#"(str.++ "bbbaaa" x)"#) && !both.contains(":status"), "{both}");
    assert!(both.starts_with("(set-logic QF_S)\n"), "{both}");
    // One that has nothing to work on changes nothing.
    assert!(mutate(&["--transformer", "multiply", "--factor", "1"]).contains(r#"(str.++ x "ab")"#));
    assert_eq!(mutate(&["-n", "9", "--seed", "3"]), mutate(&["-n", "9", "--seed", "3", "--jobs", "2"]));
    let (code, stderr) = run(&["mutate", "stringfuzz", text(&file), "--transformer", "shuffle"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("unprintable"), "{stderr}");
    let (code, stderr) = run(&["mutate", "alchemy", text(&file)]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["alchemy", "mulstringfuzz, stringfuzz"]);
}

#[test]
fn type_aware_mutants_are_drawn_or_enumerated() {
    let script = "(declare-fun x () String)\n(assert (= (str.replace x \"B\" x) x))\n(check-sat)\n";
    let folder = folder_with("seed.smt2", script);
    let (file, rules) = (folder.path().join("seed.smt2"), folder.path().join("rules"));
    let mutate = |way: &str, arguments: &[&str]| printed(&[&["mutate", way, text(&file)], arguments].concat());
    // Chains are the same however many threads make them, and wherever one begins.
    let options = ["-n", "2500", "--chain", "7", "--seed", "3"];
    assert_eq!(mutate("typefuzz", &options), mutate("typefuzz", &[&options[..], &["--jobs", "2"]].concat()));
    let exchanged = mutate("opfuzz", &["-n", "100", "--exhaustive"]);
    assert!(exchanged.contains("(= (str.replace_all x \"B\" x) x)"), "{exchanged}");
    assert_eq!(exchanged.matches("(reset)").count() + 1, exchanged.matches("(check-sat)").count());
    // z3str3 4.8.10 reads no `str.rev`, and rules say what may be exchanged.
    assert!(!mutate("typefuzz", &["-n", "300", "--exhaustive", "--solver", "z3str3"]).contains("str.rev"));
    std::fs::write(&rules, "; only this\nstr.replace -> str.replace_all\n").expect("a file");
    assert_eq!(
        mutate("opfuzz", &["-n", "9", "--exhaustive", "--exchange", text(&rules)]).matches("(check-sat)").count(),
        1
    );
    std::fs::write(&rules, "str.replace, str.swap\n").expect("a file");
    let (code, stderr) = run(&["mutate", "opfuzz", text(&file), "--exchange", text(&rules)]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["rules:1:14", "str.swap"]);
    let (code, stderr) = run(&["mutate", "fuzzchick", text(&folder_with("a", "(assert true)").path().join("a"))]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["no mutation applies"]);
}

#[test]
fn help_names_every_verb_and_exit_code() {
    let output = program().arg("--help").output().expect("the program starts");
    let help = String::from_utf8_lossy(&output.stdout);
    let verbs =
        ["setup", "fuzz", "evaluate", "explain", "reduce", "triage", "matrix", "similarity", "generate", "mutate"];
    for word in verbs.into_iter().chain(["check", "convert", "eval", "completions", "manual", "130"]) {
        assert!(help.contains(word), "{word} is in the help");
    }
}

#[test]
fn every_shell_has_completions_that_know_the_verbs() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("similarity") && script.contains("--diff"), "{shell}");
    }
}

#[test]
fn manual_pages_are_written_for_the_program_and_each_verb() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man/man1");
    assert_eq!(printed(&["manual", text(&pages)]).trim_end(), text(&pages));
    let page = |name: &str| std::fs::read_to_string(pages.join(name)).unwrap();
    assert!(page("mulstringfuzz.1").contains(".SH SUBCOMMANDS"));
    assert!(page("mulstringfuzz-similarity.1").contains("side by side"));
    let (code, stderr) = run(&["manual", "/proc/nowhere"]);
    assert_eq!(code, 4, "{stderr}");
    assert_one_clear_line(&stderr, &["/proc/nowhere"]);
}

/// A solver that answers everything, and has no limit of its own to be told: its script and its profile.
fn own_solver(folder: &Path) {
    fs::write(folder.join("own.toml"), solver_that(folder, "mine", "echo sat")).expect("a file");
}

#[test]
fn a_limit_that_the_solver_does_not_have_is_refused_by_every_verb() {
    let folder = folder_with("good.smt2", WELL_FORMED);
    own_solver(folder.path());
    let (script, out, profiles) =
        (folder.path().join("good.smt2"), folder.path().join("run"), folder.path().join("own.toml"));
    let solvers = ["--target", "mine", "--reference", "mine", "--profiles", text(&profiles)];
    let evaluate = ["evaluate", text(&script), "--no-coverage"];
    let fuzz = ["fuzz", "--variant", "no-coverage", "--evaluations", "1", "--out", text(&out)];
    for verb in [&evaluate[..], &fuzz[..]] {
        let (code, stderr) = run(&[verb, &solvers, &["--observe-soft-limit", "9"]].concat());
        assert_eq!(code, 2, "{stderr}");
        assert_one_clear_line(&stderr, &["mine@1.2.3 has no limit of its own"]);
    }
    assert!(!out.exists(), "nothing is left behind");
    let (code, stderr) = run(&[&evaluate[..], &solvers, &["--observe-soft-limit", "0"]].concat());
    assert_eq!(code, 0, "none is asked for: {stderr}");
}

#[test]
fn explain_tells_at_once_what_it_cannot_read_find_or_write() {
    let folder = folder_with("good.smt2", WELL_FORMED);
    let good = folder.path().join("good.smt2");
    let (code, stderr) = run(&["explain", text(&folder.path().join("missing.smt2"))]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["missing.smt2"]);
    let (code, stderr) = run(&["explain", text(&good), "--target", "nosuch"]);
    assert_eq!(code, 3, "{stderr}");
    assert_one_clear_line(&stderr, &["nosuch"]);
    let (code, stderr) = run(&["explain", text(&good), "--out", text(&good.join("below"))]);
    assert_eq!(code, 4, "{stderr}");
    assert_one_clear_line(&stderr, &["below"]);
}

#[test]
fn a_property_that_anything_has_is_doubted() {
    let folder = folder_with("input.smt2", WELL_FORMED);
    let command = "script:echo told >&2; true";
    let (code, stderr) = run(&["reduce", text(&folder.path().join("input.smt2")), "--keep", command]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("warning: an empty script has the property too"), "{stderr}");
    assert!(stderr.contains("for the input, it wrote to standard error:\ntold\n"), "{stderr}");
}

#[test]
fn reduce_refuses_places_and_limits_before_anything_runs() {
    let folder = folder_with("s.smt2", WELL_FORMED);
    let script = folder.path().join("s.smt2");
    let linked = folder.path().join("link.smt2");
    std::os::unix::fs::symlink(&script, &linked).expect("a link");
    let reduce = ["reduce", text(&script), "--keep", "slow", "--target", "no-such-solver"];
    for out in [&script, &linked] {
        let (code, stderr) = run(&[&reduce[..], &["--out", text(out)]].concat());
        assert_eq!(code, 2, "{stderr}");
        assert_one_clear_line(&stderr, &["is the script to reduce"]);
        assert_eq!(fs::read_to_string(&script).expect("still there"), WELL_FORMED);
    }
    let (code, stderr) = run(&[&reduce[..], &["--out", text(&folder.path().join("missing/x.smt2"))]].concat());
    assert_eq!(code, 4, "{stderr}");
    assert_one_clear_line(&stderr, &["missing/x.smt2"]);
    let (code, stderr) = run(&[&reduce[..], &["--out", text(folder.path())]].concat());
    assert_eq!(code, 4, "{stderr}");
    let (code, stderr) = run(&[&reduce[..], &["--limit", "500ms", "--confirm-limit", "100ms"]].concat());
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["--confirm-limit 100ms", "--limit 500ms"]);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 2, "nothing is left behind");
}

#[test]
fn reduce_says_who_does_not_have_the_property_and_why() {
    let folder = folder_with("s.smt2", "(assert (= 1 \"a\"))\n(check-sat)\n");
    let profiles = folder.path().join("own.toml");
    let solvers = [
        solver_that(folder.path(), "rejecting", "echo '(error \"line 1 column 9: bad\")'; exit 1"),
        solver_that(folder.path(), "ready", "echo sat"),
        solver_that(folder.path(), "unsure", "echo unknown"),
        solver_that(folder.path(), "spinning", "while :; do :; done"),
    ];
    fs::write(&profiles, solvers.concat()).expect("a file");
    let script = folder.path().join("s.smt2");
    let refused = |keep: &str, target: &str, reference: &str| {
        let (code, stderr) = run(&[
            &["reduce", text(&script), "--keep", keep, "--limit", "300ms", "--profiles", text(&profiles)][..],
            &["--target", target, "--reference", reference],
        ]
        .concat());
        assert_eq!(code, 2, "{stderr}");
        stderr
    };
    let where_it_is = "s.smt2:1:9";
    assert_one_clear_line(
        &refused("slow", "ready", "rejecting"),
        &["rejecting@1.2.3 does not take the script: error", where_it_is],
    );
    assert_one_clear_line(&refused("slow", "rejecting", "ready"), &["rejecting@1.2.3 does not take", where_it_is]);
    assert_one_clear_line(&refused("slow", "ready", "unsure"), &["unsure@1.2.3 is not quick: unknown", "--reference"]);
    assert_one_clear_line(&refused("slow", "ready", "ready"), &["ready@1.2.3 is not slow: sat", "0.3 s"]);
    assert_one_clear_line(&refused("crash", "spinning", "ready"), &["nothing to keep", "--keep slow"]);
    assert_one_clear_line(&refused("result", "rejecting", "ready"), &["does not take the script", where_it_is]);
}

#[test]
fn explain_says_if_there_is_nothing_to_explain() {
    let folder = folder_with("s.smt2", WELL_FORMED);
    let solvers = [
        solver_that(folder.path(), "rejecting", "echo '(error \"bad\")'; exit 1"),
        solver_that(folder.path(), "ready", "echo sat"),
        solver_that(folder.path(), "unsure", "echo unknown"),
    ];
    let profiles = folder.path().join("own.toml");
    fs::write(&profiles, solvers.concat()).expect("a file");
    let script = folder.path().join("s.smt2");
    let explain =
        ["explain", text(&script), "--profiles", text(&profiles), "--budget", "10ms", "--against", text(&script)];
    let (code, stderr) = run(&[&explain[..], &["--target", "rejecting", "--reference", "ready"]].concat());
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["s.smt2: rejecting@1.2.3 does not take the script"]);
    let (code, stderr) = run(&[&explain[..], &["--target", "ready", "--reference", "unsure"]].concat());
    assert_eq!(code, 0, "{stderr}");
    for words in ["is not slow for ready@1.2.3: sat", "unsure@1.2.3 does not answer", "is the same script as"] {
        assert!(stderr.contains(words), "{words}: {stderr}");
    }
}

#[test]
fn triage_never_mixes_its_result_with_what_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("in");
    fs::create_dir(&input).expect("a folder");
    fs::write(input.join("a.smt2"), WELL_FORMED).expect("a file");
    let triage = |input: &Path, out: &Path, more: &[&str]| {
        let arguments = ["triage", text(input), "--out", text(out), "--target", "no-such-solver"];
        run(&[&arguments[..], more].concat())
    };
    for out in [input.clone(), input.join("new")] {
        let (code, stderr) = triage(&input, &out, &[]);
        assert_eq!(code, 2, "{stderr}");
        assert_one_clear_line(&stderr, &["whose scripts are to be triaged"]);
    }
    let other = folder.path().join("other");
    fs::create_dir(&other).expect("a folder");
    fs::write(other.join("notes.txt"), "mine").expect("a file");
    let (code, stderr) = triage(&input, &other, &[]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["other is not empty", "choose a new folder"]);
    let out = folder.path().join("out");
    let (code, stderr) = triage(&input, &out, &["--limit", "1s", "--confirm-limit", "500ms"]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["--confirm-limit 500ms is below --limit 1s"]);
    let (code, stderr) = triage(&other, &folder.path().join("new"), &[]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["no scripts to triage in", text(&other), "no file in them is named .smt2"]);
    assert_eq!(fs::read_dir(&input).expect("the folder").count(), 1, "nothing is left behind");
}

#[test]
fn matrix_goes_on_past_a_bad_script_and_replaces_nothing() {
    let folder = folder_with("good.smt2", WELL_FORMED);
    fs::write(folder.path().join("bad.smt2"), "(assert\n").expect("a file");
    let solvers = [solver_that(folder.path(), "ready", "echo sat"), solver_that(folder.path(), "other", "echo unsat")];
    let profiles = folder.path().join("own.toml");
    fs::write(&profiles, solvers.concat()).expect("a file");
    let out = folder.path().join("out");
    let matrix = |solvers: [&str; 2]| {
        let arguments = ["matrix", text(folder.path()), "--profiles", text(&profiles), "--out", text(&out)];
        let solvers = ["--solver", solvers[0], "--solver", solvers[1]];
        program().args(arguments).args(solvers).output().expect("the program starts")
    };
    for solvers in [["ready", "ready"], ["ready", "ready@1.2.3"]] {
        let twice = matrix(solvers);
        assert_eq!(twice.status.code(), Some(2));
        assert_one_clear_line(&String::from_utf8_lossy(&twice.stderr), &["--solver ready", "is given twice"]);
    }
    let done = matrix(["ready", "other"]);
    let (table, stderr) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{stderr}");
    for words in ["| good | sat! ", "Left out:", "- bad: ", "bad.smt2:"] {
        assert!(table.contains(words), "{words}: {table}");
    }
    let runs = fs::read_to_string(out.join("runs.csv")).expect("the runs");
    assert!(runs.starts_with("instance,solver,result,seconds,verdict,detail\ngood,ready@1.2.3,sat,"), "{runs}");
    let first = fs::read_to_string(out.join("matrix.md")).expect("the table");
    let again = matrix(["other", "ready"]);
    assert_eq!(again.status.code(), Some(2));
    assert_one_clear_line(&String::from_utf8_lossy(&again.stderr), &["out is not empty", "choose a new folder"]);
    assert_eq!(fs::read_to_string(out.join("matrix.md")).expect("the table"), first);
}

const EVALUATED: &str = "(set-logic QF_NIA)
(declare-fun x () Int)
(declare-fun y () Int)
(assert (< x 5))
(assert (and (> x y) (or (= x 0) (= (div x 2) 3))))
(assert (= (div x 0) 1)) (assert (= y 1))
(assert (let ((p (< x 4)))
  (! (not p) :named n)))
(check-sat)
";

#[test]
fn eval_prints_a_value_and_its_evidence_for_each_assertion() {
    let folder = folder_with("s.smt2", EVALUATED);
    fs::write(folder.path().join("m"), "sat\n(\n  (define-fun x () Int 3)\n)\n").expect("a model");
    let eval = |arguments: &[&str]| {
        let mut eval = program();
        eval.current_dir(folder.path()).args(["eval", "s.smt2", "--model", "m"]).args(arguments);
        let output = eval.output().expect("the program starts");
        assert!(output.status.success(), "whatever the values: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    insta::assert_snapshot!(eval(&[]), @r"
    s.smt2:4:1: true
    s.smt2:5:1: false
    s.smt2:6:1: free
    s.smt2:6:26: unknown: the model says nothing of y
    s.smt2:7:1: false
    ");
    insta::assert_snapshot!(eval(&["-v"]), @r"
    s.smt2:4:1: true
        (< x 5) is true, where x is 3
    s.smt2:5:1: false
        (= x 0) is false, where x is 3
        (= (div x 2) 3) is false, where (div x 2) is 1
    s.smt2:6:1: free
        (= (div x 0) 1) is free, where (div x 0) is free
    s.smt2:6:26: unknown: the model says nothing of y
        (= y 1) is unknown (the model says nothing of y), where y is unknown (the model says nothing of y)
    s.smt2:7:1: false
        (< x 4) is true, where x is 3
    ");
    let json: serde_json::Value = serde_json::from_str(&eval(&["--json"])).expect("JSON");
    assert_eq!(json[1]["value"], "false");
    assert_eq!(json[1]["evidence"][1]["arguments"][0]["value"], "1");
    assert_eq!((json[3]["line"].as_u64(), json[3]["column"].as_u64()), (Some(6), Some(26)));
}

#[test]
fn eval_refuses_what_is_no_model() {
    let folder = folder_with("s.smt2", EVALUATED);
    let model = folder.path().join("m");
    fs::write(&model, "unsat\n").expect("no model");
    let (code, stderr) = run(&["eval", text(&folder.path().join("s.smt2")), "--model", text(&model)]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["m:1:1", "unsat"]);
    fs::write(&model, "\n; nothing\n").expect("an empty model");
    let (code, stderr) = run(&["eval", text(&folder.path().join("s.smt2")), "--model", text(&model)]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["/m is empty"]);
    // Without variables there is nothing that a model could say.
    let ground = folder.path().join("ground.smt2");
    fs::write(&ground, "(assert (= (+ 1 1) 2))\n(check-sat)\n").expect("a script");
    assert_eq!(run(&["eval", text(&ground), "--model", text(&model)]).0, 0);
    let (code, stderr) = run(&["eval", "-", "--model", "-"]);
    assert_eq!(code, 2, "{stderr}");
    assert_one_clear_line(&stderr, &["standard input"]);
}
