//! `triage`: from the raw findings of runs to few, distinct, confirmed, small defects with a report each.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, ensure};
use rayon::prelude::*;

use super::evaluate::read_script;
use super::explain::{Explainer, Observed};
use super::instances::{Instance, instances_in};
use super::setup::provided;
use crate::config::parse_duration;
use crate::evaluate::written::text_for;
use crate::evaluate::{Fusion, Observe};
use crate::exit::{NotWritten, Status};
use crate::matrix::Matrix;
use crate::oracle::OracleError;
use crate::oracle::machine::Machine;
use crate::oracle::performance::{ConfirmSettings, Confirmation, RunRow, Verdict};
use crate::oracle::prover::{InstalledProver, Prover};
use crate::oracle::report::{DefectReport, Instance as Written};
use crate::record::write_atomically;
use crate::reduce::property::{Meter, Slow, SlowSettings};
use crate::reduce::size::Size;
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Ended, Plan, reduce};
use crate::report;
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::solver::process::Interrupt;
use crate::solver::profile::{Profiles, SolverSpec};
use crate::solver::provision::{Cache, find};
use crate::trace::{Trace, TraceLines};
use crate::triage::cluster::{Kin, clusters};
use crate::triage::report::{Defect, Member, overview};
use crate::triage::severity::Severity;
use crate::triage::variants;

/// The confirm limit by default, as a multiple of the limit: as in a run.
const CONFIRM_FACTOR: u32 = 4;
/// Members of a cluster that are tried until one is confirmed: the smallest ones.
const CONFIRM_TRIES: usize = 3;
/// The part of the budget that may go into reductions.
const REDUCTION_SHARE: f64 = 0.6;

/// Reduce, cluster, confirm and explain slow instances: DIR/triage.md lists the distinct defects, the worst first, and
/// each has a report to paste into an issue.
#[derive(Clone, Debug, clap::Args)]
pub struct TriageArgs {
    /// Run directories (their candidates and defects), folders of scripts, or scripts
    #[arg(value_name = "DIR", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Where the result goes; an earlier triage there is gone on with
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// The solver under test, as "NAME OPTION…" or "NAME@VERSION OPTION…"
    #[arg(long, value_name = "SOLVER", default_value = "z3str3")]
    pub target: SolverSpec,
    /// The solver that is quick
    #[arg(long, value_name = "SOLVER", default_value = "cvc4")]
    pub reference: SolverSpec,
    /// Another version of the target, on which the defects are tried too; may be repeated
    #[arg(long = "also", value_name = "SOLVER")]
    pub also: Vec<SolverSpec>,
    /// CPU time in which the target must fail to answer
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    pub limit: Duration,
    /// CPU time of the runs that confirm [default: four times the limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub confirm_limit: Option<Duration>,
    /// CPU time of solvers after which nothing is begun any more, but for the list of what there is
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub budget: Option<Duration>,
    /// Leave out where the time goes and how it grows
    #[arg(long)]
    pub no_explain: bool,
    /// Instances to reduce at once
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    pub profiles: Option<PathBuf>,
    /// Exit with code 1 if a defect is confirmed
    #[arg(long)]
    pub fail_on_defect: bool,
    /// Print the defects as JSON instead of the list
    #[arg(long)]
    pub json: bool,
}

/// A raw instance.
struct Raw {
    instance: Instance,
    script: Script,
}

/// An instance that is slow, and its reduced form.
struct Slowed {
    raw: usize,
    script: Script,
    size: Size,
    /// The nearest relative that the target answers.
    nearest: Option<Script>,
    trace: Option<std::sync::Arc<Trace>>,
}

/// The solvers, and what a triage spends.
struct Bench<'a> {
    args: &'a TriageArgs,
    target: InstalledProver,
    reference: InstalledProver,
    verifiers: Vec<InstalledProver>,
    also: Vec<InstalledProver>,
    explainer: Option<Explainer>,
    machine: Machine,
    pool: rayon::ThreadPool,
    meter: Meter,
    interrupt: &'a Interrupt,
}

/// Triages the instances, and prints the list of defects to `output`.
///
/// # Errors
/// An input that cannot be read, a solver that is missing, or a result that cannot be written.
pub fn run(args: &TriageArgs, interrupt: &Interrupt, output: &mut dyn Write) -> anyhow::Result<Status> {
    let (defects, list) = triaged(args, interrupt)?;
    let printed = if args.json { serde_json::to_string_pretty(&defects)? + "\n" } else { list };
    output.write_all(printed.as_bytes()).context("cannot write the list")?;
    Ok(match () {
        () if interrupt.is_set() => Status::Interrupted,
        () if args.fail_on_defect && defects.iter().any(|defect| defect.confirmed.is_some()) => Status::DefectsFound,
        () => Status::Done,
    })
}

