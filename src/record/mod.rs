//! The run directory (design §7): the only place that writes results.
//!
//! Truth is the *observation log* (`observations/log`): one checksummed frame per evaluation, appended as it happens,
//! and one per finished generation. Everything else can be made again from it and the configuration; the CSV files and
//! the checkpoint are there for people and for speed. Rows are flushed one by one, whole files are replaced atomically.

mod directory;
mod error;
mod file;
mod frame;
mod table;

pub use directory::{RunDirectory, names};
pub use error::RecordError;
pub use table::Row;
