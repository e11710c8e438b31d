//! The instances that a user means by a path: a script, a folder of scripts, or the candidates and defects of a run.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// A script's file, and what else is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instance {
    /// Its name: the file's, or the number of the defect.
    pub(crate) name: String,
    /// The script.
    pub(crate) path: PathBuf,
    /// Its reduced form, if it has been reduced.
    pub(crate) reduced: Option<PathBuf>,
    /// An assignment that is said to satisfy the smallest form, if a hunt has left one beside it.
    pub(crate) assignment: Option<PathBuf>,
}

impl Instance {
    /// The instance in a folder of its own.
    fn in_folder(folder: &Path, name: String) -> Instance {
        let beside = |name: &str| Some(folder.join(name)).filter(|path| path.is_file());
        let (reduced, assignment) = (beside(REDUCED), beside(ASSIGNMENT));
        Instance { name, path: folder.join(INSTANCE), reduced, assignment }
    }

    /// The instance that is a file among others; that of a hunt's finding may have its assignment beside it.
    fn alone(path: &Path) -> Instance {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_of_finding = path.file_name().is_some_and(|name| name == INSTANCE || name == REDUCED);
        let assignment = Some(path.with_file_name(ASSIGNMENT)).filter(|beside| is_of_finding && beside.is_file());
        Instance { name, path: path.to_owned(), reduced: None, assignment }
    }

    /// The smallest form that there is.
    pub(crate) fn best(&self) -> PathBuf {
        self.reduced.clone().unwrap_or_else(|| self.path.clone())
    }
}

/// The file that holds a defect's script in its folder.
const INSTANCE: &str = "instance.smt2";
/// The file that holds its reduced form.
const REDUCED: &str = "reduced.smt2";
/// The file that holds the pattern of what makes it slow.
const PATTERN: &str = "pattern.smt2";
/// The file that holds an assignment that satisfies it.
const ASSIGNMENT: &str = "assignment.smt2";
/// The folders of a run, of a triage, or of a hunt, that hold defects; and, if those are wanted too, that of the candidates.
const DEFECTS: [&str; 3] = ["defects", "clusters", "findings"];
const CANDIDATES: &str = "candidates";

/// Whether this folder is a run directory, a triage or a hunt: of such a one only the defects and candidates are read.
pub(crate) fn holds_defects(path: &Path) -> bool {
    DEFECTS.into_iter().chain([CANDIDATES]).any(|name| path.join(name).is_dir())
}

/// The instances at all these paths. Those that would have one name are called by their paths.
///
/// # Errors
/// As [`instances_in`].
pub(crate) fn instances_of(paths: &[PathBuf], candidates: bool) -> anyhow::Result<Vec<Instance>> {
    let mut found = Vec::new();
    for path in paths {
        found.extend(instances_in(path, candidates)?);
    }
    let mut times: HashMap<String, usize> = HashMap::new();
    for instance in &found {
        *times.entry(instance.name.clone()).or_default() += 1;
    }
    for instance in found.iter_mut().filter(|instance| times[&instance.name] > 1) {
        instance.name = instance.path.display().to_string();
    }
    Ok(found)
}

/// The instances at `path`, by name: the script itself (`-` is standard input), the scripts below a folder, or the defects
/// of a run directory or a hunt, with the candidates if they are wanted.
///
/// # Errors
/// A path that does not exist or cannot be read.
pub(crate) fn instances_in(path: &Path, candidates: bool) -> anyhow::Result<Vec<Instance>> {
    let unreadable = || format!("cannot read {}", path.display());
    if path.as_os_str() == "-" || !fs::metadata(path).with_context(unreadable)?.is_dir() {
        return Ok(vec![Instance::alone(path)]);
    }
    let wanted = DEFECTS.into_iter().chain(candidates.then_some(CANDIDATES));
    let folders: Vec<PathBuf> = wanted.map(|name| path.join(name)).filter(|folder| folder.is_dir()).collect();
    let mut found = Vec::new();
    if folders.is_empty() {
        found.extend(scripts_in(path)?);
    }
    for folder in folders {
        for entry in sorted(&folder)? {
            if entry.join(INSTANCE).is_file() {
                let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
                found.push(Instance::in_folder(&entry, name));
            }
        }
    }
    Ok(found)
}

