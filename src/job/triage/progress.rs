//! The defects of a triage, written as they become known: confirmed first, all of them, and then explained.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::bench::Bench;
use super::earlier::{Earlier, copy, take_over};
use super::gather::Raw;
use super::hints::Hints;
use super::investigation::Investigated;
use super::reductions::{Group, INTERNAL_ERRORS, Slowed};
use super::{Extent, LIST, REPORT};
use crate::console::say;
use crate::exit::NotWritten;
use crate::isolate::isolated;
use crate::job::place::remove_folder;
use crate::oracle::prover::Prover;
use crate::oracle::report::{Instance, as_found};
use crate::record::write_atomically;
use crate::report;
use crate::triage::issue::Issue;
use crate::triage::known::Known;
use crate::triage::overview::{Dropped, Reason, Stopped, Triage};
use crate::triage::report::Like;
use crate::triage::variants;

/// A confirmed defect as the text of an issue.
const ISSUE: &str = "issue.md";
/// The list for programs, and for reports on the run.
pub(super) const JSON: &str = "triage.json";
/// The folder of the defects.
pub(in crate::job) const CLUSTERS: &str = "clusters";

/// A script as it was found is shown in a report up to this many bytes; it stands beside the report in any case.
const MOST_SHOWN: usize = 4096;

/// Where a triage stands after the reductions.
pub(super) struct Progress<'a> {
    bench: &'a Bench<'a>,
    raws: &'a [Raw],
    found: Vec<Investigated<'a>>,
    dropped: Vec<Dropped>,
    hints: Hints,
    /// How many instances there were, those that cannot be read too.
    instances: usize,
    /// Whether an earlier triage's list is there, which says more than the half of this one.
    had_list: bool,
    /// Whether explanations were left out.
    unexplained: bool,
}

impl<'a> Progress<'a> {
    /// Begins with what peeling came to.
    pub(super) fn begin(
        bench: &'a Bench<'a>,
        raws: &'a [Raw],
        groups: &'a [Group],
        dropped: Vec<Dropped>,
    ) -> anyhow::Result<Self> {
        let mut found = Vec::new();
        for group in groups {
            found.push(bench.unconfirmed(group, raws)?);
        }
        let had_list = bench.args.out.join(LIST).exists();
        let unreadable = dropped.iter().filter(|it| !raws.iter().any(|raw| raw.instance.name == it.instance)).count();
        let instances = raws.len() + unreadable;
        let hints = Hints::of(groups, bench)?;
        Ok(Progress { bench, raws, found, dropped, hints, instances, had_list, unexplained: false })
    }

    /// Confirms, explains and writes. What it does not come to is as an `earlier` triage left it.
    pub(super) fn complete(mut self, earlier: &Earlier) -> anyhow::Result<Triage> {
        self.confirm_all()?;
        self.explain_all()?;
        let stopped = self.stopped();
        if stopped.is_some() {
            for found in &mut self.found {
                if let Some((before, folder)) = earlier.knows_more_of(found, self.unexplained) {
                    take_over(found, before, folder);
                }
            }
        }
        self.sort();
        if !(self.had_list && stopped == Some(Stopped::Interrupted)) {
            self.write_all(stopped)?;
        }
        let internal = self.dropped.iter().filter(|dropped| matches!(dropped.reason, Reason::Internal(_))).count();
        if internal > 0 {
            let (noun, verb) = if internal == 1 { ("instance", "is") } else { ("instances", "are") };
            let folder = self.bench.args.out.join(INTERNAL_ERRORS);
            say!("internal error on {internal} {noun}, which {verb} kept in {}: please report it", folder.display());
        }
        Ok(self.triage(stopped))
    }

    /// Confirms the defects, those that a run has confirmed and then the smallest first. The first is tried even if the reductions have used up the budget.
    fn confirm_all(&mut self) -> anyhow::Result<()> {
        // What a run has confirmed already costs nothing.
        let (bench, raws) = (self.bench, self.raws);
        let is_known = |found: &Investigated<'_>| found.members.iter().any(|member| bench.has_confirmed(member, raws));
        self.found.sort_by_key(|found| (!is_known(found), found.chosen.size));
        let mut index = 0;
        while index < self.found.len() {
            let is_owed = index == 0 && self.bench.args.extent == Extent::Reports;
            let is_over = if is_owed || is_known(&self.found[index]) {
                self.bench.interrupt.is_set()
            } else {
                !self.bench.may_confirm()
            };
            if is_over {
                break;
            }
            let found = &mut self.found[index];
            match isolated(|| self.bench.try_to_confirm(found, self.raws)) {
                Ok(result) => result?,
                Err(message) => {
                    self.drop_all(index, &message);
                    continue;
                }
            }
            index += 1;
            if !self.had_list {
                // If the program is killed now, this is what it leaves.
                self.write_all(Some(Stopped::Interrupted))?;
            }
        }
        Ok(())
    }

    /// Takes out a defect on which the program itself failed.
    fn drop_all(&mut self, index: usize, message: &str) {
        let found = self.found.remove(index);
        for index in found.members.iter().map(|member| member.raw).chain(found.explained.iter().copied()) {
            let raw = &self.raws[index];
            let reason = self.bench.kept_apart(raw, message.to_owned());
            self.dropped.push(raw.dropped(reason));
        }
    }

