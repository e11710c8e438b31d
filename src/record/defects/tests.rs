//! Folders of suspicions: what moves them, and what is taken over.

use super::*;
use crate::evaluate::individual::Timed;
use crate::oracle::performance::Step;
use crate::solver::answer::Answer;

fn record(id: u32, state: DefectState, reason: &str) -> DefectRecord {
    DefectRecord {
        number: 0,
        id,
        generation: 1,
        state,
        reason: reason.to_owned(),
        class: "str.len*1".to_owned(),
        target_seconds: 5.0,
        reference_seconds: 0.1,
        target: "slow".to_owned(),
        reference: "quick".to_owned(),
    }
}

fn store(folder: &Path) -> DefectStore {
    DefectStore::open(&folder.join("candidates"), &folder.join("defects")).expect("folders")
}

/// A store with one candidate for each of these individuals.
fn filled(folder: &Path, ids: &[u32]) -> DefectStore {
    let timed = Timed { answer: Answer::Timeout, cpu_seconds: 5.0, wall_seconds: 5.0, peak_memory_bytes: 0 };
    let runs = SearchRuns { target: &timed, reference: &timed, limit_seconds: 5.0 };
    let mut store = store(folder);
    for &id in ids {
        let text = format!("(assert (= (str.len x) {id}))\n");
        store.add(record(id, DefectState::Candidate, ""), &text, &runs).expect("written");
    }
    store
}

fn run(seed: u32) -> RunRow {
    let timed = Timed { answer: Answer::Timeout, cpu_seconds: 5.0, wall_seconds: 5.0, peak_memory_bytes: 0 };
    let (step, solver, version) = (Step::Profile(seed), String::new(), String::new());
    RunRow { step, solver, version, command: String::new(), seed: Some(seed), limit_seconds: 5.0, timed }
}

#[test]
fn each_folder_of_defects_is_one_distinct_defect_once_a_triage_says_which() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut defects = filled(folder.path(), &[10, 20, 30]);
    for number in [1, 2] {
        drop(defects.begin_confirmation(number, "(check-sat)\n").expect("a list"));
        let confirmed = (DefectState::Confirmed, "confirmed".to_owned());
        defects.conclude(number, confirmed.0, confirmed.1, &[], Findings::default()).expect("written");
    }
    let findings = |report| Findings { report: Some(report), reduced: Some("(check-sat)\n"), pattern: None };
    defects.make_distinct(1, (findings("one"), &[run(1)]), &[2, 3]).expect("written");
    defects.make_distinct(3, (findings("three"), &[run(1), run(2)]), &[]).expect("written");
    defects.make_distinct(3, (findings("three"), &[run(1), run(2)]), &[]).expect("written");
    let runs = fs::read_to_string(folder.path().join("defects/003/runs.csv")).expect("runs");
    assert_eq!(runs.lines().count(), 1 + 2 + 2, "those of the search, and those of the triage once: {runs}");
    let again = store(folder.path());
    let states: Vec<_> = again.all().map(|each| (each.number, each.state, each.reason.as_str())).collect();
    let expected = [
        (1, DefectState::Confirmed, "confirmed"),
        (2, DefectState::Candidate, "the same defect as individual 10"),
        (3, DefectState::Confirmed, BY_TRIAGE),
    ];
    assert_eq!(states, expected);
    assert_eq!(fs::read_to_string(folder.path().join("defects/003/report.md")).expect("a report"), "three");
    assert!(folder.path().join("candidates/002/instance.smt2").is_file());
}

#[test]
fn runs_of_the_script_as_it_was_found_confirm_nothing_of_its_reduced_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let defects = filled(folder.path(), &[10]);
    let begin = |script: &str| defects.begin_confirmation(1, script).expect("read");
    let (known, mut list) = begin("(assert false)\n");
    assert!(known.is_empty());
    list.add(&run(1)).expect("written");
    list.add(&run(2)).expect("written");
    assert_eq!(begin("(assert false)\n").0.len(), 2);
    let (known, mut list) = begin("(check-sat)\n");
    assert!(known.is_empty());
    list.add(&run(1)).expect("written");
    assert_eq!(begin("(check-sat)\n").0.len(), 1);
    assert!(begin("(assert false)\n").0.is_empty());
}

#[test]
fn a_confirmation_is_taken_over_for_the_same_script_only() {
    let timed = Timed { answer: Answer::Timeout, cpu_seconds: 5.0, wall_seconds: 5.0, peak_memory_bytes: 0 };
    let runs = SearchRuns { target: &timed, reference: &timed, limit_seconds: 5.0 };
    let (ours, theirs) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let mut other = store(theirs.path());
    let mut here = store(ours.path());
    for (id, text, same) in [(1, "(assert (= (str.len x) 1))\n", true), (2, "(assert (= (str.len y) 9))\n", false)] {
        other.add(record(id, DefectState::Refuted, "it answers"), text, &runs).expect("written");
        let text = if same { text } else { "(assert (= (str.len z) 7))\n" };
        here.add(record(id, DefectState::Candidate, ""), text, &runs).expect("written");
    }
    here.adopt(&[theirs.path().join("candidates"), theirs.path().join("defects")]).expect("read");
    let states: Vec<(u32, DefectState)> = here.all().map(|each| (each.id, each.state)).collect();
    assert_eq!(states, [(1, DefectState::Refuted), (2, DefectState::Candidate)]);
}
