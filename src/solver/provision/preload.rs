//! The library that lets an unchanged instrumented solver share its counters: compiled once, kept in the user's cache.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::c_source::PRELOAD;
use super::pypi::hash_text;
use super::{ProvisionError, tool};
use crate::solver::process::{Command, Interrupt};

/// Digits of the hash in the library's name.
const HASH_DIGITS: usize = 16;

/// The absolute path of the library for `LD_PRELOAD`, in `folder`; compiled from `gcov-tools/preload.c` if it is not
/// there yet.
///
/// # Errors
/// When there is no C compiler, it fails, the library cannot be written, or its path cannot stand in `LD_PRELOAD`.
pub fn preload_library(folder: &Path, interrupt: &Interrupt) -> Result<PathBuf, ProvisionError> {
    let purpose = "compile the library that shares an unchanged solver's counters (counters = \"preload\")";
    let compiler = tool::find("gcc", purpose)?;
    // The compiler stands for the machine's C library too, should several machines share the cache.
    let version = tool::succeed(Command::new(&compiler).arg("--version"), purpose, interrupt)?;
    let hash = hash_text(&(version.stdout_text() + &PRELOAD.whole_text()));
    fs::create_dir_all(folder).map_err(|source| ProvisionError::files(folder, source))?;
    // Solvers run in a folder of their own.
    let folder = fs::canonicalize(folder).map_err(|source| ProvisionError::files(folder, source))?;
    let library = folder.join(format!("preload-{}.so", &hash[..HASH_DIGITS]));
    if library.as_os_str().as_encoded_bytes().iter().any(|byte| byte.is_ascii_whitespace() || *byte == b':') {
        let reason = "the loader takes blanks and colons in LD_PRELOAD for separators; set MULSTRINGFUZZ_CACHE to a \
                      folder without";
        return Err(ProvisionError::files(&library, io::Error::new(io::ErrorKind::InvalidInput, reason)));
    }
    if !library.is_file() {
        // Beside its place, then renamed: another process may be doing the same, and a solver loading it.
        let new = library.with_extension(format!("{}.new", std::process::id()));
        PRELOAD.compile(&compiler, &["-shared", "-fPIC"], &new, interrupt)?;
        fs::rename(&new, &library).map_err(|source| ProvisionError::files(&library, source))?;
    }
    Ok(library)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_compiled_once_and_lies_where_it_can_be_preloaded() {
        let cache = tempfile::tempdir().expect("a folder");
        let folder = cache.path().join("coverage");
        let library = preload_library(&folder, &Interrupt::new()).expect("a compiler");
        assert!(library.is_absolute());
        let made = library.metadata().and_then(|data| data.modified()).expect("it is there");
        assert_eq!(preload_library(&folder, &Interrupt::new()).expect("a library"), library);
        assert_eq!(library.metadata().and_then(|data| data.modified()).expect("it is there"), made);
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
        let error = preload_library(&cache.path().join("my cache"), &Interrupt::new()).expect_err("a blank");
        assert!(error.to_string().contains("MULSTRINGFUZZ_CACHE"), "{error}");
    }
}
