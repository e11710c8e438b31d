//! Why a defect is slow: where in the target's source the time goes, and how it grows with the instance.
//!
//! [`Hot`] compares the counts of an instrumented run with those of a fast relative; [`Growth`] runs scaled copies of the
//! instance. Both are plain data for a defect's report, and [`markdown`] writes them for people.

pub mod growth;
pub mod markdown;

mod fit;
mod hot;
mod names;
mod rank;
mod scaling;

pub use fit::{Fit, Form, Law};
pub use growth::{Along, Growth, Measured, Point, Scaling};
pub use hot::{Hot, RunTotals, hot};
pub use rank::{HotFunction, HotLine, Ranking};
pub use scaling::{Dimension, Scaled, scaled};

use serde::Serialize;

/// What is known of the place of the time.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WhereTime {
    /// The instrumented target was run.
    Counted(Hot),
    /// It was not.
    NotCounted {
        /// Why not, and what to do about it: a sentence or two.
        reason: String,
    },
}

/// Both answers for one defect.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// Where the time goes.
    pub where_time_goes: WhereTime,
    /// How it grows.
    pub growth: Growth,
}
