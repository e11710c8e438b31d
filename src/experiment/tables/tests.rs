//! Tables of hunts that are written down here.

use std::fs;
use std::path::Path;

use super::*;
use crate::experiment::{External, HuntRun, Plan};
use crate::hunt::outcome::{Outcome, names as hunt_names};
use crate::oracle::correctness::Kind;
use std::collections::BTreeMap;

const PLAN: &str = "title = 'T'\nreproduces = ''\ncompute = ['iterations', 'sizes']\nscale = 's'\nseed = 5\nrepeats = 2\n\
    [hunt]\nminimise = 'none'\ninstances = 9\n\
    [[defect]]\nname = 'd'\nseeds = ['d.smt2']\nsolver = 'z3seq'\nkind = 'refutation-unsoundness'\n\
    [[defect]]\nname = 'e'\nseeds = ['e.smt2']\nsolver = 'z3seq'\nkind = 'refutation-unsoundness'\n\
    [[arm]]\nname = 'small'\nhunt = { depth = 4, assertions = 4 }\n\
    [[arm]]\nname = 'large'\nhunt = { depth = 4, assertions = 64 }\n\
    [[arm]]\nname = 'bounds'\nlabel = \"STORM's bounds\"\nhunt = { depth = 4, assertions = 4, minimise = 'bounds' }\n\
    paper = { reduction = 82.7 }\n\
    [[arm]]\nname = 'ddsmt'\nhunt = { minimise-with = 'ddsmt' }\n";

/// A script of so many assertions.
fn script(assertions: usize) -> String {
    "(assert (or (= 1 1) (= 1 2)))\n".repeat(assertions)
}

/// Writes a finished hunt: found with `found.0` assertions and made smaller to `found.1`, or not.
fn write(root: &Path, instances: u64, found: Option<(usize, usize)>) {
    let run = HuntRun::new(root);
    let kind = if found.is_some() { Kind::RefutationUnsoundness } else { Kind::Incompleteness };
    let json = serde_json::to_string(&Outcome::of_one(kind, instances, instances as f64 / 4.0)).unwrap();
    let folder = run.hunt().join(hunt_names::FINDINGS).join("001");
    fs::create_dir_all(&folder).unwrap();
    fs::write(run.hunt().join(hunt_names::HUNT), json).unwrap();
    let (before, after) = found.unwrap_or_default();
    fs::write(folder.join(hunt_names::INSTANCE), script(before)).unwrap();
    fs::write(folder.join(hunt_names::REDUCED), script(after)).unwrap();
}

/// Writes that the reducer after the hunt left so many assertions, or nothing.
fn write_external(root: &Path, assertions: Option<usize>) {
    let run = HuntRun::new(root);
    fs::create_dir_all(run.external()).unwrap();
    let text = assertions.map_or_else(String::new, script);
    fs::write(run.external().join(hunt_names::REDUCED), text).unwrap();
    let ended = "exit code 0".to_owned();
    let record =
        External { succeeded: assertions.is_some(), ended, cpu_seconds: 2.5, candidates: None, said: String::new() };
    fs::write(run.external_record(), serde_json::to_string(&record).unwrap()).unwrap();
}

