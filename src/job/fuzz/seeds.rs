//! The user's seed files, as a campaign wants them.

use std::path::Path;

use anyhow::Context;

use crate::console::Console;
use crate::operator::seed::normalise_seed;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::parser::{ParseOptions, decode, parse};
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::Script;

/// The dialect in which seeds are recorded: the one that spells every operator.
const DIALECT: Dialect = Dialect::SmtLib26;

/// The scripts of a folder, in the order of their names, normalised. One that cannot be a seed is reported with the
/// reason and left out.
///
/// # Errors
/// When the folder cannot be read, has no scripts, or none of them can be a seed.
pub(super) fn read(folder: &Path, fragment: &Fragment, console: &Console) -> anyhow::Result<Vec<(String, Script)>> {
    let unreadable = || format!("cannot read the seeds in {}", folder.display());
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "smt2") {
            files.push(path);
        }
    }
    files.sort_unstable();
    anyhow::ensure!(!files.is_empty(), "there are no seeds in {}: no file ends in .smt2", folder.display());
    let mut seeds = Vec::new();
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match seed(path, fragment) {
            Ok(script) => seeds.push((name, script)),
            Err(reason) => {
                tracing::warn!(file = name, reason = format!("{reason:#}"), "not a seed");
                console.say(&format!("{name} is not used as a seed: {reason:#}"));
            }
        }
    }
    anyhow::ensure!(!seeds.is_empty(), "none of the {} files in {} can be a seed", files.len(), folder.display());
    Ok(seeds)
}

fn seed(path: &Path, fragment: &Fragment) -> anyhow::Result<Script> {
    let name = path.display().to_string();
    let text = decode(std::fs::read(path)?, &name)?;
    let script = parse(&text, &name, &ParseOptions::default())?;
    let script = normalise_seed(&script)?;
    fragment.admits(&script)?;
    Ok(script.compacted())
}

/// Names and texts, for the record.
pub(super) fn texts(seeds: &[(String, Script)]) -> Vec<(String, String)> {
    seeds
        .iter()
        .map(|(name, script)| {
            // Every operator of the table can be spelled in the canonical dialect.
            (name.clone(), printer::print(script, DIALECT, &PrintOptions::default()).unwrap_or_default())
        })
        .collect()
}

/// Seeds from the record.
///
/// # Errors
/// When a text is no longer a script.
pub(super) fn parse_recorded(texts: &[(String, String)]) -> anyhow::Result<Vec<(String, Script)>> {
    let options = ParseOptions { dialect: Some(DIALECT) };
    texts.iter().map(|(name, text)| Ok((name.clone(), parse(text, name, &options)?.compacted()))).collect()
}
