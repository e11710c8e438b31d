//! A measurement of coverage as a task of an experiment: the instrumented solver on seeds, or on mutants of them.

use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::coverage::CumulativeCoverage;
use crate::evaluate::written::text_for;
use crate::evaluate::{Fusion, Instrumented, Observe};
use crate::exit::Status;
use crate::experiment::{Arm, CoverageConfig, CoverageRun, Coverages, Measured, Progress};
use crate::hunt::chains::Chains;
use crate::hunt::parameters::MutantParameters;
use crate::hunt::seeds::Unusable;
use crate::hunt::source::{INSTANCES_A_ROUND, Source, Storm, StormSettings};
use crate::isolate::isolated;
use crate::job::hunt::{SeedFiles, half_of};
use crate::operator::storm::Bounds;
use crate::record::RunDirectory;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::solver::fragments::readable_fragment;
use crate::solver::installed::Solver;
use crate::solver::process::{Interrupt, Scratch};
use crate::solver::provision::{Cache, find, known_profiles};

/// A measurement to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Covering<'a> {
    /// What it is part of.
    pub(super) coverages: &'a Coverages,
    /// What is made of the seeds.
    pub(super) arm: &'a Arm,
    /// Decides all that is random.
    pub(super) seed: u64,
    /// A file of further solver profiles.
    pub(super) profiles: Option<&'a Path>,
}

impl Covering<'_> {
    /// Measures, in a folder that no other process works in, or goes on after the last seed that was done.
    pub(super) fn run(&self, root: &Path, interrupt: &Interrupt) -> anyhow::Result<Status> {
        let config = self.coverages.config()?;
        let _alone = RunDirectory::claim(root)?;
        let run = CoverageRun::new(root);
        if run.measured()?.is_some() {
            return Ok(Status::Done);
        }
        let seeds = SeedFiles::list(Path::new(""), &config.seeds)?.all();
        anyhow::ensure!(!seeds.is_empty(), "there are no scripts among the seeds that can be read");
        let observe = self.observe(&config, interrupt)?;
        let instrumented = observe.instrumented.as_ref().context("there is an instrumented solver")?;
        let flow = instrumented.flow(&maps(&Cache::locate()?))?;
        let mut coverage = CumulativeCoverage::new(&instrumented.map, &flow);

        let drawn = config.drawn(seeds.len(), self.seed);
        let which = fingerprint(&seeds, &instrumented.solver);
        let mut progress = Progress { seeds: which, of: drawn.len(), ..Progress::default() };
        if let Some((earlier, covered)) = run.checkpoint()? {
            // After a change of the seeds or the build, nothing of it holds any more.
            if earlier.seeds == progress.seeds && earlier.of == progress.of && coverage.add_covered(&covered).is_ok() {
                progress = earlier;
            } else {
                tracing::warn!("the seeds or the solver have changed since this run began: it begins again");
            }
        }
        let fragment = readable_fragment(&[&instrumented.solver.profile])?;
        // Holds the root of all scratch folders, which would otherwise be made and removed for each run.
        let _scratch = Scratch::new()?;
        for place in drawn.into_iter().skip(progress.done) {
            let scripts = self.scripts(&seeds[place], place, &config, &fragment)?;
            progress.left_out += usize::from(scripts.is_empty());
            for script in &scripts {
                if interrupt.is_set() {
                    return Ok(Status::Interrupted);
                }
                let answered = observe.answered(script, interrupt)?.context("there is an instrumented solver")?;
                progress.scripts += 1;
                progress.solver_seconds += answered.cpu_seconds;
                *progress.answers.entry(answered.answer.name().to_owned()).or_default() += 1;
                match answered.counters {
                    Some(counters) => coverage.add(&counters),
                    None => progress.without_counters += 1,
                }
            }
            progress.done += 1;
            run.keep(&progress, coverage.covered())?;
        }
        let solver = instrumented.solver.label();
        run.finish(&Measured { solver, totals: coverage.totals(), progress })?;
        Ok(Status::Done)
    }

    fn observe(&self, config: &CoverageConfig, interrupt: &Interrupt) -> anyhow::Result<Observe> {
        let cache = Cache::locate()?;
        let solver = find(&config.solver, &known_profiles(self.profiles, &cache)?, &cache)?;
        let instrumented = Instrumented::open(solver, &maps(&cache), interrupt)?;
        Ok(Observe {
            instrumented: Some(instrumented),
            trace: None,
            fusion: Fusion::default(),
            limit: config.limit,
            soft_limit: config.soft_limit,
            max_trace_lines: None,
        })
    }

    /// What is run of a seed: itself, as it is written, or what is made of it. None if nothing can be made; that is said.
    fn scripts(
        &self,
        seed: &(String, Script),
        place: usize,
        config: &CoverageConfig,
        fragment: &Fragment,
    ) -> anyhow::Result<Vec<Script>> {
        let strategy = self.arm.strategy.context("an arm that is run has a strategy")?;
        // Each seed by itself, with a stream of its own: what is made of it does not depend on the others.
        let stream = self.seed.wrapping_add((place as u64) << 32);
        let alone = vec![seed.clone()];
        let made = match (strategy.way(), self.arm.part) {
            (Some(way), _) => {
                let arguments = MutantParameters { chain: config.mutants, ..MutantParameters::default() };
                let chains = Chains::new(&alone, fragment.clone(), arguments.settings(way, stream)?);
                isolated(|| cases(&chains, 0..1))
            }
            (None, Some(part)) => {
                let settings = StormSettings {
                    bounds: Bounds::default(),
                    incremental: 0.0,
                    instances: Some(u32::MAX),
                    seed: stream,
                };
                isolated(|| cases(&Storm::new(&alone, settings), rounds(part, config.mutants)))
            }
            (None, None) => return Ok(vec![seed.1.clone()]),
        };
        let reason = match made {
            Ok(Ok(mut scripts)) if !scripts.is_empty() => {
                scripts.truncate(config.mutants as usize);
                return Ok(scripts);
            }
            Ok(Ok(_)) => "nothing applies".to_owned(),
            Ok(Err(why)) => why.to_string(),
            Err(panic) => panic,
        };
        tracing::warn!(seed = seed.0, reason, "nothing is made of a seed");
        Ok(Vec::new())
    }
}

