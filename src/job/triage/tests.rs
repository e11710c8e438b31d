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
fn endless(folder: &Path) -> TriageRequest {
    let input = folder.join("in");
    fs::create_dir(&input).expect("a folder");
    for name in ["a", "b", "c"] {
        let text = format!("(declare-fun x () String)\n(assert (= (str.len x) (str.indexof x \"{name}\" 0)))\n");
        fs::write(input.join(format!("{name}.smt2")), text + "(check-sat)\n").expect("a file");
    }
    let profiles = folder.join("own.toml");
    let solvers = [solver(folder, "endless", "while :; do :; done"), solver(folder, "ready", "echo sat")];
    fs::write(&profiles, solvers.concat()).expect("a file");
    TriageRequest {
        inputs: vec![input],
        out: folder.join("out"),
        target: "endless".parse().expect("a solver"),
        reference: "ready".parse().expect("a solver"),
        also: Vec::new(),
        limit: Duration::from_mins(10),
        confirm_limit: None,
        budget: None,
        known: Vec::new(),
        no_explain: true,
        jobs: NonZeroUsize::MIN,
        profiles: Some(profiles),
        extent: Extent::Reports,
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

/// Arguments for two scripts that are slow for different reasons, and for one that is not slow.
fn two_defects(folder: &Path) -> TriageRequest {
    let args = endless(folder);
    let input = &args.inputs[0];
    for name in ["a", "b", "c"] {
        fs::remove_file(input.join(format!("{name}.smt2"))).expect("a file");
    }
    let script = |formula: &str| format!("(declare-fun x () String)\n(assert {formula})\n(check-sat)\n");
    fs::write(input.join("length.smt2"), script("(= (str.len x) 5)")).expect("a file");
    fs::write(input.join("suffix.smt2"), script("(str.suffixof x \"b\")")).expect("a file");
    fs::write(input.join("quick.smt2"), script("(str.prefixof x \"b\")")).expect("a file");
    let slow = "if grep -q 'str.len\\|str.suffixof' \"$1\"; then while :; do :; done; fi; echo sat";
    let profiles = args.profiles.as_ref().expect("profiles");
    let solvers = [solver(folder, "endless", slow), solver(folder, "ready", "echo sat")];
    fs::write(profiles, solvers.concat()).expect("a file");
    TriageRequest { limit: Duration::from_millis(100), confirm_limit: Some(Duration::from_millis(100)), ..args }
}

#[test]
fn what_an_earlier_triage_found_out_stands_where_the_next_is_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let args = two_defects(folder.path());
    let user = Interrupt::new();
    let whole = triaged(&args, &user, None).expect("a result");
    let labels = |triage: &Triage| -> Vec<(String, bool, bool)> {
        let of = |defect: &crate::triage::report::Defect| {
            (defect.instance.clone(), defect.confirmed.is_some(), defect.not_confirmed.is_some())
        };
        triage.defects.iter().map(of).collect()
    };
    assert!(whole.stopped.is_none() && whole.defects.len() == 2, "{}", whole.markdown());
    assert!(labels(&whole).iter().all(|(_, confirmed, refused)| confirmed | refused), "{:?}", labels(&whole));
    let report = |number: usize| fs::read_to_string(args.out.join(format!("clusters/{number:03}/report.md")));
    let before = [1, 2].map(|number| report(number).expect("a report"));
    // The third has not even the reductions: it has those of the list.
    for without_reductions in [false, true] {
        if without_reductions {
            fs::remove_dir_all(args.out.join("reduced")).expect("reductions");
        }
        let stopped = triaged(&args, &user, Some(Instant::now())).expect("a result");
        assert_eq!((stopped.stopped, stopped.taken_over), (Some(Stopped::Budget), 2), "{}", stopped.markdown());
        assert_eq!(labels(&stopped), labels(&whole));
        assert_eq!([1, 2].map(|number| report(number).expect("a report")), before);
        let list = fs::read_to_string(args.out.join(LIST)).expect("the list");
        assert!(
            list.contains("2 defects are as an earlier triage left them.") && !list.contains("| not tried"),
            "{list}"
        );
        assert_eq!(stopped.dropped.len(), 1, "the quick one: {:?}", stopped.dropped);
        assert_eq!(stopped.dropped, whole.dropped);
    }
    // Under another limit something else is slow.
    let other = TriageRequest { limit: Duration::from_millis(150), confirm_limit: None, ..args };
    let stopped = triaged(&other, &user, Some(Instant::now())).expect("a result");
    assert_eq!((stopped.taken_over, stopped.dropped.len()), (0, 3), "{}", stopped.markdown());
}
