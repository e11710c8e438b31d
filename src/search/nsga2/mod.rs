//! NSGA-II: non-dominated sort, crowding, tournament, survival.

pub mod crowding;
pub mod sort;
pub mod survival;
pub mod tournament;

pub use crowding::{Similarity, crowding_distance, trace_crowding};
pub use sort::fast_non_dominated_sort;
pub use survival::{Ranked, survive};
pub use tournament::{dominance_tournament, rank_tournament};
