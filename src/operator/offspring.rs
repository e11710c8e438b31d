//! Offspring: DEAP's `varAnd` — crossover, then mutation — without duplicates.

use super::mutation::{Mutator, mutate_once};
use super::{Context, crossover};
use crate::generator::Generator;
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
    /// Makes the script that takes the place of a child of which nothing new could be made.
    pub fresh: &'a dyn Generator,
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
    let mut children: Vec<(Script, bool)> = Vec::with_capacity(parents.len());
    let mut generators: Vec<FuzzRng> = (0..parents.len()).map(|slot| rng_for(seed, generation, slot as u32)).collect();
    for couple in parents.chunks(2) {
        let rng = &mut generators[children.len()];
        let crossed = match *couple {
            [mother, father] if chance(rng, variation.crossover_probability) => {
                cross_in_fragment(mother, father, rng, context)
            }
            _ => None,
        };
        match crossed {
            Some((daughter, son)) => children.extend([(daughter, true), (son, true)]),
            None => children.extend(couple.iter().map(|&parent| (parent.clone(), false))),
        }
    }
    let mut batch: Vec<Offspring> = Vec::with_capacity(parents.len());
    for (slot, (child, rng)) in children.into_iter().zip(&mut generators).enumerate() {
        let known = |hash: u128| seen(hash) || batch.iter().any(|each| each.fingerprint == hash);
        let next = vary(child, slot, variation, rng, context, &known);
        batch.push(next);
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

/// Mutates the child in a slot with the mutation probability, and further while it is a duplicate.
fn vary(
    (mut script, crossed): (Script, bool),
    slot: usize,
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
    let duplicate = known(fingerprint);
    if duplicate && let Some(fresh) = fresh(rng, variation.fresh, known) {
        return fresh;
    }
    // Mutation leaves what it replaced behind in the arena.
    let script = if mutations.is_empty() { script } else { script.compacted() };
    let parents = if crossed { vec![slot, slot ^ 1] } else { vec![slot] };
    Offspring { script, fingerprint, parents, crossed, mutations, duplicate }
}

/// A new script without parents; `None` if the generator gave only known ones.
fn fresh(rng: &mut FuzzRng, generator: &dyn Generator, known: &dyn Fn(u128) -> bool) -> Option<Offspring> {
    (0..MAXIMUM_RETRIES).find_map(|_| {
        let script = generator.generate(rng);
        let fingerprint = canonical_hash(&script);
        let (parents, mutations) = (Vec::new(), Vec::new());
        let offspring = Offspring { script, fingerprint, parents, crossed: false, mutations, duplicate: false };
        (!known(fingerprint)).then_some(offspring)
    })
}
