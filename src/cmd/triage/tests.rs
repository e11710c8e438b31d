use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use crate::triage::overview::Stopped;

/// A profile of a solver that is this shell script.
fn solver(folder: &Path, name: &str, does: &str) -> String {
    let program = folder.join(name);
    let version = "if [ \"$1\" = --version ]; then echo Mine 1.2.3; exit; fi";
    // What it is asked before a triage.
    let probed = "if grep -q 'distinct x x' \"$1\"; then echo unsat; exit; fi\n\
        if grep -q '^(assert (= x \"a\"))$' \"$1\"; then echo sat; exit; fi";
    let text = format!("#!/bin/sh\n{version}\n{probed}\n{does}\n");
    fs::write(&program, text).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("an executable");
    format!(
        "[[solver]]\nname = \"{name}\"\nversion = \"1.2\"\nsource = {{ kind = \"path\", path = \"{}\" }}\n\
         probe = [\"--version\"]\ndialect = \"smtlib-2.6\"\n",
        program.display()
    )
}

/// Arguments for three scripts, of a target that never ends and a reference that answers at once.
fn endless(folder: &Path) -> TriageArgs {
    let input = folder.join("in");
    fs::create_dir(&input).expect("a folder");
    for name in ["a", "b", "c"] {
        let text = format!("(declare-fun x () String)\n(assert (= (str.len x) (str.indexof x \"{name}\" 0)))\n");
        fs::write(input.join(format!("{name}.smt2")), text + "(check-sat)\n").expect("a file");
    }
    let profiles = folder.join("own.toml");
    let solvers = [solver(folder, "endless", "while :; do :; done"), solver(folder, "ready", "echo sat")];
    fs::write(&profiles, solvers.concat()).expect("a file");
    TriageArgs {
        inputs: vec![input],
        out: folder.join("out"),
        target: "endless".parse().expect("a solver"),
        reference: "ready".parse().expect("a solver"),
        also: Vec::new(),
        limit: Duration::from_mins(10),
        confirm_limit: None,
        budget: None,
        no_explain: true,
        jobs: NonZeroUsize::MIN,
        profiles: Some(profiles),
        fail_on_defect: false,
        json: false,
    }
}

#[test]
fn the_deadline_stops_solvers_at_once_and_what_there_is_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = endless(folder.path());
    let user = Interrupt::new();
    let begun = Instant::now();
    let triage = triaged(&args, &user, Some(begun + Duration::from_millis(200))).expect("a result");
    assert!(begun.elapsed() < Duration::from_mins(1), "no run of ten minutes was waited for");
    assert!(!user.is_set() && triage.stopped == Some(Stopped::Budget));
    assert_eq!((triage.defects.len(), triage.dropped.len()), (0, 3));
    let list = fs::read_to_string(args.out.join(LIST)).expect("the list");
    assert!(list.contains("- 3 more were not tried: the budget was used up"), "{list}");
    let json = fs::read_to_string(args.out.join("triage.json")).expect("the list for programs");
    assert!(json.contains("\"stopped\": \"budget\""), "{json}");
}

#[test]
fn an_interrupt_of_the_user_is_told_from_a_deadline() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = endless(folder.path());
    let user = Interrupt::new();
    user.set();
    let triage = triaged(&args, &user, Some(Instant::now() + Duration::from_mins(10))).expect("a result");
    assert_eq!(triage.stopped, Some(Stopped::Interrupted));
    assert!(triage.markdown().contains("- 3 more were not tried: the triage was interrupted"));
}
