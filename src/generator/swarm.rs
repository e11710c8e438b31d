//! Swarm generation: each fresh script is drawn by a configuration that leaves out operators at random.
//!
//! After Groce, Zhang, Eide, Chen and Regehr: *Swarm Testing*, ISSTA 2012. A script that may hold every operator mostly
//! holds the one that the solver is slowest on, and that hides all else: of 41 slow scripts that [`StringGenerator`] made
//! of all operators for Z3str3 4.8.10, 33 held `str.substr`. A configuration without it shows what it hid.

mod recipe;

use super::layered::parameters::{Division, Parameters as LayeredParameters};
use super::parameters::Parameters;
use super::{Generator, Layered, Preset, StringGenerator};
use crate::random::{FuzzRng, below, between, chance, pick, rng_for};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::operator_set::OperatorSet;
use crate::smtlib::script::Script;

/// How many configurations a swarm has. Their tables are laid out once, because that costs more than many scripts.
const CONFIGURATIONS: u32 = 64;
/// The generation whose slots' generators draw the configurations: no run comes that far.
const CONFIGURING: u32 = u32::MAX;
/// The theories whose operators are left out.
const SWARMED: [&str; 3] = ["Strings", "BitVectors", "FloatingPoint"];
/// The largest widths of bit-vectors of its configurations.
const WIDTHS: [u32; 7] = [4, 8, 16, 32, 64, 128, 256];
/// How likely a configuration keeps an operator of these.
const KEPT: f64 = 0.5;
/// One script of so many is one of `StringFuzz`'s.
const RECIPE_ONE_IN: usize = 6;

/// Draws scripts by configurations that are a function of the run's seed.
#[derive(Debug)]
pub struct Swarm {
    fragment: Fragment,
    configurations: Vec<Box<dyn Generator>>,
    /// Whether `StringFuzz`'s generators are in the logic.
    has_recipes: bool,
}

impl Swarm {
    /// The swarm of a run with this master seed, for the scripts of a fragment.
    pub fn new(fragment: &Fragment, seed: u64) -> Self {
        let preset = Preset::of_logic(fragment.logic.as_str());
        let configured = |slot| {
            let rng = &mut rng_for(seed, CONFIGURING, slot);
            match preset.and_then(|preset| layered(preset, fragment, rng)) {
                Some(layered) => Box::new(layered) as Box<dyn Generator>,
                None => Box::new(of_strings(fragment, rng)),
            }
        };
        let configurations = (0..CONFIGURATIONS).map(configured).collect();
        Swarm { fragment: fragment.clone(), configurations, has_recipes: preset.is_none() }
    }
}

impl Generator for Swarm {
    fn generate_into(&self, script: &mut Script, rng: &mut FuzzRng) {
        let configuration = &self.configurations[below(rng, self.configurations.len())];
        if self.has_recipes
            && below(rng, RECIPE_ONE_IN) == 0
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

/// A random configuration of layered formulas.
fn layered(preset: &Preset, fragment: &Fragment, rng: &mut FuzzRng) -> Option<Layered> {
    let max_variables = between(rng, 1, 4);
    let parameters = LayeredParameters {
        max_variables,
        max_width: *pick(rng, &WIDTHS)?,
        max_arrays: between(rng, 1, 2),
        max_reads: between(rng, 1, 3),
        max_writes: between(rng, 0, 3),
        max_array_equalities: between(rng, 0, 1),
        division: Division::Free,
        compact: true,
        max_assertions: between(rng, 1, 5),
        ..LayeredParameters::default()
    };
    Layered::new(preset, parameters, &fragment.restricted_to(&kept(fragment, rng))).ok()
}

/// A random configuration of scripts about strings.
fn of_strings(fragment: &Fragment, rng: &mut FuzzRng) -> StringGenerator {
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
/// what a solver of strings, or of bit-vectors, is tested on.
fn kept(fragment: &Fragment, rng: &mut FuzzRng) -> OperatorSet {
    let mut kept = fragment.operators.clone();
    for op in fragment.operators.iter() {
        if SWARMED.contains(&op.signature().theory.as_str()) && !chance(rng, KEPT) {
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
