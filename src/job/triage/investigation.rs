//! One cluster: confirmed, and all that its report says found out.

use std::path::PathBuf;

use super::bench::Bench;
use super::gather::Raw;
use super::reductions::{Group, Slowed};
use crate::evaluate::written::text_for;
use crate::explain::WhereTime;
use crate::known::{self, Trial};
use crate::matrix::releases::Release;
use crate::matrix::{Matrix, Measure, Subject};
use crate::oracle::OracleError;
use crate::oracle::performance::{Confirmation, Confirmed, RunRow, Verdict};
use crate::oracle::prover::{InstalledProver, Prover};
use crate::oracle::report::{DefectReport, Instance as Written};
use crate::reduce::size::Size;
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::triage::expenses::Purpose;
use crate::triage::known::Known;
use crate::triage::overview::Conditions;
use crate::triage::report::{Defect, Member, PatternReport};
use crate::triage::severity::Severity;
use crate::triage::variants;

/// Members of a cluster that are tried until one is confirmed: the smallest ones.
const CONFIRM_TRIES: usize = 3;

/// A defect, as far as it is known.
pub(super) struct Investigated<'a> {
    pub(super) defect: Defect,
    /// The evidence's own report, if it is confirmed.
    pub(super) evidence: Option<String>,
    /// The reduced forms of those that are one defect, the smallest first.
    pub(super) members: Vec<&'a Slowed>,
    /// The instances that its pattern explains.
    pub(super) explained: &'a [usize],
    /// The one that is reported.
    pub(super) chosen: &'a Slowed,
    /// Whether its confirmation came to its end.
    pub(super) tried: bool,
    /// The folder of an earlier triage that it is taken over from, if it is.
    pub(super) earlier: Option<PathBuf>,
}

