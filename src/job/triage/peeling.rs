//! The raw instances, peeled: what the solvers say to the questions of [`crate::triage::peel`].

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use anyhow::Context;
use rayon::prelude::*;

use super::bench::Bench;
use super::gather::{Raw, runs_of_these_solvers};
use super::reductions::{Group, Slowed};
use crate::console::progress;
use crate::isolate::isolated;
use crate::known::{self, Pattern, Trial};
use crate::operator::normal::{OPENINGS, opened};
use crate::oracle::OracleError;
use crate::oracle::prover::Prover;
use crate::record::{read_defects, read_lessons, write_atomically};
use crate::reduce::property::{Judgement, Property, Rigour};
use crate::reduce::size::Size;
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::script::Script;
use crate::triage::expenses::Purpose;
use crate::triage::overview::{Dropped, Reason};
use crate::triage::peel::{Ask, Candidate, Found, Left, Peeled, Reduced, peel};

/// What a pattern file says of its trial, in its first line.
const TRIAL: &str = "; slow on ";

impl Bench<'_> {
    /// Peels all; the second list says of the others why they are no defects.
    pub(super) fn peel_all(&self, raws: &[Raw]) -> anyhow::Result<(Vec<Group>, Vec<Dropped>)> {
        let mut first: HashMap<u128, usize> = HashMap::new();
        let mut dropped = Vec::new();
        let mut distinct = Vec::new();
        for (index, raw) in raws.iter().enumerate() {
            match first.entry(canonical_hash(&raw.script)) {
                Entry::Occupied(other) => {
                    let reason = Reason::SameAs(raws[*other.get()].instance.name.clone());
                    dropped.push(raw.dropped(reason));
                }
                Entry::Vacant(entry) => {
                    entry.insert(index);
                    distinct.push(index);
                }
            }
        }
        let lacks: Vec<anyhow::Result<Option<Reason>>> =
            self.pool.install(|| distinct.par_iter().map(|&index| self.lack(&raws[index])).collect());
        let mut candidates = Vec::new();
        for (index, lack) in distinct.into_iter().zip(lacks) {
            if let Some(reason) = lack? {
                dropped.push(raws[index].dropped(reason));
            } else {
                let script = self.opened(&raws[index])?;
                candidates.push(Candidate { index, script, without: Vec::new() });
            }
        }
        let found = self.learned_by_runs(raws)?;
        let harvest = peel(candidates, &self.known, found, &Peeling { bench: self, raws }, &mut tell)?;
        dropped.extend(harvest.others.into_iter().map(|(index, reason)| raws[index].dropped(reason)));
        let groups = harvest.defects.into_iter().map(group).collect();
        Ok((groups, dropped))
    }

    /// The normal form of a slow instance, if that is slow too: patterns do not occur in what `let` and definitions hide.
    fn opened(&self, raw: &Raw) -> anyhow::Result<Script> {
        let Some(open) = opened(&raw.script, &OPENINGS).filter(|open| *open != raw.script) else {
            return Ok(raw.script.clone());
        };
        let is_slow = self.reduced_file(&open, &[]).is_file()
            || matches!(self.looked_at(&open, Purpose::FirstLooks)?, Some(Judgement::Holds));
        Ok(if is_slow { open } else { raw.script.clone() })
    }

    /// What a look at a script shows; `None` if there was none.
    fn looked_at(&self, script: &Script, purpose: Purpose) -> anyhow::Result<Option<Judgement>> {
        if self.has_reduced_enough() {
            return Ok(None);
        }
        let cores = self.cores(purpose, &|| false);
        match isolated(|| cores.slow().judge(script, Rigour::Look, self.interrupt)) {
            Ok(Ok(judgement)) => Ok(Some(judgement)),
            Ok(Err(OracleError::Interrupted)) | Err(_) => Ok(None),
            Ok(Err(error)) => Err(error.into()),
        }
    }

    /// The defects that the runs among the inputs have learned, if they had the same solvers.
    fn learned_by_runs(&self, raws: &[Raw]) -> anyhow::Result<Vec<Found<Slowed>>> {
        let mut found = Vec::new();
        let dialect = self.target.dialect();
        for root in runs_of_these_solvers(self.args) {
            let defects = read_defects(&root)?;
            for lesson in read_lessons(&root)? {
                let of_it = defects.iter().find(|defect| defect.record.id == lesson.id);
                let is_of_it = |raw: &Raw| of_it.is_some_and(|defect| raw.instance.path.starts_with(&defect.folder));
                let (Some(index), Some(core)) = (raws.iter().position(is_of_it), &lesson.core) else { continue };
                let options = ParseOptions { dialect: Some(dialect) };
                let script = parse(core, &format!("{}/known.jsonl", root.display()), &options)?;
                let pattern = match &lesson.pattern {
                    Some(text) => known::read(text, "known.jsonl")?.into_iter().next(),
                    None => None,
                };
                let trial = pattern.clone().map(|pattern| Trial { pattern, slow: lesson.slow, tried: lesson.tried });
                let size = Size::of(&script, dialect);
                let core = Slowed { trial, ..Slowed::new(index, script, size) };
                found.push(Found { index, core, pattern });
            }
        }
        Ok(found)
    }

    /// Why an instance is not slow; none if it is.
    fn lack(&self, raw: &Raw) -> anyhow::Result<Option<Reason>> {
        if raw.is_slow || self.reduced_file(&raw.script, &[]).is_file() {
            return Ok(None);
        }
        if self.has_reduced_enough() {
            return Ok(Some(Reason::NotTried(self.stopped())));
        }
        let cores = self.cores(Purpose::FirstLooks, &|| false);
        let slow = cores.slow();
        let look = || -> Result<Option<Reason>, OracleError> {
            Ok(slow.lack_at_first_look(&raw.script, self.interrupt)?.map(Reason::Unfit))
        };
        match isolated(look) {
            Ok(Err(OracleError::Interrupted)) => Ok(Some(Reason::NotTried(self.stopped()))),
            Ok(lack) => Ok(lack?),
            Err(message) => Ok(Some(self.kept_apart(raw, message))),
        }
    }
}

