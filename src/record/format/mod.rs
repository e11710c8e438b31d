//! The formats of the run directory: what is written, apart from what it means, joined by `From`.

mod checkpoint;
mod coverage;
mod defect;
mod environment;
mod evaluation;
mod frame;
mod front;
mod generation;
mod lcov;
mod result;
mod summary;
mod suspect;

pub use checkpoint::{CheckpointRecord, MemberRecord};
pub use coverage::{CoverageRow, LineTable};
pub use defect::{DefectRecord, DefectState};
pub use environment::{Environment, SolverRecord};
pub use evaluation::{EvaluationRow, Place};
pub(super) use frame::FrameHead;
pub use frame::{ObservationHead, Spent, TimedRecord};
pub use front::FrontRow;
pub use generation::GenerationRow;
pub use lcov::tracefile;
pub use result::ResultRow;
pub use summary::{Aftermath, Summary};
pub use suspect::SuspectRow;