/// What the only seed of `source` gives in these rounds.
fn cases(source: &dyn Source, rounds: Range<u32>) -> Result<Vec<Script>, Unusable> {
    let mut scripts = Vec::new();
    for round in rounds {
        let Some(cases) = source.cases(0, round)? else { break };
        scripts.extend(cases.into_iter().map(|case| case.script));
    }
    Ok(scripts)
}

/// The rounds of STORM that make the part of a seed's instances with this number, from 1, of so many each. Parts share no
/// round.
fn rounds(part: u32, instances: u32) -> Range<u32> {
    let each = instances.div_ceil(INSTANCES_A_ROUND);
    (part.saturating_sub(1)).saturating_mul(each)..part.saturating_mul(each)
}

/// Where maps of instrumented builds are kept.
fn maps(cache: &Cache) -> std::path::PathBuf {
    cache.folder().join("coverage")
}

/// Which seeds these are, in this order, as the solver reads them.
fn fingerprint(seeds: &[(String, Script)], solver: &Solver) -> String {
    let mut hash = Sha256::new();
    for (_, script) in seeds {
        let text = text_for(script, solver).unwrap_or_else(|answer| answer.detail().to_owned());
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    half_of(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_one_another_and_share_no_round() {
        assert_eq!([rounds(1, 100), rounds(2, 100), rounds(5, 100)], [0..10, 10..20, 40..50]);
        assert_eq!([rounds(1, 3), rounds(2, 3)], [0..1, 1..2]);
    }
}
