//! `check FILE…`: parses and sort-checks scripts; silent on success.

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use crate::console::say;
use crate::exit::AlreadyReported;
use crate::job::input::{load_theories, read};
use crate::job::instances::scripts_at;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseError, ParseOptions, parse_all};
use serde::Serialize;

/// What `--help` prints below the options.
const EXAMPLES: &str = "\
Examples:
  mulstringfuzz check a.smt2 benchmarks
  mulstringfuzz generate strings | mulstringfuzz check -";

/// Parse and sort-check scripts: silent on success, every error with file, line and column otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Scripts, or folders of scripts, searched recursively; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How string literals are read: smtlib-2.0, smtlib-2.5 or smtlib-2.6 [default: found out from each script]
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Further operators, in the syntax of the built-in theory files
    #[arg(long, value_name = "FILE")]
    theory: Vec<PathBuf>,
    /// Stop reading a script after this many errors
    #[arg(long, default_value_t = 20, value_name = "N")]
    max_errors: usize,
    /// Print the result of every file as JSON, on standard output
    #[arg(long)]
    json: bool,
}

/// What `--json` prints for one file.
#[derive(Debug, Serialize)]
struct Checked {
    file: String,
    valid: bool,
    commands: usize,
    errors: Vec<Error>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Error {
    line: usize,
    column: usize,
    found: String,
    expected: String,
    help: Option<String>,
}

/// Checks every file, also after one that cannot be read.
///
/// # Errors
/// A file that cannot be read, or that any script has an error; the errors themselves are on standard error by then.
pub fn run(args: &Args, output: &mut dyn Write) -> anyhow::Result<()> {
    load_theories(&args.theory)?;
    let mut checked = Vec::with_capacity(args.files.len());
    for path in &args.files {
        match scripts_at(path) {
            Ok(files) if files.is_empty() => checked.push(unread(path, "no file in it is named .smt2".to_owned())),
            Ok(files) => checked.extend(files.iter().map(|file| check(file, args))),
            Err(error) => checked.push(unread(path, format!("{error:#}"))),
        }
    }
    if args.json {
        writeln!(output, "{}", serde_json::to_string_pretty(&checked)?)?;
    }
    if checked.iter().all(|each| each.valid) { Ok(()) } else { Err(AlreadyReported.into()) }
}

fn check(file: &Path, args: &Args) -> Checked {
    let text = match read(file) {
        Ok(text) => text,
        Err(error) => return unread(file, format!("{error:#}")),
    };
    let name = file.display().to_string();
    let options = ParseOptions { dialect: args.dialect };
    let (script, errors) = parse_all(&text, &name, &options, args.max_errors.max(1));
    for error in &errors {
        say!("{error}");
        if std::io::stderr().is_terminal() {
            say!("{}", excerpt(&text, error));
        }
    }
    let errors: Vec<Error> = errors.into_iter().map(Error::from).collect();
    Checked { file: name, valid: errors.is_empty(), commands: script.commands.len(), errors, error: None }
}

/// What is said of a file that cannot be read.
fn unread(path: &Path, error: String) -> Checked {
    let file = path.display().to_string();
    let said = if error.contains(&file) { error.clone() } else { format!("{file}: {error}") };
    say!("error: {said}");
    Checked { file, valid: false, commands: 0, errors: Vec::new(), error: Some(error) }
}

impl From<ParseError> for Error {
    fn from(error: ParseError) -> Self {
        let ParseError { line, column, found, expected, help, .. } = error;
        Error { line, column, found, expected, help }
    }
}

/// The line of the error with a mark under its column, if it is short enough to help.
fn excerpt(text: &str, error: &ParseError) -> String {
    const LONGEST_SHOWN: usize = 160;
    match text.lines().nth(error.line - 1) {
        Some(line) if line.chars().count() <= LONGEST_SHOWN => {
            let before: String =
                line.chars().take(error.column - 1).map(|each| if each == '\t' { '\t' } else { ' ' }).collect();
            format!("  {line}\n  {before}^\n")
        }
        _ => String::new(),
    }
}
