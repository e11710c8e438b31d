//! Profiles that begin as another profile: `like = "NAME"` or `like = "NAME@VERSION"`.
//!
//! The work is done on TOML tables, where "given" and "not given" differ whatever the field's default is.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table, Value};

use super::{Profile, SolverSpec};

/// The key that names the base.
const LIKE: &str = "like";
/// The key of the changes at a version.
const SINCE: &str = "since";

/// The profile of `table`: its own fields over those of the profile that it is like, if it is like one.
///
/// Like `NAME`, it inherits what changes at a version too, but for the fields that it gives itself: they hold at every
/// version. Like `NAME@VERSION`, it is what the base is at that version, which is also its default version.
///
/// # Errors
/// What is wrong with it, for people.
pub(super) fn profile(mut table: Table, known: &BTreeMap<String, Profile>) -> Result<Profile, String> {
    let name = match table.get("name") {
        Some(Value::String(name)) => name.clone(),
        Some(_) => return Err("a solver's `name` must be a string".to_owned()),
        None => return Err("a solver has no `name`".to_owned()),
    };
    if let Some(like) = table.remove(LIKE) {
        let base = base(&like, known).map_err(|reason| format!("solver {name}: {reason}"))?;
        table = overlaid(base, table);
    }
    Profile::deserialize(table).map_err(|error| format!("solver {name}: {}", error.to_string().trim_end()))
}

/// The fields of the profile that `like` names.
fn base(like: &Value, known: &BTreeMap<String, Profile>) -> Result<Table, String> {
    let text = like.as_str().ok_or("`like` must be a string, \"NAME\" or \"NAME@VERSION\"")?;
    let spec = SolverSpec::parse(text).map_err(|error| format!("like = {text:?}: {error}"))?;
    if !spec.options.is_empty() {
        return Err(format!("like = {text:?}: expected NAME or NAME@VERSION; options belong into `arguments`"));
    }
    // Whatever is not read yet is unknown, so that no circle can arise.
    let base = known.get(&spec.name).ok_or_else(|| {
        let names = known.keys().cloned().collect::<Vec<_>>().join(", ");
        format!("like = {text:?}: no solver of this name stands before it; known there: {names}")
    })?;
    let family = base.family().to_owned();
    let base = match spec.version {
        Some(version) => Profile { version: version.clone(), family, ..base.at(&version) },
        None => Profile { family, ..base.clone() },
    };
    // It need not come from the package whose releases the base follows.
    let base = Profile { follows: None, ..base };
    Table::try_from(base).map_err(|error| error.to_string())
}

/// `base` with the fields of `given` in place of its own.
fn overlaid(mut base: Table, given: Table) -> Table {
    for change in base.get_mut(SINCE).and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(change) = change.as_table_mut() {
            change.retain(|field, _| field == "version" || !given.contains_key(field));
        }
    }
    base.extend(given);
    base
}
