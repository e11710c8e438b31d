//! `hunt --lists FILE`: what is a crash, what says nothing, and what is known already, by what solvers print; and
//! `hunt --options FILE`.

mod shell_solver;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

use shell_solver::solver_that;

/// A hunt on one script with one solver that does this, by these lists, and what it came to.
fn hunted(does: &str, lists: &str) -> (Output, serde_json::Value) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("seed.smt2", "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (bvult x #x07))\n(check-sat)\n");
    write("own.toml", &solver_that(folder.path(), "mine", does));
    write("lists.toml", lists);
    let mut hunt = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    hunt.current_dir(folder.path()).args(["hunt", "--strategy", "none", "--seeds", "seed.smt2", "--solver", "mine"]);
    hunt.args(["--profiles", "own.toml", "--out", "out", "--lists", "lists.toml"]);
    let output = hunt.output().expect("the program starts");
    let json = fs::read_to_string(folder.path().join("out/hunt.json")).unwrap_or_else(|_| "null".to_owned());
    (output, serde_json::from_str(&json).expect("JSON"))
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_text_makes_an_output_a_crash() {
    let does = "echo 'mine: gave up in the wrong place'; echo sat";
    let (_, plain) = hunted(does, "");
    assert_eq!(plain["defects"], serde_json::json!([]), "{plain}");
    let (output, hunt) = hunted(does, "crash = [\"in the wrong place\"]\n");
    assert_eq!(hunt["defects"][0]["kind"], "crash", "{}", said(&output));
    assert_eq!(hunt["defects"][0]["evidence"][0], "mine: gave up in the wrong place");
}

#[test]
fn an_output_that_is_to_be_ignored_says_nothing() {
    let does = "echo 'not implemented: this' >&2; kill -SEGV $$";
    let (output, hunt) = hunted(does, "[solver.mine]\nignore = [\"not implemented\"]\n");
    assert_eq!(hunt["defects"], serde_json::json!([]), "{}", said(&output));
    assert_eq!(hunt["answers"]["mine@1.2.3"], serde_json::json!({ "ignored": 1 }), "{hunt}");
    let (_, other) = hunted(does, "[solver.other]\nignore = [\"not implemented\"]\n");
    assert_eq!(other["defects"][0]["kind"], "crash", "it holds for one solver only: {other}");
}

#[test]
fn a_finding_that_is_known_is_counted_and_not_reported() {
    let does = "echo 'ASSERTION VIOLATION in rewriter.cpp'; exit 1";
    let (output, hunt) = hunted(does, "duplicates = [\"rewriter.cpp\"]\n");
    assert_eq!((&hunt["defects"], &hunt["known"]), (&serde_json::json!([]), &serde_json::json!({ "rewriter.cpp": 1 })));
    assert!(said(&output).contains("1 finding known by \"rewriter.cpp\"\n"), "{}", said(&output));
}

