//! Explains slow scripts with the real solvers: which functions are named, what is scaled, and what the verb writes.

mod installed;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use installed::{built, map_folder, script, solver};
use mulstringfuzz::cmd::explain::{self, ExplainArgs};
use mulstringfuzz::coverage::FunctionTable;
use mulstringfuzz::evaluate::{Fusion, Instrumented, Observe};
use mulstringfuzz::explain::{Hot, hot};
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::printer::{self, PrintOptions};
use mulstringfuzz::solver::process::Interrupt;

/// Z3str3 4.8.10 does not solve this; CVC4 1.6 says `sat` at once. The shape of the paper's Fig. 1(c).
const SLOW: &str = "(assert (< (str.to.int \"5c5\") 9))\n(assert (> (str.indexof \"-[QWERT5c5\" t n) (str.to.int s)))";
/// Both solve this at once. The shape of the paper's Fig. 1(a).
const QUICK: &str = "(assert (< (str.to.int t) (str.to.int s)))";
/// Z3's deterministic limit: about two seconds of work, the same on every machine.
const WORK: u64 = 80_000;

/// Observed runs that end by the solver's own limit.
fn observe() -> (Observe, FunctionTable) {
    let solver = built("z3str3-gcov");
    let notes = solver.notes().expect("it is instrumented");
    let instrumented = Instrumented::open(solver, &map_folder(), &Interrupt::new()).expect("a sound build");
    let table = FunctionTable::read(&notes, &instrumented.map).expect("sound notes");
    let (trace, fusion) = (None, Fusion::default());
    let limit = Duration::from_secs(60);
    let instrumented = Some(instrumented);
    (Observe { instrumented, trace, fusion, limit, soft_limit: Some(WORK), max_trace_lines: None }, table)
}

fn hottest(observe: &Observe, table: &FunctionTable, fast: Option<&str>) -> Hot {
    let fast = fast.map(script);
    let found = hot(observe, table, &script(SLOW), fast.as_ref(), &Interrupt::new()).expect("the solver runs");
    found.expect("the run was counted")
}

#[test]
fn the_string_theory_is_among_the_five_hottest_and_containers_are_not() {
    let (observe, table) = observe();
    for fast in [Some(QUICK), None] {
        let found = hottest(&observe, &table, fast);
        let five = &found.ranking.functions[..5];
        assert!(five.iter().any(|each| each.name.starts_with("smt::theory_str::")), "{five:?}");
        assert!(five.iter().all(|each| !each.file.starts_with("util/") && each.line > 0), "{five:?}");
        assert!(five.is_sorted_by(|one, other| one.share >= other.share));
        let generic = &found.ranking.generic;
        assert!(generic.iter().any(|each| each.file.starts_with("util/")), "{generic:?}");
        assert!(found.ranking.generic_share > 0.1 && found.ranking.generic_share < 0.95);
        assert!(found.ranking.lines.iter().all(|line| line.slow > line.fast));
        assert_eq!(found.fast.is_some(), fast.is_some());
        assert!(found.fast.is_none_or(|fast| fast.executions * 3 < found.slow.executions));
    }
}

#[test]
fn a_ranking_is_the_same_each_time() {
    let (observe, table) = observe();
    let [one, other] = [(); 2].map(|()| hottest(&observe, &table, Some(QUICK)));
    assert_eq!(one.ranking, other.ranking);
}

#[test]
fn the_lines_of_all_functions_make_the_lines_of_the_run() {
    let (observe, table) = observe();
    let map = &observe.instrumented.as_ref().expect("the build").map;
    let counters = observe.counters(&script(QUICK), &Interrupt::new()).expect("it runs").expect("counters");
    let lines = map.line_counts(&counters);
    let of_functions = map.function_counts(&counters).flat_map(|(_, lines)| lines.iter().collect::<Vec<_>>());
    assert_eq!(of_functions.collect::<mulstringfuzz::coverage::LineCounts>(), lines);
    // Every function that ran has a name and a place.
    for (function, _) in map.function_counts(&counters) {
        let found = table.get(function).expect("in the table");
        assert!(!found.name.is_empty() && !found.file.is_empty() && found.line > 0, "{found:?}");
    }
}

/// Arguments of the verb with little time for each run.
fn arguments(file: PathBuf, target: &str) -> ExplainArgs {
    ExplainArgs {
        file,
        target: target.parse().expect("a name"),
        reference: "cvc4".parse().expect("a name"),
        against: None,
        instrumented: None,
        limit: Duration::from_millis(400),
        observe_limit: Duration::from_secs(1),
        observe_soft_limit: 0,
        budget: Duration::from_secs(2),
        jobs: NonZeroUsize::MIN,
        profiles: None,
        out: None,
        json: true,
    }
}

/// Writes a script into a file of `folder`.
fn written(folder: &Path, assertions: &str) -> PathBuf {
    let file = folder.join("instance.smt2");
    let text = printer::print(&script(assertions), Dialect::SmtLib25, &PrintOptions::default()).expect("printable");
    std::fs::write(&file, text).expect("writable");
    file
}

fn explained(args: &ExplainArgs) -> String {
    let mut output = Vec::new();
    explain::run(args, &Interrupt::new(), &mut output).expect("the file is sound");
    String::from_utf8(output).expect("UTF-8")
}

#[test]
fn the_verb_prints_both_answers_and_writes_the_plot() {
    let (_, _) = (solver("z3str3"), solver("cvc4"));
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("new/folder");
    let args = ExplainArgs { out: Some(out.clone()), ..arguments(written(folder.path(), SLOW), "z3str3") };
    let found: serde_json::Value = serde_json::from_str(&explained(&args)).expect("JSON");
    assert_eq!(found["where_time_goes"]["kind"], "counted");
    assert_eq!(found["where_time_goes"]["functions"].as_array().map(Vec::len), Some(10));
    let dimensions = found["growth"]["dimensions"].as_array().expect("an array");
    let names: Vec<_> = dimensions.iter().filter_map(|along| along["dimension"].as_str()).collect();
    assert_eq!(names, ["string-lengths", "integers", "assertions"], "there is no n-ary operator");
    let itself = dimensions[0]["points"].as_array().expect("an array").iter().find(|point| point["factor"] == 1.0);
    let itself = itself.expect("the instance is a size of its own");
    assert_eq!((&itself["size"], &itself["target"]["ran_out"]), (&13.0.into(), &true.into()));
    let svg = std::fs::read_to_string(out.join("growth.svg")).expect("the plot");
    roxmltree::Document::parse(&svg).expect("well-formed");
    let rows = std::fs::read_to_string(out.join("growth.csv")).expect("the numbers");
    assert!(rows.starts_with("dimension,factor,size,target_result") && rows.lines().count() > 4, "{rows}");
}

#[test]
fn without_an_instrumented_build_growth_is_left_and_the_reader_is_told() {
    let (_, _) = (solver("z3seq"), solver("cvc4"));
    let folder = tempfile::tempdir().expect("a folder");
    let reference = "z3seq".parse().expect("a name");
    let args = ExplainArgs { json: false, reference, ..arguments(written(folder.path(), QUICK), "cvc4") };
    let text = explained(&args);
    assert!(text.contains("## Where the time goes") && text.contains("no instrumented build"), "{text}");
    assert!(text.contains("## How it grows") && text.contains("### By assertions"), "{text}");
}
