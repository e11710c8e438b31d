//! From many slow instances to few defects: which are the same, which matter most, and what a report says of each.

pub mod cluster;
pub mod core;
pub mod expenses;
pub mod issue;
pub mod known;
pub mod overview;
pub mod peel;
pub mod report;
pub mod severity;
pub mod variants;
