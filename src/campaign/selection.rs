//! Tell: score parents and offspring, sort them, let the best survive, and record the generation.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::batch::Batch;
use super::cell::Cell;
use super::population::{Known, Member};
use super::{Campaign, CampaignError, restore, retrace, statistics};
use crate::config::{Config, CoverageMode, Rescore};
use crate::coverage::{Archive, Mode, Rarity, reward};
use crate::evaluate::GLANCE;
use crate::random::rng_for;
use crate::record::format::EvaluationRow;
use crate::search::elites::{self, Candidate, Quality};
use crate::search::nsga2::{Ranked, crowding_distance, fast_non_dominated_sort, survive, trace_crowding};
use crate::search::{CoverageObjective, Crowding, Objectives, Strategy, single_objective};

/// One of parents and offspring together (Algorithm 1, line 9).
struct Contender {
    known: Known,
    coverage_score: f64,
    fruitless: u32,
    breeds: bool,
}

/// The slot whose generator decides among equally slow ones: no individual's, and not that of the choice of parents.
const SURVIVAL_SLOT: u32 = u32::MAX - 1;
/// In an archive of elites there is place for so many cells for each offspring of a generation: some hundred in all.
const CELLS_PER_OFFSPRING: usize = 5;

/// Which reading of Algorithm 2 a configuration asks for.
pub(super) fn reward_mode(config: &Config) -> Mode {
    match config.coverage_mode {
        CoverageMode::Snapshot => Mode::Prose,
        CoverageMode::Paper => Mode::Printed,
    }
}

