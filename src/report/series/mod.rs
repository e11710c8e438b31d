//! Statistics behind the plots: pure functions on numbers.

mod distribution;
mod interval;
mod operators;
mod steps;
mod thinning;

pub use distribution::{cactus, cdf};
pub use interval::wilson;
pub use operators::{OperatorYield, operator_yields};
pub use steps::{Band, Trace, band};
pub use thinning::{Thinned, thin};
