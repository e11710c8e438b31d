//! Swarm generation: each fresh script is drawn by a configuration that leaves out operators at random.
//!
//! After Groce, Zhang, Eide, Chen and Regehr: *Swarm Testing*, ISSTA 2012. A script that may hold every operator mostly
//! holds the one that the solver is slowest on, and that hides all else: of 41 slow scripts that [`StringGenerator`] made
//! of all operators for Z3str3 4.8.10, 33 held `str.substr`. A configuration without it shows what it hid.

mod recipe;

use super::parameters::Parameters;
use super::{Generator, StringGenerator};
use crate::random::{FuzzRng, below, between, chance, rng_for};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::operator_set::OperatorSet;
use crate::smtlib::script::Script;

/// How many configurations a swarm has. Their tables are laid out once, because that costs more than many scripts.
const CONFIGURATIONS: u32 = 64;
/// The generation whose slots' generators draw the configurations: no run comes that far.
const CONFIGURING: u32 = u32::MAX;
/// How likely a configuration keeps an operator of the string theory.
const KEPT: f64 = 0.5;
/// One script of so many is one of `StringFuzz`'s.
const RECIPE_ONE_IN: usize = 6;

/// Draws scripts by configurations that are a function of the run's seed.
#[derive(Debug)]
pub struct Swarm {
    fragment: Fragment,
    configurations: Vec<StringGenerator>,
}

impl Swarm {
    /// The swarm of a run with this master seed, for the scripts of a fragment.
    pub fn new(fragment: &Fragment, seed: u64) -> Self {
        let configurations =
            (0..CONFIGURATIONS).map(|slot| configuration(fragment, &mut rng_for(seed, CONFIGURING, slot))).collect();
        Swarm { fragment: fragment.clone(), configurations }
    }
}

impl Generator for Swarm {
    fn generate_into(&self, script: &mut Script, rng: &mut FuzzRng) {
        let configuration = &self.configurations[below(rng, self.configurations.len())];
        if below(rng, RECIPE_ONE_IN) == 0
            && let Ok(generator) = recipe::drawn(rng).prepare(&self.fragment)
        {
            generator.generate_into(script, rng);
            // Recipes know no fragment, and use operators that a solver of the pair may lack.
            if self.fragment.admits(script).is_ok() {
                return;
            }
        }
        configuration.generate_into(script, rng);
    }
}

/// A random configuration.
fn configuration(fragment: &Fragment, rng: &mut FuzzRng) -> StringGenerator {
    let fragment = fragment.restricted_to(&kept(fragment, rng));
    let parameters = Parameters {
        variables: between(rng, 1, 4),
        assertions: between(rng, 1, 6),
        depth: between(rng, 2, 4),
        literal_probability: hundredths(rng, 10, 50),
        short_string_probability: hundredths(rng, 0, 50),
        related_string_probability: hundredths(rng, 0, 50),
        ..Parameters::default()
    };
    StringGenerator::new(parameters, &fragment)
}

/// What one configuration keeps of a fragment's operators. Those of other theories all stay: connectives and sums carry
/// what a string solver is tested on.
fn kept(fragment: &Fragment, rng: &mut FuzzRng) -> OperatorSet {
    let mut kept = fragment.operators.clone();
    for op in fragment.operators.iter() {
        if op.signature().theory.as_str() == "Strings" && !chance(rng, KEPT) {
            kept.remove(op);
        }
    }
    kept
}

/// A random probability, in whole hundredths.
fn hundredths(rng: &mut FuzzRng, low: u32, high: u32) -> f64 {
    f64::from(between(rng, low, high)) / 100.0
}

#[cfg(test)]
mod tests;
