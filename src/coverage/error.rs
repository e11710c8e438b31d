//! What can go wrong between an instrumented solver's counters and its line counts.

use std::path::{Path, PathBuf};

/// An error of this module. Every variant names the file concerned and, where there is one, the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoverageError {
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was attempted: `read`, `write`, `list`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// A notes or data file was written by another compiler version than GCC 12.
    #[error("{} was written by GCC {version}; only the format of GCC 12 is known: build the solver with gcc-12", path.display())]
    Version {
        /// The `.gcno` or `.gcda` file.
        path: PathBuf,
        /// The compiler version that its stamp tells, such as `9.4`, or the raw stamp.
        version: String,
    },
    /// A file does not follow its format.
    #[error("{} is not a sound {kind} file: {reason} at byte {offset}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// `gcno` or `gcda`.
        kind: &'static str,
        /// What is wrong.
        reason: &'static str,
        /// Where, in bytes from the start.
        offset: usize,
    },
    /// The folder holds no notes files.
    #[error("no .gcno files under {}: build the solver there with --coverage", .0.display())]
    NoNotes(PathBuf),
    /// The counters belong to a build whose notes are not those of the map.
    #[error(
        "the counters of {unit} do not belong to the .gcno files of this map: {reason}; rebuild the solver, or name its own build folder"
    )]
    Foreign {
        /// The translation unit, as the instrumented program names it.
        unit: String,
        /// How the mismatch showed.
        reason: &'static str,
    },
    /// The program left no counters in the shared memory object.
    #[error("the program did not share its counters: {0}")]
    NotShared(&'static str),
    /// The shared memory object could not be made or read.
    #[error("the shared memory object for the counters failed")]
    Channel(#[source] std::io::Error),
    /// What is covered of one build was to be compared with what is covered of another.
    #[error("what two runs cover is of different builds of the solver, and cannot be put together")]
    OtherBuild,
    /// Encoded line counts, an encoded archive or an encoded set cannot be decoded.
    #[error("damaged {0} record")]
    Damaged(&'static str),
}

impl CoverageError {
    /// Wraps an I/O error with what was attempted on which file.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| CoverageError::Io { action, path, source }
    }
}