#[test]
fn a_file_that_is_wrong_is_named_with_the_place() {
    let (output, hunt) = hunted("echo sat", "crash = [\"a\"]\nignored = [\"b\"]\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("error: lists.toml:2:1: unknown field `ignored`"), "{}", said(&output));
    assert_eq!(hunt, serde_json::Value::Null, "nothing was begun");
}

#[test]
fn what_is_printed_is_a_file_of_lists() {
    let printed = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz")).args(["hunt", "--print-lists"]).output();
    let printed = String::from_utf8(printed.expect("the program starts").stdout).expect("text");
    assert!(printed.contains("crash = [\n") && printed.contains("\"ASSERTION VIOLATION\""), "{printed}");
    let (output, hunt) = hunted("echo 'ASSERTION VIOLATION'; exit 1", &printed);
    assert_eq!(hunt["defects"][0]["kind"], "crash", "{}", said(&output));
}

#[test]
fn one_configuration_is_drawn_for_each_instance_and_named_in_the_finding() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    fs::create_dir(folder.path().join("seeds")).expect("a folder");
    for number in 0..24 {
        write(&format!("seeds/{number:02}.smt2"), "(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(check-sat)\n");
    }
    let honest = solver_that(folder.path(), "honest", "echo sat");
    let wrapper = format!(
        "#!/bin/sh\nfor last; do :; done\ncase \"$*\" in *--bad*) if grep -q BitVec \"$last\"; then kill -SEGV $$; fi;; esac\n\
         exec {}/honest \"$last\"\n",
        folder.path().display()
    );
    write("mine", &wrapper);
    fs::set_permissions(folder.path().join("mine"), fs::Permissions::from_mode(0o755)).expect("an executable");
    write("own.toml", &honest.replace("honest", "mine"));
    write("options.toml", "mine = [\"\", \"--fast\", \"--bad --worse\"]\n");
    let hunt = |jobs: &str, out: &str| {
        let mut hunt = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
        hunt.current_dir(folder.path()).args(["hunt", "--strategy", "none", "--seeds", "seeds", "--solver", "mine"]);
        hunt.args(["--profiles", "own.toml", "--options", "options.toml", "--out", out, "--jobs", jobs]);
        let output = hunt.output().expect("the program starts");
        let json = fs::read_to_string(folder.path().join(out).join("hunt.json")).unwrap_or_else(|_| "null".to_owned());
        (said(&output), serde_json::from_str::<serde_json::Value>(&json).expect("JSON"))
    };
    let (said, one) = hunt("1", "one");
    let answers = one["answers"].as_object().expect("answers");
    let asked: u64 = answers
        .values()
        .flat_map(|it| it.as_object().expect("counts").values())
        .filter_map(serde_json::Value::as_u64)
        .sum();
    assert_eq!((answers.len(), asked, &one["instances"]), (3, 24, &24.into()), "{said}");
    let defect = &one["defects"][0];
    assert_eq!((&defect["solvers"][0], &defect["options"]), (&"mine@1.2.3 --bad --worse".into(), &2.into()), "{one}");
    let page = fs::read_to_string(folder.path().join("one/findings/001/finding.md")).expect("a page");
    assert!(page.contains("mine --bad --worse instance.smt2\n"), "{page}");
    let (_, four) = hunt("4", "four");
    assert_eq!((&four["answers"], &four["seen"]), (&one["answers"], &one["seen"]));

    // With fewer options it crashes, too: that is what is reported, whichever configuration was drawn first.
    write("options.toml", "mine = [\"--bad --worse\", \"--bad --worst\", \"--bad\", \"\"]\n");
    let (said, fewer) = hunt("1", "fewer");
    let defects = fewer["defects"].as_array().expect("defects");
    assert_eq!(defects.len(), 1, "{said}");
    assert_eq!((&defects[0]["solvers"][0], &defects[0]["options"]), (&"mine@1.2.3 --bad".into(), &1.into()), "{fewer}");
    let tables = fs::read_to_string(folder.path().join("fewer/tables.md")).expect("tables");
    assert!(tables.starts_with("# 1 distinct finding\n") && tables.contains("\n| 1 option | 1 | 1 |\n"), "{tables}");

    let mut both = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    both.current_dir(folder.path()).args(["hunt", "--strategy", "none", "--seeds", "seeds/00.smt2", "--out", "both"]);
    both.args(["--profiles", "own.toml", "--solver", "mine --bad --worse", "--solver", "mine --bad"]);
    both.output().expect("the program starts");
    let json = fs::read_to_string(folder.path().join("both/hunt.json")).expect("the hunt");
    let both: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let defects: Vec<[&serde_json::Value; 2]> =
        both["defects"].as_array().expect("defects").iter().map(|each| [&each["options"], &each["times"]]).collect();
    assert_eq!(defects, [[1, 1]], "one instance, whoever shows it: {both}");

    let mut matrix = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    matrix.current_dir(folder.path()).args(["matrix", "fewer", "--answers", "--profiles", "own.toml", "--json"]);
    let output = matrix.args(["--solver", "mine", "--solver", "mine --bad"]).output().expect("the program starts");
    let matrix: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let verdicts: Vec<&serde_json::Value> =
        matrix["rows"][0]["cells"].as_array().expect("cells").iter().map(|cell| &cell["verdict"]).collect();
    assert_eq!(verdicts, ["answers", "fails"], "{matrix}");
    assert_eq!((&matrix["measure"], &matrix["rows"][0]["first_bad"]), (&"answers".into(), &"mine@1.2.3 --bad".into()));
}
