//! Ask: the individuals of the next generation, as a function of the seed, the generation and the population.

use std::sync::Arc;

use super::population::{Member, State};
use super::{Setup, mutators};
use crate::config::Config;
use crate::evaluate::individual::{Individual, IndividualId, Origin};
use crate::operator::offspring::{Offspring, Variation, offspring};
use crate::operator::{Context, mutation};
use crate::random::rng_for;
use crate::search::nsga2::{dominance_tournament, rank_tournament};
use crate::search::single_objective::{self, MUTATION_ROUNDS, uniform_parents};
use crate::search::{Objectives, Strategy, elites};
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::script::Script;

/// The slot whose generator chooses parents: no individual's.
const SELECTION_SLOT: u32 = u32::MAX;
/// The operator of a newborn of which something known was taken out.
const NEUTRALISE: &str = "neutralise";
/// How many fresh scripts a slot tries before it stays empty.
const FRESH_ATTEMPTS: usize = 64;

/// An individual that has no number yet.
struct Newborn {
    slot: u32,
    script: Script,
    fingerprint: u128,
    origin: Origin,
    operator: String,
    parents: Vec<IndividualId>,
}

/// The next generation: nobody that the run has seen, each with its own number, in slot order.
pub(super) fn generation(setup: &Setup<'_>, state: &State) -> Vec<Arc<Individual>> {
    let number = state.next_generation();
    let newborn = if number == 0 {
        initial(setup, state)
    } else {
        match setup.config.variant.strategy() {
            _ if state.population.is_empty() => fresh(setup, state, number, 0..beginners(setup.config), &[]),
            Strategy::Random => fresh(setup, state, number, 0..setup.config.population, &[]),
            Strategy::Nsga2 | Strategy::Elites => crossed_and_mutated(setup, state, number),
            Strategy::SingleObjective => mutated(setup, state, number),
        }
    };
    let newborn = without_what_is_known(newborn, setup, state, number);
    let numbered = newborn.into_iter().zip(state.next_id..).map(|(newborn, id)| {
        Arc::new(Individual {
            id: IndividualId(id),
            generation: number,
            slot: newborn.slot,
            // The arena of a script that was printed and read again is in this order too, so a resumed run draws the
            // same terms.
            script: newborn.script.compacted(),
            origin: newborn.origin,
            operator: newborn.operator,
            parents: newborn.parents,
            fingerprint: newborn.fingerprint,
        })
    });
    numbered.collect()
}

/// The newborns as they are evaluated: nearly all without what is known. One that is like another then stays out.
fn without_what_is_known(newborn: Vec<Newborn>, setup: &Setup<'_>, state: &State, generation: u32) -> Vec<Newborn> {
    if state.knowledge.patterns.is_empty() {
        return newborn;
    }
    let mut kept: Vec<Newborn> = Vec::with_capacity(newborn.len());
    for mut each in newborn {
        if let Some(script) = state.knowledge.without(setup, generation, each.slot, &each.script) {
            each.fingerprint = canonical_hash(&script);
            each.script = script;
            NEUTRALISE.clone_into(&mut each.operator);
        }
        let is_new =
            !state.seen.contains(&each.fingerprint) && kept.iter().all(|other| other.fingerprint != each.fingerprint);
        if is_new {
            kept.push(each);
        }
    }
    kept
}

/// Generation 0: the user's seeds, then fresh scripts.
fn initial(setup: &Setup<'_>, state: &State) -> Vec<Newborn> {
    let size = setup.config.population;
    let mut newborn: Vec<Newborn> = Vec::new();
    for (file, script) in setup.seeds {
        let fingerprint = canonical_hash(script);
        if newborn.len() < size as usize && newborn.iter().all(|each| each.fingerprint != fingerprint) {
            newborn.push(Newborn {
                slot: newborn.len() as u32,
                script: script.clone(),
                fingerprint,
                origin: Origin::Seed(file.clone()),
                operator: String::new(),
                parents: Vec::new(),
            });
        }
    }
    let taken: Vec<u128> = newborn.iter().map(|each| each.fingerprint).collect();
    newborn.extend(fresh(setup, state, 0, taken.len() as u32..beginners(setup.config), &taken));
    newborn
}

/// With how many scripts a search begins that is given none: `stringbreak` with one.
fn beginners(config: &Config) -> u32 {
    if config.variant.strategy() == Strategy::SingleObjective { 1 } else { config.population }
}

/// Fresh scripts for these slots.
fn fresh(
    setup: &Setup<'_>,
    state: &State,
    generation: u32,
    slots: std::ops::Range<u32>,
    taken: &[u128],
) -> Vec<Newborn> {
    let mut newborn: Vec<Newborn> = Vec::new();
    for slot in slots {
        let mut rng = rng_for(setup.config.seed, generation, slot);
        for _ in 0..FRESH_ATTEMPTS {
            let script = setup.fresh.generate(&mut rng);
            let fingerprint = canonical_hash(&script);
            let known = state.seen.contains(&fingerprint)
                || taken.contains(&fingerprint)
                || newborn.iter().any(|each| each.fingerprint == fingerprint);
            if !known {
                let (origin, operator, parents) = (Origin::Generated, String::new(), Vec::new());
                newborn.push(Newborn { slot, script, fingerprint, origin, operator, parents });
                break;
            }
        }
    }
    newborn
}

