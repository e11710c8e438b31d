//! The patterns that a user means by a path: those of a file, or those that a triage or a run has learned.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::input::read;
use super::instances::scripts_at;
use crate::known::{self, Pattern};

/// The file of a defect's pattern in its folder.
const PATTERN: &str = "pattern.smt2";

/// The patterns at these paths, in their order.
///
/// # Errors
/// A path that cannot be read, a file that holds no pattern, or a folder without one.
pub(crate) fn patterns_at(paths: &[PathBuf]) -> anyhow::Result<Vec<Pattern>> {
    let mut patterns = Vec::new();
    for path in paths {
        for file in files_at(path)? {
            let text = read(&file)?;
            patterns.extend(known::read(&text, &file.display().to_string()).context("a pattern cannot be read")?);
        }
    }
    Ok(patterns)
}

fn files_at(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = scripts_at(path)?;
    files.retain(|file| file.file_name().is_some_and(|name| name == PATTERN));
    ensure!(!files.is_empty(), "{} has no {PATTERN} in it: no defect's pattern was learned there", path.display());
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_means_the_patterns_in_it_and_a_file_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let cluster = folder.path().join("clusters/001");
        std::fs::create_dir_all(&cluster).expect("a folder");
        std::fs::write(cluster.join("reduced.smt2"), "(check-sat)").expect("a file");
        assert!(format!("{:#}", patterns_at(&[folder.path().into()]).expect_err("none")).contains(PATTERN));
        std::fs::write(cluster.join(PATTERN), "(define-fun a ((s String)) String (str.at s 1))").expect("a file");
        let named = |path: &Path| -> Vec<String> {
            let patterns = patterns_at(&[path.to_owned()]).expect("patterns");
            patterns.iter().map(|pattern| pattern.name.to_string()).collect()
        };
        assert_eq!(named(folder.path()), ["a"]);
        assert_eq!(named(&cluster.join(PATTERN)), ["a"]);
        assert!(patterns_at(&[cluster.join("reduced.smt2")]).is_err());
    }
}
