//! On how many fresh formulas each solver crashes or is wrong (`FuzzSMT`'s Tables 1 and 2), and each finding.

use std::collections::BTreeMap;

use super::layout::{Format, Table, grouped};
use crate::experiment::{
    Arm, ExperimentError, ExperimentFolder, HuntRun, Hunts, Phase, Plan, Published, PublishedSolver, Task,
};
use crate::hunt::outcome::{Defect, Outcome};
use crate::oracle::correctness::Kind;
use crate::solver::profile::SolverSpec;

/// What stands where there is no number.
const NONE: &str = "–";

/// The finished hunts of an experiment that compares solvers.
#[derive(Clone, Debug)]
pub(super) struct Answered<'a> {
    plan: &'a Plan,
    /// The solvers, in the order of the plan.
    solvers: Vec<SolverSpec>,
    runs: Vec<(Task<'a>, Outcome)>,
}

/// What a solver came to in an arm, over all repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    /// Formulas that it was asked about.
    formulas: u64,
    /// Of these, those to which it said `sat` or `unsat`.
    answered: u64,
    timeouts: u64,
    crashes: u64,
    /// `unsat` to what is satisfiable, or `sat` to what is not.
    wrong: u64,
    /// A wrong model of what may be satisfiable.
    invalid_models: u64,
    /// It contradicts others, and nothing tells who is wrong.
    undecided: u64,
}

