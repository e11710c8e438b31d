//! The raw instances, reduced: each once, also over several triages.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use rayon::prelude::*;

use super::bench::Bench;
use super::gather::Raw;
use crate::console::say;
use crate::evaluate::{EvaluateError, Fusion, Observe};
use crate::oracle::OracleError;
use crate::oracle::prover::Prover;
use crate::record::write_atomically;
use crate::reduce::property::{Slow, SlowSettings};
use crate::reduce::size::Size;
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Ended, Plan, Reduction, reduce};
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::trace::{Trace, TraceLines};

/// The part of the budget that may go into reductions.
const REDUCTION_SHARE: f64 = 0.6;
/// Lines after which a trace that is compared is cut: reduced forms that go on for ever differ late, if at all.
const MOST_TRACE_LINES: u64 = 200_000;

/// The name of an instance that is no defect, and why.
pub(super) type Dropped = (String, String);

/// An instance that is slow, and its reduced form.
pub(super) struct Slowed {
    pub(super) raw: usize,
    pub(super) script: Script,
    pub(super) size: Size,
    /// The nearest relative that the target answers.
    pub(super) nearest: Option<Script>,
    pub(super) trace: Option<Arc<Trace>>,
    /// Of one that was stopped: the bytes of the script that is gone on with.
    pub(super) unfinished: Option<usize>,
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

    /// Reduces all; the second list says of the others why not.
    pub(super) fn reduce_all(&self, raws: &[Raw]) -> anyhow::Result<(Vec<Slowed>, Vec<Dropped>)> {
        let mut first: HashMap<u128, usize> = HashMap::new();
        let mut dropped = Vec::new();
        let mut distinct = Vec::new();
        for (index, raw) in raws.iter().enumerate() {
            let fingerprint = canonical_hash(&raw.script);
            match first.entry(fingerprint) {
                Entry::Occupied(other) => {
                    let reason = format!("the same as {}", raws[*other.get()].instance.name);
                    dropped.push((raw.instance.name.clone(), reason));
                }
                Entry::Vacant(entry) => {
                    entry.insert(index);
                    distinct.push((index, fingerprint));
                }
            }
        }
        let done = Mutex::new(0);
        let reduced: Vec<anyhow::Result<Result<Slowed, String>>> = self.pool.install(|| {
            distinct
                .par_iter()
                .map(|&(index, fingerprint)| {
                    let result = self.reduce_one(index, &raws[index].script, fingerprint);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    *done += 1;
                    if let Ok(outcome) = &result {
                        let Raw { instance, script } = &raws[index];
                        let said = match outcome {
                            Ok(slowed) => self.told(Size::of(script, self.target.dialect()).bytes, slowed),
                            Err(reason) => reason.clone(),
                        };
                        say!("[{done}/{}] {}: {said}", distinct.len(), instance.name);
                    }
                    result
                })
                .collect()
        });
        let mut slowed = Vec::new();
        for ((index, _), result) in distinct.iter().zip(reduced) {
            match result? {
                Ok(each) => slowed.push(each),
                Err(reason) => dropped.push((raws[*index].instance.name.clone(), reason)),
            }
        }
        Ok((slowed, dropped))
    }

    /// What is told of an instance that was reduced from so many bytes.
    fn told(&self, before: usize, slowed: &Slowed) -> String {
        match slowed.unfinished {
            None => format!("{before} -> {} bytes", slowed.size.bytes),
            Some(bytes) => {
                let why = if self.interrupt.is_set() { "interrupted" } else { "the budget is used up" };
                format!("{before} -> {bytes} bytes so far ({why})")
            }
        }
    }

    /// Reduces one; `Err` inside says why it is no slow instance.
    fn reduce_one(&self, index: usize, raw: &Script, fingerprint: u128) -> anyhow::Result<Result<Slowed, String>> {
        let dialect = self.target.dialect();
        let file = self.reductions().join(format!("{fingerprint:032x}.smt2"));
        let nearest_file = file.with_extension("nearest.smt2");
        let unfinished_file = file.with_extension("unfinished.smt2");
        let mut unfinished = None;
        let read = |path: &Path| -> Option<Script> {
            let text = fs::read_to_string(path).ok()?;
            parse(&text, &path.display().to_string(), &ParseOptions { dialect: Some(dialect) }).ok()
        };
        let (script, nearest) = if let Some(script) = read(&file) {
            (script, read(&nearest_file))
        } else if self.interrupt.is_set() {
            return Ok(Err("not tried: interrupted".to_owned()));
        } else if self.is_over(REDUCTION_SHARE) {
            return Ok(Err("not tried: the budget is used up".to_owned()));
        } else {
            let reduction = match self.shrink(raw, read(&unfinished_file).as_ref()) {
                Ok(Ok(reduction)) => reduction,
                Ok(Err(lack)) => return Ok(Err(lack)),
                Err(error) if matches!(error.downcast_ref(), Some(OracleError::Interrupted)) => {
                    return Ok(Err("not tried: interrupted".to_owned()));
                }
                Err(error) => return Err(error),
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
            (reduction.script, reduction.nearest)
        };
        let size = Size::of(&script, dialect);
        let trace = self.trace(&script)?;
        Ok(Ok(Slowed { raw: index, script, size, nearest, trace, unfinished }))
    }

    /// Reduces `raw`, from where an earlier triage was stopped if what that left is slow too; `Err` inside says why `raw` is
    /// no slow instance.
    fn shrink(&self, raw: &Script, started: Option<&Script>) -> anyhow::Result<Result<Reduction, String>> {
        let mut settings = SlowSettings::new(self.args.limit);
        settings.check_models = !self.reference.solver().profile.check_model.is_empty();
        let property = Slow::new(&self.target, &self.reference, settings, &self.meter);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("cannot start threads")?;
        let plan = Plan {
            strategy: Strategy::default(),
            freedom: Freedom::default(),
            dialect: self.target.dialect(),
            seed: 0,
            most_tests: u64::MAX,
            enough: &|| self.is_over(REDUCTION_SHARE),
            pool: &pool,
        };
        for script in started.into_iter().chain([raw]) {
            if let Some(reduction) = reduce(script, &property, &plan, &|_, _, _| {}, self.interrupt)? {
                return Ok(Ok(reduction));
            }
        }
        Ok(Err(property.lack(raw, self.interrupt)?))
    }

    /// The target's trace, if it writes one, up to its own limit.
    fn trace(&self, script: &Script) -> anyhow::Result<Option<Arc<Trace>>> {
        let target = self.target.solver();
        if target.profile.trace.is_empty() || self.interrupt.is_set() {
            return Ok(None);
        }
        let soft_limit = target.profile.soft_limit_within(self.args.limit);
        let observe = Observe {
            instrumented: None,
            trace: Some(TraceLines::Ids),
            fusion: Fusion::Apart,
            limit: self.args.limit,
            soft_limit: Some(soft_limit).filter(|&limit| limit > 0),
            max_trace_lines: Some(MOST_TRACE_LINES),
        };
        match observe.run(script, target, self.interrupt) {
            Ok(observed) => {
                self.meter.charge(observed.cpu_seconds);
                Ok(observed.trace)
            }
            Err(EvaluateError::Interrupted) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
