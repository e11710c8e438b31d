//! Where a hunt stands.

use std::path::Path;

use super::{Hunting, Kind, Phase, Standing, newest, since, written};
use crate::hunt::outcome::{Outcome, names};
use crate::record::{RecordError, read_json};

pub(super) fn read(folder: &Path) -> Result<Standing, RecordError> {
    let path = folder.join(names::HUNT);
    let outcome: Outcome = read_json(&path)?.unwrap_or_default();
    let phase = Phase::of(folder, outcome.complete);
    let (alike, findings): (Vec<_>, Vec<_>) = outcome.defects.iter().partition(|defect| defect.like.is_some());
    let home = |number: &str| folder.join(names::FINDINGS).join(number);
    let scripts = outcome.defects.iter().filter_map(|defect| {
        let small = home(&defect.number).join(names::REDUCED);
        let script = if small.is_file() { small } else { home(&defect.number).join(names::INSTANCE) };
        script.is_file().then_some(script)
    });
    // What was worked since the numbers were last written is not among them yet.
    let pending = written(&path).filter(|_| phase == Phase::Running).map_or(0.0, |at| since(at).as_secs_f64());
    Ok(Standing {
        folder: folder.to_owned(),
        phase,
        elapsed_seconds: outcome.wall_seconds + pending,
        budget_seconds: None,
        kind: Kind::Hunt(Hunting {
            solvers: outcome.tally.answers.keys().cloned().collect(),
            instances: outcome.tally.instances,
            solver_seconds: outcome.tally.solver_seconds + outcome.tally.minimising_seconds,
            findings: findings.len() as u64,
            alike: alike.len() as u64,
        }),
        newest: newest(scripts),
    })
}
