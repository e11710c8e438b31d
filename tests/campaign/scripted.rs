//! The scripted evaluator, and runs with it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use mulstringfuzz::campaign::{Campaign, CampaignError, Confirm, Learn, Quiet, Report, Reserve, Setup, Source};
use mulstringfuzz::config::{Config, Settings};
use mulstringfuzz::coverage::{LineCounts, LineSlot};
use mulstringfuzz::evaluate::individual::{Individual, Observation, Timed};
use mulstringfuzz::evaluate::{Evaluate, EvaluateError};
use mulstringfuzz::generator::stringfuzz::Stringbreak;
use mulstringfuzz::generator::{Generator, Grammar, Parameters, StringGenerator, Swarm};
use mulstringfuzz::oracle::machine::Machine;
use mulstringfuzz::record::format::{Environment, LineTable};
use mulstringfuzz::record::{OBSERVATION_LOG, ObservationLog, Recorder, RunDirectory, names, read_lines};
use mulstringfuzz::search::Strategy;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::script::Script;
use mulstringfuzz::solver::answer::Answer;
use mulstringfuzz::solver::process::Interrupt;
use mulstringfuzz::trace::{TraceLines, read_trace, similarity};

/// The scripted solver has so many lines, in files of 100.
const LINES: u32 = 2000;

/// What goes wrong in the scripted evaluator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    #[default]
    None,
    /// It panics on one individual of five.
    Panics,
    /// The reference refuses everything.
    Refuses,
}

/// Shows what a hash says.
#[derive(Debug, Default)]
pub(crate) struct Scripted {
    /// Longest pause of an evaluation, to mix up the order in which evaluations end.
    pub(crate) pause: Duration,
    /// Whether runs that time out lose their coverage, as those whose counters come from files do.
    pub(crate) lossy: bool,
    /// Whether times are others than they would be otherwise, as a solver's are each time.
    pub(crate) unsteady: bool,
    /// What goes wrong, if something does.
    pub(crate) fault: Fault,
    /// How many evaluations were made.
    pub(crate) count: AtomicU32,
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

fn timed(answer: Answer, cpu_seconds: f64) -> Timed {
    Timed { answer, cpu_seconds, wall_seconds: cpu_seconds, peak_memory_bytes: 1 << 20 }
}

impl Evaluate for Scripted {
    fn observe(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        let draw = |purpose: u64| mix(individual.fingerprint as u64 ^ mix(purpose));
        let fraction = |purpose: u64| (draw(purpose) >> 11) as f64 / (1_u64 << 53) as f64;
        self.count.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(self.pause.mul_f64(fraction(0)));
        assert!(self.fault != Fault::Panics || draw(6) % 5 != 0, "a fault of ours");
        if interrupt.is_set() {
            return Err(EvaluateError::Interrupted);
        }
        let target = match draw(1) % 100 {
            0..4 => timed(Answer::Rejected("(error \"no\")".into()), 0.01),
            4..14 => timed(Answer::Timeout, 5.003),
            _ if self.unsteady => timed(Answer::Sat, 5.0 * fraction(4).powi(3)),
            _ => timed(Answer::Sat, 0.1 * fraction(2).powi(3) * 50.0),
        };
        let reference = match draw(3) {
            _ if self.fault == Fault::Refuses => Answer::Rejected("(error \"no such option\")".into()),
            draw if draw.is_multiple_of(7) => Answer::Unknown("x".into()),
            // Every so often the two contradict each other.
            draw if draw.is_multiple_of(5) => Answer::Unsat,
            _ => Answer::Sat,
        };
        let reference = timed(reference, 0.05);
        let valid = !target.answer.is_refusal();
        let lost = self.lossy && target.answer == Answer::Timeout;
        let counts: LineCounts = (0..LINES)
            .filter(|line| draw(u64::from(*line / 20) + 10) % 3 == 0)
            .map(|line| (LineSlot::new(line), 1 + draw(u64::from(line)) % 50))
            .collect();
        let log = (0..200).fold(String::new(), |log, line| log + &format!("event {}\n", draw(line / 10 + 5000) % 4));
        let trace = read_trace(log.as_bytes(), TraceLines::Raw, None).expect("reading from memory");
        let solver_seconds = target.cpu_seconds + reference.cpu_seconds + 0.3;
        Ok(Observation {
            target,
            reference,
            coverage: (valid && !lost).then(|| Arc::new(counts)),
            trace: valid.then(|| Arc::new(trace)),
            solver_seconds,
        })
    }

