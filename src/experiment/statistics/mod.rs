//! Statistics of repeated runs: what is typical, how sure that is, and whether two arms differ.

mod bootstrap;
mod convergence;
mod effect;
mod quantile;
mod rank_sum;

pub use bootstrap::{Interval, median_interval};
pub use convergence::convergence;
pub use effect::{Magnitude, a12, magnitude};
pub use quantile::{mean, median, quantile};
pub use rank_sum::{RankSum, holm, rank_sum};
