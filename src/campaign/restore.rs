//! The state of the search as a checkpoint, and back.

use std::sync::Arc;

use super::population::{Known, Member, State, Totals};
use super::{CampaignError, Setup, Source};
use crate::coverage::Archive;
use crate::evaluate::individual::{Evaluated, Individual};
use crate::record::format::{CheckpointRecord, MemberRecord};
use crate::record::{Checkpoint, Recorder, TOLD};
use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{self, ParseOptions};
use crate::smtlib::printer::{self, PrintOptions};

/// The dialect in which checkpoints hold scripts: the one that spells every operator.
const DIALECT: Dialect = Dialect::SmtLib26;

/// The checkpoint of a state between two generations.
pub(super) fn checkpoint(state: &State) -> Checkpoint {
    let record = CheckpointRecord {
        generation: state.generation.unwrap_or(0),
        next_id: state.next_id,
        population: state.population.iter().map(member_record).collect(),
        evaluations: state.totals.evaluations,
        invalid: state.totals.invalid,
        killed: state.totals.killed,
        crashed: state.totals.crashed,
        timeouts: state.totals.timeouts,
        candidates: state.totals.candidates,
        solver_seconds: state.totals.solver_seconds,
        charged_seconds: state.totals.charged_seconds,
        best_mean_t_score: state.best_mean_t_score,
    };
    Checkpoint { record, archive: state.archive.encode() }
}

fn member_record(member: &Member) -> MemberRecord {
    let individual = member.individual();
    MemberRecord {
        id: individual.id.0,
        generation: individual.generation,
        slot: individual.slot,
        origin: individual.origin.clone(),
        operator: individual.operator.clone(),
        parents: individual.parents.iter().map(|parent| parent.0).collect(),
        fingerprint: format!("{:032x}", individual.fingerprint),
        // A script that cannot be printed leaves a text that cannot be read: the run is then resumed from the log.
        script: printer::print(&individual.script, DIALECT, &PrintOptions::default()).unwrap_or_default(),
        rank: member.rank,
        crowding: member.crowding.map(f64::to_bits),
        coverage_score: member.coverage_score,
        fruitless: member.fruitless,
        breeds: member.breeds,
    }
}

/// The state that a checkpoint holds, with the evaluations of its members from the record.
pub(super) fn state(
    checkpoint: &Checkpoint,
    setup: &Setup<'_>,
    recorder: &mut Recorder,
) -> Result<State, CampaignError> {
    let Checkpoint { record, archive } = checkpoint;
    let unfit = |what: &dyn std::fmt::Display| CampaignError::Checkpoint(what.to_string());
    let mut state = State::knowing(setup);
    state.archive = Archive::decode(archive, Arc::clone(&setup.lines.file_of_slot)).map_err(|error| unfit(&error))?;
    for each in &record.population {
        state.population.push(member(each, setup, recorder)?);
    }
    // Everybody who was bred up to the checkpoint was evaluated, and what was evaluated after it is bred again.
    state.seen = recorder.fingerprints_before(record.next_id)?.into_iter().collect();
    state.generation = Some(record.generation);
    state.next_id = record.next_id;
    state.totals = Totals {
        evaluations: record.evaluations,
        invalid: record.invalid,
        killed: record.killed,
        crashed: record.crashed,
        timeouts: record.timeouts,
        candidates: record.candidates,
        solver_seconds: record.solver_seconds,
        charged_seconds: record.charged_seconds,
    };
    state.best_mean_t_score = record.best_mean_t_score;
    for lesson in recorder.lessons().iter().filter(|lesson| lesson.generation <= record.generation) {
        state.knowledge.learn(lesson, setup.dialect).map_err(|error| unfit(&error))?;
    }
    Ok(state)
}

fn member(record: &MemberRecord, setup: &Setup<'_>, recorder: &mut Recorder) -> Result<Member, CampaignError> {
    let unfit = |what: String| CampaignError::Checkpoint(format!("individual {}: {what}", record.id));
    let options = ParseOptions { dialect: Some(DIALECT) };
    let script = parser::parse(&record.script, "checkpoint", &options).map_err(|error| unfit(error.to_string()))?;
    let individual =
        record.individual(script.compacted()).ok_or_else(|| unfit("its fingerprint is no number".to_owned()))?;
    if canonical_hash(&individual.script) != individual.fingerprint {
        return Err(unfit("its script is another one's".to_owned()));
    }
    let known = known(Arc::new(individual), setup, recorder)?;
    Ok(Member {
        known,
        coverage_score: record.coverage_score,
        rank: record.rank,
        crowding: record.crowding.map(f64::from_bits),
        fruitless: record.fruitless,
        breeds: record.breeds,
    })
}

/// The evaluation of an individual from the record. One that is lost is made again, and shows perhaps something else;
/// all others that the checkpoint depends on stay what they were.
fn known(individual: Arc<Individual>, setup: &Setup<'_>, recorder: &mut Recorder) -> Result<Known, CampaignError> {
    let limit = setup.config.limit;
    if let Some(mut found) = recorder.log().find(individual.fingerprint)? {
        let id = individual.id.0;
        let trace = found.trace_lines.and_then(|lines| recorder.traces().load(id, lines));
        found.observation.trace = trace.map(Arc::new);
        let evaluated = Arc::new(Evaluated::new(individual, found.observation, limit));
        return Ok(Known { evaluated, trace_lines: found.trace_lines });
    }
    let Source::Solvers { evaluate, .. } = setup.source else {
        return Err(CampaignError::Checkpoint(format!("the evaluation of individual {} is lost", individual.id)));
    };
    let note = format!("the evaluation of individual {} is lost; it is made again", individual.id);
    tracing::warn!(target: TOLD, "{note}");
    setup.monitor.note(&note);
    let observation = evaluate.observe(&individual, setup.interrupt)?;
    let evaluated = Evaluated::new(individual, observation, limit);
    let trace_lines = recorder.evaluation_again(&evaluated, recorder.log().spent())?;
    Ok(Known { evaluated: Arc::new(evaluated), trace_lines })
}
