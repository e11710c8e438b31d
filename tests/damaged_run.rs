//! Each kind of file in a run directory is emptied, cut, changed and overwritten: every verb that reads it says which file it is, or
//! does without it, and never fails by a fault of its own.

mod shell_solver;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use shell_solver::solver_that;

/// Answers as a solver does to what it is asked besides.
const READY: &str = "echo sat; if grep -q get-model \"$1\"; then echo '()'; fi";
/// Endless on some scripts, and wrong on others.
const FAULTY: &str = "if grep -q 'str.replace_re ' \"$1\"; then while :; do :; done; fi
if grep -q str.prefixof \"$1\"; then echo unsat; exit; fi";

fn program(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mulstringfuzz"));
    command.current_dir(folder).args(arguments.split_whitespace()).output().expect("the program starts")
}

/// The files below a folder, by kind: their paths, in which numbers are `#`.
fn files_by_kind(root: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).expect("it is below").to_string_lossy().into_owned();
            let parts = name.split('/').map(|part| {
                let stem = part.split('.').next().unwrap_or_default();
                let is_number = stem.len() > 2 && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
                if is_number { part.replacen(stem, "#", 1) } else { part.to_owned() }
            });
            let kind = parts.collect::<Vec<_>>().join("/");
            found.entry(kind).or_insert_with(|| PathBuf::from(name));
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// The ways in which a file is damaged.
const DAMAGE: [&str; 4] = ["emptied", "cut", "changed", "overwritten"];

fn damage(path: &Path, how: &str) {
    let mut bytes = fs::read(path).expect("a file");
    match how {
        "emptied" => bytes.clear(),
        "cut" => bytes.truncate(bytes.len() / 2),
        "changed" => {
            let middle = bytes.len() / 2;
            if let Some(byte) = bytes.get_mut(middle) {
                *byte ^= 0x55;
            }
        }
        _ => bytes = b"\xff\xfe{[(\"\0,,\n9999999999999999999999,-1,NaN\n".repeat(9),
    }
    fs::write(path, bytes).expect("a file");
}

#[test]
fn damage_to_any_file_of_a_run_is_told_by_every_verb_that_reads_it() {
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a scratch folder");
    let folder = folder.path();
    let mine = solver_that(folder, "mine", &format!("{FAULTY}\n{READY}"));
    fs::write(folder.join("own.toml"), mine + &solver_that(folder, "other", READY)).expect("a file");
    let begun = program(
        folder,
        "fuzz --profiles own.toml --target mine --reference other --variant no-coverage --limit 50ms --confirm-limit 60ms \
         --pop 6 --generations 2 --jobs 2 --seed 3 --quiet --out whole",
    );
    assert!(begun.status.success(), "{}", String::from_utf8_lossy(&begun.stderr));
    let kinds = files_by_kind(&folder.join("whole"));
    assert!(kinds.len() > 25 && kinds.contains_key("triage/triage.json"), "{kinds:?}");
    let verbs = [
        "status run",
        "report run --out page",
        "fuzz --replay run --out again --quiet",
        "fuzz --resume run --profiles own.toml --no-triage --no-hunt --quiet",
        "triage run --target mine --reference other --profiles own.toml --limit 50ms --budget 0s --no-explain --out run/triage",
    ];
    let mut told = 0;
    for (number, (kind, file)) in kinds.iter().enumerate() {
        // Two ways for each kind: all ways are met by some file of each folder.
        for how in [DAMAGE[number % 4], DAMAGE[(number + 1) % 4]] {
            let root = folder.join("run");
            copy(&folder.join("whole"), &root);
            damage(&root.join(file), how);
            // Drawing its plots takes the page most of the time of this test.
            let is_drawn = how == DAMAGE[number % 4];
            for verb in verbs.into_iter().filter(|verb| is_drawn || !verb.starts_with("report")) {
                let output = program(folder, verb);
                let said = String::from_utf8_lossy(&output.stderr);
                let what = format!("{kind} {how}, `{verb}`: {:?}\n{said}", output.status.code());
                assert!(output.status.code().is_some_and(|code| code != 101), "{what}");
                assert!(!said.contains("panicked") && !said.contains("internal error"), "{what}");
                if !output.status.success() {
                    told += 1;
                    let name = file.file_name().expect("a name").to_string_lossy();
                    assert!(said.contains(&*name), "{what}");
                }
            }
            for left in ["run", "page", "again"] {
                fs::remove_dir_all(folder.join(left)).ok();
            }
        }
    }
    assert!(told > 20, "{told}");
}