impl Campaign<'_> {
    /// Ends a generation.
    pub(super) fn tell(&mut self, batch: Batch) -> Result<(), CampaignError> {
        let generation = self.state.next_generation();
        let (offspring, mut rows): (Vec<Known>, Vec<EvaluationRow>) = batch.evaluated.into_values().unzip();
        let solver_seconds = |known: &Known| known.evaluated.observation.solver_seconds;
        // Summed in slot order, so that the sum does not depend on who was ready first.
        self.state.totals.solver_seconds += offspring.iter().map(solver_seconds).sum::<f64>();
        self.state.totals.charged_seconds += offspring.iter().map(|known| self.charge(known)).sum::<f64>();
        self.save_suspects(offspring.iter())?;
        let parents = self.state.population.len();
        let mut contenders = self.score(offspring);
        let ranked = self.rank(&mut contenders, parents)?;
        for row in &mut rows {
            let found = contenders.iter().zip(&ranked).find(|(contender, _)| contender.known.id() == row.id);
            if let Some((contender, ranked)) = found {
                row.coverage_score =
                    contender.known.evaluated.observation.coverage.as_ref().map(|_| contender.coverage_score);
                row.rank = Some(ranked.rank);
                row.crowding = ranked.crowding;
            }
            row.survives = Some(found.is_some_and(|(_, ranked)| ranked.survives));
        }
        let fronts = ranked.iter().map(|each| each.rank + 1).max().unwrap_or(0);
        self.state.population = contenders
            .into_iter()
            .zip(&ranked)
            .filter(|(_, ranked)| ranked.survives)
            .map(|(contender, ranked)| Member {
                known: contender.known,
                coverage_score: contender.coverage_score,
                rank: ranked.rank,
                crowding: ranked.crowding,
                fruitless: contender.fruitless,
                breeds: contender.breeds,
            })
            .collect();
        self.state.generation = Some(generation);
        let row = statistics::generation_row(&self.state, self.setup.config, &rows, fronts);
        if row.mean_t_score > self.state.best_mean_t_score.0 {
            self.state.best_mean_t_score = (row.mean_t_score, generation);
        }
        self.record_generation(&rows, &row, batch.cut_short.is_some())?;
        tracing::info!(
            generation,
            evaluations = row.total_evaluations,
            mean_t_score = row.mean_t_score,
            total_lines = row.total_lines,
            candidates = row.candidates,
            wall_seconds = self.clock.spent().wall_seconds,
            "generation ended"
        );
        self.setup.monitor.generation(&row, &self.progress());
        Ok(())
    }

    /// CPU seconds that the search pays for an evaluation.
    pub(super) fn charge(&self, known: &Known) -> f64 {
        known.evaluated.observation.charged_seconds(self.setup.config.variant.needs())
    }

    fn record_generation(
        &mut self,
        rows: &[EvaluationRow],
        row: &crate::record::format::GenerationRow,
        cut_short: bool,
    ) -> Result<(), CampaignError> {
        let spent = self.clock.spent();
        if cut_short {
            // No checkpoint: a resumed run goes back to before this generation, and completes it.
            self.recorder.stopped(rows, row, self.state.similarities.used(), spent)?;
            return Ok(());
        }
        let alive: rustc_hash::FxHashSet<u32> = self.state.population.iter().map(|member| member.known.id()).collect();
        let similarities = self.state.similarities.end_generation(|id| alive.contains(&id));
        self.recorder.generation(rows, row, &similarities, spent)?;
        self.recorder.checkpoint(&restore::checkpoint(&self.state))?;
        Ok(())
    }

    /// Parents and valid offspring with their coverage scores; raises the archive to the offspring's counts.
    fn score(&mut self, offspring: Vec<Known>) -> Vec<Contender> {
        let config = self.setup.config;
        let mode = reward_mode(config);
        let rescore = config.rescore == Rescore::EachGeneration;
        let parents = std::mem::take(&mut self.state.population);
        let archive = &mut self.state.archive;
        let one_by_one = config.coverage_mode == CoverageMode::Paper;
        let mut contenders: Vec<Contender> = Vec::with_capacity(parents.len() + offspring.len());
        for parent in parents {
            let coverage_score = if rescore { score(&parent.known, archive, mode) } else { parent.coverage_score };
            let Member { known, fruitless, breeds, .. } = parent;
            contenders.push(Contender { known, coverage_score, fruitless, breeds });
        }
        for known in offspring.into_iter().filter(|known| known.evaluated.valid) {
            let coverage_score = score(&known, archive, mode);
            if one_by_one {
                merge(archive, &known);
            }
            contenders.push(Contender { known, coverage_score, fruitless: 0, breeds: true });
        }
        if !one_by_one {
            for contender in &contenders {
                merge(archive, &contender.known);
            }
        }
        if config.variant.coverage_objective() == Some(CoverageObjective::Rarity) {
            let rarity = Rarity::among(contenders.iter().filter_map(|contender| contender.known.coverage()));
            for contender in &mut contenders {
                contender.coverage_score = contender.known.coverage().map_or(0.0, |counts| rarity.score(counts));
            }
        }
        contenders
    }

    /// Ranks and survivors, in the order of `contenders`, of which the first `parents` are parents.
    fn rank(&mut self, contenders: &mut [Contender], parents: usize) -> Result<Vec<Ranked>, CampaignError> {
        let config = self.setup.config;
        let size = config.population as usize;
        let objectives: Vec<Objectives> = contenders
            .iter()
            .map(|contender| self.state.objectives(&contender.known, contender.coverage_score, config))
            .collect();
        let first = self.state.generation.is_none();
        match config.variant.strategy() {
            Strategy::SingleObjective => {
                let times: Vec<f64> = objectives.iter().map(|each| each.time()).collect();
                let world: Vec<(usize, f64)> = (0..times.len())
                    .filter(|&index| contenders[index].breeds)
                    .map(|index| (index, times[index]))
                    .collect();
                let mut rng = rng_for(config.seed, self.state.next_generation(), SURVIVAL_SLOT);
                let survivors = single_objective::survivors(&world, &mut rng);
                for (index, contender) in contenders.iter_mut().enumerate() {
                    contender.breeds = survivors.contains(&index);
                }
                Ok(ranked(&objectives, &single_objective::slowest(&times, &survivors, size)))
            }
            Strategy::Elites => {
                let elites =
                    elites::survivors(&self.candidates(contenders, parents), parents, size * CELLS_PER_OFFSPRING);
                for elite in &elites {
                    contenders[elite.index].fruitless = elite.fruitless;
                }
                Ok(ranked(&objectives, &elites.iter().map(|elite| elite.index).collect::<Vec<_>>()))
            }
            // Algorithm 1, lines 2 to 5: generation 0 is sorted, and nobody is crowded out.
            _ if first => Ok(ranked(&objectives, &(0..contenders.len()).collect::<Vec<_>>())),
            _ if config.crowding() == Crowding::Distance => {
                Ok(survive(&objectives, size, |front| crowding_distance(front, &objectives)))
            }
            _ => self.survive_by_traces(contenders, &objectives, size),
        }
    }

    /// What the archive of elites needs to know of parents and offspring.
    fn candidates(&self, contenders: &[Contender], parents: usize) -> Vec<Candidate<Cell>> {
        let config = self.setup.config;
        let limit = config.limit.as_secs_f64();
        let place: FxHashMap<u32, usize> =
            contenders[..parents].iter().zip(0..).map(|(each, index)| (each.known.id(), index)).collect();
        let of = |(index, contender): (usize, &Contender)| {
            let Contender { known, coverage_score, fruitless, .. } = contender;
            let evaluated = &known.evaluated;
            // One whose slowness is known is as slow as what is given up after a glance.
            let is_known = self.state.knowledge.occurs_in(&evaluated.individual.script);
            let most = if is_known { GLANCE } else { 1.0 };
            let ancestors = if index < parents { &[][..] } else { &evaluated.individual.parents };
            Candidate {
                cell: Cell::of(&evaluated.individual.script, evaluated.complexity),
                quality: Quality {
                    slow: known.is_slow(config.limit) && !is_known,
                    // Eq. 1 is the target's time and its lead.
                    lead: ((evaluated.t_score - known.target_seconds(config.limit)) / limit).min(most),
                    rarity: if config.variant.uses_coverage() { *coverage_score } else { 0.0 },
                    complexity: evaluated.complexity,
                },
                parents: ancestors.iter().filter_map(|parent| place.get(&parent.0).copied()).collect(),
                fruitless: *fruitless,
            }
        };
        contenders.iter().enumerate().map(of).collect()
    }

    fn survive_by_traces(
        &mut self,
        contenders: &[Contender],
        objectives: &[Objectives],
        size: usize,
    ) -> Result<Vec<Ranked>, CampaignError> {
        let log = match self.setup.source {
            super::Source::Replay(log) => log,
            super::Source::Solvers { .. } => self.recorder.log(),
        };
        let similarities = &mut self.state.similarities;
        let (setup, store) = (&self.setup, self.recorder.traces());
        let mut failure = None;
        let ranked = survive(objectives, size, |front| {
            let members: Vec<&Known> = front.iter().map(|&index| &contenders[index].known).collect();
            if let Err(error) = similarities
                .know(&members, log, setup.pool, setup.similarity, |lost| retrace::retrace(setup, store, lost))
            {
                failure.get_or_insert(error);
            }
            trace_crowding(front, &|one: usize, other: usize| {
                similarities.of(&contenders[one].known, &contenders[other].known)
            })
        });
        failure.map_or(Ok(ranked), Err)
    }
}

/// Ranks without crowding.
fn ranked(objectives: &[Objectives], survivors: &[usize]) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = fast_non_dominated_sort(objectives)
        .into_iter()
        .enumerate()
        .flat_map(|(rank, front)| front.into_iter().map(move |index| (rank, index)))
        .map(|(rank, index)| Ranked { index, rank, crowding: None, survives: survivors.contains(&index) })
        .collect();
    ranked.sort_unstable_by_key(|each| each.index);
    ranked
}

fn score(known: &Known, archive: &Archive, mode: Mode) -> f64 {
    known.evaluated.observation.coverage.as_ref().map_or(0.0, |counts| reward(counts, archive, mode))
}

fn merge(archive: &mut Archive, known: &Known) {
    if let Some(counts) = &known.evaluated.observation.coverage {
        archive.merge(&Arc::clone(counts));
    }
}