    fn glance(&self, individual: &Individual, interrupt: &Interrupt) -> Result<Observation, EvaluateError> {
        let mut observation = self.observe(individual, interrupt)?;
        if observation.target.answer == Answer::Timeout {
            let solver_seconds = 1.25 + observation.reference.cpu_seconds;
            let target = timed(Answer::Timeout, 1.25);
            observation = Observation { target, coverage: None, trace: None, solver_seconds, ..observation };
        }
        Ok(observation)
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(5)
    }
}

/// The scripted solver's lines.
pub(crate) fn lines() -> LineTable {
    LineTable {
        fingerprint: 1,
        files: (0..LINES / 100).map(|file| format!("src/file{file}.cpp")).collect(),
        file_of_slot: (0..LINES).map(|line| line / 100).collect(),
        line_of_slot: (0..LINES).map(|line| line % 100 + 1).collect(),
    }
}

/// A configuration, from TOML.
pub(crate) fn config(toml: &str) -> Config {
    let settings: Settings = toml::from_str(toml).expect("settings");
    Config::resolve(settings).expect("configuration")
}

/// What a test may choose besides the configuration.
pub(crate) struct Options<'a> {
    pub(crate) jobs: usize,
    pub(crate) seeds: Vec<(String, Script)>,
    pub(crate) interrupt: Interrupt,
    pub(crate) confirm: Option<&'a dyn Confirm>,
    pub(crate) learn: Option<&'a dyn Learn>,
    pub(crate) pause: Duration,
    pub(crate) lossy: bool,
    pub(crate) unsteady: bool,
    pub(crate) fault: Fault,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            jobs: 2,
            seeds: Vec::new(),
            interrupt: Interrupt::new(),
            confirm: None,
            learn: None,
            pause: Duration::ZERO,
            lossy: false,
            unsteady: false,
            fault: Fault::None,
        }
    }
}

fn environment(jobs: usize) -> Environment {
    Environment {
        version: "test".into(),
        command: vec![],
        jobs,
        machine: Machine::this(),
        following: None,
        started_at: 0,
        solvers: BTreeMap::new(),
    }
}

fn with_setup<T>(
    config: &Config,
    options: &Options<'_>,
    source: Source<'_>,
    lines: &LineTable,
    work: impl FnOnce(Setup<'_>) -> T,
) -> T {
    let fragment = Fragment::paper();
    let generator: Box<dyn Grammar> = if config.variant.strategy() == Strategy::SingleObjective {
        Box::new(Stringbreak::new(&fragment))
    } else {
        Box::new(StringGenerator::new(Parameters::random_ast(), &fragment))
    };
    let swarm = config.variant.uses_swarm().then(|| Swarm::new(&fragment, config.seed));
    let fresh: &dyn Generator = swarm.as_ref().map_or(generator.as_ref(), |swarm| swarm);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs).build().expect("threads");
    work(Setup {
        config,
        fragment: &fragment,
        fresh,
        grammar: generator.as_ref(),
        dialect: Dialect::SmtLib25,
        seeds: &options.seeds,
        lines,
        source,
        reserve: Reserve::default(),
        similarity: &similarity,
        pool: &pool,
        interrupt: &options.interrupt,
        monitor: &Quiet,
    })
}

