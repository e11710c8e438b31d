//! The state of the search as a checkpoint, and back.

use std::sync::Arc;

use super::population::{Known, Member, State, Totals};
use super::{CampaignError, Setup};
use crate::coverage::Archive;
use crate::evaluate::individual::Evaluated;
use crate::record::format::{CheckpointRecord, MemberRecord};
use crate::record::{Checkpoint, Recorder};
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
    }
}

/// The state that a checkpoint holds, with the evaluations of its members from the record.
pub(super) fn state(checkpoint: &Checkpoint, setup: &Setup<'_>, recorder: &Recorder) -> Result<State, CampaignError> {
    let Checkpoint { record, archive } = checkpoint;
    let unfit = |what: &dyn std::fmt::Display| CampaignError::Checkpoint(what.to_string());
    let mut state = State::new(Arc::clone(&setup.lines.file_of_slot));
    state.archive = Archive::decode(archive, Arc::clone(&setup.lines.file_of_slot)).map_err(|error| unfit(&error))?;
    for each in &record.population {
        state.population.push(member(each, setup, recorder)?);
    }
    // Everybody who was bred up to the checkpoint was evaluated, and what was evaluated after it is bred again.
    state.seen = recorder.log().fingerprints_before(record.next_id).collect();
    state.generation = Some(record.generation);
    state.next_id = record.next_id;
    state.totals = Totals {
        evaluations: record.evaluations,
        invalid: record.invalid,
        timeouts: record.timeouts,
        candidates: record.candidates,
        solver_seconds: record.solver_seconds,
        charged_seconds: record.charged_seconds,
    };
    state.best_mean_t_score = record.best_mean_t_score;
    Ok(state)
}

fn member(record: &MemberRecord, setup: &Setup<'_>, recorder: &Recorder) -> Result<Member, CampaignError> {
    let unfit = |what: String| CampaignError::Checkpoint(format!("individual {}: {what}", record.id));
    let options = ParseOptions { dialect: Some(DIALECT) };
    let script = parser::parse(&record.script, "checkpoint", &options).map_err(|error| unfit(error.to_string()))?;
    let individual =
        record.individual(script.compacted()).ok_or_else(|| unfit("its fingerprint is no number".to_owned()))?;
    let found = recorder.log().find(individual.fingerprint)?;
    let mut evaluation = found.ok_or_else(|| unfit("its evaluation is not recorded".to_owned()))?;
    evaluation.observation.trace = recorder.traces().load(record.id)?.map(Arc::new);
    let evaluated = Evaluated::new(Arc::new(individual), evaluation.observation, setup.config.limit);
    Ok(Member {
        known: Known { evaluated: Arc::new(evaluated), trace_lines: evaluation.trace_lines },
        coverage_score: record.coverage_score,
        rank: record.rank,
        crowding: record.crowding.map(f64::from_bits),
    })
}
