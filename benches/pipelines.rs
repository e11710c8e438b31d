//! Evaluations by our pipeline and by the naive one, on the same instances, cores and limits.
//!
//!   cargo bench --bench pipelines                     per second, on fast formulas
//!   cargo bench --bench pipelines -- campaign 10m     in two campaigns of equal time, one after the other
//!   cargo bench --bench pipelines -- campaign 10m naive     in one of them: ours or naive
//!
//! The solvers are those of `mulstringfuzz setup`, and `mulstringfuzz setup z3str3-libgcov`.

#[path = "../tests/installed/mod.rs"]
mod installed;

#[path = "../tests/gcov/mod.rs"]
mod gcov;
mod gnu_diff;
mod median;
mod naive;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use installed::{built, fragment, map_folder, random_scripts, solver};
use median::median;
use mulstringfuzz::campaign::{Campaign, Quiet, Report, Reserve, Setup, Similarity, Source};
use mulstringfuzz::config::{Config, Settings, parse_duration};
use mulstringfuzz::evaluate::individual::{Individual, IndividualId, Origin};
use mulstringfuzz::evaluate::{Evaluate, Evaluator, Fusion, Instrumented, Observe, evaluate_batch};
use mulstringfuzz::generator::{Parameters, StringGenerator};
use mulstringfuzz::oracle::machine::Machine;
use mulstringfuzz::record::format::{Environment, LineTable};
use mulstringfuzz::record::{Recorder, RunDirectory};
use mulstringfuzz::smtlib::canonical::canonical_hash;
use mulstringfuzz::solver::process::Interrupt;
use mulstringfuzz::trace::{TraceLines, similarity};
use naive::Naive;

/// How many fast formulas are evaluated, and how many of them by the naive pipeline.
const FAST: (usize, usize) = (40, 8);
/// CPU seconds under which a formula is fast, for the target and the reference each.
const FAST_SECONDS: f64 = 0.05;
const ROUNDS: usize = 10;
const JOBS: usize = 2;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => fast_formulas(),
        ["campaign", time] => campaigns(parse_duration(time).expect("a time such as 10m"), None),
        ["campaign", time, which] => campaigns(parse_duration(time).expect("a time such as 10m"), Some(which)),
        _ => eprintln!("expected nothing, or: campaign TIME [ours|naive]"),
    }
}

fn ours(limit: Duration) -> (Evaluator, Instrumented) {
    let instrumented =
        Instrumented::open(built("z3str3-gcov"), &map_folder(), &Interrupt::new()).expect("a sound build");
    let observe_limit = Duration::from_secs(1);
    let observe = Observe {
        instrumented: Some(instrumented.clone()),
        trace: Some(TraceLines::default()),
        fusion: Fusion::default(),
        limit: observe_limit,
        soft_limit: Some(instrumented.solver.profile.soft_limit_within(observe_limit)),
        max_trace_lines: None,
    };
    (Evaluator { target: solver("z3str3"), reference: solver("cvc4"), observe, limit, timings: 1 }, instrumented)
}

fn naive(limit: Duration, instrumented: &Instrumented, folder: &Path) -> Naive {
    let solvers = [solver("z3str3"), solver("cvc4"), built("z3str3-libgcov")];
    Naive::new(solvers, &instrumented.map, limit, folder)
}

fn pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(JOBS).build().expect("threads")
}

/// Evaluations per second.
fn rate(evaluate: &dyn Evaluate, individuals: &[Arc<Individual>], pool: &rayon::ThreadPool) -> f64 {
    let start = Instant::now();
    evaluate_batch(evaluate, individuals, pool, &Interrupt::new(), &mut |_| {}).expect("the solvers run");
    individuals.len() as f64 / start.elapsed().as_secs_f64()
}

