//! `status` on runs and hunts of solvers that are a few lines of the shell.

mod shell_solver;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use shell_solver::solver_that;

/// Runs the program in a folder, and returns its exit code, standard output and standard error.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut program = Command::cargo_bin("mulstringfuzz").expect("the program is built with its tests");
    let output = program.current_dir(folder).args(arguments).output().expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn runs_and_hunts_below_a_folder_are_told_one_by_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let slow = solver_that(folder, "slow", "while :; do :; done");
    let quick = solver_that(folder, "quick", "if grep -q bvmul \"$1\"; then kill -SEGV $$; fi; echo sat");
    fs::write(folder.join("own.toml"), format!("{slow}\n{quick}")).expect("a file");
    fs::create_dir(folder.join("seeds")).expect("a folder");
    let seed = "(declare-fun x () (_ BitVec 8))\n(assert (= x (bvmul x #x03)))\n(check-sat)\n";
    fs::write(folder.join("seeds/1.smt2"), seed).expect("a file");
    let (code, _, stderr) = run(folder, &["status", "seeds"]);
    assert_eq!((code, stderr.trim()), (Some(2), "error: seeds: no run and no hunt is in it"));

    let hunt = "hunt --seeds seeds --solver quick --profiles own.toml --strategy none --out runs/hunt";
    let (code, _, stderr) = run(folder, &hunt.split(' ').collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{stderr}");
    let fuzz = "fuzz --target slow --reference quick --profiles own.toml --variant no-coverage --limit 50ms --pop 4 \
                --evaluations 8 --no-confirm --no-learn --no-hunt --no-triage --seed 7 --out runs/search";
    let (code, _, stderr) = run(folder, &fuzz.split_whitespace().collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{stderr}");

    let (code, stdout, stderr) = run(folder, &["status", "runs", "--json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let status: Value = serde_json::from_str(&stdout).expect("JSON");
    let (hunt, search) = (&status["runs"][0], &status["runs"][1]);
    assert_eq!([&hunt["kind"], &hunt["phase"]], ["hunt", "finished"], "{stdout}");
    assert_eq!([&hunt["instances"], &hunt["findings"]], [1, 1], "{stdout}");
    let file = hunt["newest"]["file"].as_str().expect("a file");
    assert!(fs::read_to_string(folder.join(file)).is_ok_and(|text| text.contains("bvmul")), "{file}");
    assert_eq!([&search["kind"], &search["phase"], &search["seed"].to_string().into()], ["fuzz", "finished", "7"]);
    assert_eq!([&search["evaluations"], &search["confirmed"]], [8, 0], "{stdout}");
    let (_, page, _) = run(folder, &["status", "runs/search", "runs/hunt"]);
    assert!(page.starts_with("runs/search  finished, "), "{page}");
    assert!(page.ends_with("2 finished: 0 defects confirmed, 1 finding of hunts\n"), "{page}");
}
