//! The raw instances, reduced: each once, also over several triages.

use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Context;
use rustc_hash::FxHasher;

use super::Extent;
use super::bench::Bench;
use super::gather::Raw;
use crate::known::{Pattern, Trial};
use crate::oracle::OracleError;
use crate::oracle::prover::Prover;
use crate::record::{internal_errors, write_atomically};
use crate::reduce::Ended;
use crate::reduce::size::Size;
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::triage::cluster::shape;
use crate::triage::core::Cores;
use crate::triage::expenses::{Expenses, Purpose};
use crate::triage::overview::{Reason, Stopped};

/// The folder of the scripts on which the program itself failed.
pub(super) const INTERNAL_ERRORS: &str = "internal-errors";

/// An instance that is slow, and its reduced form.
pub(super) struct Slowed {
    pub(super) raw: usize,
    pub(super) script: Script,
    pub(super) size: Size,
    /// The nearest relative that the target answers.
    pub(super) nearest: Option<Script>,
    /// Of one that was stopped: the bytes of the script that is gone on with.
    pub(super) unfinished: Option<usize>,
    /// Its pattern, and how that did on fresh scripts; none if none could be learned.
    pub(super) trial: Option<Trial>,
    /// Where its pattern is kept, if it was reduced here.
    pub(super) pattern_file: Option<PathBuf>,
}

impl Slowed {
    /// A reduced form of which nothing else is known.
    pub(super) fn new(raw: usize, script: Script, size: Size) -> Self {
        Slowed { raw, script, size, nearest: None, unfinished: None, trial: None, pattern_file: None }
    }
}

/// What a file costs that is kept: CPU seconds of solvers, written beside it.
pub(super) struct Cost<'a> {
    expenses: &'a Expenses,
    kept: PathBuf,
    earlier: f64,
    before: f64,
}

impl Cost<'_> {
    /// Writes it down, now that what was paid for is kept.
    pub(super) fn keep(&self) -> anyhow::Result<()> {
        let seconds = self.earlier + self.expenses.solver_seconds() - self.before;
        Ok(write_atomically(&self.kept, format!("{seconds}\n").as_bytes())?)
    }
}

/// The instances that are one defect.
pub(super) struct Group {
    /// The core whose pattern explains others.
    pub(super) first: Slowed,
    /// Cores that are equal to it up to names and literals, or that its pattern explains.
    pub(super) twins: Vec<Slowed>,
    /// The instances that its pattern explains.
    pub(super) explained: Vec<usize>,
}

impl Group {
    /// Adds an instance to the defect of its shape, or as one of its own; it is reduced, or explained by that defect.
    pub(super) fn add(groups: &mut Vec<Group>, slowed: Slowed, is_reduced: bool) {
        let shaped = shape(&slowed.script);
        match groups.iter_mut().find(|group| shape(&group.first.script) == shaped) {
            Some(group) if is_reduced => group.twins.push(slowed),
            Some(group) => group.explained.push(slowed.raw),
            None => groups.push(Group { first: slowed, twins: Vec::new(), explained: Vec::new() }),
        }
    }

    /// All that were reduced.
    pub(super) fn cores(&self) -> impl Iterator<Item = &Slowed> {
        std::iter::once(&self.first).chain(&self.twins)
    }
}

