//! Type-aware mutants: chains of them, or all that are one step away.

use std::path::PathBuf;

use anyhow::{Context, bail};

use super::{MutateRequest, fragment_of};
use crate::console::say;
use crate::hunt::parameters::MutantParameters;
use crate::operator::type_aware::{Chain, Seed, Settings, Way};
use crate::random::{FuzzRng, rng_for};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::printer::{PrintOptions, print_into};
use crate::solver::fragments::readable_fragment;
use crate::solver::profile::{Profile, SolverSpec};
use crate::solver::provision::{Cache, known_profiles};

/// How type-aware mutants are made.
#[derive(Clone, Debug)]
pub struct TypeAware {
    /// By which of the papers.
    pub way: Way,
    /// How.
    pub chains: MutantParameters,
    /// Use operators that these solvers accept; without any, those of the standard.
    pub solvers: Vec<SolverSpec>,
    /// A file of further solver profiles.
    pub profiles: Option<PathBuf>,
}

impl TypeAware {
    /// What the solvers accept that the user names; `None` if there are none.
    fn fragment(&self) -> anyhow::Result<Option<Fragment>> {
        if self.solvers.is_empty() && self.profiles.is_none() {
            return Ok(None);
        }
        let profiles = known_profiles(self.profiles.as_deref(), &Cache::locate()?)?;
        let known: Vec<Profile> =
            self.solvers.iter().map(|spec| Ok(profiles.get(spec)?.0)).collect::<anyhow::Result<_>>()?;
        let known: Vec<&Profile> = known.iter().collect();
        Ok((!known.is_empty()).then(|| readable_fragment(&known)).transpose()?)
    }

    /// Writes mutants of the script in the file.
    ///
    /// # Errors
    /// A file that cannot be read or parsed, that nothing applies to, or mutants that cannot be written.
    pub fn write(&self, request: &MutateRequest) -> anyhow::Result<()> {
        let (name, dialect, script) = request.script()?;
        let fragment = self.fragment()?.unwrap_or_else(|| fragment_of(&script, dialect).in_logic("ALL"));
        let seed = Seed::of(&script, &fragment).with_context(|| name.clone())?;
        let chains = self.chains.settings(self.way, request.batch.seed)?;
        if chains.exhaustive {
            return all(request, &seed, &chains.mutation, dialect, &name);
        }
        let options = PrintOptions::default();
        let walk =
            || Walk { seed: &seed, settings: &chains.mutation, random: chains.seed, steps: chains.steps, at: None };
        request.batch.write(walk, |walk, number, text| {
            let chain = walk.to(number).with_context(|| format!("{name}: no mutation applies"))?;
            Ok(print_into(text, chain.script(), dialect, &options)?)
        })
    }
}

/// A walk along chains: mutant number N is step N mod the chain's length of a chain that begins with the seed.
struct Walk<'a> {
    seed: &'a Seed,
    settings: &'a Settings,
    random: u64,
    steps: u32,
    /// The chain that the walk is in, and the number of the mutant that it has reached.
    at: Option<(usize, Chain<'a>, FuzzRng)>,
}

impl<'a> Walk<'a> {
    /// The chain at the mutant of a number, from 1; `None` if nothing applies any more.
    fn to(&mut self, number: usize) -> Option<&Chain<'a>> {
        let steps = self.steps as usize;
        let first = (number - 1) / steps * steps;
        let is_on_the_way = |reached: usize| reached > first && reached <= number;
        let (reached, mut chain, mut rng) = match self.at.take().filter(|&(reached, ..)| is_on_the_way(reached)) {
            Some(at) => at,
            None => (first, self.seed.chain(self.settings), rng_for(self.random, 0, (first / steps) as u32)),
        };
        // A step that made nothing is repeated: it draws something else.
        for _ in reached..number {
            (0..ATTEMPTS).any(|_| chain.step(&mut rng)).then_some(())?;
        }
        Some(&self.at.insert((number, chain, rng)).1)
    }
}

/// How often a step is tried before nothing applies.
const ATTEMPTS: usize = 16;

/// Writes the mutants that are one step away, at most as many as are asked for.
fn all(request: &MutateRequest, seed: &Seed, settings: &Settings, dialect: Dialect, name: &str) -> anyhow::Result<()> {
    let wanted = request.batch.count.get();
    let mut one_step = seed.one_step(settings);
    let numbers: Vec<u64> =
        (0..one_step.count()).filter(|&number| one_step.mutant(number).is_some()).take(wanted).collect();
    if numbers.is_empty() {
        bail!("{name}: no mutation applies");
    }
    if numbers.len() < wanted {
        say!("note: {name}: {} mutants are one step away", numbers.len());
    }
    let options = PrintOptions::default();
    request.batch.write_only(
        numbers.len(),
        || seed.one_step(settings),
        |one_step, number, text| {
            let mutant = numbers.get(number - 1).and_then(|&number| one_step.mutant(number));
            let mutant = mutant.with_context(|| format!("{name}: no mutant {number}"))?;
            Ok(print_into(text, &mutant, dialect, &options)?)
        },
    )
}
