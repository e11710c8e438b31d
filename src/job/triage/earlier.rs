//! What an earlier triage in the same folder found out: it stands wherever the one after it is stopped before it gets there.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::bench::Bench;
use super::gather::Raw;
use super::investigation::Investigated;
use super::progress::{CLUSTERS, JSON};
use super::reductions::{Group, Slowed};
use crate::job::triage::REPORT;
use crate::record::{names, read_json, write_atomically};
use crate::reduce::size::Size;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::triage::overview::{Conditions, Dropped, Reason};
use crate::triage::report::{Defect, Member};

/// The list of an earlier triage.
#[derive(Default, Deserialize)]
#[serde(default)]
struct List {
    conditions: Option<Conditions>,
    defects: Vec<Defect>,
    dropped: Vec<Told>,
}

/// An instance that it dropped.
#[derive(Deserialize)]
struct Told {
    instance: String,
    reason: String,
}

/// What an earlier triage found out.
pub(super) struct Earlier {
    list: List,
    clusters: PathBuf,
}

impl Earlier {
    /// Reads what an earlier triage with the same solvers and limits left. What cannot be read is of no use.
    pub(super) fn read(bench: &Bench<'_>) -> Self {
        let out = &bench.args.out;
        let list = match read_json::<List>(&out.join(JSON)) {
            Ok(list) => list.filter(|list| list.conditions == Some(bench.conditions())),
            Err(error) => {
                tracing::info!("nothing of an earlier triage is taken over: {error}");
                None
            }
        };
        Earlier { list: list.unwrap_or_default(), clusters: out.join(CLUSTERS) }
    }

    /// Gives instances that were not tried this time the reduced forms that they had, or that of the defect that explained
    /// them, or the reasons for which they were dropped.
    pub(super) fn stand_in(&self, raws: &[Raw], dialect: Dialect, groups: &mut Vec<Group>, dropped: &mut Vec<Dropped>) {
        let untried = |dropped: &Dropped| matches!(dropped.reason, Reason::NotTried(_));
        dropped.retain_mut(|each| {
            if !untried(each) {
                return true;
            }
            let Some(raw) = raws.iter().position(|raw| raw.instance.name == each.instance) else { return true };
            let before = self.list.defects.iter().find_map(|defect| {
                let member = defect.members.iter().find(|member| is_of(member, &raws[raw], dialect))?;
                Some((defect, member))
            });
            if let Some((defect, member)) = before
                && let Some(again) = slowed_again(raw, defect, member, dialect)
            {
                Group::add(groups, again, member.reduced.is_some());
                return false;
            }
            // Another file may have had this name, but only in another folder.
            let reason = self.list.dropped.iter().find(|told| told.instance == each.instance).map(|told| &told.reason);
            if let Some(reason) = reason.filter(|reason| !reason.starts_with(Reason::NOT_TRIED)) {
                each.reason = Reason::Unfit(reason.clone());
            }
            true
        });
    }

    /// The defect that this one is, if more was found out of it than now, and the folder that has it.
    pub(super) fn knows_more_of(&self, found: &Investigated<'_>, unexplained: bool) -> Option<(&Defect, PathBuf)> {
        let now = &found.defect;
        let is_same = |member: &Member| {
            let is = |other: &Member| {
                (member.text.is_some() && member.text == other.text)
                    || (home(Path::new(&member.path)) == home(Path::new(&other.path)) && member.found == other.found)
            };
            now.members.iter().any(is)
        };
        let before = self.list.defects.iter().find(|defect| defect.members.iter().any(is_same))?;
        let more = if found.tried { unexplained && explains(before, now) } else { before.is_tried() };
        let folder = self.clusters.join(format!("{:03}", before.number));
        (more && folder.join(REPORT).is_file()).then_some((before, folder))
    }
}

/// Whether both are confirmed, and only the one before is explained.
fn explains(before: &Defect, now: &Defect) -> bool {
    now.confirmed.is_some() && before.confirmed.is_some() && before.is_explained() && !now.is_explained()
}

/// Whether an earlier triage has recorded this instance.
fn is_of(member: &Member, raw: &Raw, dialect: Dialect) -> bool {
    home(Path::new(&member.path)) == home(&raw.instance.path) && member.found == Size::of(&raw.script, dialect)
}

/// The folder of a script, whatever became of it in a run since: its number in the run tells it from others.
fn home(path: &Path) -> (Option<&Path>, Option<&OsStr>, Option<&OsStr>) {
    let folder = path.parent();
    match folder.and_then(Path::parent) {
        Some(kind) if kind.ends_with(names::CANDIDATES) || kind.ends_with(names::DEFECTS) => {
            (kind.parent(), folder.and_then(Path::file_name), path.file_name())
        }
        _ => (folder, None, path.file_name()),
    }
}

/// An instance with the reduced form that an earlier triage came to, or with that of the defect that explained it.
fn slowed_again(raw: usize, defect: &Defect, member: &Member, dialect: Dialect) -> Option<Slowed> {
    let text = member.text.as_ref().unwrap_or(&defect.instance);
    let script = parse(text, &member.path, &ParseOptions { dialect: Some(dialect) }).ok()?;
    let size = Size::of(&script, dialect);
    let unfinished = member.unfinished.then_some(size.bytes);
    Some(Slowed { unfinished, ..Slowed::new(raw, script, size) })
}

/// Takes a defect over as it was: but for its number, what is like it, and the instances that are it now.
pub(super) fn take_over(found: &mut Investigated<'_>, before: &Defect, folder: PathBuf) {
    let mut members = std::mem::take(&mut found.defect.members);
    // The one that is reported comes first.
    if let Some(chosen) = before.members.first() {
        let chosen = home(Path::new(&chosen.path));
        members.sort_by_key(|member| home(Path::new(&member.path)) != chosen);
    }
    found.defect = Defect { members, ..before.clone() };
    found.defect.severity.members = found.members.len();
    found.earlier = Some(folder);
}

/// Copies the folder of a defect that was taken over.
pub(super) fn copy(defect: &Defect, from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    let report = fs::read_to_string(from.join(REPORT))?;
    Ok(write_atomically(&to.join(REPORT), defect.renumbered(&report).as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defect(confirmed: bool, explained: bool) -> Defect {
        let growth = explained.then_some(serde_json::json!({ "dimensions": [] }));
        serde_json::from_value(serde_json::json!({
            "number": 1, "title": "t", "instance": "", "members": [], "like": null, "variants": [], "versions": null,
            "severity": { "class": 3, "other_versions": 0, "ratio": 9.0, "complexity": 5, "members": 1 },
            "confirmed": confirmed.then_some(serde_json::json!({ "answer": "sat" })), "not_confirmed": null,
            "limit_seconds": 5.0, "where_time_goes": null, "growth": growth,
        }))
        .expect("a defect as a list has it")
    }

    #[test]
    fn an_explanation_stands_only_for_what_is_still_confirmed_and_not_explained() {
        assert!(explains(&defect(true, true), &defect(true, false)));
        for (before, now) in [
            (defect(true, true), defect(true, true)),
            (defect(true, true), defect(false, false)),
            (defect(true, false), defect(true, false)),
            (defect(false, true), defect(true, false)),
        ] {
            assert!(!explains(&before, &now), "{before:?} {now:?}");
        }
    }
}