/// Triages the instances; also gives the list of defects in Markdown.
///
/// # Errors
/// As [`run`].
pub(super) fn triaged(args: &TriageArgs, interrupt: &Interrupt) -> anyhow::Result<(Vec<Defect>, String)> {
    let mut raws: Vec<Raw> = Vec::new();
    for path in &args.inputs {
        for instance in instances_in(path, true)? {
            let script = read_script(&instance.path)?.0;
            raws.push(Raw { instance, script });
        }
    }
    ensure!(!raws.is_empty(), "there are no scripts to triage");
    let bench = Bench::open(args, interrupt)?;
    fs::create_dir_all(bench.reductions()).map_err(|source| NotWritten { path: args.out.clone(), source })?;
    let (slowed, dropped) = bench.reduce_all(&raws)?;
    let kin: Vec<Kin<'_>> =
        slowed.iter().map(|each| Kin { script: &each.script, trace: each.trace.as_deref() }).collect();
    let mut defects = Vec::new();
    for cluster in clusters(&kin) {
        let mut members: Vec<&Slowed> = cluster.iter().map(|&index| &slowed[index]).collect();
        members.sort_by_key(|member| (member.size, member.raw));
        defects.push(bench.investigate(&members, &raws)?);
    }
    defects.sort_by_key(|(defect, _)| defect.severity.key());
    let defects = bench.write_all(defects)?;
    let list = overview(&defects, raws.len(), &dropped);
    write_atomically(&args.out.join("triage.md"), list.as_bytes())?;
    write_atomically(&args.out.join("triage.json"), serde_json::to_string_pretty(&defects)?.as_bytes())?;
    Ok((defects, list))
}

impl<'a> Bench<'a> {
    fn open(args: &'a TriageArgs, interrupt: &'a Interrupt) -> anyhow::Result<Self> {
        let mut profiles = Profiles::built_in();
        if let Some(file) = &args.profiles {
            profiles.add_file(file)?;
        }
        let cache = Cache::locate()?;
        let target = find(&args.target, &profiles, &cache)?;
        let reference = find(&args.reference, &profiles, &cache)?;
        let verifiers = super::fuzz::verifiers(&profiles, &cache, [&target, &reference]);
        let also = args.also.iter().map(|spec| provided(spec, &profiles, interrupt).map(InstalledProver::new));
        let explainer = (!args.no_explain)
            .then(|| Explainer::open(&target, None, Observed { cpu: args.limit, soft: 0 }, &profiles, &cache, interrupt))
            .transpose()?;
        Ok(Bench {
            args,
            also: also.collect::<anyhow::Result<_>>()?,
            target: InstalledProver::new(target),
            reference: InstalledProver::new(reference),
            verifiers: verifiers.into_iter().map(InstalledProver::new).collect(),
            explainer,
            machine: Machine::this(),
            pool: rayon::ThreadPoolBuilder::new()
                .num_threads(args.jobs.get())
                .build()
                .context("cannot start threads")?,
            meter: Meter::default(),
            interrupt,
        })
    }

    /// Whether this part of the budget is used up, or the user interrupted.
    fn is_over(&self, share: f64) -> bool {
        let spent = self.meter.spent().solver_seconds;
        self.interrupt.is_set() || self.args.budget.is_some_and(|budget| spent >= share * budget.as_secs_f64())
    }

    /// The folder of the reduced forms, by the fingerprints of what they were reduced from.
    fn reductions(&self) -> PathBuf {
        self.args.out.join("reduced")
    }

