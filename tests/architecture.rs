//! The rules of the house, checked: which module may use which, who may spawn, write, print or read a clock, how much the
//! verbs may hold, and that ARCHITECTURE.md names only paths and functions that exist.

use std::fs;
use std::path::{Path, PathBuf};

/// All Rust files below `folder` but those of unit tests, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    let is_test = |path: &Path| path.file_name().is_some_and(|name| name == "tests.rs");
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a readable source folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The code of a file: without comment lines and without its unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a readable source file");
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The module of the library that a file belongs to, or `None` for the roots `lib.rs` and `main.rs`.
fn module(path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root().join("src")).expect("a file below src");
    let first = relative.components().next()?.as_os_str().to_str()?;
    let name = first.strip_suffix(".rs").unwrap_or(first);
    (name != "lib" && name != "main").then(|| name.to_owned())
}

/// The modules in the order of lib.rs, which is the order of the flow.
fn order() -> Vec<String> {
    let text = fs::read_to_string(root().join("src/lib.rs")).expect("src/lib.rs");
    text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.split(';').next()).map(str::to_owned).collect()
}

/// The first names after `crate::` in a text, those in braces included.
fn used_modules(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default().split(',').collect(),
            None => vec![rest],
        };
        for name in names {
            let name: String = name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            used.push(name);
        }
    }
    used
}

#[test]
fn a_module_uses_only_those_above_it_in_lib_rs() {
    let order = order();
    assert!(order.len() > 10, "lib.rs lists the modules: {order:?}");
    let mut wrong = Vec::new();
    for path in rust_files(&root().join("src")) {
        let Some(own) = module(&path) else { continue };
        let place = order.iter().position(|name| *name == own).unwrap_or_else(|| panic!("{own} is not in lib.rs"));
        for used in used_modules(&code(&path)) {
            if let Some(used_place) = order.iter().position(|name| *name == used)
                && used_place > place
            {
                wrong.push(format!("{}: {own} uses {used}, which stands below it", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn smtlib_stands_alone() {
    for path in rust_files(&root().join("src/smtlib")) {
        let used = used_modules(&code(&path));
        assert!(used.iter().all(|name| name == "smtlib"), "{}: {used:?}", path.display());
    }
}

/// Fails if one of `words` occurs in the code of a file outside the places where it is allowed.
fn only_in(words: &[&str], allowed: &[&str], why: &str) {
    let mut wrong = Vec::new();
    for path in rust_files(&root().join("src")) {
        let relative = path.strip_prefix(root().join("src")).expect("below src").display().to_string();
        if allowed.iter().any(|place| relative.starts_with(place)) {
            continue;
        }
        let code = code(&path);
        wrong.extend(words.iter().filter(|word| code.contains(**word)).map(|word| format!("{relative}: {word}")));
    }
    assert!(wrong.is_empty(), "{why}: {wrong:#?}");
}

#[test]
fn only_the_process_runner_spawns() {
    only_in(
        &["std::process::Command", "process::Command::new", "posix_spawn", "libc::fork", "execv"],
        &["solver/process"],
        "solver/process.rs alone spawns",
    );
}

#[test]
fn only_the_console_and_the_verbs_print() {
    only_in(
        &["println!", "print!(", "io::stderr()", "io::stdout()"],
        // Scripts that are made go to standard output if the user names no folder.
        &["console", "cmd/", "main.rs", "job/destination.rs"],
        "only console and cmd print",
    );
    // What is done takes hours, and tells of it by the console's words.
    only_in(&["say!(", "progress!("], &["console", "cmd/", "job/"], "only cmd and job tell, through the console");
}

/// A verb reads its arguments, calls one thing, and prints.
#[test]
fn the_verbs_stay_below_4000_lines() {
    let files = rust_files(&root().join("src/cmd"));
    let text = |path: &PathBuf| fs::read_to_string(path).expect("a readable source file");
    let lines: usize = files.iter().map(|path| text(path).lines().count()).sum();
    assert!(files.len() > 20 && lines < 4000, "src/cmd has {lines} lines: what is more than a verb belongs to src/job");
}

#[test]
fn the_search_never_sees_a_path_a_clock_or_a_process() {
    for path in rust_files(&root().join("src/search")) {
        let code = code(&path);
        for word in ["std::path", "PathBuf", "std::fs", "std::time", "Instant", "std::process", "std::env"] {
            assert!(!code.contains(word), "{}: {word}", path.display());
        }
    }
}

/// Where files may be written beside `record`, and what files they are.
const WRITERS: [(&str, &str); 9] = [
    ("record/", "the formats of all results"),
    ("report/", "the page and its plots"),
    ("job/", "what a user named a file for, and folders that are copied as a whole"),
    ("experiment/", "the lock on an experiment's folder"),
    ("solver/process/scratch.rs", "what a solver is given, in a folder that goes with its run"),
    ("solver/provision", "the cache of solvers"),
    ("coverage/cache_file.rs", "the cache of maps of builds"),
    ("coverage/data_folder.rs", "counters in the compiler's own format, for its own tools"),
    ("reduce/property/command.rs", "what a user's command is shown, in a folder that goes with its run"),
];

#[test]
fn results_are_written_by_few() {
    let words =
        ["fs::write", "fs::copy", "File::create", "File::options", "OpenOptions", "NamedTempFile", "tempfile::"];
    only_in(&words, &WRITERS.map(|(place, _)| place), "whoever has a result gives it to record or report");
    for (place, files) in WRITERS {
        let path = root().join("src").join(place);
        assert!(path.exists(), "{place} ({files}) is gone, and needs no permission to write");
    }
}

#[test]
fn every_path_that_architecture_md_names_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let mut named = 0;
    for word in text.split('`').skip(1).step_by(2) {
        let looks_like_a_path = word.contains('/')
            && !word.contains([' ', '<', '*', '$', '('])
            && ["src/", "tests/", "scripts/", "gcov-tools/", "benches/", "fuzz/", "docs/", ".ci/"]
                .iter()
                .any(|start| word.starts_with(start));
        if looks_like_a_path {
            named += 1;
            assert!(root().join(word).exists(), "ARCHITECTURE.md names {word}, which does not exist");
        }
    }
    assert!(named > 20, "ARCHITECTURE.md is a map: it names only {named} paths");
}

#[test]
fn main_stays_short_and_every_file_says_what_it_is() {
    let main = fs::read_to_string(root().join("src/main.rs")).expect("src/main.rs");
    assert!(main.lines().count() <= 60, "main.rs parses, dispatches, and maps errors to exit codes");
    for path in rust_files(&root().join("src")) {
        let text = fs::read_to_string(&path).expect("a readable source file");
        assert!(text.starts_with("//!"), "{}: the first line says what the file is", path.display());
    }
}

/// In "The way of one instance", each `function()` stands behind the path of its file.
#[test]
fn every_function_on_the_way_of_one_instance_is_in_its_file() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let way = text.split("\n## The way of one instance\n").nth(1).expect("the section");
    let way = way.split("\n## ").next().unwrap_or_default();
    let (mut file, mut found) = (String::new(), 0);
    for word in way.split('`').skip(1).step_by(2) {
        if word.starts_with("src/") {
            file = fs::read_to_string(root().join(word)).unwrap_or_else(|_| panic!("{word} is no file"));
        } else if let Some(name) = word.strip_suffix("()") {
            let is_there = [format!("fn {name}("), format!("fn {name}<")].iter().any(|form| file.contains(form));
            assert!(is_there, "there is no function {name} in the file that ARCHITECTURE.md names before it");
            found += 1;
        }
    }
    assert!(found > 15, "the way has {found} functions only");
}