impl Bench<'_> {
    /// The folder of the reduced forms, by the fingerprints of what they were reduced from.
    pub(super) fn reductions(&self) -> PathBuf {
        // What was reduced for other solvers, or at another limit, is something else.
        let key = format!(
            "{} {} {} {}",
            self.target.name(),
            self.reference.name(),
            self.args.limit.as_millis(),
            self.target.dialect()
        );
        let key: String =
            key.chars().map(|c| if c.is_ascii_alphanumeric() || ".@".contains(c) { c } else { '-' }).collect();
        self.args.out.join("reduced").join(key)
    }

    /// Keeps the script of an instance on which the program itself failed, and says so of it.
    pub(super) fn kept_apart(&self, raw: &Raw, message: String) -> Reason {
        let folder = self.args.out.join(INTERNAL_ERRORS);
        if let Err(error) = keep_apart(&raw.instance.name, &raw.text, &folder) {
            tracing::warn!("the script of {} is not kept: {error:#}", raw.instance.name);
        }
        Reason::Internal(message)
    }

    /// What is told of an instance that was reduced from so many bytes.
    pub(super) fn told(&self, before: usize, slowed: &Slowed) -> String {
        match slowed.unfinished {
            None => format!("{before} -> {} bytes", slowed.size.bytes),
            Some(bytes) => {
                let why = match self.stopped() {
                    Stopped::Interrupted => "interrupted",
                    Stopped::Budget => "the budget is used up",
                };
                format!("{before} -> {bytes} bytes so far ({why})")
            }
        }
    }

    /// The file of the reduced form of a script in which none of these patterns is to occur.
    pub(super) fn reduced_file(&self, raw: &Script, known: &[Pattern]) -> PathBuf {
        let mut hasher = FxHasher::default();
        known.iter().map(ToString::to_string).for_each(|pattern| pattern.hash(&mut hasher));
        let known = if known.is_empty() { String::new() } else { format!("-{:016x}", hasher.finish()) };
        self.reductions().join(format!("{:032x}{known}.smt2", canonical_hash(raw)))
    }

    /// Reduces one, so that none of these patterns occurs in what is left; `Err` inside says why it is no slow instance.
    pub(super) fn reduce_one(
        &self,
        index: usize,
        raw: &Script,
        known: &[Pattern],
    ) -> anyhow::Result<Result<Slowed, Reason>> {
        let dialect = self.target.dialect();
        let file = self.reduced_file(raw, known);
        let cost = self.cost_of(&file, Purpose::Reductions);
        let nearest_file = file.with_extension("nearest.smt2");
        let unfinished_file = file.with_extension("unfinished.smt2");
        let mut unfinished = None;
        let read = |path: &Path| -> Option<Script> {
            let text = fs::read_to_string(path).ok()?;
            parse(&text, &path.display().to_string(), &ParseOptions { dialect: Some(dialect) }).ok()
        };
        let (script, nearest) = if let Some(script) = read(&file) {
            (script, read(&nearest_file))
        } else if self.has_reduced_enough() {
            return Ok(Err(Reason::NotTried(self.stopped())));
        } else {
            let is_over = || self.has_reduced_enough();
            let reduction =
                match self.cores(Purpose::Reductions, &is_over).reduced(raw, known, read(&unfinished_file).as_ref()) {
                    Ok(Ok(reduction)) => reduction,
                    Ok(Err(lack)) => return Ok(Err(Reason::Unfit(lack))),
                    Err(OracleError::Interrupted) => return Ok(Err(Reason::NotTried(self.stopped()))),
                    Err(error) => return Err(error.into()),
                };
            let text = |script: &Script| print(script, dialect, &PrintOptions::default());
            if reduction.ended == Ended::Fixpoint {
                write_atomically(&file, text(&reduction.script)?.as_bytes())?;
                if let Some(nearest) = &reduction.nearest {
                    write_atomically(&nearest_file, text(nearest)?.as_bytes())?;
                }
                // It may never have been there.
                drop(fs::remove_file(&unfinished_file));
            } else {
                let reached = reduction.unsure.as_ref().map_or(&reduction.script, |(script, _)| script);
                write_atomically(&unfinished_file, text(reached)?.as_bytes())?;
                unfinished = Some(Size::of(reached, dialect).bytes);
            }
            cost.keep()?;
            (reduction.script, reduction.nearest)
        };
        let size = Size::of(&script, dialect);
        Ok(Ok(Slowed { nearest, unfinished, ..Slowed::new(index, script, size) }))
    }

    /// What is spent for a file from now on, beside what the file has cost before.
    pub(super) fn cost_of(&self, file: &Path, purpose: Purpose) -> Cost<'_> {
        let kept = file.with_extension("cost");
        let earlier = fs::read_to_string(&kept).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0.0);
        if self.args.extent == Extent::Counts {
            self.expenses.meter(purpose).charge(earlier);
        }
        Cost { expenses: &self.expenses, kept, earlier, before: self.expenses.solver_seconds() }
    }

    /// Who finds out the core of an instance, or what else for this purpose; `is_over` says when there is no more time.
    pub(super) fn cores<'c>(&'c self, purpose: Purpose, is_over: &'c (dyn Fn() -> bool + Sync)) -> Cores<'c> {
        Cores {
            target: &self.target,
            reference: &self.reference,
            limit: self.args.limit,
            check_models: !self.reference.solver().profile.check_model.is_empty(),
            fragment: &self.fragment,
            dialect: self.target.dialect(),
            pool: &self.pool,
            meter: self.expenses.meter(purpose),
            is_over,
            interrupt: self.interrupt,
        }
    }
}

/// Writes the script of an instance into a folder, under a name that is a file's.
fn keep_apart(name: &str, text: &str, folder: &Path) -> anyhow::Result<()> {
    let name = internal_errors::file_name(name);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(write_atomically(&folder.join(format!("{name}.smt2")), text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_on_which_the_program_failed_is_kept_under_its_name() {
        let scratch = tempfile::tempdir().expect("a folder");
        let folder = scratch.path().join(INTERNAL_ERRORS);
        for (name, file) in [("a", "a.smt2"), ("/runs/a.smt2", "runs-a.smt2")] {
            keep_apart(name, "(check-sat)\n", &folder).expect("kept");
            assert_eq!(fs::read_to_string(folder.join(file)).expect("the script"), "(check-sat)\n");
        }
    }
}
