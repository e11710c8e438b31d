//! On the instrumented Z3, our line counts are gcov's for the same run, whatever ended it, and so are the functions that
//! were entered and the branches that were taken.
//!
//! gcov reads data files; a killed or crashed solver leaves none, so they are written from the counters that reached us
//! through shared memory. That these counters are what libgcov would have written is what `coverage_equals_gcov` tests.
//! Three runs are compared; with `MULSTRINGFUZZ_COMPARE_ALL=1` (see `gcov-tools/compare-with-gcov.sh`) thirty are.

mod gcov;
mod installed;

use std::time::Duration;

use gcov::flow::{assert_same_flow, gcov_flow_of};
use gcov::{assert_same, compiler, gcov_table_of, table};
use installed::{built, map_folder, random_scripts, script, solver, text};
use mulstringfuzz::coverage::{
    CounterChannel, Counters, CoverageMap, CumulativeCoverage, FlowMap, SourceFilter, write_data_folder,
};
use mulstringfuzz::evaluate::{Fusion, Instrumented, Observe};
use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::installed::{RunOptions, Solver};
use mulstringfuzz::solver::process::{Interrupt, Limits};
use mulstringfuzz::solver::profile::CounterSource;

/// CPU seconds of runs that do not end by themselves.
const LIMIT: f64 = 0.5;
/// CPU seconds that no run needs which ends by itself.
const AMPLE: f64 = 120.0;

/// Conditionals nested so deeply that Z3 4.8.10 runs out of stack and dies of `SIGSEGV`.
fn crashing(depth: usize) -> String {
    let (open, close) = ("(ite (> x 1) (+ x ".repeat(depth), ") 5)".repeat(depth));
    format!("(declare-fun x () Int)\n(assert (= 3 {open}x{close}))\n(check-sat)\n")
}

/// Z3str3 4.8.10 goes on for ever.
fn slow(character: char) -> String {
    text(
        &script(&format!("(assert (> (str.indexof \"kL?]{character}7mm4x\" t n) (str.to.int s)))")),
        &built("z3str3-gcov"),
    )
}

/// A run of the instrumented solver: its answer and its counters.
fn run(solver: &Solver, map: &CoverageMap, text: &str, limits: &Limits) -> (Answer, Counters) {
    let channel = CounterChannel::new(map).expect("shared memory");
    let mut options = RunOptions::default();
    let (name, value) = channel.environment_for(10);
    options.environment.push((name.into(), value.into()));
    options.inherited.push((10, channel.inheritable().expect("a descriptor")));
    let (answer, _) = solver.solve_with(text, limits, &Interrupt::new(), options).expect("the solver runs");
    (answer, channel.collect(map).expect("counters"))
}

#[test]
fn a_real_run_counts_as_in_gcov_whatever_ended_it() {
    if compiler().is_none() {
        return;
    }
    let all = std::env::var_os("MULSTRINGFUZZ_COMPARE_ALL").is_some();
    let instrumented = built("z3str3-gcov");
    let notes = instrumented.notes().expect("it is instrumented");
    let filter = if all { SourceFilter::All } else { SourceFilter::Own };
    let map = CoverageMap::load_or_build_with(&notes, &map_folder(), filter).expect("a sound build");
    let flow = FlowMap::load_or_build(&notes, &map_folder(), &map).expect("a sound build");

    let at_limit = Limits::cpu(LIMIT);
    // Stopped by the guard on elapsed time, long before the limit of CPU time.
    let killed = Limits { wall_seconds: 0.2, ..Limits::cpu(AMPLE) };
    let per_kind = if all { 4 } else { 1 };
    let mut runs: Vec<(String, Limits)> = Vec::new();
    for number in 0..per_kind {
        let character = char::from(b'a' + number);
        runs.push((slow(character), at_limit));
        runs.push((slow(character), killed));
        runs.push((crashing(20_000 + 1000 * usize::from(number)), Limits::cpu(AMPLE)));
    }
    if all {
        let [target, reference] = ["z3str3", "cvc4"].map(solver);
        let scripts = random_scripts(&target, &reference);
        runs.extend(scripts.take(18).map(|script| (text(&script, &instrumented), Limits::cpu(1.0))));
    }

    let mut kinds = Vec::new();
    for (text, limits) in runs {
        let (answer, counters) = run(&instrumented, &map, &text, &limits);
        let data = tempfile::tempdir().expect("a scratch folder");
        write_data_folder(&counters, &map, &notes, data.path()).expect("writable");
        let mut gcov = gcov_table_of(data.path());
        if !all {
            gcov.retain(|(file, _), _| file.starts_with(map.root()));
        }
        eprint!("{answer}: ");
        assert_same(&table(&map, &map.line_counts(&counters)), &gcov);
        let mut gcov = gcov_flow_of(data.path());
        if !all {
            gcov.branches.retain(|(file, ..), _| file.starts_with(map.root()));
            gcov.functions.retain(|(file, _), _| file.starts_with(map.root()));
        }
        let mut coverage = CumulativeCoverage::new(&map, &flow);
        coverage.add(&counters);
        assert_same_flow(&map, &flow, &notes, &coverage, &gcov);
        kinds.push(answer);
    }
    let count = |kind: fn(&Answer) -> bool| kinds.iter().filter(|answer| kind(answer)).count();
    assert_eq!(count(|answer| matches!(answer, Answer::Crash(_))), usize::from(per_kind), "{kinds:?}");
    assert!(count(|answer| *answer == Answer::Timeout) >= 2 * usize::from(per_kind), "{kinds:?}");
    assert!(!all || count(|answer| *answer == Answer::Sat) > 0 && count(|answer| *answer == Answer::Unsat) > 0);
}

#[test]
fn the_three_ways_from_a_run_to_its_counts_agree() {
    let observed = |counters: CounterSource| {
        let mut solver = built(if counters == CounterSource::SharedMemory { "z3str3-gcov" } else { "z3str3-libgcov" });
        solver.profile.instrumented.as_mut().expect("it is instrumented").counters = counters;
        let instrumented = Instrumented::open(solver, &map_folder(), &Interrupt::new()).expect("a sound build");
        let observe = Observe {
            instrumented: Some(instrumented.clone()),
            trace: None,
            fusion: Fusion::Apart,
            limit: Duration::from_secs(60),
            // Without a clock, and so the same lines as often in every run.
            soft_limit: Some(60_000),
            max_trace_lines: None,
        };
        let script = script("(assert (> (str.indexof \"kL?]q7mm4x\" t n) (str.to.int s)))");
        let seen = observe.run(&script, &instrumented.solver, &Interrupt::new()).expect("the solver runs");
        (*seen.coverage.expect("coverage")).clone()
    };
    let shared = observed(CounterSource::SharedMemory);
    assert!(shared.len() > 10_000, "{} lines", shared.len());
    for counters in [CounterSource::Preload, CounterSource::DataFiles] {
        assert_eq!(observed(counters), shared, "{counters:?}");
    }
}
