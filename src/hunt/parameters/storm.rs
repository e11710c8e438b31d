//! How STORM makes instances.

use serde::{Deserialize, Serialize};

use crate::hunt::choices::INCREMENTAL;
use crate::operator::storm::Bounds;

/// STORM's parameters.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, clap::Args)]
#[command(next_help_heading = "STORM")]
pub struct StormParameters {
    /// The deepest nesting of connectives in an assertion
    #[arg(long, value_name = "N", default_value_t = Bounds::default().depth)]
    pub depth: u32,
    /// The most assertions of an instance
    #[arg(long, value_name = "N", default_value_t = Bounds::default().assertions, value_parser = clap::value_parser!(u32).range(1..))]
    pub assertions: u32,
    /// The part of the instances that ask several times, among push and pop
    #[arg(long, value_name = "SHARE", default_value_t = INCREMENTAL, value_parser = crate::generator::parameters::probability)]
    pub incremental: f64,
}

impl StormParameters {
    /// The bounds.
    pub fn bounds(&self) -> Bounds {
        Bounds { depth: self.depth, assertions: self.assertions }
    }
}