fn fast_formulas() {
    let limit = Duration::from_secs(5);
    let (ours, instrumented) = ours(limit);
    let timing =
        Evaluator { observe: Observe { instrumented: None, trace: None, ..ours.observe.clone() }, ..ours.clone() };
    // What is not fast need not run long to show it.
    let trial = Evaluator { limit: Duration::from_millis(200), ..timing.clone() };
    let mut individuals: Vec<Arc<Individual>> = Vec::new();
    for script in random_scripts(&ours.target, &ours.reference) {
        let timed = trial.observe_script(&script, &Interrupt::new()).expect("the solvers run");
        let fast = [&timed.target, &timed.reference]
            .iter()
            .all(|timed| timed.answer.is_solved() && timed.cpu_seconds < FAST_SECONDS);
        if fast {
            let slot = individuals.len() as u32;
            individuals.push(Arc::new(Individual {
                id: IndividualId(slot),
                generation: 0,
                slot,
                fingerprint: canonical_hash(&script),
                script,
                origin: Origin::Generated,
                operator: String::new(),
                parents: Vec::new(),
            }));
        }
        if individuals.len() == FAST.0 {
            break;
        }
    }
    let folder = tempfile::tempdir().expect("a scratch folder");
    let naive = naive(limit, &instrumented, folder.path());
    let pool = pool();
    let (mut of_ours, mut of_solvers, mut of_naive) = (Vec::new(), Vec::new(), Vec::new());
    rate(&ours, &individuals, &pool); // the first run of a build also tells where its counters are
    for _ in 0..ROUNDS {
        of_solvers.push(rate(&timing, &individuals, &pool));
        of_ours.push(rate(&ours, &individuals, &pool));
        of_naive.push(rate(&naive, &individuals[..FAST.1], &pool));
    }
    let [of_ours, of_solvers, of_naive] = [of_ours, of_solvers, of_naive].map(median);
    println!("evaluations per second on {JOBS} cores, {} fast formulas, medians of {ROUNDS} rounds:", FAST.0);
    println!("  target and reference alone        {of_solvers:8.2}");
    println!("  with coverage and trace           {of_ours:8.2}");
    println!("  naive ({} of the formulas)         {of_naive:8.2}   ratio {:.0}", FAST.1, of_ours / of_naive);
}

/// A campaign of the default settings without confirmation: its report, and the minutes it took.
fn campaign(
    evaluate: &dyn Evaluate,
    similarity: Similarity<'_>,
    lines: &LineTable,
    budget: Duration,
    root: &Path,
) -> (Report, f64) {
    let config = Config::resolve(Settings { budget: Some(budget), seed: Some(1), ..Settings::default() });
    let config = config.expect("sound settings");
    let fragment = fragment(&solver(&config.target), &solver(&config.reference));
    let generator = StringGenerator::new(Parameters::default(), &fragment);
    let environment = Environment {
        version: String::new(),
        command: Vec::new(),
        jobs: JOBS,
        machine: Machine::this(),
        following: None,
        started_at: 0,
        solvers: BTreeMap::new(),
    };
    let directory = RunDirectory::create(root).expect("a run directory");
    let recorder = Recorder::create(directory, &config, &environment, lines, &[]).expect("a record");
    let pool = pool();
    let setup = Setup {
        config: &config,
        fragment: &fragment,
        fresh: &generator,
        grammar: &generator,
        dialect: solver(&config.target).profile.dialect,
        seeds: &[],
        lines,
        source: Source::Solvers { evaluate, confirm: None, learn: None },
        reserve: Reserve::default(),
        similarity,
        pool: &pool,
        interrupt: &Interrupt::new(),
        monitor: &Quiet,
    };
    let start = Instant::now();
    let report = Campaign::new(setup, recorder).run().expect("the campaign runs");
    (report, start.elapsed().as_secs_f64() / 60.0)
}

fn campaigns(budget: Duration, which: Option<&str>) {
    let (ours, instrumented) = ours(Duration::from_secs(5));
    let folder = tempfile::tempdir().expect("a scratch folder");
    let naive = naive(Duration::from_secs(5), &instrumented, folder.path());
    let lines = LineTable::from(&*instrumented.map);
    let by_diff = |one: &_, other: &_| naive.similarity(one, other);
    for (name, evaluate, compare) in
        [("ours", &ours as &dyn Evaluate, &similarity as Similarity<'_>), ("naive", &naive, &by_diff)]
    {
        if which.is_some_and(|which| which != name) {
            continue;
        }
        let (report, minutes) = campaign(evaluate, compare, &lines, budget, &folder.path().join(name));
        let summary = report.summary;
        println!(
            "{name:6} {:5} evaluations, {:2} generations, {minutes:.1} min, solver_share {:.3}, {} lines, {} candidates",
            summary.evaluations,
            summary.generations,
            summary.solver_share,
            summary.total_lines.unwrap_or(0),
            summary.candidates
        );
    }
}
