//! The texts that a user names: theories, scripts, standard input.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::oracle::model::remove_printing;
use crate::smtlib::parser::{ParseOptions, decode, parse};
use crate::smtlib::script::Script;
use crate::smtlib::signature::load_theory;

/// Loads the user's theory files, before any script is read.
pub(crate) fn load_theories(files: &[PathBuf]) -> anyhow::Result<()> {
    for file in files {
        load_theory(&read(file)?, &file.display().to_string())?;
    }
    Ok(())
}

/// The text of a file, or of standard input.
pub(crate) fn read(file: &Path) -> anyhow::Result<String> {
    let bytes = if file.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
        bytes
    } else {
        std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?
    };
    Ok(decode(bytes, &file.display().to_string())?)
}

/// Reads and sort-checks a script; also says how many bytes it has.
///
/// # Errors
/// When the file cannot be read, or is no sound script.
pub(crate) fn read_script(file: &Path) -> anyhow::Result<(Script, u64)> {
    let text = read(file)?;
    Ok((parsed(file, &text)?, text.len() as u64))
}

/// The script that a file's text is, without the commands that only print.
pub(crate) fn parsed(file: &Path, text: &str) -> anyhow::Result<Script> {
    let mut script = parse(text, &file.display().to_string(), &ParseOptions::default())?;
    // A solver that has no model to print would seem to refuse the script.
    remove_printing(&mut script);
    Ok(script)
}