#[test]
fn hunts_are_tabulated_from_what_they_recorded() {
    let scratch = tempfile::tempdir().unwrap();
    let plan: Plan = toml::from_str(PLAN).unwrap();
    let folder = ExperimentFolder::create(&scratch.path().join("e"), plan).unwrap();
    let root = |run: &str| folder.run(&folder.plan().named(run).unwrap());
    for (run, instances, found) in [
        ("small/d/001", 4, true),
        ("small/d/002", 8, true),
        ("small/e/001", 9, false),
        ("small/e/002", 9, false),
        ("large/d/001", 1, true),
        ("large/d/002", 2, true),
        ("large/e/001", 6, true),
        ("large/e/002", 9, false),
    ] {
        write(&root(run), instances, found.then_some((2, 2)));
    }
    for (run, found) in
        [("d/001", Some((10, 1))), ("d/002", Some((20, 4))), ("e/001", Some((8, 2))), ("e/002", Some((6, 6)))]
    {
        write(&root(&format!("bounds/{run}")), 3, found);
        write(&root(&format!("ddsmt/{run}")), 3, found.map(|(before, _)| (before, before)));
    }
    write_external(&root("ddsmt/d/001"), Some(1));
    write_external(&root("ddsmt/d/002"), None);
    write_external(&root("ddsmt/e/001"), None);
    write_external(&root("ddsmt/e/002"), None);

    let tables = Tables::of(&folder).unwrap();
    let names: Vec<&str> = tables.all.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["iterations", "iteration-seconds", "sizes"]);
    insta::assert_snapshot!(Format::Markdown.document(&tables.all));
    insta::assert_snapshot!("iterations_csv", Format::Csv.of(&tables.all[0]));
    insta::assert_snapshot!("sizes_csv", Format::Csv.of(&tables.all[2]));
    tables.write().unwrap();
    let runs = fs::read_to_string(folder.root().join("tables/runs.csv")).unwrap();
    assert_eq!(runs.lines().count(), 17, "{runs}");
    assert!(runs.contains("\nddsmt,d,1,5,true,3,0.75,300,10,1,30,1,1,2.5,exit code 0\n"), "{runs}");
    assert!(runs.contains("\nsmall,e,2,6,false,9,2.25,,,,,,,,\n"), "{runs}");
}

const DELTAS: &str = "title = 'T'\nreproduces = ''\ncompute = ['deltas']\nscale = 's'\nseed = 5\nrepeats = 3\n\
    [hunt]\nminimise = 'none'\n\
    [[defect]]\nname = 'd'\nseeds = ['d.smt2']\nsolver = 'z3'\nkind = 'refutation-unsoundness'\ntrusted = ['yices']\n\
    [[arm]]\nname = 'ours'\nlabel = 'DeltaSMT'\nhunt = { reduce-by = 'delta-smt' }\n\
    [[arm]]\nname = 'theirs'\nhunt = { minimise-with = 'ddsmt' }\n";

