//! The results of a run: the population, the front, the archive, the summary.

use std::collections::BTreeMap;

use super::population::Member;
use super::statistics::{hypervolume_of_population, mean, pareto_front, timeouts};
use super::{Campaign, CampaignError, StopReason};
use crate::record::format::{CoverageRow, DefectState, FrontRow, Summary, tracefile};
use crate::record::names;
use crate::smtlib::printer::{self, PrintOptions};

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Why it stopped.
    pub reason: StopReason,
    /// The run in numbers.
    pub summary: Summary,
}

impl Campaign<'_> {
    /// Writes the results.
    pub(super) fn finish(&self, reason: StopReason) -> Result<Report, CampaignError> {
        let population = &self.state.population;
        let scripts: BTreeMap<String, String> = population
            .iter()
            .map(|member| {
                let script = &member.individual().script;
                // Members are valid, so the target read them, so they can be printed in its dialect.
                let text = printer::print(script, self.setup.dialect, &PrintOptions::default()).unwrap_or_default();
                (file_name(member), text)
            })
            .collect();
        let front: Vec<FrontRow> = pareto_front(population, self.setup.config.limit)
            .into_iter()
            .map(|index| front_row(&population[index]))
            .collect();
        let coverage: Vec<CoverageRow> = self
            .state
            .archive
            .iter()
            .filter_map(|(slot, count)| {
                let (file, line) = self.setup.lines.location(slot)?;
                Some(CoverageRow { file: file.to_owned(), line, count })
            })
            .collect();
        let summary = self.summary(reason, front.len());
        let tracefile = tracefile(self.setup.lines, &self.state.archive);
        self.recorder.result(&scripts, &front, &coverage, &tracefile, &summary)?;
        Ok(Report { reason, summary })
    }

    fn summary(&self, reason: StopReason, front_size: usize) -> Summary {
        let config = self.setup.config;
        let population = &self.state.population;
        let totals = &self.state.totals;
        let spent = self.clock.spent();
        let count = |state| self.recorder.defects().count(state);
        // What came after the search of a run that is resumed stands until something else comes after it.
        let (aftermath, afterwards_seconds) = self.recorder.afterwards();
        let counts_lines = !self.setup.lines.file_of_slot.is_empty();
        // A replay runs nothing whose speed could be told.
        let rate = if reason == StopReason::Replayed {
            0.0
        } else {
            per(totals.evaluations as f64 * 60.0, spent.wall_seconds)
        };
        Summary {
            variant: config.variant.name().to_owned(),
            seed: config.seed,
            target: config.target.clone(),
            reference: config.reference.clone(),
            evaluations: totals.evaluations,
            evaluations_per_minute: rate,
            generations: self.state.generation.unwrap_or(0),
            stop_reason: reason.name().to_owned(),
            population: population.len() as u64,
            front_size: front_size as u64,
            total_lines: counts_lines.then(|| self.state.archive.covered_lines() as u64),
            mean_lines: counts_lines.then(|| mean(population, |known| known.lines() as f64)),
            mean_t_score: mean(population, |known| known.evaluated.t_score),
            timeouts: timeouts(population, config.limit),
            defects: count(DefectState::Confirmed),
            candidates: count(DefectState::Candidate),
            refuted: count(DefectState::Refuted),
            mean_complexity: mean(population, |known| known.evaluated.complexity as f64),
            hypervolume: counts_lines.then(|| hypervolume_of_population(population, config.limit)),
            invalid: totals.invalid,
            killed: totals.killed,
            crashed: totals.crashed,
            wall_seconds: spent.wall_seconds,
            solver_core_seconds: spent.solver_seconds,
            total_core_seconds: spent.core_seconds,
            solver_share: per(spent.solver_seconds, spent.core_seconds),
            charged_seconds: totals.charged_seconds,
            learned_patterns: self.learned_patterns(),
            internal_errors: self.recorder.internal_errors(),
            afterwards_seconds,
            aftermath,
        }
    }
}

fn per(amount: f64, unit: f64) -> f64 {
    if unit > 0.0 { amount / unit } else { 0.0 }
}

fn file_name(member: &Member) -> String {
    format!("{:06}.smt2", member.individual().id.0)
}

fn front_row(member: &Member) -> FrontRow {
    let evaluated = &member.known.evaluated;
    let observation = &evaluated.observation;
    FrontRow {
        id: evaluated.individual.id.0,
        generation: evaluated.individual.generation,
        slot: evaluated.individual.slot,
        file: format!("{}/{}", names::POPULATION, file_name(member)),
        target_result: observation.target.answer.name().to_owned(),
        target_seconds: observation.target.cpu_seconds,
        reference_result: observation.reference.answer.name().to_owned(),
        reference_seconds: observation.reference.cpu_seconds,
        t_score: evaluated.t_score,
        coverage_score: member.coverage_score,
        lines_covered: observation.coverage.as_ref().map(|counts| counts.len() as u64),
        complexity: evaluated.complexity,
        crowding: member.crowding,
    }
}