    /// Explains the defects, the worst first.
    fn explain_all(&mut self) -> anyhow::Result<()> {
        self.sort();
        if self.bench.args.extent == Extent::Counts {
            return Ok(());
        }
        for index in 0..self.found.len() {
            if self.bench.is_over(1.0) {
                self.unexplained = true;
                break;
            }
            let found = &mut self.found[index];
            match isolated(|| self.bench.complete(found)) {
                Ok(result) => result?,
                Err(message) => {
                    let raw = &self.raws[found.chosen.raw];
                    tracing::warn!("{} is not explained: internal error: {message}", raw.instance.name);
                    self.bench.kept_apart(raw, message);
                }
            }
            if !self.had_list {
                self.write_all(Some(Stopped::Interrupted))?;
            }
        }
        Ok(())
    }

    /// Sorts the defects, the worst first, numbers them, and says which are probably the same.
    fn sort(&mut self) {
        self.found.sort_by_key(|found| found.defect.severity.key());
        self.number();
    }

    fn number(&mut self) {
        let chosen: Vec<&Slowed> = self.found.iter().map(|found| found.chosen).collect();
        for (index, found) in self.found.iter_mut().enumerate() {
            found.defect.number = index + 1;
            let like = |earlier: usize| Some((earlier, self.hints.between(chosen[index], chosen[earlier])?));
            found.defect.like = (0..index)
                .find_map(like)
                .map(|(earlier, hint)| Like { number: earlier + 1, because: hint.to_string() });
        }
    }

    /// Why the triage is not finished, if it is not.
    fn stopped(&self) -> Option<Stopped> {
        let is_cut = self.unexplained
            || self.bench.interrupt.is_set()
            || self.found.iter().any(|found| !found.tried || found.members.iter().any(|it| it.unfinished.is_some()))
            || self.dropped.iter().any(|dropped| matches!(dropped.reason, Reason::NotTried(_)));
        is_cut.then(|| self.bench.stopped())
    }

    fn triage(&self, stopped: Option<Stopped>) -> Triage {
        Triage {
            instances: self.instances,
            defects: self.found.iter().map(|found| found.defect.clone()).collect(),
            dropped: self.dropped.clone(),
            stopped,
            conditions: Some(self.bench.conditions()),
            solver_seconds: self.bench.expenses.solver_seconds(),
            taken_over: self.found.iter().filter(|found| found.earlier.is_some()).count(),
            spent: self.bench.expenses.listed(),
        }
    }

    /// Writes the list, and a folder for each defect.
    fn write_all(&mut self, stopped: Option<Stopped>) -> anyhow::Result<()> {
        self.number();
        // Numbers change from one triage to the next: an old folder would be another defect's. It stays until all is there,
        // since it may be what is triaged.
        let clusters = self.bench.args.out.join(CLUSTERS);
        let new = self.bench.args.out.join("clusters.new");
        remove_folder(&new)?;
        for found in &self.found {
            self.write_one(found, &new)?;
        }
        remove_folder(&clusters)?;
        if new.exists() {
            fs::rename(&new, &clusters).map_err(|source| NotWritten { path: clusters, source })?;
        }
        self.write_lists(stopped)
    }

    /// Writes the folder of one defect.
    fn write_one(&self, found: &Investigated<'_>, clusters: &Path) -> anyhow::Result<()> {
        let Investigated { defect, evidence, chosen, earlier, .. } = found;
        let folder = clusters.join(format!("{:03}", defect.number));
        fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
        if let Some(earlier) = earlier {
            copy(defect, earlier, &folder).with_context(|| format!("cannot copy {}", earlier.display()))?;
            return Ok(write_atomically(
                &folder.join("report.json"),
                serde_json::to_string_pretty(defect)?.as_bytes(),
            )?);
        }
        let write = |name: &str, text: &str| write_atomically(&folder.join(name), text.as_bytes());
        write("instance.smt2", &self.raws[chosen.raw].text)?;
        write("reduced.smt2", &defect.instance)?;
        if let Some(pattern) = &defect.pattern {
            write("pattern.smt2", &pattern.text)?;
        }
        let mut report = defect.markdown(evidence.as_deref());
        let found = &self.raws[chosen.raw].text;
        if *found != defect.instance && found.len() <= MOST_SHOWN {
            let dialect = self.bench.target.dialect().name().to_owned();
            report += &as_found(&Instance { dialect, text: found.clone() });
        }
        write(REPORT, &report)?;
        if let Some(confirmed) = defect.confirmed.as_ref().and_then(Known::now) {
            let issue = Issue {
                defect,
                confirmed,
                machine: &self.bench.machine,
                family: self.bench.target.solver().profile.family(),
                logic: variants::logic_name(&chosen.script),
                versions: defect.versions.as_ref().and_then(Known::now),
            };
            write(ISSUE, &issue.markdown())?;
        }
        write("report.json", &serde_json::to_string_pretty(defect)?)?;
        if let Some(growth) = defect.growth.as_ref().and_then(Known::now) {
            report::write_growth(growth, &folder)?;
        }
        Ok(())
    }

    fn write_lists(&self, stopped: Option<Stopped>) -> anyhow::Result<()> {
        let triage = self.triage(stopped);
        let out = &self.bench.args.out;
        write_atomically(&out.join(LIST), triage.markdown().as_bytes())?;
        Ok(write_atomically(&out.join(JSON), serde_json::to_string_pretty(&triage)?.as_bytes())?)
    }
}
