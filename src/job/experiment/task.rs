//! One task: a run of an experiment from wherever it is to its end; of a campaign, with the measurement of its
//! result set, and the triage of its candidates.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::{coverage::Covering, hunt::Hunt, triage};
use crate::campaign::Reserve;
use crate::console::Console;
use crate::evaluate::time;
use crate::exit::Status;
use crate::experiment::{ExperimentFolder, Phase, Runs};
use crate::job::fuzz::{self, Asked};
use crate::job::recorded::{check_same, load_theories, recorded};
use crate::record::format::ResultRow;
use crate::record::{ResultSet, RunDirectory, names, read_population};
use crate::smtlib::parser::{self, ParseOptions};
use crate::solver::installed::Solver;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, find, known_profiles};

/// A task to be run.
#[derive(Clone, Debug)]
pub struct TaskRequest {
    /// The experiment's folder.
    pub folder: PathBuf,
    /// The task, counted from 0, where `run` does not name it.
    pub index: Option<usize>,
    /// The task by its run directory, ARM/NNN or ARM/DEFECT/NNN.
    pub run: Option<String>,
    /// Wait so long for a process that still works in the run directory, instead of failing.
    pub wait_for_lock: Option<Duration>,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
    /// Show no progress.
    pub quiet: bool,
}

/// Runs the task. Whatever it finds done stays; whenever it is stopped, the next call goes on.
///
/// # Errors
/// No such task, a solver that is missing, or a result that cannot be written.
pub fn run(args: &TaskRequest, interrupt: &Interrupt) -> anyhow::Result<Status> {
    let folder = ExperimentFolder::open(&args.folder)?;
    let plan = folder.plan();
    let task = match (&args.run, args.index) {
        (Some(name), _) => plan.named(name)?,
        (None, index) => plan.task(index.unwrap_or_default())?,
    };
    let root = folder.run(&task);
    wait_until_free(&root, args.wait_for_lock.unwrap_or_default(), interrupt);
    let campaigns = match &plan.runs {
        Runs::Campaigns(campaigns) => campaigns,
        Runs::Coverage(coverages) => {
            let profiles = args.profiles.as_deref();
            let covering = Covering { coverages, arm: task.arm, seed: plan.seed_of(task.repeat), profiles };
            return covering.run(&root, interrupt).with_context(|| format!("run {task}"));
        }
        Runs::Hunts(hunts) => {
            let (seed, profiles) = (plan.seed_of(task.repeat), args.profiles.as_deref());
            let hunt = Hunt { folder: &folder, hunts, task, seed, profiles };
            return hunt.run(&root, interrupt).with_context(|| format!("run {task}"));
        }
    };
    let phase = || anyhow::Ok(folder.state(&task)?.phase);
    let console = Console::new(1, args.quiet);
    if phase()? < Phase::Measuring {
        let settings = campaigns.settings(task.arm, plan.seed_of(task.repeat));
        // One core: so many tasks as there are cores run side by side.
        let asked = Asked { settings, profiles: args.profiles.as_deref(), jobs: 1, reserve: Reserve::default() };
        let report = if root.join(names::CONFIG).is_file() {
            fuzz::resume(asked, &root, interrupt, &console)
        } else {
            fuzz::begin(asked, &root, interrupt, &console)
        };
        console.close();
        report.with_context(|| format!("run {task}"))?;
    }
    if interrupt.is_set() {
        return Ok(Status::Interrupted);
    }
    if phase()? == Phase::Measuring {
        measure(&root, args.profiles.as_deref(), campaigns.measure_limit, interrupt)
            .with_context(|| format!("measuring {task}"))?;
    }
    if phase()? == Phase::Triaging
        && let Some(settings) = campaigns.triage(task.arm)
    {
        triage::run(&root, args.profiles.as_deref(), &settings, interrupt)
            .with_context(|| format!("the triage of {task}"))?;
    }
    Ok(if phase()? == Phase::Finished { Status::Done } else { Status::Interrupted })
}

/// How often it is looked whether a run directory is free.
const LOOK_INTERVAL: Duration = Duration::from_millis(200);

/// Waits for a process that works in the run directory: an orphan of a job that the cluster started again. Whoever finds
/// the directory in use after that says so.
fn wait_until_free(root: &Path, patience: Duration, interrupt: &Interrupt) {
    let until = Instant::now() + patience;
    while RunDirectory::is_in_use(root) && Instant::now() < until && !interrupt.is_set() {
        std::thread::sleep(LOOK_INTERVAL);
    }
}

/// The target and the reference of a run, the same as in its search.
pub(super) fn solvers(root: &Path, profiles: Option<&Path>) -> anyhow::Result<[Solver; 2]> {
    let cache = Cache::locate()?;
    let known = known_profiles(profiles, &cache)?;
    let (config, environment) = recorded(root)?;
    load_theories(&config)?;
    let solver = |name: &str, role: &str| {
        let solver = find(&SolverSpec::parse(name)?, &known, &cache)?;
        check_same(&environment, role, &solver)?;
        anyhow::Ok(solver)
    };
    Ok([solver(&config.target, "target")?, solver(&config.reference, "reference")?])
}

/// Runs both solvers on each member of the result set that was not measured yet.
fn measure(root: &Path, profiles: Option<&Path>, limit: Duration, interrupt: &Interrupt) -> anyhow::Result<()> {
    let [target, reference] = solvers(root, profiles)?;
    let directory = RunDirectory::open(root)?;
    let mut results = ResultSet::open(&directory, limit.as_secs_f64())?;
    let options = ParseOptions { dialect: Some(target.profile.dialect) };
    for (id, path) in read_population(root)? {
        if results.rows().contains_key(&id) {
            continue;
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let script = parser::parse(&text, &path.display().to_string(), &options)?;
        let row = ResultRow::new(
            id,
            limit.as_secs_f64(),
            &time(&script, &target, limit, interrupt)?,
            &time(&script, &reference, limit, interrupt)?,
        );
        results.add(row)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_waits_for_its_orphan_but_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("run");
        let orphan = RunDirectory::create(&root).unwrap();
        wait_until_free(&root, Duration::ZERO, &Interrupt::new());
        assert!(RunDirectory::is_in_use(&root));
        let end = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(300));
            drop(orphan);
        });
        wait_until_free(&root, Duration::from_mins(10), &Interrupt::new());
        assert!(!RunDirectory::is_in_use(&root));
        end.join().unwrap();
    }
}