    /// Reduces all; the second list says of the others why not.
    fn reduce_all(&self, raws: &[Raw]) -> anyhow::Result<(Vec<Slowed>, Vec<(String, String)>)> {
        let mut first: HashMap<u128, usize> = HashMap::new();
        let mut dropped = Vec::new();
        let mut distinct = Vec::new();
        for (index, raw) in raws.iter().enumerate() {
            match first.entry(canonical_hash(&raw.script)) {
                std::collections::hash_map::Entry::Occupied(other) => {
                    let reason = format!("the same as {}", raws[*other.get()].instance.name);
                    dropped.push((raw.instance.name.clone(), reason));
                }
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(index);
                    distinct.push(index);
                }
            }
        }
        let done = Mutex::new(0);
        let reduced: Vec<anyhow::Result<Result<Slowed, String>>> = self.pool.install(|| {
            distinct
                .par_iter()
                .map(|&index| {
                    let result = self.reduce_one(index, &raws[index]);
                    let mut done = done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    *done += 1;
                    let name = &raws[index].instance.name;
                    match &result {
                        Ok(Ok(slowed)) => {
                            eprintln!("[{done}/{}] {name}: {} bytes", distinct.len(), slowed.size.bytes);
                        }
                        Ok(Err(reason)) => eprintln!("[{done}/{}] {name}: {reason}", distinct.len()),
                        Err(_) => {}
                    }
                    result
                })
                .collect()
        });
        let mut slowed = Vec::new();
        for (index, result) in distinct.iter().zip(reduced) {
            match result? {
                Ok(each) => slowed.push(each),
                Err(reason) => dropped.push((raws[*index].instance.name.clone(), reason)),
            }
        }
        Ok((slowed, dropped))
    }

    /// Reduces one; `Err` inside says why it is no slow instance.
    fn reduce_one(&self, index: usize, raw: &Raw) -> anyhow::Result<Result<Slowed, String>> {
        if self.is_over(REDUCTION_SHARE) {
            return Ok(Err("not tried: the budget is used up".to_owned()));
        }
        let dialect = self.target.dialect();
        let file = self.reductions().join(format!("{:032x}.smt2", canonical_hash(&raw.script)));
        let nearest_file = file.with_extension("nearest.smt2");
        let read = |path: &Path| -> Option<Script> {
            let text = fs::read_to_string(path).ok()?;
            parse(&text, &path.display().to_string(), &ParseOptions { dialect: Some(dialect) }).ok()
        };
        let (script, nearest) = if let Some(script) = read(&file) {
            (script, read(&nearest_file))
        } else {
            let mut settings = SlowSettings::new(self.args.limit);
            settings.check_models = !self.reference.solver().profile.check_model.is_empty();
            let property = Slow::new(&self.target, &self.reference, settings, &self.meter);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("cannot start threads")?;
            let plan = Plan {
                strategy: Strategy::default(),
                freedom: Freedom::default(),
                dialect,
                seed: 0,
                most_tests: u64::MAX,
                pool: &pool,
            };
            let reduction = match reduce(&raw.script, &property, &plan, &|_, _, _| {}, self.interrupt) {
                Ok(Some(reduction)) => reduction,
                Ok(None) => return Ok(Err("the target is not slow, or the reference not quick".to_owned())),
                Err(OracleError::Interrupted) => return Ok(Err("not tried: interrupted".to_owned())),
                Err(error) => return Err(error.into()),
            };
            let text = |script: &Script| print(script, dialect, &PrintOptions::default());
            if reduction.ended == Ended::Fixpoint {
                write_atomically(&file, text(&reduction.script)?.as_bytes())?;
                if let Some(nearest) = &reduction.nearest {
                    write_atomically(&nearest_file, text(nearest)?.as_bytes())?;
                }
            }
            (reduction.script, reduction.nearest)
        };
        let size = Size::of(&script, dialect);
        let trace = self.trace(&script)?;
        Ok(Ok(Slowed { raw: index, script, size, nearest, trace }))
    }

    /// The target's trace, if it writes one, up to its own limit.
    fn trace(&self, script: &Script) -> anyhow::Result<Option<std::sync::Arc<Trace>>> {
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
        Ok(observe.run(script, target, self.interrupt)?.trace)
    }

    /// Confirms a cluster and finds out what there is to know; also gives the evidence's own report.
    fn investigate(&self, members: &[&Slowed], raws: &[Raw]) -> anyhow::Result<(Defect, Option<String>)> {
        let dialect = self.target.dialect();
        let mut confirmed = None;
        let mut not_confirmed = None;
        let mut chosen = members[0];
        for member in members.iter().take(CONFIRM_TRIES) {
            if confirmed.is_some() || self.is_over(1.0) {
                break;
            }
            match self.confirm(&member.script)? {
                Some(Verdict::Confirmed(evidence)) => {
                    confirmed = Some(*evidence);
                    chosen = member;
                }
                Some(Verdict::NotConfirmed(refusal)) => not_confirmed = not_confirmed.or(Some(*refusal)),
                None => {}
            }
        }
        let script = &chosen.script;
        let text = print(script, dialect, &PrintOptions::default())?;
        let evidence = confirmed.as_ref().map(|confirmed| self.evidence(script, confirmed));
        let title = match &evidence {
            Some(evidence) => evidence.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned(),
            None => format!("{} may be slow", self.target.name()),
        };
        let mut defect = Defect {
            number: 0,
            title,
            severity: Severity::of(confirmed.as_ref(), 0, chosen.size.complexity, members.len()),
            instance: text,
            members: self.members(chosen, members, raws),
            confirmed,
            not_confirmed,
            variants: Vec::new(),
            limit_seconds: self.args.limit.as_secs_f64(),
            versions: None,
            where_time_goes: None,
            growth: None,
        };
        if !self.is_over(1.0) {
            match self.enrich(&mut defect, chosen) {
                Err(error) if self.interrupt.is_set() => tracing::info!("interrupted: {error}"),
                other => other?,
            }
        }
        Ok((defect, evidence))
    }

    /// Adds what is not needed for a confirmed defect, but makes its report better.
    fn enrich(&self, defect: &mut Defect, chosen: &Slowed) -> anyhow::Result<()> {
        let Bench { args, target, pool, interrupt, .. } = self;
        defect.variants = variants::run(&chosen.script, target, args.limit, pool, interrupt)?;
        if !self.also.is_empty() {
            let provers: Vec<&dyn Prover> = self.also.iter().map(|prover| prover as &dyn Prover).collect();
            let instance = [("reduced".to_owned(), chosen.script.clone())];
            let matrix = Matrix::of(&instance, &provers, args.limit, pool, &|_, _, _| {}, interrupt)?;
            let slow = matrix.rows.iter().flat_map(|row| &row.cells).filter(|cell| cell.verdict.is_bad() == Some(true));
            defect.severity.other_versions = slow.count();
            defect.versions = Some(matrix);
        }
        if let Some(explainer) = &self.explainer {
            let nearest = chosen.nearest.as_ref();
            defect.where_time_goes = Some(explainer.where_time_goes(&chosen.script, nearest, interrupt)?);
            defect.growth = Some(explainer.growth(&chosen.script, (target, &self.reference), pool, interrupt)?);
        }
        Ok(())
    }

    fn members(&self, chosen: &Slowed, members: &[&Slowed], raws: &[Raw]) -> Vec<Member> {
        let mut ordered: Vec<&Slowed> = vec![chosen];
        ordered.extend(members.iter().copied().filter(|member| member.raw != chosen.raw));
        let dialect = self.target.dialect();
        let member = |slowed: &Slowed| {
            let Raw { instance, script } = &raws[slowed.raw];
            Member {
                text: print(&slowed.script, dialect, &PrintOptions::default()).unwrap_or_default(),
                name: instance.name.clone(),
                path: instance.path.display().to_string(),
                found: Size::of(script, dialect),
                reduced: slowed.size,
            }
        };
        ordered.into_iter().map(member).collect()
    }

    /// `None` if the user interrupted.
    fn confirm(&self, script: &Script) -> anyhow::Result<Option<Verdict>> {
        let limit = self.args.confirm_limit.unwrap_or(self.args.limit * CONFIRM_FACTOR);
        let verifiers: Vec<&dyn Prover> = self.verifiers.iter().map(|prover| prover as &dyn Prover).collect();
        let confirmation = Confirmation {
            target: &self.target,
            reference: &self.reference,
            verifiers: &verifiers,
            settings: ConfirmSettings::new(limit, self.args.limit),
            pool: &self.pool,
        };
        let on_run = |row: &RunRow| self.meter.add(&row.timed, false);
        match confirmation.confirm(script, &[], &on_run, self.interrupt) {
            Ok(verdict) => Ok(Some(verdict)),
            Err(OracleError::Interrupted) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn evidence(&self, script: &Script, confirmed: &crate::oracle::performance::Confirmed) -> String {
        let written = |prover: &InstalledProver| Written {
            dialect: prover.dialect().name().to_owned(),
            text: text_for(script, prover.solver()).unwrap_or_default(),
        };
        let (for_target, for_reference) = (&written(&self.target), &written(&self.reference));
        DefectReport { confirmed, for_target, for_reference, machine: &self.machine }.markdown()
    }

    /// Numbers the defects in their order, and writes a folder for each.
    fn write_all(&self, defects: Vec<(Defect, Option<String>)>) -> anyhow::Result<Vec<Defect>> {
        let clusters = self.args.out.join("clusters");
        // Numbers change from one triage to the next: an old folder would be another defect's.
        match fs::remove_dir_all(&clusters) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(NotWritten { path: clusters, source: error }.into());
            }
            _ => {}
        }
        let mut written = Vec::with_capacity(defects.len());
        for (number, (mut defect, evidence)) in (1..).zip(defects) {
            defect.number = number;
            let folder = clusters.join(format!("{number:03}"));
            fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
            let write = |name: &str, text: &str| write_atomically(&folder.join(name), text.as_bytes());
            if let Some(first) = defect.members.first() {
                let original =
                    fs::read_to_string(&first.path).with_context(|| format!("cannot read {}", first.path))?;
                write("instance.smt2", &original)?;
            }
            write("reduced.smt2", &defect.instance)?;
            write("report.md", &defect.markdown(evidence.as_deref()))?;
            write("report.json", &serde_json::to_string_pretty(&defect)?)?;
            if let Some(growth) = &defect.growth {
                report::write_growth(growth, &folder)?;
            }
            written.push(defect);
        }
        Ok(written)
    }
}

/// Lines after which a trace that is compared is cut: reduced forms that go on for ever differ late, if at all.
const MOST_TRACE_LINES: u64 = 200_000;
