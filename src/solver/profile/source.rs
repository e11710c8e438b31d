//! Where a solver's executable comes from.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Where an executable comes from. In `release`, `{version}` stands for the version asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Source {
    /// A wheel of the Python package index.
    Pypi {
        /// The package's name.
        package: String,
        /// The package's version.
        release: String,
        /// What stands in for the solver's command, if the package has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        launcher: Option<Launcher>,
    },
    /// Packages of the machine's Debian archive, unpacked privately; or the same command installed already.
    Debian {
        /// The command's package first, then the libraries that it needs.
        packages: Vec<String>,
        /// The beginning of the first package's version.
        release: String,
    },
    /// Built by us, instrumented for coverage, from a source distribution of the Python package index.
    Instrumented {
        /// The package's name.
        package: String,
        /// The package's version.
        release: String,
    },
    /// An executable of the user's.
    Path {
        /// Where it is; a bare name is looked up along `PATH`, other relative paths start at the profile file's folder.
        path: PathBuf,
    },
}

impl Source {
    /// Makes a relative path start at `folder`.
    pub(super) fn anchor(&mut self, folder: &Path) {
        if let Source::Path { path } = self
            && path.components().count() > 1
        {
            *path = folder.join(&*path);
        }
    }
}

/// A program of ours (`launchers/`) that behaves as a solver's command, on top of a package that has only its library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Launcher {
    /// Bitwuzla's Python library.
    Bitwuzla,
    /// Boolector's C library.
    Boolector,
    /// cvc5's C libraries.
    Cvc5,
}
