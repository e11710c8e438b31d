//! Coverage of an instrumented solver: counters of a run → line counts → reward.
//!
//! A solver compiled by GCC 12 with `--coverage` counts arcs of its flow graphs. Its notes (`.gcno`) say how arcs,
//! blocks and source lines hang together; [`CoverageMap`] compiles them once into sparse rows, so that a run's
//! counters become [`LineCounts`], equal to gcov's, within milliseconds and without the `gcov` tool.
//!
//! The counters come through a [`CounterChannel`] (solvers linked with `gcov-tools/runtime.c`, or any into which
//! `gcov-tools/preload.c` is loaded; works for killed runs too) or from `.gcda` files ([`read_data_folder`]; any
//! instrumented solver that exits by itself), and can be written as such files ([`write_data_folder`]), for gcov and
//! its kin.
//!
//! [`CumulativeCoverage`] says how many of all lines, functions and branches ([`FlowMap`]) a set of runs covers; the set
//! itself, [`Covered`], can be written down, and compared without the build.
//!
//! [`Archive`] and [`reward()`] are Algorithm 2 of the `MulStringFuzz` paper.

pub mod gcda;
pub mod gcno;

mod archive;
mod branches;
mod cache_file;
mod channel;
mod compiled;
mod counters;
mod counts;
mod covered;
mod cycles;
mod data_folder;
mod error;
mod flow;
mod functions;
mod graph;
mod layout;
mod lines;
mod map;
mod paths;
mod rarity;
mod reward;
mod totals;
mod words;

pub use archive::Archive;
pub use channel::{COUNTERS_VARIABLE, CounterChannel};
pub use counters::Counters;
pub use counts::{LineCounts, LineSlot};
pub use covered::Covered;
pub use data_folder::{read_data_folder, write_data_folder};
pub use error::CoverageError;
pub use flow::FlowMap;
pub use functions::{FunctionTable, SourceFunction};
pub use map::{CoverageMap, SourceFilter};
pub use rarity::Rarity;
pub use reward::{Mode, exact_reward, reward};
pub use totals::{CoverageTotals, CumulativeCoverage, Share};
