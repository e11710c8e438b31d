//! Offspring: DEAP's `varAnd` — crossover, then mutation — without duplicates.

use super::mutation::{Mutator, mutate_once};
use super::{Context, crossover};
use crate::random::{FuzzRng, chance, rng_for};
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::script::Script;

/// How often a duplicate is mutated again, and then how many fresh scripts are tried, before a duplicate is accepted.
const MAXIMUM_RETRIES: usize = 32;

/// How likely offspring are crossed and mutated, and by what.
#[derive(Clone, Copy, Debug)]
pub struct Variation<'a> {
    /// The probability that a pair of parents is crossed: 0.75 in the paper.
    pub crossover_probability: f64,
    /// The probability that an offspring is mutated: 0.25 in the paper.
    pub mutation_probability: f64,
    /// The mutation operators to draw from: [`MUTATORS`](super::mutation::MUTATORS) in the paper.
    pub mutators: &'a [&'a dyn Mutator],
}

/// A child, and how it came about.
#[derive(Clone, Debug)]
pub struct Offspring {
    /// The child.
    pub script: Script,
    /// Its fingerprint.
    pub fingerprint: u128,
    /// The positions of its parents among those that [`offspring`] was given: one, two if crossed, none if fresh.
    pub parents: Vec<usize>,
    /// Whether assertions were exchanged.
    pub crossed: bool,
    /// The mutation operators that were applied, in order: at most one, but for children that were duplicates.
    pub mutations: Vec<&'static str>,
    /// Whether it is a script that was seen before: only if nothing new could be made.
    pub duplicate: bool,
}

/// One child per parent, in order. Parents 2i and 2i + 1 are crossed with the crossover probability; then each child
/// is mutated with the mutation probability. A child that is a duplicate, of one that `seen` knows or of one of the
/// same batch, is mutated until it is none; if that fails, a fresh script takes its place. Slot i draws from
/// `rng_for(seed, generation, i)`, a pair from the generator of its first slot.
pub fn offspring(
    parents: &[&Script],
    variation: &Variation<'_>,
    seed: u64,
    generation: u32,
    context: &Context<'_>,
    seen: &dyn Fn(u128) -> bool,
) -> Vec<Offspring> {
    let mut batch: Vec<Offspring> = Vec::with_capacity(parents.len());
    let mut children = Vec::with_capacity(parents.len());
    for (pair, couple) in parents.chunks(2).enumerate() {
        let mut rng = rng_for(seed, generation, 2 * pair as u32);
        let crossed = match *couple {
            [mother, father] if chance(&mut rng, variation.crossover_probability) => {
                cross_in_fragment(mother, father, &mut rng, context)
            }
            _ => None,
        };
        match (crossed, couple) {
            (Some((one, other)), _) => children.extend([(one, true, rng), {
                let own = rng_for(seed, generation, 2 * pair as u32 + 1);
                (other, true, own)
            }]),
            (None, couple) => {
                children.push((couple[0].clone(), false, rng));
                if let Some(second) = couple.get(1) {
                    let own = rng_for(seed, generation, 2 * pair as u32 + 1);
                    children.push(((*second).clone(), false, own));
                }
            }
        }
    }
    for (slot, (script, crossed, mut rng)) in children.into_iter().enumerate() {
        let known = |hash: u128| seen(hash) || batch.iter().any(|each| each.fingerprint == hash);
        let parents = if crossed { vec![slot, slot ^ 1] } else { vec![slot] };
        let child = vary(script, crossed, parents, variation, &mut rng, context, &known);
        batch.push(child);
    }
    batch
}

/// The children of two parents, if both are in the fragment.
fn cross_in_fragment(
    mother: &Script,
    father: &Script,
    rng: &mut FuzzRng,
    context: &Context<'_>,
) -> Option<(Script, Script)> {
    let (one, other) = crossover::cross(mother, father, rng);
    let admitted = context.fragment.admits(&one).is_ok() && context.fragment.admits(&other).is_ok();
    admitted.then_some((one, other))
}

/// Mutates a child with the mutation probability, and further while it is a duplicate.
fn vary(
    mut script: Script,
    crossed: bool,
    parents: Vec<usize>,
    variation: &Variation<'_>,
    rng: &mut FuzzRng,
    context: &Context<'_>,
    known: &dyn Fn(u128) -> bool,
) -> Offspring {
    let mut mutations = Vec::new();
    if chance(rng, variation.mutation_probability) {
        mutations.extend(mutate_once(&mut script, variation.mutators, rng, context));
    }
    let mut fingerprint = canonical_hash(&script);
    for _ in 0..MAXIMUM_RETRIES {
        if !known(fingerprint) {
            break;
        }
        let Some(mutation) = mutate_once(&mut script, variation.mutators, rng, context) else { break };
        mutations.push(mutation);
        fingerprint = canonical_hash(&script);
    }
    if known(fingerprint) {
        for _ in 0..MAXIMUM_RETRIES {
            let fresh = context.generator.generate(rng);
            let hash = canonical_hash(&fresh);
            if !known(hash) {
                let (parents, mutations) = (Vec::new(), Vec::new());
                return Offspring {
                    script: fresh,
                    fingerprint: hash,
                    parents,
                    crossed: false,
                    mutations,
                    duplicate: false,
                };
            }
        }
    }
    let duplicate = known(fingerprint);
    // Mutation leaves what it replaced behind in the arena.
    let script = if mutations.is_empty() { script } else { script.compacted() };
    Offspring { script, fingerprint, parents, crossed, mutations, duplicate }
}
