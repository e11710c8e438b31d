//! A script as one solver reads it: in its dialect, with its names of logics, and with nothing that it cannot decide.

use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};
use crate::solver::answer::Answer;
use crate::solver::installed::Solver;

/// The families of a profile's rejected operators whose names are operators, whatever their arguments are.
const FAMILIES: [&str; 2] = ["strings", "regexes"];

/// The script's text for `solver`.
///
/// # Errors
/// [`Answer::Unsupported`] if the solver's dialect cannot spell an operator or a character of the script, so that the
/// solver would read something else than what the script says.
pub fn text_for(script: &Script, solver: &Solver) -> Result<String, Answer> {
    let logics = solver.profile.logics.iter();
    let logic_names = logics.map(|(from, to)| (Symbol::new(from), Symbol::new(to))).collect();
    printer::print(script, solver.profile.dialect, &PrintOptions { logic_names })
        .map_err(|error| Answer::Unsupported(error.to_string()))
}

/// The first operator of the script that the solver's profile says it cannot decide. Such a solver may run for long
/// before it notices, and would pass for a slow one.
pub fn undecided_operator(script: &Script, solver: &Solver) -> Option<&'static str> {
    let rejected: Vec<&str> = FAMILIES
        .iter()
        .filter_map(|family| solver.profile.rejects.get(*family))
        .flatten()
        .map(String::as_str)
        .collect();
    let mut used = vec![false; script.terms.len()];
    script.terms.mark_used(script.commands.iter().flat_map(roots), &mut used);
    let operators =
        (0..).zip(used).filter(|(_, used)| *used).filter_map(|(index, _)| match script.terms.head(TermId(index)) {
            Head::Operator(op) => Some(op.name()),
            _ => None,
        });
    operators.into_iter().find(|name| rejected.contains(name))
}

/// The terms of a command.
fn roots(command: &Command) -> Vec<TermId> {
    match command {
        Command::Assert(term) => vec![*term],
        Command::CheckSatAssuming(terms) => terms.clone(),
        Command::Define(definition) => vec![definition.body],
        Command::DefineRecursive(definitions) => definitions.iter().map(|each| each.body).collect(),
        _ => Vec::new(),
    }
}