#[test]
fn reducers_are_tabulated_as_in_table_3() {
    let scratch = tempfile::tempdir().unwrap();
    let plan: Plan = toml::from_str(DELTAS).unwrap();
    let folder = ExperimentFolder::create(&scratch.path().join("e"), plan).unwrap();
    let root = |run: &str| folder.run(&folder.plan().named(run).unwrap());
    for (repeat, found) in [Some((10, 10)), Some((20, 20)), None].into_iter().enumerate() {
        for arm in ["ours", "theirs"] {
            write(&root(&format!("{arm}/d/{:03}", repeat + 1)), 3, found);
        }
    }
    write_external(&root("ours/d/001"), Some(1));
    write_external(&root("ours/d/002"), Some(4));
    write_external(&root("theirs/d/001"), Some(1));
    write_external(&root("theirs/d/002"), None);
    let tables = Tables::of(&folder).unwrap();
    let markdown = Format::Markdown.document(&tables.all);
    let lines: Vec<&str> = markdown.lines().filter(|line| line.starts_with('|')).collect();
    insta::assert_snapshot!(lines[..4].join("\n"), @r"
    | Defect                          |  Reducer |             f |   c | bytes |    t in s | s in bytes |               r |
    | ------------------------------- | -------: | ------------: | --: | ----: | --------: | ---------: | --------------: |
    | d                               | DeltaSMT |             2 |   1 |   450 | 2.5 (2.5) |    75 (75) | 85.0 % (85.0 %) |
    | d                               |   theirs | 2 (1 smaller) |   1 |   450 | 2.5 (2.5) |  315 (315) | 45.0 % (45.0 %) |
    ");
    assert_eq!(lines.len(), 4 + 9, "the paper's nine rows");
    assert!(
        markdown.contains("58 (13)") && markdown.contains("3709 (715)") && markdown.contains("76 % (91 %)"),
        "{markdown}"
    );
    insta::assert_snapshot!(Format::Csv.of(&tables.all[0]), @r"
    defect,arm,formulas,reduced,classes,bytes_before_mean,seconds_mean,seconds_median,bytes_mean,bytes_median,reduction_percent_mean,reduction_percent_median,candidates_mean
    d,ours,2,2,1,450,2.5,2.5,75,75,85,85,
    d,theirs,2,1,1,450,2.5,2.5,315,315,45,45,
    ");
}

const COMPARISON: &str = "title = 'T'\nreproduces = ''\ncompute = ['answers']\nscale = 's'\nseed = 5\nrepeats = 2\n\
    [hunt]\nstrategy = 'fuzzsmt'\nsolvers = ['z3@4.5.1.0.post2', \"boolector@1.5\", \"z3@4.5.1.0.post2 'x=(then y)'\"]\n\
    [[arm]]\nname = 'plain'\n[arm.published]\nformulas = 23100\nsolvers = [\n\
    { name = 'CVC3 1.5', crash = 1902, wrong = 8 }, { name = 'Z3 1.2', crash = 0, wrong = 0 }]\n\
    [[arm]]\nname = 'arrays'\nlabel = 'with arrays'\nhunt = { generator = 'qf-abv' }\n[arm.published]\nformulas = 12000\n\
    solvers = [{ name = 'STP 0.1', crash = 24, wrong = 0 }, { name = 'CVC3 1.5', crash = 9812, wrong = 0 }]\n";

fn counts<K: Ord, const N: usize>(all: [(K, u64); N]) -> BTreeMap<K, u64> {
    BTreeMap::from(all)
}

#[test]
fn solvers_are_compared_beside_those_of_the_paper() {
    let scratch = tempfile::tempdir().unwrap();
    let plan: Plan = toml::from_str(COMPARISON).unwrap();
    let again: Plan = toml::from_str(&toml::to_string_pretty(&plan).unwrap()).unwrap();
    assert_eq!(again, plan);
    let folder = ExperimentFolder::create(&scratch.path().join("e"), plan).unwrap();
    let [z3, boolector, tactic] = ["z3@4.5.1", "boolector@1.5.118", "z3@4.5.1 'x=(then y)'"].map(str::to_owned);
    for run in ["plain/001", "plain/002", "arrays/001"] {
        let mut outcome = Outcome::of_one(Kind::RefutationUnsoundness, 40, 2.0);
        outcome.tally.judged = 39;
        outcome.defects[0].solvers = vec![tactic.clone()];
        let all = |sat: u64, timeout: u64| counts([("sat".to_owned(), sat), ("timeout".to_owned(), timeout)]);
        outcome.tally.answers =
            BTreeMap::from([(z3.clone(), all(39, 1)), (tactic.clone(), all(38, 2)), (boolector.clone(), all(0, 0))]);
        if run == "arrays/001" {
            outcome.tally.answers.insert(boolector.clone(), counts([("unsupported".to_owned(), 40)]));
        } else {
            outcome.tally.answers.insert(boolector.clone(), counts([("sat".to_owned(), 30), ("crash".to_owned(), 10)]));
            outcome.tally.accused.insert(boolector.clone(), counts([(Kind::Crash, 10)]));
        }
        let accused = [(Kind::RefutationUnsoundness, 2), (Kind::SolutionUnsoundness, 1), (Kind::InvalidModel, 4)];
        outcome.tally.accused.insert(tactic.clone(), counts(accused));
        outcome.tally.accused.insert(z3.clone(), counts([(Kind::Disagreement, 1)]));
        let run = HuntRun::new(&folder.run(&folder.plan().named(run).unwrap()));
        fs::create_dir_all(run.hunt()).unwrap();
        fs::write(run.hunt().join(hunt_names::HUNT), serde_json::to_string(&outcome).unwrap()).unwrap();
    }
    let tables = Tables::of(&folder).unwrap();
    insta::assert_snapshot!("answers", Format::Markdown.document(&tables.all));
    insta::assert_snapshot!("answers_csv", Format::Csv.of(&tables.all[0]));
    tables.write().unwrap();
    let runs = fs::read_to_string(folder.root().join("tables/runs.csv")).unwrap();
    assert!(runs.contains("\nplain,2,6,40,39,1,2,0,0\n"), "{runs}");
}
