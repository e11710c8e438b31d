//! What a user sees of a hunt while it goes on.

use std::collections::BTreeMap;
use std::time::Duration;

use super::HuntRequest;
use super::seeds::SeedFiles;
use super::watch::Watch;
use crate::console::Console;
use crate::hunt::outcome::{Defect, Outcome};
use crate::hunt::seeds::Seeds;
use crate::hunt::{Found, State, Tally};
use crate::oracle::correctness::Kind;
use crate::oracle::testimony::Testimony;
use crate::solver::answer::Answer;

/// Shows how a hunt stands, and tells what is to be known of its seeds as they are met.
#[derive(Debug)]
pub(super) struct Display<'a> {
    console: &'a Console,
    seeds: &'a SeedFiles,
    budget: Option<Duration>,
}

impl<'a> Display<'a> {
    /// A display of a hunt that came to this before.
    pub(super) fn new(console: &'a Console, seeds: &'a SeedFiles, args: &HuntRequest, before: &Outcome) -> Self {
        console.hunt(|status| {
            status.instances_before = before.tally.instances;
            status.most_instances = Some(args.instances()).filter(|&most| most < u64::MAX);
            status.seeds = seeds.count();
            status.elapsed = Duration::try_from_secs_f64(before.wall_seconds).unwrap_or_default();
            status.time = args.time;
        });
        let display = Display { console, seeds, budget: args.budget };
        display.stands(&State { tally: before.tally.clone(), position: before.position }, &before.defects);
        display
    }
}

impl Watch for Display<'_> {
    fn heard(&self, testimonies: &[Testimony]) {
        self.console.hunt(|status| {
            status.instances += 1;
            for testimony in testimonies {
                let answer = &testimony.timed.answer;
                let (timeouts, refusals) = status.solvers.entry(testimony.solver.clone()).or_default();
                *timeouts += u64::from(*answer == Answer::Timeout);
                *refusals += u64::from(answer.is_refusal());
            }
        });
    }

    fn stands(&self, state: &State, defects: &[Defect]) {
        self.seeds.notes().iter().for_each(|note| self.warn(note));
        let State { tally, position } = state;
        let mut distinct: BTreeMap<Kind, u64> = BTreeMap::new();
        for defect in defects.iter().filter(|defect| defect.like.is_none()) {
            *distinct.entry(defect.found_as.unwrap_or(defect.kind)).or_default() += 1;
        }
        let finding = |(kind, all): (&Kind, &u64)| (*kind, (*all, distinct.get(kind).copied().unwrap_or_default()));
        self.console.hunt(|status| {
            status.instances = tally.instances;
            status.round = position.round;
            status.turn = position.turn;
            status.findings = tally.findings.iter().map(finding).collect();
            status.solvers = tally.answers.keys().map(|solver| (solver.clone(), troubles(tally, solver))).collect();
            status.budget_left = self.budget.map(|budget| budget.saturating_sub(tally.spent()));
        });
    }

    fn minimising(&self, found: Option<&Found>) {
        self.console.hunt(|status| status.minimising = found.map(|found| found.finding.because.clone()));
    }

    fn warn(&self, line: &str) {
        self.console.warn(line);
    }

    fn say(&self, line: &str) {
        self.console.say(line);
    }
}

/// Timeouts and refusals of a solver.
fn troubles(tally: &Tally, solver: &str) -> (u64, u64) {
    let timeouts = tally.answers.get(solver).and_then(|answers| answers.get(Answer::Timeout.name()));
    (timeouts.copied().unwrap_or_default(), tally.refusals.get(solver).map_or(0, |refusals| refusals.count))
}
