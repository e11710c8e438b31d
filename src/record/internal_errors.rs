//! Scripts on which this program itself failed: kept, so that the failure can be repeated and reported.

use std::fs;
use std::path::Path;

use super::error::RecordError;
use super::file::write_atomically;

/// Keeps a script as `NAME.smt2` in `folder`, below a remark that says what failed.
///
/// # Errors
/// [`RecordError::Write`].
pub fn keep(folder: &Path, name: &str, message: &str, script: &str) -> Result<(), RecordError> {
    fs::create_dir_all(folder).map_err(RecordError::write(folder))?;
    let remark: String = message.lines().flat_map(|line| ["; ", line, "\n"]).collect();
    write_atomically(&folder.join(format!("{name}.smt2")), format!("{remark}{script}").as_bytes())
}

/// The name of an instance as the name of its file in such a folder, without its ending.
pub fn file_name(instance: &str) -> String {
    instance.replace('/', "-").trim_start_matches(['-', '.']).trim_end_matches(".smt2").to_owned()
}

/// How many scripts are kept in `folder`, which need not exist.
pub fn count(folder: &Path) -> u64 {
    fs::read_dir(folder).map_or(0, |entries| entries.flatten().count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_kept_below_what_failed() {
        let folder = tempfile::tempdir().expect("a folder");
        let errors = folder.path().join("internal-errors");
        assert_eq!(count(&errors), 0);
        keep(&errors, "7", "index out of bounds\n(src/x.rs:1)", "(check-sat)\n").expect("it is written");
        let text = fs::read_to_string(errors.join("7.smt2")).expect("it is there");
        assert_eq!((text.as_str(), count(&errors)), ("; index out of bounds\n; (src/x.rs:1)\n(check-sat)\n", 1));
    }
}
