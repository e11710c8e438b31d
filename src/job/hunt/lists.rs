//! The file of `--lists`: read, given to the solvers, and told as it would be without one.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

use crate::hunt::lists::{Lists, Texts};
use crate::oracle::prover::InstalledProver;
use crate::solver::answer::Answer;
use crate::solver::provision::{Cache, known_profiles};

/// What stands above the lists that are printed.
const HEAD: &str = "\
# What a hunt goes by, as a file for `hunt --lists FILE`. What is a crash without it, is one with it too.
#
# crash       a line of output that contains one of these is the message of a crash; a signal is a crash without one
# ignore      an output that contains one of these says nothing: the solver is left out of what is said of the instance
# duplicates  a finding whose reason or evidence contains one of these is known: it is counted, and not reported
#
# Above the first [solver.NAME] they hold for all solvers.
";

/// The lists in a file; empty ones without.
///
/// # Errors
/// A file that cannot be read, or is wrong.
pub(super) fn read(file: Option<&Path>) -> anyhow::Result<Lists> {
    let Some(file) = file else { return Ok(Lists::default()) };
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
    Ok(Lists::read(&text, &name)?)
}

/// The solvers, whose outputs are read by the lists.
pub(super) fn applied(lists: &Lists, provers: Vec<InstalledProver>) -> Vec<InstalledProver> {
    let apply = |prover: InstalledProver| {
        let texts = lists.of(&prover.solver().spec);
        prover.with_texts(&texts.crash, &texts.ignore)
    };
    provers.into_iter().map(apply).collect()
}

/// The lists that hold, as a file: what is built in, of the profiles, and of the user's file.
///
/// # Errors
/// A file that cannot be read, or is wrong.
pub fn lists_in_force(file: Option<&Path>, profiles: Option<&Path>) -> anyhow::Result<String> {
    let mut lists = read(file)?;
    lists.all.crash.splice(0..0, Answer::crash_messages().iter().map(|&text| text.to_owned()));
    let profiles = known_profiles(profiles, &Cache::locate()?)?;
    let of_profiles: BTreeMap<&str, &[String]> =
        profiles.iter().map(|profile| (profile.name.as_str(), profile.crashes.as_slice())).collect();
    for (name, crashes) in of_profiles.into_iter().filter(|(_, crashes)| !crashes.is_empty()) {
        let texts: &mut Texts = lists.solver.entry(name.to_owned()).or_default();
        texts.crash.splice(0..0, crashes.iter().cloned());
    }
    let text = toml::to_string_pretty(&lists).context("the lists cannot be printed")?;
    Ok(format!("{HEAD}\n{text}"))
}
