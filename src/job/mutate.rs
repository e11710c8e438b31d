//! Mutants of a script, many of them.

mod chains;

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::batch::Batch;
use super::input::read;
use crate::generator::grammar;
use crate::hunt::parameters::StormParameters;
use crate::hunt::source::{INSTANCES_A_ROUND, Source, Storm, StormSettings};
use crate::operator::Context;
use crate::operator::seed::normalise_seed;
use crate::random::{FuzzRng, rng_for};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::parser::{ParseOptions, detect, parse};
use crate::smtlib::printer::{PrintOptions, print_into};
use crate::smtlib::script::Script;
pub use chains::TypeAware;

/// The script to mutate, and how many mutants there are to be.
#[derive(Debug)]
pub struct MutateRequest {
    /// The script, or - for standard input.
    pub file: PathBuf,
    /// The dialect of the file and of the mutants; as the file looks without one.
    pub dialect: Option<Dialect>,
    /// How many, and where they go.
    pub batch: Batch,
}

impl MutateRequest {
    /// The name of the file, its dialect, and its script.
    fn script(&self) -> anyhow::Result<(String, Dialect, Script)> {
        let name = self.file.display().to_string();
        let text = read(&self.file)?;
        let dialect = self.dialect.unwrap_or_else(|| detect(&text));
        let script = parse(&text, &name, &ParseOptions { dialect: Some(dialect) })?;
        Ok((name, dialect, script))
    }
}

/// Writes mutants of the script in `file` that `mutate` makes; it gives `false` if there is nothing to mutate.
///
/// # Errors
/// A file that cannot be read or parsed, that nothing applies to, or mutants that cannot be written.
pub fn write_mutants(
    request: &MutateRequest,
    mutate: impl Fn(&mut Script, &mut FuzzRng, &Context<'_>) -> bool + Sync,
) -> anyhow::Result<()> {
    let (name, dialect, seed) = request.script()?;
    let seed = normalise_seed(&seed).with_context(|| name.clone())?;
    let fragment = fragment_of(&seed, dialect);
    let grammar = grammar(&fragment);
    let context = Context { fragment: &fragment, grammar: grammar.as_ref() };
    let options = PrintOptions::default();
    request.batch.write(Script::new, |script, number, text| {
        script.clone_from(&seed);
        if !mutate(script, &mut rng_for(request.batch.seed, 0, number as u32), &context) {
            bail!("{name}: no mutation applies");
        }
        Ok(print_into(text, script, dialect, &options)?)
    })
}

/// Rounds that may give no instance before there is none.
const BARREN_ROUNDS: u32 = 50;

/// Writes STORM's instances of the script in `file`.
///
/// # Errors
/// As [`write_mutants`].
pub fn write_storm(request: &MutateRequest, storm: StormParameters) -> anyhow::Result<()> {
    let (name, dialect, seed) = request.script()?;
    let StormParameters { incremental, .. } = storm;
    let settings =
        StormSettings { bounds: storm.bounds(), incremental, instances: Some(u32::MAX), seed: request.batch.seed };
    let seeds = vec![(name.clone(), seed)];
    let source = Storm::new(&seeds, settings);
    // A seed has fragments under every assignment, or under none.
    let first = (0..BARREN_ROUNDS).find_map(|round| source.cases(0, round).transpose());
    first.with_context(|| format!("{name}: no part of it has a truth that is known"))??;
    let options = PrintOptions::default();
    request.batch.write(
        || (u32::MAX, Vec::new()),
        |(kept, cases), number, text| {
            let (round, place) = ((number - 1) as u32 / INSTANCES_A_ROUND, (number - 1) % INSTANCES_A_ROUND as usize);
            if *kept != round {
                // A round without instances has others in its place, far from all that are asked for.
                let mut rounds =
                    (0..BARREN_ROUNDS).filter_map(|far| source.cases(0, round.wrapping_add(far << 20)).ok());
                (*kept, *cases) = (round, rounds.find_map(|cases| cases).unwrap_or_default());
            }
            let case = cases.get(place).with_context(|| format!("{name}: no instance {number}"))?;
            anyhow::ensure!(case.is_satisfied(), "{name}: instance {number} is not satisfied by its assignment");
            Ok(print_into(text, &case.script, dialect, &options)?)
        },
    )
}

/// What mutants of `seed` may use.
fn fragment_of(seed: &Script, dialect: Dialect) -> Fragment {
    let standard = match (seed.logic(), dialect) {
        (Some(logic), Dialect::SmtLib26) => Fragment::standard().in_logic(logic.as_str()),
        (None, Dialect::SmtLib26) => Fragment::standard(),
        (Some(logic), _) => Fragment::paper().in_logic(logic.as_str()),
        (None, _) => Fragment::paper(),
    };
    standard.spelled_in(dialect).admitting(seed)
}
