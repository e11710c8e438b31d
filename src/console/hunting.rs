//! What the status of a hunt says, in words: a panel of short lines for a terminal, one line for a file or a pipe.

use std::collections::BTreeMap;
use std::time::Duration;

use super::panel::{WIDTH, rate_per_second, seconds, within};
use crate::number::counted;
use crate::oracle::correctness::Kind;

/// How a hunt stands.
#[derive(Clone, Debug, Default)]
pub struct HuntStatus {
    /// Instances that have been asked about.
    pub instances: u64,
    /// How many of them an earlier process asked about.
    pub instances_before: u64,
    /// How many there are to be, if there is a bound.
    pub most_instances: Option<u64>,
    /// The round, from 0.
    pub round: u32,
    /// Seeds that have had their turns in this round.
    pub turn: usize,
    /// All seeds.
    pub seeds: usize,
    /// Findings by kind: all, and how many different defects they are.
    pub findings: BTreeMap<Kind, (u64, u64)>,
    /// Timeouts and refusals, by solver.
    pub solvers: BTreeMap<String, (u64, u64)>,
    /// The finding that is being made small, if one is.
    pub minimising: Option<String>,
    /// How long the hunt has taken.
    pub elapsed: Duration,
    /// How long of that this process has worked on it.
    pub elapsed_here: Duration,
    /// How long it may take, if there is a bound.
    pub time: Option<Duration>,
    /// What is left of the CPU time of solvers, if that has a bound.
    pub budget_left: Option<Duration>,
}

impl HuntStatus {
    /// The same after this time, in which nothing happened.
    pub(super) fn after(&self, age: Duration) -> HuntStatus {
        HuntStatus { elapsed: self.elapsed + age, elapsed_here: self.elapsed_here + age, ..self.clone() }
    }

    /// The lines of the panel: what does not fit is left out, the least important first.
    pub(super) fn panel(&self) -> [String; 4] {
        [
            within(WIDTH, &[self.times(), self.asked()].concat()),
            within(WIDTH, &[self.progress(), self.found()].concat()),
            within(WIDTH, &self.troubles().iter().map(|line| cut(line)).collect::<Vec<_>>()),
            self.activity(),
        ]
    }

    /// The same in one line.
    pub(super) fn line(&self) -> String {
        [self.asked(), self.progress(), self.found(), self.troubles(), self.times()].concat().join(", ")
    }

    fn times(&self) -> Vec<String> {
        let left = self.time.map(|time| format!("{} left", seconds(time.saturating_sub(self.elapsed))));
        let budget = self.budget_left.map(|left| format!("{} of solver time left", seconds(left)));
        let bounds: Vec<String> = left.into_iter().chain(budget).collect();
        if bounds.is_empty() { vec![format!("{} so far", seconds(self.elapsed))] } else { bounds }
    }

    fn asked(&self) -> Vec<String> {
        let instances = match self.most_instances {
            Some(most) => format!("{}/{most} instances", self.instances),
            None => counted(self.instances as usize, "instance"),
        };
        let new = self.instances.saturating_sub(self.instances_before);
        vec![instances + &rate_per_second(new, self.elapsed_here)]
    }

    fn progress(&self) -> Vec<String> {
        vec![format!("round {}, seed {}/{}", self.round + 1, self.turn.min(self.seeds), self.seeds)]
    }

    fn found(&self) -> Vec<String> {
        if self.findings.is_empty() {
            return vec!["no findings".to_owned()];
        }
        let one = |(kind, (all, distinct)): (&Kind, &(u64, u64))| match all {
            all if all == distinct => format!("{all} {kind}"),
            all => format!("{distinct} {kind} ({all} times)"),
        };
        self.findings.iter().map(one).collect()
    }

    fn troubles(&self) -> Vec<String> {
        let one = |(solver, (timeouts, refusals)): (&String, &(u64, u64))| {
            let parts = [(timeouts, "timeout"), (refusals, "refusal")];
            let said = parts.into_iter().filter(|(count, _)| **count > 0);
            let said: Vec<String> = said.map(|(count, noun)| counted(*count as usize, noun)).collect();
            (!said.is_empty()).then(|| format!("{solver}: {}", said.join(" and ")))
        };
        let said: Vec<String> = self.solvers.iter().filter_map(one).collect();
        if said.is_empty() { vec!["no timeouts or refusals".to_owned()] } else { said }
    }

    fn activity(&self) -> String {
        self.minimising.as_ref().map_or_else(|| "asking".to_owned(), |what| cut(&format!("making small: {what}")))
    }
}

/// As much of a text as fits into a line of the panel.
fn cut(text: &str) -> String {
    text.chars().take(WIDTH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> HuntStatus {
        HuntStatus {
            instances: 12_345,
            instances_before: 345,
            most_instances: Some(1_000_000),
            round: 1,
            turn: 4_000,
            seeds: 100_000,
            findings: [(Kind::Crash, (12, 2)), (Kind::RefutationUnsoundness, (1, 1))].into(),
            solvers: [("cvc5@1.2.0".to_owned(), (0, 0)), ("z3@5.4.1".to_owned(), (3, 1))].into(),
            minimising: None,
            elapsed: Duration::from_secs(600),
            elapsed_here: Duration::from_secs(240),
            time: Some(Duration::from_secs(3600)),
            budget_left: None,
        }
    }

    #[test]
    fn the_panel_says_how_far_it_is_and_what_was_found() {
        insta::assert_snapshot!(status().after(Duration::from_secs(2)).panel().join("\n"), @"
        49m58s left, 12345/1000000 instances (49.6/s)
        round 2, seed 4000/100000, 1 refutation-unsoundness, 2 crash (12 times)
        z3@5.4.1: 3 timeouts and 1 refusal
        asking
        ");
        let small = HuntStatus {
            most_instances: None,
            findings: BTreeMap::new(),
            solvers: BTreeMap::new(),
            time: None,
            minimising: Some("z3@5.4.1 crashes".to_owned()),
            elapsed_here: Duration::ZERO,
            ..status()
        };
        insta::assert_snapshot!(small.panel().join("\n"), @"
        10m so far, 12345 instances
        round 2, seed 4000/100000, no findings
        no timeouts or refusals
        making small: z3@5.4.1 crashes
        ");
    }

    #[test]
    fn one_line_says_the_same() {
        insta::assert_snapshot!(status().line(), @"12345/1000000 instances (50.0/s), round 2, seed 4000/100000, 1 refutation-unsoundness, 2 crash (12 times), z3@5.4.1: 3 timeouts and 1 refusal, 50m left");
        let bounded = HuntStatus { budget_left: Some(Duration::from_secs(90)), solvers: BTreeMap::new(), ..status() };
        insta::assert_snapshot!(bounded.line(), @"12345/1000000 instances (50.0/s), round 2, seed 4000/100000, 1 refutation-unsoundness, 2 crash (12 times), no timeouts or refusals, 50m left, 1m30s of solver time left");
    }

    #[test]
    fn large_numbers_stay_within_80_columns() {
        let name = |number: u32| format!("z3@4.8.10 rewriter.flat=false smt.random_seed={number}");
        let status = HuntStatus {
            instances: 1_234_567_890,
            solvers: (0..9).map(|number| (name(number), (123_456, 123_456))).collect(),
            minimising: Some(name(1).repeat(3)),
            budget_left: Some(Duration::from_secs(100 * 86_400 - 1)),
            ..status()
        };
        assert!(status.panel().iter().all(|line| !line.is_empty() && line.chars().count() <= WIDTH));
    }
}
