//! What a script's assertions are under a model, without a solver.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use crate::job::input::{load_theories, read};
use crate::semantics::evaluate::{Evaluator, Open, Outcome};
use crate::semantics::evidence::{Evidence, evidence};
use crate::semantics::model;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::lexer::{Lexer, TokenKind, line_and_column};
use crate::smtlib::parser::{ParseOptions, detect, parse};
use crate::smtlib::printer::print_term;
use crate::smtlib::term::{TermId, Terms};

/// What is asked of a script and a model.
#[derive(Clone, Debug)]
pub struct EvalRequest {
    /// The script; - is standard input.
    pub file: PathBuf,
    /// What a solver printed for (get-model) or (get-value …); - is standard input.
    pub model: PathBuf,
    /// How the model's string literals are read: smtlib-2.5 or smtlib-2.6 [default: found out from both texts].
    pub dialect: Option<Dialect>,
    /// Further operators, in the syntax of the built-in theory files.
    pub theory: Vec<PathBuf>,
    /// Print values and evidence as JSON, on standard output.
    pub json: bool,
    /// Print evidence for people too.
    pub evidence: bool,
}

/// What JSON says of one assertion.
#[derive(Debug, Serialize)]
struct Evaluated {
    line: usize,
    column: usize,
    term: String,
    value: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    evidence: Vec<Atom>,
}

#[derive(Debug, Serialize)]
struct Atom {
    term: String,
    value: String,
    arguments: Vec<Argument>,
}

#[derive(Debug, Serialize)]
struct Argument {
    term: String,
    value: String,
}

/// The most atoms that are shown for one assertion.
const MOST_ATOMS: usize = 20;

/// Evaluates the assertions of a file: what is printed of them.
///
/// # Errors
/// A file that cannot be read, or that is no script or no model.
pub fn run(args: &EvalRequest) -> anyhow::Result<Vec<u8>> {
    anyhow::ensure!(
        args.file.as_os_str() != "-" || args.model.as_os_str() != "-",
        "the script and the model cannot both be standard input"
    );
    load_theories(&args.theory)?;
    let (name, text) = (args.file.display().to_string(), read(&args.file)?);
    let script = parse(&text, &name, &ParseOptions::default())?;
    let printed = read(&args.model)?;
    let needs_model = script.declarations().next().is_some();
    anyhow::ensure!(
        !needs_model || holds_something(&printed),
        "{} is empty: a model is what a solver prints for (get-model) or (get-value …)",
        args.model.display()
    );
    let dialect = args.dialect.unwrap_or_else(|| model::literal_dialect(&printed, &text));
    let interpretation = model::read(&printed, &args.model.display().to_string(), &script, dialect)?;
    let mut evaluator = Evaluator::new(&script, &interpretation);
    let places = places_of_assertions(&text);
    let mut all = Vec::new();
    for (assertion, (line, column)) in script.assertions().zip(places) {
        let outcome = evaluator.value(assertion);
        let atoms =
            if args.json || args.evidence { evidence(&mut evaluator, assertion, MOST_ATOMS) } else { Vec::new() };
        let evidence = atoms.into_iter().map(|atom| shown_atom(&script.terms, atom)).collect();
        let (value, reason) = verdict(&outcome);
        all.push(Evaluated { line, column, term: shown(&script.terms, assertion), value, reason, evidence });
    }
    let mut report = Vec::new();
    if args.json {
        serde_json::to_writer_pretty(&mut report, &all)?;
        writeln!(report)?;
    } else {
        for each in &all {
            write_lines(&mut report, &name, each)?;
        }
    }
    Ok(report)
}

/// Whether there is anything in a text but white space and comments.
fn holds_something(text: &str) -> bool {
    !matches!(Lexer::new(text, false).next_token(), Ok(token) if token.kind == TokenKind::End)
}

fn write_lines(report: &mut Vec<u8>, name: &str, each: &Evaluated) -> std::io::Result<()> {
    let Evaluated { line, column, value, reason, evidence, .. } = each;
    write!(report, "{name}:{line}:{column}: {value}")?;
    if let Some(reason) = reason {
        write!(report, ": {reason}")?;
    }
    writeln!(report)?;
    for Atom { term, value, arguments } in evidence {
        write!(report, "    {term} is {value}")?;
        // A literal shows its value already.
        let told: Vec<String> = arguments
            .iter()
            .filter(|argument| argument.term != argument.value)
            .map(|Argument { term, value }| format!("{term} is {value}"))
            .collect();
        if !told.is_empty() {
            write!(report, ", where {}", told.join(", "))?;
        }
        writeln!(report)?;
    }
    Ok(())
}

/// The word for an outcome, and the reason if there is more to say.
fn verdict(outcome: &Outcome) -> (&'static str, Option<String>) {
    match outcome {
        Ok(value) if value.is_bool(true) => ("true", None),
        Ok(_) => ("false", None),
        Err(Open::Free) => ("free", None),
        Err(why) => ("unknown", Some(why.to_string())),
    }
}

fn shown_atom(terms: &Terms, atom: Evidence) -> Atom {
    let value = |outcome: Outcome| match outcome {
        Ok(value) => shortened(value.to_string()),
        Err(Open::Free) => "free".to_owned(),
        Err(why) => format!("unknown ({why})"),
    };
    let arguments = atom.arguments.into_iter();
    let arguments = arguments.map(|(term, outcome)| Argument { term: shown(terms, term), value: value(outcome) });
    Atom { term: shown(terms, atom.term), arguments: arguments.collect(), value: value(atom.outcome) }
}

fn shown(terms: &Terms, term: TermId) -> String {
    shortened(print_term(terms, term, Dialect::SmtLib26).unwrap_or_else(|error| error.to_string()))
}

/// The beginning of a text that is too long to read.
fn shortened(text: String) -> String {
    const LONGEST_SHOWN: usize = 120;
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Line and column of each `(assert …)`, in order.
fn places_of_assertions(text: &str) -> Vec<(usize, usize)> {
    let mut lexer = Lexer::new(text, detect(text) == Dialect::SmtLib20);
    let (mut places, mut depth, mut open) = (Vec::new(), 0_usize, None);
    while let Ok(token) = lexer.next_token()
        && token.kind != TokenKind::End
    {
        let begins = open.take();
        match token.kind {
            TokenKind::LeftParenthesis => {
                open = (depth == 0).then_some(token.start as usize);
                depth += 1;
            }
            TokenKind::RightParenthesis => depth = depth.saturating_sub(1),
            TokenKind::Symbol if &text[token.start as usize..token.end as usize] == "assert" => places.extend(begins),
            _ => {}
        }
    }
    places.into_iter().map(|offset| line_and_column(text, offset)).collect()
}
