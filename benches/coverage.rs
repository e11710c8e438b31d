//! What coverage costs above the instrumented run, beside `gcov` and `fastcov`, on the instrumented Z3.
//!
//! The solvers are those of `mulstringfuzz setup`, and `mulstringfuzz setup z3str3-libgcov`. `fastcov` is measured if
//! it is on the search path.

#[path = "../tests/gcov/mod.rs"]
mod gcov;
#[path = "../tests/installed/mod.rs"]
mod installed;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use installed::{built, map_folder, script, text};
use mulstringfuzz::coverage::{Archive, CounterChannel, CoverageMap, CumulativeCoverage, FlowMap, Mode, reward};
use mulstringfuzz::solver::installed::Solver;
use nix::sys::resource::{UsageWho, getrusage};

/// Runs of each kind; of the tools that take seconds.
const RUNS: usize = 40;
const TOOL_RUNS: usize = 10;

/// Some 20 ms for the instrumented Z3str3.
const INSTANCE: &str = "(assert (< (str.to.int t) (str.to.int s)))\n(assert (= (str.len s) (+ n 3)))";

fn milliseconds(since: Instant) -> f64 {
    1000.0 * since.elapsed().as_secs_f64()
}

/// CPU milliseconds, user and system, that this process and its ended children have used.
fn cpu() -> f64 {
    let of = |who| {
        let usage = getrusage(who).expect("the system tells");
        let time = |time: nix::sys::time::TimeVal| 1e3 * time.tv_sec() as f64 + 1e-3 * time.tv_usec() as f64;
        time(usage.user_time()) + time(usage.system_time())
    };
    of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN)
}

/// Elapsed and CPU milliseconds of some work.
fn measured(work: impl FnOnce()) -> [f64; 2] {
    let (start, before) = (Instant::now(), cpu());
    work();
    [milliseconds(start), cpu() - before]
}

fn medians(mut rows: Vec<[f64; 2]>) -> [f64; 2] {
    let mut median = |column: usize| {
        rows.sort_by(|one, other| one[column].total_cmp(&other[column]));
        rows[rows.len() / 2][column]
    };
    [median(0), median(1)]
}

struct Bench {
    shared: Solver,
    stock: Solver,
    map: CoverageMap,
    instance: tempfile::NamedTempFile,
}

impl Bench {
    fn command(&self, solver: &Solver) -> Command {
        let mut command = Command::new(&solver.executable);
        command.args(&solver.profile.arguments).arg(self.instance.path()).stdout(Stdio::null());
        command
    }

    fn run(&self, solver: &Solver) {
        self.command(solver).status().expect("the solver runs");
    }

    /// A run with shared counters, up to its end.
    fn observe(&self) -> CounterChannel {
        use std::os::fd::AsRawFd;
        let channel = CounterChannel::new(&self.map).expect("shared memory");
        // A duplicate does not close on exec.
        let inherited = nix::unistd::dup(channel.fd()).expect("a descriptor");
        let (name, value) = channel.environment_for(inherited.as_raw_fd());
        self.command(&self.shared).env(name, value).status().expect("the solver runs");
        channel
    }

    /// A run whose data files are in the folder that is returned.
    fn stock_run(&self) -> tempfile::TempDir {
        // In memory where that can be had, so that the tools do not wait for a disk.
        let data = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a scratch folder");
        self.command(&self.stock).env("GCOV_PREFIX", data.path()).status().expect("the solver runs");
        data
    }
}

fn run_gcov(data: &Path) {
    let mut gcov = gcov::gcov_command(data);
    assert!(gcov.args(gcov::files(data, "gcda")).stdout(Stdio::null()).status().expect("gcov runs").success());
}

fn run_fastcov(data: &Path) {
    let mut fastcov = Command::new("fastcov");
    fastcov.args(["-j2", "-X", "-o", "report.json", "-f"]).args(gcov::files(data, "gcda")).current_dir(data);
    fastcov.stdout(Stdio::null()).stderr(Stdio::null());
    assert!(fastcov.status().expect("fastcov runs").success());
}