impl<'a> Answered<'a> {
    /// Reads them.
    ///
    /// # Errors
    /// [`ExperimentError::NothingFinished`], [`ExperimentError::Record`].
    pub(super) fn read(folder: &'a ExperimentFolder, hunts: &Hunts) -> Result<Self, ExperimentError> {
        let plan = folder.plan();
        let (mut solvers, mut runs): (Vec<SolverSpec>, Vec<(Task<'a>, Outcome)>) = (Vec::new(), Vec::new());
        for arm in &plan.arms {
            let further = hunts.config(arm)?.solvers.into_iter().filter(|solver| !solvers.contains(solver));
            solvers.extend(further.collect::<Vec<_>>());
        }
        for task in plan.tasks() {
            if folder.state(&task)?.phase == Phase::Finished
                && let Some(outcome) = HuntRun::new(&folder.run(&task)).outcome()?
            {
                runs.push((task, outcome));
            }
        }
        if runs.is_empty() {
            return Err(ExperimentError::NothingFinished { path: folder.root().to_owned() });
        }
        Ok(Answered { plan, solvers, runs })
    }

    fn of_arm(&self, arm: &Arm) -> impl Iterator<Item = &Outcome> {
        self.runs.iter().filter(|(task, _)| task.arm.name == arm.name).map(|(_, outcome)| outcome)
    }

    /// The names that the solvers have in the records, with the versions that they printed, in the order of the plan.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.runs.iter().flat_map(|(_, outcome)| outcome.tally.answers.keys().cloned()).collect();
        names.sort_unstable();
        names.dedup();
        names.sort_by_key(|name| self.solvers.iter().position(|spec| is_of(spec, name)));
        names
    }

    /// What a solver came to in an arm; none if it was not asked.
    fn counts(&self, arm: &Arm, solver: &str) -> Option<Counts> {
        let mut counts = Counts::default();
        for outcome in self.of_arm(arm) {
            let Some(answers) = outcome.tally.answers.get(solver) else { continue };
            let answer = |name: &str| answers.get(name).copied().unwrap_or_default();
            let accused = outcome.tally.accused.get(solver);
            let of = |kind: Kind| accused.and_then(|accused| accused.get(&kind)).copied().unwrap_or_default();
            counts.formulas += answers.values().sum::<u64>();
            counts.answered += answer("sat") + answer("unsat");
            counts.timeouts += answer("timeout");
            counts.crashes += of(Kind::Crash);
            counts.wrong += of(Kind::RefutationUnsoundness) + of(Kind::SolutionUnsoundness);
            counts.invalid_models += of(Kind::InvalidModel);
            counts.undecided += of(Kind::Disagreement);
        }
        (counts.formulas > 0).then_some(counts)
    }

    /// A table of all runs, one row each, for those who compute on.
    pub(super) fn runs_csv(&self) -> String {
        let columns = vec![
            "arm",
            "repeat",
            "seed",
            "formulas",
            "judged",
            "findings",
            "solver_seconds",
            "minimising_seconds",
            "wall_seconds",
        ];
        let record = |(task, outcome): &(Task<'_>, Outcome)| {
            let tally = &outcome.tally;
            vec![
                task.arm.name.clone(),
                task.repeat.to_string(),
                self.plan.seed_of(task.repeat).to_string(),
                tally.instances.to_string(),
                tally.judged.to_string(),
                outcome.defects.len().to_string(),
                tally.solver_seconds.to_string(),
                tally.minimising_seconds.to_string(),
                outcome.wall_seconds.to_string(),
            ]
        };
        Format::Csv.of(&Table::of_runs(columns, self.runs.iter().map(record).collect()))
    }
}

/// Whether a record's name is this solver's, whose version it may say more or less of.
fn is_of(spec: &SolverSpec, name: &str) -> bool {
    name.parse::<SolverSpec>().is_ok_and(|named| {
        let versions = spec.version.as_ref().zip(named.version.as_ref());
        named.name == spec.name
            && named.options == spec.options
            && versions.is_none_or(|(wanted, own)| wanted.agrees_with(own))
    })
}

/// Both tables.
pub(super) fn tables(answered: &Answered<'_>) -> [Table; 2] {
    [answers(answered), findings(answered)]
}

fn answers(answered: &Answered<'_>) -> Table {
    let arms = &answered.plan.arms;
    let mut headings = vec!["Solver".to_owned()];
    headings.extend(arms.iter().flat_map(|arm| ["crash", "wrong"].map(|what| format!("{}: {what}", arm.label()))));
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for name in answered.names() {
        let mut row = vec![name.clone()];
        for arm in arms {
            let counts = answered.counts(arm, &name);
            row.extend(cells(counts));
            if let Some(Counts { formulas, answered, timeouts, crashes, wrong, invalid_models, undecided }) = counts {
                let numbers = [formulas, answered, timeouts, crashes, wrong, invalid_models, undecided];
                let texts = [name.clone(), arm.name.clone(), "ours".to_owned()];
                records.push(texts.into_iter().chain(numbers.map(|number| number.to_string())).collect());
            }
        }
        rows.push(row);
    }
    for (name, by_arm) in published(arms) {
        let mut row = vec![format!("{name} (paper)")];
        for arm in arms {
            let Some((formulas, solver)) = by_arm.get(arm.name.as_str()) else {
                row.extend([NONE.to_owned(), NONE.to_owned()]);
                continue;
            };
            row.extend([solver.crash, solver.wrong].map(count));
            let texts = [name.to_owned(), arm.name.clone(), "paper".to_owned(), formulas.to_string()];
            let numbers = [String::new(), String::new(), solver.crash.to_string(), solver.wrong.to_string()];
            records.push(texts.into_iter().chain(numbers).chain([String::new(), String::new()]).collect());
        }
        rows.push(row);
    }
    Table {
        name: "answers".into(),
        title: "Formulas on which each solver crashes, or is wrong".into(),
        note: note(answered),
        headings,
        rows,
        columns: vec![
            "solver",
            "arm",
            "source",
            "formulas",
            "answered",
            "timeouts",
            "crash",
            "wrong",
            "invalid_model",
            "undecided",
        ],
        records,
    }
}

fn count(number: u64) -> String {
    grouped(number as f64, 0)
}

/// Crashes, and wrong answers; nothing of a solver that answered no formula.
fn cells(counts: Option<Counts>) -> [String; 2] {
    let Some(counts) = counts else { return [NONE.to_owned(), NONE.to_owned()] };
    let Counts { answered, crashes, wrong, invalid_models, undecided, .. } = counts;
    if answered + crashes == 0 {
        return [NONE.to_owned(), NONE.to_owned()];
    }
    let besides = [(invalid_models, "models"), (undecided, "undecided")];
    let besides = besides.iter().filter(|(number, _)| *number > 0);
    let wrong = besides.fold(count(wrong), |text, (number, what)| format!("{text} + {} {what}", count(*number)));
    [count(crashes), wrong]
}

/// What the paper says of a solver, by arm: the formulas that it was asked about, and the rest.
type ByArm<'a> = BTreeMap<&'a str, (u64, &'a PublishedSolver)>;

/// The papers' solvers in the order in which the arms name them first, and what is said of each by arm.
fn published(arms: &[Arm]) -> Vec<(&str, ByArm<'_>)> {
    let mut all: Vec<(&str, ByArm<'_>)> = Vec::new();
    for (arm, Published { formulas, solvers }) in arms.iter().filter_map(|arm| Some((arm, arm.published.as_ref()?))) {
        for solver in solvers {
            let place = all.iter().position(|(name, _)| *name == solver.name).unwrap_or_else(|| {
                all.push((&solver.name, BTreeMap::new()));
                all.len() - 1
            });
            all[place].1.insert(&arm.name, (*formulas, solver));
        }
    }
    all
}

fn note(answered: &Answered<'_>) -> String {
    let of_arm = |arm: &Arm| {
        let sum = |of: fn(&Outcome) -> u64| answered.of_arm(arm).map(of).sum::<u64>();
        let (formulas, judged) = (sum(|outcome| outcome.tally.instances), sum(|outcome| outcome.tally.judged));
        let paper = arm
            .published
            .as_ref()
            .map_or_else(String::new, |published| format!(", {} in the paper", count(published.formulas)));
        format!("{}: {} ({} judged{paper})", arm.label(), count(formulas), count(judged))
    };
    let arms: Vec<String> = answered.plan.arms.iter().map(of_arm).collect();
    format!(
        "Formulas: {}. Wrong is `unsat` to what a model satisfies, or `sat` with a model that does not hold where another \
         solver says `unsat`; models: `sat` with such a model where nobody says `unsat`; undecided: solvers contradict each \
         other, and no model tells who is wrong; –: not asked, or none was answered. {} of {} runs are finished.",
        arms.join("; "),
        answered.runs.len(),
        answered.plan.tasks().count()
    )
}

fn findings(answered: &Answered<'_>) -> Table {
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for (task, outcome) in &answered.runs {
        for defect in &outcome.defects {
            let Defect { number, kind, solvers, like, times, bytes_before, bytes, .. } = defect;
            let texts =
                [format!("{task}/{number}"), kind.to_string(), solvers.join(" "), like.clone().unwrap_or_default()];
            let numbers = [*times as usize, *bytes_before, *bytes];
            rows.push(texts.iter().cloned().chain(numbers.map(|number| grouped(number as f64, 0))).collect());
            records.push(texts.into_iter().chain(numbers.map(|number| number.to_string())).collect());
        }
    }
    let headings = ["Finding", "Kind", "Solver", "Like", "Times", "Bytes as found", "Bytes"];
    Table {
        name: "findings".into(),
        title: "What was found, each made small".into(),
        note: "Like: an earlier finding of the same run that is probably the same defect.".into(),
        headings: headings.map(str::to_owned).to_vec(),
        rows,
        columns: vec!["finding", "kind", "solver", "like", "times", "bytes_before", "bytes"],
        records,
    }
}
