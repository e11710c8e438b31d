//! Solvers that are a few lines of the shell, for what no real solver does when it is asked to.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What a solver answers to what it is asked before a run, in the shell.
const PROBED: &str = r#"if grep -q '^(assert (= x "a"))$' "$1"; then
  if grep -q '(distinct x x)' "$1"; then echo unsat; exit; fi
  echo sat
  if grep -q get-model "$1"; then echo '((define-fun x () String "a"))'; fi
  exit
fi"#;

/// A solver of this name whose answers are lines of the shell, which have the script in `$1`, and its profile.
pub(crate) fn solver_that(folder: &Path, name: &str, does: &str) -> String {
    let program = folder.join(name);
    let version = "if [ \"$1\" = --version ]; then echo Mine 1.2.3; exit; fi";
    fs::write(&program, format!("#!/bin/sh\n{version}\n{PROBED}\n{does}\n")).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("an executable");
    format!(
        "[[solver]]\nname = \"{name}\"\nversion = \"1.2\"\nsource = {{ kind = \"path\", path = \"{}\" }}\n\
         probe = [\"--version\"]\ndialect = \"smtlib-2.6\"\n",
        program.display()
    )
}