fn main() {
    let shared = built("z3str3-gcov");
    let notes = shared.notes().expect("a coverage build");
    let start = Instant::now();
    CoverageMap::load_or_build(&notes, &map_folder()).expect("a sound build");
    println!("map of {}: made or loaded in {:.0} ms", shared.label(), milliseconds(start));
    let loads = (0..TOOL_RUNS).map(|_| measured(|| drop(CoverageMap::load_or_build(&notes, &map_folder()))));
    println!("  cached map loaded in            {:7.1} ms", medians(loads.collect())[0]);

    let instance = tempfile::NamedTempFile::new().expect("a scratch file");
    std::fs::write(instance.path(), text(&script(INSTANCE), &shared)).expect("writable");
    let map = CoverageMap::load_or_build(&notes, &map_folder()).expect("a sound build");
    let bench = Bench { stock: built("z3str3-libgcov"), shared, map, instance };
    bench.observe().collect(&bench.map).expect("counters"); // the first run also tells where the counters are

    // In turns, so that whatever else the machine does disturbs all alike.
    let (mut alone, mut whole, mut reading, mut stock) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        alone.push(measured(|| bench.run(&bench.shared)));
        whole.push(measured(|| drop(bench.map.line_counts(&bench.observe().collect(&bench.map).expect("counters")))));
        let mut data = None;
        stock.push(measured(|| data = Some(bench.stock_run())));
        let channel = bench.observe();
        reading.push(measured(|| drop(bench.map.line_counts(&channel.collect(&bench.map).expect("counters")))));
    }
    let pairs = alone.iter().zip(&whole).map(|(alone, whole)| [whole[0] - alone[0], whole[1] - alone[1]]);
    let [alone, whole, reading, stock, above] =
        [alone.clone(), whole.clone(), reading, stock, pairs.collect()].map(medians);
    let row = |name: &str, [elapsed, cpu]: [f64; 2]| println!("  {name:<32}{elapsed:7.1} ms  {cpu:7.1} ms CPU");
    println!("medians of {RUNS} runs, elapsed and CPU time:");
    row("the instrumented run alone", alone);
    row("with shared counters, to lines", whole);
    row("  above the run alone", above);
    row("  of that, counters to lines", reading);
    row("libgcov's run and data files", stock);

    let mut tools = vec![("gcov --json-format", run_gcov as fn(&Path))];
    if Command::new("fastcov").arg("--version").stdout(Stdio::null()).status().is_ok() {
        tools.push(("fastcov -j2", run_fastcov));
    }
    for (name, tool) in tools {
        let rows = (0..TOOL_RUNS).map(|_| {
            let data = bench.stock_run();
            gcov::link_notes(&notes.canonicalize().expect("notes"), data.path());
            measured(|| tool(data.path()))
        });
        let [elapsed, cpu] = medians(rows.collect());
        row(name, [elapsed, cpu]);
        println!(
            "    {:.0} times our cost above the run (elapsed), {:.0} times (CPU)",
            elapsed / above[0],
            cpu / above[1]
        );
    }

    let scratch = tempfile::tempdir().expect("a scratch folder");
    let flow = || FlowMap::load_or_build(&notes, scratch.path(), &bench.map).expect("a sound build");
    row("functions and branches compiled", measured(|| drop(flow())));
    row("  loaded from the cache", medians((0..TOOL_RUNS).map(|_| measured(|| drop(flow()))).collect()));
    let flow = flow();
    let mut coverage = CumulativeCoverage::new(&bench.map, &flow);
    let counters = bench.observe().collect(&bench.map).expect("counters");
    row("a run added to the totals", medians((0..RUNS).map(|_| measured(|| coverage.add(&counters))).collect()));
    row("  of that, lines", medians((0..RUNS).map(|_| measured(|| drop(bench.map.line_counts(&counters)))).collect()));

    let counts = bench.map.line_counts(&bench.observe().collect(&bench.map).expect("counters"));
    let mut archive = Archive::new(bench.map.file_of_slot());
    let rewards = (0..RUNS).map(|_| {
        measured(|| {
            let score = reward(&counts, &archive, Mode::Prose);
            archive.merge(&counts);
            assert!(score > 0.0);
        })
    });
    row("reward and archive", medians(rewards.collect()));
}