impl Bench<'_> {
    /// What is known of a defect before it is confirmed.
    pub(super) fn unconfirmed<'a>(&self, group: &'a Group, raws: &[Raw]) -> anyhow::Result<Investigated<'a>> {
        let mut members: Vec<&Slowed> = group.cores().collect();
        members.sort_by_key(|member| (member.size, member.raw));
        let (chosen, explained) = (members[0], &group.explained[..]);
        let all = members.iter().map(|member| member.raw).chain(explained.iter().copied());
        let confirmed_by_run = all.clone().any(|raw| raws[raw].confirmed_by_run);
        let pattern = group.first.trial.as_ref().map(|trial| pattern_report(trial, explained.len()));
        let defect = Defect {
            number: 0,
            title: format!("{} may be slow", self.target.name()),
            severity: Severity::of(None, 0, chosen.size.complexity, all.count()),
            instance: print(&chosen.script, self.target.dialect(), &PrintOptions::default())?,
            members: self.members(chosen, &members, explained, raws),
            pattern,
            like: None,
            confirmed: None,
            not_confirmed: None,
            confirmed_by_run,
            variants: Vec::new(),
            limit_seconds: self.args.limit.as_secs_f64(),
            versions: None,
            where_time_goes: None,
            growth: None,
        };
        Ok(Investigated { defect, evidence: None, members, explained, chosen, tried: false, earlier: None })
    }

    /// Whether a run has confirmed just this reduced form.
    pub(super) fn has_confirmed(&self, member: &Slowed, raws: &[Raw]) -> bool {
        !raws[member.raw].known_runs(&member.script, self.target.dialect()).is_empty()
    }

    /// Tries to confirm a cluster by the members that a run has confirmed, then by its smallest ones. One whose confirmation is cut short stays not tried.
    pub(super) fn try_to_confirm(&self, found: &mut Investigated<'_>, raws: &[Raw]) -> anyhow::Result<()> {
        let mut refused = None;
        let mut members = found.members.clone();
        members.sort_by_key(|member| !self.has_confirmed(member, raws));
        for (index, member) in members.into_iter().take(CONFIRM_TRIES).enumerate() {
            // The first is asked about whatever was spent: that much is left.
            if self.interrupt.is_set() || (index > 0 && !self.may_confirm()) {
                return Ok(());
            }
            match self.confirm(&member.script, raws[member.raw].known_runs(&member.script, self.target.dialect()))? {
                Some(Verdict::Confirmed(evidence)) => {
                    found.chosen = member;
                    refused = None;
                    self.note_evidence(found, *evidence, raws)?;
                    break;
                }
                Some(Verdict::NotConfirmed(refusal)) => refused = refused.or(Some(*refusal)),
                None => return Ok(()),
            }
        }
        found.defect.not_confirmed = refused.map(Known::Now);
        found.tried = true;
        Ok(())
    }

    fn note_evidence(&self, found: &mut Investigated<'_>, confirmed: Confirmed, raws: &[Raw]) -> anyhow::Result<()> {
        let Investigated { defect, chosen, members, explained, .. } = found;
        let evidence = self.evidence(&chosen.script, &confirmed);
        let title = evidence.lines().next().unwrap_or_default();
        title.trim_start_matches("# ").clone_into(&mut defect.title);
        defect.severity = Severity::of(Some(&confirmed), 0, chosen.size.complexity, members.len() + explained.len());
        defect.instance = print(&chosen.script, self.target.dialect(), &PrintOptions::default())?;
        defect.members = self.members(chosen, members, explained, raws);
        defect.confirmed = Some(Known::Now(confirmed));
        found.evidence = Some(evidence);
        Ok(())
    }

    /// Finds out what makes the report better, as far as there is time.
    pub(super) fn complete(&self, found: &mut Investigated<'_>) -> anyhow::Result<()> {
        match self.enrich(&mut found.defect, found.chosen) {
            Err(error) if self.interrupt.is_set() => {
                tracing::info!("stopped: {error}");
                Ok(())
            }
            other => other,
        }
    }

    /// Adds what is not needed for a confirmed defect, but makes its report better.
    fn enrich(&self, defect: &mut Defect, chosen: &Slowed) -> anyhow::Result<()> {
        let Bench { args, target, pool, interrupt, .. } = self;
        if let (None, Some(file)) = (&defect.pattern, &chosen.pattern_file) {
            // Peeling had no use for one.
            let name = defect.members.first().map_or_else(String::new, |member| member.name.clone());
            defect.pattern = self.learned(&chosen.script, &name, file, None)?.map(|trial| pattern_report(&trial, 0));
        }
        let meter = self.expenses.meter(Purpose::Explanation);
        let variants = variants::run(&chosen.script, target, args.limit, pool, interrupt)?;
        for variant in &variants {
            meter.add(&variant.timed, false);
        }
        defect.variants = variants.into_iter().map(Known::Now).collect();
        if !self.also.is_empty() {
            let provers: Vec<&dyn Prover> = self.also.iter().map(|prover| prover as &dyn Prover).collect();
            let subject = Subject { name: "reduced".to_owned(), script: chosen.script.clone(), assignment: None };
            let asked = (Measure::Time, args.limit);
            let matrix = Matrix::of(&[subject], &provers, asked, pool, &|_, _, _| {}, interrupt);
            defect.severity.other_versions = matrix.releases().iter().map(Release::total).sum();
            matrix.rows.iter().flat_map(|row| &row.cells).for_each(|cell| meter.charge(cell.seconds));
            defect.versions = Some(matrix).filter(|matrix| !matrix.rows.is_empty()).map(Known::Now);
        }
        if let Some(explainer) = &self.explainer {
            let nearest = chosen.nearest.as_ref();
            let place = explainer.where_time_goes(&chosen.script, nearest, interrupt)?;
            if let WhereTime::Counted(hot) = &place {
                meter.charge(hot.slow.cpu_seconds + hot.fast.map_or(0.0, |run| run.cpu_seconds));
            }
            defect.where_time_goes = Some(Known::Now(place));
            let growth = explainer.growth(&chosen.script, (target, &self.reference), pool, interrupt)?;
            let points = growth.dimensions.iter().flat_map(|along| &along.points);
            points.for_each(|point| meter.charge(point.target.seconds + point.reference.seconds));
            defect.growth = Some(Known::Now(growth));
        }
        Ok(())
    }

    fn members(&self, chosen: &Slowed, members: &[&Slowed], explained: &[usize], raws: &[Raw]) -> Vec<Member> {
        let mut ordered: Vec<&Slowed> = vec![chosen];
        ordered.extend(members.iter().copied().filter(|member| member.raw != chosen.raw));
        let dialect = self.target.dialect();
        let member = |raw: usize, slowed: Option<&Slowed>| {
            let Raw { instance, script, .. } = &raws[raw];
            Member {
                text: slowed.and_then(|slowed| print(&slowed.script, dialect, &PrintOptions::default()).ok()),
                name: instance.name.clone(),
                path: instance.path.display().to_string(),
                found: Size::of(script, dialect),
                reduced: slowed.map(|slowed| slowed.size),
                unfinished: slowed.is_some_and(|slowed| slowed.unfinished.is_some()),
            }
        };
        let reduced = ordered.into_iter().map(|slowed| member(slowed.raw, Some(slowed)));
        reduced.chain(explained.iter().map(|&raw| member(raw, None))).collect()
    }

    /// What this triage finds out something with.
    pub(super) fn conditions(&self) -> Conditions {
        Conditions {
            known: self.known.iter().map(ToString::to_string).collect(),
            target: self.target.name().to_owned(),
            reference: self.reference.name().to_owned(),
            limit_seconds: self.args.limit.as_secs_f64(),
            confirm_limit_seconds: self.confirm_settings().confirm_limit.as_secs_f64(),
        }
    }

    /// `None` if it was cut short.
    fn confirm(&self, script: &Script, known: &[RunRow]) -> anyhow::Result<Option<Verdict>> {
        let verifiers: Vec<&dyn Prover> = self.verifiers.iter().map(|prover| prover as &dyn Prover).collect();
        let confirmation = Confirmation {
            target: &self.target,
            reference: &self.reference,
            verifiers: &verifiers,
            settings: self.confirm_settings(),
            pool: &self.pool,
        };
        let meter = self.expenses.meter(Purpose::Confirmation);
        let on_run = |row: &RunRow| meter.add(&row.timed, false);
        match confirmation.confirm(script, known, &on_run, self.interrupt) {
            Ok(verdict) => Ok(Some(verdict)),
            Err(OracleError::Interrupted) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn evidence(&self, script: &Script, confirmed: &Confirmed) -> String {
        let written = |prover: &InstalledProver| Written {
            dialect: prover.dialect().name().to_owned(),
            text: text_for(script, prover.solver()).unwrap_or_default(),
        };
        let (for_target, for_reference) = (&written(&self.target), &written(&self.reference));
        DefectReport { confirmed, for_target, for_reference, machine: &self.machine }.markdown()
    }
}

/// What is said of a pattern that explains so many other instances.
fn pattern_report(trial: &Trial, explains: usize) -> PatternReport {
    let Trial { pattern, slow, tried } = trial;
    PatternReport { text: known::write(&[pattern]), slow: *slow, tried: *tried, explains }
}