fn tell(defect: &Peeled<Slowed>) {
    let Slowed { trial, .. } = &defect.core;
    let others = defect.members.len() - 1;
    if let Some(Trial { pattern, slow, tried }) = trial {
        progress!("slow on {slow} of {tried} fresh scripts, explains {others} more: {pattern}");
    }
}

fn group(defect: Peeled<Slowed>) -> Group {
    let Peeled { core, twins, members, .. } = defect;
    let reduced: Vec<usize> = std::iter::once(core.raw).chain(twins.iter().map(|(index, _)| *index)).collect();
    let mut explained: Vec<usize> = members.into_iter().filter(|index| !reduced.contains(index)).collect();
    explained.sort_unstable();
    explained.dedup();
    Group { first: core, twins: twins.into_iter().map(|(_, core)| core).collect(), explained }
}

/// The questions of peeling, put to the solvers of a triage.
struct Peeling<'a> {
    bench: &'a Bench<'a>,
    raws: &'a [Raw],
}

impl Ask for Peeling<'_> {
    type Core = Slowed;
    type Reason = Reason;
    type Error = anyhow::Error;

    fn core(
        &self,
        candidate: &Candidate,
        known: &[Pattern],
        others: &[&Script],
    ) -> anyhow::Result<Reduced<Slowed, Reason>> {
        let Peeling { bench, raws } = self;
        let raw = &raws[candidate.index];
        if known.iter().any(|pattern| pattern.occurs(&candidate.script)) {
            // There was no time to take it out.
            return Ok(Reduced::Not(Reason::NotTried(bench.stopped())));
        }
        let work = || {
            let reduced = bench.reduce_one(candidate.index, &candidate.script, known)?;
            let Ok(mut slowed) = reduced else { return Ok(reduced) };
            if slowed.unfinished.is_none() {
                let file = bench.reduced_file(&candidate.script, known).with_extension("pattern.smt2");
                slowed.trial = bench.learned(&slowed.script, &raw.instance.name, &file, Some(others))?;
                slowed.pattern_file = Some(file);
            }
            Ok(Ok(slowed))
        };
        let result: anyhow::Result<Result<Slowed, Reason>> =
            isolated(work).unwrap_or_else(|message| Ok(Err(bench.kept_apart(raw, message))));
        Ok(match result? {
            Ok(slowed) => {
                let before = Size::of(&raw.script, bench.target.dialect()).bytes;
                progress!("{}: {}", raw.instance.name, bench.told(before, &slowed));
                let pattern = slowed.trial.as_ref().map(|trial| Box::new(trial.pattern.clone()));
                Reduced::Core(slowed, pattern)
            }
            Err(reason) => {
                if !matches!(reason, Reason::NotTried(_)) {
                    // The list says how many the others are.
                    progress!("{}: {reason}", raw.instance.name);
                }
                Reduced::Not(reason)
            }
        })
    }

    fn script<'c>(&self, core: &'c Slowed) -> &'c Script {
        &core.script
    }

    fn left(&self, scripts: &[Script]) -> anyhow::Result<Vec<Left>> {
        let bench = self.bench;
        let left = |script: &Script| {
            Ok(match bench.looked_at(script, Purpose::Attribution)? {
                Some(Judgement::Holds) => Left::Slow,
                Some(_) => Left::Quick,
                None => Left::Unknown,
            })
        };
        bench.pool.install(|| scripts.par_iter().map(left).collect())
    }

    fn explained_by(&self, known: &Pattern) -> Reason {
        Reason::Unfit(format!("explained by the known pattern {}", known.name))
    }

    fn size(&self, script: &Script) -> u64 {
        Size::of(script, self.bench.target.dialect()).complexity
    }
}