fn scripted(options: &Options<'_>) -> Scripted {
    let Options { pause, lossy, unsteady, fault, .. } = *options;
    Scripted { pause, lossy, unsteady, fault, count: AtomicU32::new(0) }
}

/// A new run.
pub(crate) fn run(root: &Path, config: &Config, options: &Options<'_>) -> Result<Report, CampaignError> {
    let lines = lines();
    let evaluate = scripted(options);
    let source = Source::Solvers { evaluate: &evaluate, confirm: options.confirm, learn: options.learn };
    with_setup(config, options, source, &lines, |setup| {
        let directory = RunDirectory::create(root)?;
        let recorder = Recorder::create(directory, config, &environment(options.jobs), &lines, &[])?;
        Campaign::new(setup, recorder).run()
    })
}

/// Goes on with a run.
pub(crate) fn resume(root: &Path, settings: &str, options: &Options<'_>) -> Result<Report, CampaignError> {
    resume_counting(root, settings, options).map(|(report, _)| report)
}

/// Goes on with a run; also how many evaluations were made for that.
pub(crate) fn resume_counting(
    root: &Path,
    settings: &str,
    options: &Options<'_>,
) -> Result<(Report, u32), CampaignError> {
    let directory = RunDirectory::open(root)?;
    let before = Config::resolve(Settings::read(&root.join(names::CONFIG)).expect("settings")).expect("configuration");
    let settings: Settings = toml::from_str(settings).expect("settings");
    let config = settings.resuming(&before).expect("a change that is allowed");
    let lines = read_lines(root)?;
    let evaluate = scripted(options);
    let source = Source::Solvers { evaluate: &evaluate, confirm: options.confirm, learn: options.learn };
    with_setup(&config, options, source, &lines, |setup| {
        let (recorder, checkpoint) = Recorder::resume(directory, setup.config)?;
        let report = Campaign::resumed(setup, recorder, checkpoint.unwrap_or_default().as_ref())?.run()?;
        Ok((report, evaluate.count.load(Ordering::Relaxed)))
    })
}

/// Replays a run.
pub(crate) fn replay(root: &Path, out: &Path, options: &Options<'_>) -> Result<Report, CampaignError> {
    let config = Config::resolve(Settings::read(&root.join(names::CONFIG)).expect("settings")).expect("configuration");
    let lines = read_lines(root)?;
    let log = ObservationLog::read(&root.join(names::OBSERVATIONS).join(OBSERVATION_LOG))?;
    with_setup(&config, options, Source::Replay(&log), &lines, |setup| {
        let directory = RunDirectory::create(out)?;
        let recorder = Recorder::create(directory, &config, &environment(options.jobs), &lines, &[])?;
        Campaign::new(setup, recorder).run()
    })
}

/// A file of a run directory.
pub(crate) fn read(root: &Path, name: &str) -> String {
    std::fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What must not depend on jobs, kills and replays: file names with their contents.
pub(crate) fn results(root: &Path) -> BTreeMap<String, String> {
    let tables = [names::GENERATIONS, names::FRONT, names::COVERAGE, names::EVALUATIONS, names::SUSPECT_TABLE];
    let mut results: BTreeMap<String, String> = tables.map(|name| (name.to_owned(), read(root, name))).into();
    if let Ok(lessons) = std::fs::read_to_string(root.join(names::KNOWN)) {
        results.insert(names::KNOWN.to_owned(), lessons);
    }
    for folder in [names::POPULATION, names::SUSPECTS] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder of the run") {
            let path = entry.expect("entry").path();
            let name = format!("{folder}/{}", path.file_name().unwrap().to_string_lossy());
            results.insert(name, std::fs::read_to_string(&path).unwrap());
        }
    }
    results
}

/// Fails with the name of the first file that differs.
pub(crate) fn assert_same_results(one: &Path, other: &Path) {
    let (one, other) = (results(one), results(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, content) in &one {
        assert!(*content == other[name], "{name} differs:\n{content}\n---\n{}", other[name]);
    }
}
