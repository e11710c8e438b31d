//! What is made of the seeds.

use super::HuntRequest;
use super::models::Models;
use crate::generator::Layered;
use crate::hunt::chains::Chains;
use crate::hunt::choices::StrategyName;
use crate::hunt::fresh::Fresh;
use crate::hunt::seeds::Seeds;
use crate::hunt::source::{Source, Storm, StormSettings, Themselves};
use crate::oracle::prover::InstalledProver;
use crate::smtlib::fragment::Fragment;
use crate::solver::fragments::readable_fragment;
use crate::solver::profile::Profile;

/// What makes instances of `seeds` for these solvers; STORM's first assignments come from `models`, if there are any.
///
/// # Errors
/// A file of rules that cannot be read, or is wrong.
pub(super) fn source<'a>(
    args: &HuntRequest,
    seeds: &'a dyn Seeds,
    provers: &[InstalledProver],
    models: Option<&'a Models<'_>>,
) -> anyhow::Result<Box<dyn Source + 'a>> {
    Ok(match (args.strategy, args.strategy.way()) {
        (StrategyName::Storm, _) => {
            let settings = StormSettings {
                bounds: args.storm.bounds(),
                incremental: args.storm.incremental,
                instances: None,
                seed: args.seed,
            };
            let storm = Storm::new(seeds, settings);
            Box::new(match models {
                Some(models) => storm.with_first(models),
                None => storm,
            })
        }
        (StrategyName::Fuzzsmt, _) => {
            let fragment = readable_by(provers)?;
            let preset = args.fuzzsmt.preset();
            let layered = Layered::new(preset, args.fuzzsmt.parameters, &fragment)?;
            Box::new(Fresh::new(layered, preset.name, args.fuzzsmt.together.get(), args.seed))
        }
        (_, None) => Box::new(Themselves::new(seeds)),
        (_, Some(way)) => Box::new(Chains::new(seeds, readable_by(provers)?, args.mutants.settings(way, args.seed)?)),
    })
}

/// What all of them read, in any logic.
fn readable_by(provers: &[InstalledProver]) -> anyhow::Result<Fragment> {
    let solvers: Vec<&Profile> = provers.iter().map(|prover| &prover.solver().profile).collect();
    Ok(readable_fragment(&solvers)?)
}