impl Bench<'_> {
    /// The pattern of a core, as an earlier triage learned it, or learned now; if it is only to explain `others`, none if it
    /// occurs in none of them.
    pub(super) fn learned(
        &self,
        core: &Script,
        name: &str,
        file: &Path,
        others: Option<&[&Script]>,
    ) -> anyhow::Result<Option<Trial>> {
        let cost = self.cost_of(file, Purpose::Patterns);
        if let Ok(text) = std::fs::read_to_string(file) {
            return Ok(trial_of(&text, file));
        }
        // What only makes a report better may take the rest of the budget.
        let is_over = || if others.is_some() { self.has_reduced_enough() } else { self.is_over(1.0) };
        match self.cores(Purpose::Patterns, &is_over).learned(core, name, others) {
            Ok(trial) => {
                if trial.is_some() || others.is_none() {
                    let text = trial.as_ref().map_or_else(String::new, text_of);
                    write_atomically(file, text.as_bytes())?;
                    cost.keep()?;
                }
                Ok(trial)
            }
            // There is no time for it.
            Err(OracleError::Interrupted) => Ok(None),
            Err(error) => Err(error).context("the pattern of a defect could not be learned"),
        }
    }
}

/// What is kept of a trial.
fn text_of(trial: &Trial) -> String {
    format!("{TRIAL}{} of {} fresh scripts with it\n{}", trial.slow, trial.tried, known::write(&[&trial.pattern]))
}

/// A trial as it was kept; none if none passed, or what was kept cannot be read.
fn trial_of(text: &str, file: &Path) -> Option<Trial> {
    let mut words = text.strip_prefix(TRIAL)?.split_whitespace();
    let (slow, tried) = (words.next()?.parse().ok()?, words.nth(1)?.parse().ok()?);
    let pattern = known::read(text, &file.display().to_string()).ok()?.into_iter().next()?;
    Some(Trial { pattern, slow, tried })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_is_kept_with_its_numbers() {
        let text = "; slow on 10 of 12 fresh scripts with it\n\
            (define-fun a ((p0 String)) String (str.at p0 1))\n";
        let trial = trial_of(text, Path::new("a.pattern.smt2")).expect("a trial");
        assert_eq!((trial.slow, trial.tried), (10, 12));
        assert_eq!(text_of(&trial), text);
        assert!(trial_of("", Path::new("none.pattern.smt2")).is_none());
    }
}
