//! FuzzSMT's Tables 1 and 2 at the smallest scale, on the real solvers: run, tables, and what an old tactic gets wrong in them.

mod installed;

use std::fs;
use std::path::Path;
use std::process::Command;

use installed::solver;

fn experiment(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    let output = command.current_dir(folder).arg("experiment").args(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn solvers_of_then_stand_beside_those_that_can_be_had() {
    let tactic = "z3@4.8.7 'tactic.default_tactic=(then simplify reduce-invertible smt)'";
    for name in ["z3", "yices", "bitwuzla", tactic] {
        solver(name);
    }
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/fuzzsmt.toml");
    let text = fs::read_to_string(spec).expect("the specification");
    // Four solvers that every machine with the tests' solvers has, and formulas of which one is known to show a defect.
    let (before, rest) = text.split_once("solvers = [").expect("its solvers");
    let (_, after) = rest.split_once("\n]").expect("its solvers");
    let text = format!("{before}solvers = [\"z3\", \"yices\", \"bitwuzla\", \"{tactic}\"]{after}");
    let small = "formulas = { max-width = 8, max-constants = 1, max-assertions = 4, compact = true }";
    let text = text.replacen("formulas = { max-width = 10, division = \"guarded\" }", small, 1);
    let text = text.replacen("instances = 40", "instances = 80", 1).replacen("compute =", "seed = 11\ncompute =", 1);
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("small.toml"), text).expect("a specification");
    experiment(folder.path(), &["run", "small.toml", "--scale", "smoke", "--limit", "10s", "--quiet"]);
    let markdown = experiment(folder.path(), &["tables"]);
    for row in ["| Beaver 1.1 rc1 (paper)", "| STP 0.1 (paper)", "| z3@5.4.1"] {
        assert!(markdown.contains(row), "{row}: {markdown}");
    }
    let tables = folder.path().join("runs/small-smoke/tables");
    let answers = fs::read_to_string(tables.join("answers.csv")).expect("a table");
    let wrong = |line: &str| line.rsplit(',').nth(2).expect("a column").to_owned();
    let of = |solver: &str, arm: &str| {
        let mut lines =
            answers.lines().filter(|line| line.starts_with(solver) && line.contains(&format!(",{arm},ours,80,")));
        wrong(lines.next().unwrap_or_else(|| panic!("{solver} on {arm}: {answers}")))
    };
    assert_eq!(of("z3@4.8.7", "guarded-division"), "1");
    for arm in ["no-division", "guarded-division", "any-division", "arrays"] {
        for solver in ["z3@5.4.1", "yices@", "bitwuzla@"] {
            assert_eq!(of(solver, arm), "0", "{solver} on {arm}");
        }
    }
    let findings = fs::read_to_string(tables.join("findings.csv")).expect("a table");
    assert!(findings.contains("\nguarded-division/001/001,refutation-unsoundness,"), "{findings}");
}