/// The scripts below a folder. One that stands in a folder of its own is called as that.
fn scripts_in(folder: &Path) -> anyhow::Result<Vec<Instance>> {
    let name_of = |name: Option<&std::ffi::OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
    let mut found = Vec::new();
    for path in scripts_at(folder)? {
        let Some(own) = path.parent().filter(|_| path.file_name().is_some_and(|name| name == INSTANCE)) else {
            if !is_companion(&path) {
                found.push(Instance::alone(&path));
            }
            continue;
        };
        let name = name_of(if own == folder { path.file_stem() } else { own.file_name() });
        found.push(Instance::in_folder(own, name));
    }
    Ok(found)
}

/// Whether the script belongs to another one beside it: its reduced form, its pattern, an assignment, or its nearest relative
/// that is quick.
fn is_companion(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let other = if [REDUCED, PATTERN, ASSIGNMENT].contains(&&*name) { Some(INSTANCE.to_owned()) } else { None };
    let other = other.or_else(|| Some(format!("{}.smt2", name.strip_suffix(".nearest.smt2")?)));
    other.is_some_and(|other| path.with_file_name(other).is_file())
}

/// The files that a user means by a path, in the order of their names: the file itself, whatever its name is (`-` is
/// standard input), or all `.smt2` files below a folder.
///
/// # Errors
/// A path that does not exist or cannot be read.
pub(crate) fn scripts_at(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if path.as_os_str() == "-" {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = || format!("cannot read {}", path.display());
    if !fs::metadata(path).with_context(unreadable)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in sorted(path)? {
        if entry.is_dir() {
            files.extend(scripts_at(&entry)?);
        } else if entry.extension().is_some_and(|extension| extension == "smt2") {
            files.push(entry);
        }
    }
    Ok(files)
}

fn sorted(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let unreadable = || format!("cannot read {}", folder.display());
    let entries = fs::read_dir(folder).with_context(unreadable)?;
    let mut paths =
        entries.map(|entry| Ok(entry.with_context(unreadable)?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &Path, candidates: bool) -> Vec<String> {
        instances_in(path, candidates).expect("a folder").into_iter().map(|instance| instance.name).collect()
    }

    #[test]
    fn a_run_has_defects_and_candidates_and_a_folder_has_scripts() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "(check-sat)\n").expect("a file");
        };
        for name in ["seeds/b.smt2", "seeds/a.smt2", "seeds/notes.txt", "seeds/c/instance.smt2"] {
            write(name);
        }
        assert_eq!(names(&folder.path().join("seeds"), false), ["a", "b", "c"]);
        for name in ["reduced/z3/f00.smt2", "reduced/z3/f00.nearest.smt2", "reduced/z3/deep/f01.unfinished.smt2"] {
            write(name);
        }
        assert_eq!(names(&folder.path().join("reduced"), false), ["f01.unfinished", "f00"], "searched through");
        assert_eq!(names(&folder.path().join("seeds/a.smt2"), false), ["a"]);
        for name in ["candidates/002/instance.smt2", "defects/001/instance.smt2", "defects/001/reduced.smt2"] {
            write(&format!("run/{name}"));
        }
        let run = folder.path().join("run");
        assert_eq!(names(&run, false), ["001"]);
        assert_eq!(names(&run, true), ["001", "002"]);
        assert!(instances_in(&run, false).expect("a run")[0].best().ends_with("defects/001/reduced.smt2"));
        assert!(instances_in(&folder.path().join("nothing"), false).is_err());
        for name in ["instance.smt2", "reduced.smt2", "assignment.smt2"] {
            write(&format!("hunt/findings/003/{name}"));
        }
        write("hunt/internal-errors/001.smt2");
        for hunt in ["hunt", "hunt/findings"] {
            let found = instances_in(&folder.path().join(hunt), false).expect("a hunt");
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].best().ends_with("003/reduced.smt2") && found[0].assignment.is_some(), "{found:?}");
        }
        for (name, has_assignment) in [("reduced.smt2", true), ("assignment.smt2", false)] {
            let path = folder.path().join("hunt/findings/003").join(name);
            let found = instances_in(&path, false).expect("a file");
            assert_eq!(found[0].assignment.is_some(), has_assignment, "{found:?}");
        }
        assert!(holds_defects(&run) && !holds_defects(&folder.path().join("seeds")));
    }

    #[test]
    fn two_of_one_name_are_called_by_their_paths() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["one/a.smt2", "two/a.smt2", "two/b.smt2"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, "(check-sat)\n").expect("a file");
        }
        let paths = ["one", "two"].map(|name| folder.path().join(name));
        let names: Vec<String> =
            instances_of(&paths, false).expect("folders").into_iter().map(|instance| instance.name).collect();
        assert!(names[0].ends_with("one/a.smt2") && names[1].ends_with("two/a.smt2"), "{names:?}");
        assert_eq!(names[2], "b");
    }
}