/// Algorithm 1, lines 6, 7, 18 and 19: tournaments (or the draw among the elites), then crossover and mutation; behind the
/// children, the variant's immigrants.
fn crossed_and_mutated(setup: &Setup<'_>, state: &State, generation: u32) -> Vec<Newborn> {
    let config = setup.config;
    let population = &state.population;
    let mut rng = rng_for(config.seed, generation, SELECTION_SLOT);
    let children = config.population - immigrants(config);
    let count = children as usize;
    let chosen = if config.variant.strategy() == Strategy::Elites {
        let fruitless: Vec<u32> = population.iter().map(|member| member.fruitless).collect();
        elites::parents(&fruitless, count, &mut rng)
    } else if generation == 1 {
        let ranks: Vec<usize> = population.iter().map(|member| member.rank).collect();
        rank_tournament(&ranks, count, &mut rng)
    } else {
        let objectives: Vec<Objectives> =
            population.iter().map(|member| state.objectives(&member.known, member.coverage_score, config)).collect();
        let crowding: Vec<f64> = population.iter().map(|member| member.crowding.unwrap_or(0.0)).collect();
        dominance_tournament(&objectives, &crowding, count, &mut rng)
    };
    let parents: Vec<&Member> = chosen.iter().map(|&index| &population[index]).collect();
    let scripts: Vec<&Script> = parents.iter().map(|member| &member.individual().script).collect();
    let variation = Variation {
        crossover_probability: config.crossover,
        mutation_probability: config.mutation,
        mutators: mutators::of(config),
        fresh: setup.fresh,
    };
    let context = Context { fragment: setup.fragment, grammar: setup.grammar };
    let seen = |fingerprint| state.seen.contains(&fingerprint);
    let bred = offspring(&scripts, &variation, config.seed, generation, &context, &seen);
    let mut newborn: Vec<Newborn> = bred
        .into_iter()
        .zip(0..)
        .filter(|(child, _)| !child.duplicate)
        .map(|(child, slot)| newborn_of(child, slot, &parents))
        .collect();
    let taken: Vec<u128> = newborn.iter().map(|each| each.fingerprint).collect();
    newborn.extend(fresh(setup, state, generation, children..config.population, &taken));
    newborn
}

/// How many slots of a generation hold fresh scripts in place of children: its last ones.
fn immigrants(config: &Config) -> u32 {
    (f64::from(config.population) * config.variant.immigrants()) as u32
}

fn newborn_of(child: Offspring, slot: u32, parents: &[&Member]) -> Newborn {
    let origin = match (child.crossed, child.mutations.is_empty()) {
        _ if child.parents.is_empty() => Origin::Generated,
        (true, true) => Origin::Crossover,
        (true, false) => Origin::CrossoverMutation,
        (false, _) => Origin::Mutation,
    };
    Newborn {
        slot,
        fingerprint: child.fingerprint,
        origin,
        operator: child.mutations.last().copied().unwrap_or_default().to_owned(),
        parents: child.parents.iter().map(|&parent| parents[parent].individual().id).collect(),
        script: child.script,
    }
}

/// The `StringFuzz` baseline: each child is a random survivor after four rounds of mutation.
fn mutated(setup: &Setup<'_>, state: &State, generation: u32) -> Vec<Newborn> {
    let config = setup.config;
    let context = Context { fragment: setup.fragment, grammar: setup.grammar };
    let mut rng = rng_for(config.seed, generation, SELECTION_SLOT);
    let survivors: Vec<&Member> = state.population.iter().filter(|member| member.breeds).collect();
    let chosen = uniform_parents(survivors.len(), single_objective::children(survivors.len()), &mut rng);
    let mut newborn: Vec<Newborn> = Vec::new();
    for (slot, parent) in (0..).zip(chosen) {
        let parent = survivors[parent].individual();
        let mut rng = rng_for(config.seed, generation, slot);
        for _ in 0..FRESH_ATTEMPTS {
            let mut script = parent.script.clone();
            let rounds = (0..MUTATION_ROUNDS)
                .filter_map(|_| mutation::mutate_once(&mut script, mutators::of(config), &mut rng, &context));
            let operator = rounds.last().unwrap_or_default().to_owned();
            let fingerprint = canonical_hash(&script);
            if !state.seen.contains(&fingerprint) && newborn.iter().all(|each| each.fingerprint != fingerprint) {
                let parents = vec![parent.id];
                newborn.push(Newborn { slot, script, fingerprint, origin: Origin::Mutation, operator, parents });
                break;
            }
        }
    }
    newborn
}
