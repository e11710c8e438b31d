//! Multi-objective and single-objective search, and the archive of elites: pure functions on slices of objectives.
//!
//! Nothing here knows a script, a path, a clock or a process. Whoever calls numbers the individuals of one generation
//! by position (*slot*); everything here answers with positions, and breaks every tie by the lower position, so that a
//! run with the same evaluations is the same run.

pub mod elites;
pub mod hypervolume;
pub mod nsga2;
mod objectives;
pub mod single_objective;
mod variant;

pub use objectives::{Measured, Objectives};
pub use variant::{CoverageObjective, Crowding, Strategy, TimeObjective, UnknownVariant, Variant};
