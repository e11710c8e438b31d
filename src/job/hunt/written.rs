//! An instance as its file has it: in the dialect of the solver that is wrong about it, asked as that solver was.

use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::detect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::smtlib::script::Script;
use crate::solver::profile::SolverSpec;
use crate::solver::tactic;

/// The script as a solver of this dialect reads it. It says which one that is where a reader would take its literals for those
/// of another, and asks by the tactic of the guilty one, so that the file shows the defect by itself.
pub(super) fn written(script: &Script, dialect: Dialect, guilty: Option<&String>) -> anyhow::Result<String> {
    let text = print(script, dialect, &PrintOptions::default())?;
    let guilty = guilty.and_then(|solver| SolverSpec::parse(solver).ok());
    let text = tactic::asked(&text, guilty.as_ref().and_then(SolverSpec::tactic)).into_owned();
    if !text.contains('\\') || detect(&text) == dialect {
        return Ok(text);
    }
    Ok(format!("(set-info :smt-lib-version {})\n{text}", dialect.name().trim_start_matches("smtlib-")))
}
