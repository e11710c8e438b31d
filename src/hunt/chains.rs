//! Chains of type-aware mutants of seeds: TypeFuzz, OpFuzz and FuzzChick.

use super::seeds::{Prepared, Seeds, Unusable};
use super::source::{Case, Source};
use crate::operator::type_aware::{Seed, Settings};
use crate::random::rng_for;
use crate::smtlib::fragment::Fragment;

/// Steps of a chain before the next seed's turn comes, unless the user says otherwise. The paper has used 10 to 100.
pub const CHAIN: u32 = 30;

/// Numbers of one-step mutants before the next seed's turn comes: finding out what there is costs more than making some.
const BLOCK: u64 = 1000;

/// How chains are made.
#[derive(Clone, Debug)]
pub struct ChainSettings {
    /// How a step changes a script.
    pub mutation: Settings,
    /// Steps of a chain: *n* of Algorithm 1.
    pub steps: u32,
    /// All mutants that are one step away instead of chains, once each.
    pub exhaustive: bool,
    /// Decides all that is random.
    pub seed: u64,
}

/// Mutants of seeds. A round is a chain that begins with the seed, so that it is a function of the seed and the round.
#[derive(Debug)]
pub struct Chains<'a> {
    seeds: &'a dyn Seeds,
    /// What the solvers accept in any logic.
    solvers: Fragment,
    settings: ChainSettings,
    prepared: Prepared<Seed>,
}

impl<'a> Chains<'a> {
    /// Mutants that hold what `solvers` admits in any logic. Seeds that cannot be mutated give nothing.
    pub fn new(seeds: &'a dyn Seeds, solvers: Fragment, settings: ChainSettings) -> Self {
        Chains { seeds, solvers, settings, prepared: Prepared::new() }
    }

    /// The steps of a chain that made a mutant. Algorithm 1 goes on where a step made none, and after a trigger.
    fn chain(&self, seed: usize, script: &Seed, round: u32) -> Option<Vec<Case>> {
        let name = self.seeds.name(seed);
        let ChainSettings { mutation, steps, seed: master, .. } = &self.settings;
        let mut rng = rng_for(*master, seed as u32, round);
        let mut chain = script.chain(mutation);
        let first = round.saturating_mul(*steps);
        let mut cases = Vec::new();
        for number in first..first.saturating_add(*steps) {
            if chain.step(&mut rng) {
                cases.push(Case::open(name.clone(), number + 1, chain.script().compacted()));
            }
        }
        (!cases.is_empty()).then_some(cases)
    }

    /// The mutants that are one step away, [`BLOCK`] numbers a round.
    fn one_step(&self, seed: usize, script: &Seed, round: u32) -> Option<Vec<Case>> {
        let name = self.seeds.name(seed);
        let mut all = script.one_step(&self.settings.mutation);
        let first = u64::from(round) * BLOCK;
        let numbers = first..(first + BLOCK).min(all.count());
        let is_used_up = numbers.is_empty();
        let case = |number| Some(Case::open(name.clone(), number as u32 + 1, all.mutant(number)?));
        (!is_used_up).then(|| numbers.filter_map(case).collect())
    }
}

impl Source for Chains<'_> {
    fn seeds(&self) -> usize {
        self.seeds.count()
    }

    fn name(&self, seed: usize) -> String {
        self.seeds.name(seed)
    }

    fn cases(&self, seed: usize, round: u32) -> Result<Option<Vec<Case>>, Unusable> {
        let script = self.prepared.of(self.seeds, seed, |script| {
            let unfit = |error| Unusable::Unfit(format!("{}: {error}", self.seeds.name(seed)));
            Seed::of(&script, &self.solvers).map_err(unfit)
        })?;
        Ok(if self.settings.exhaustive {
            self.one_step(seed, &script, round)
        } else {
            self.chain(seed, &script, round)
        })
    }
}
