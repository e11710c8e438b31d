//! A reference's model as a script of its own: the values that it gives, asserted.

use crate::smtlib::dialect::Dialect;
use crate::smtlib::expression::expression_length;
use crate::smtlib::parser::{self, ParseOptions};
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::symbol::Symbol;

/// A model: the value of each declared constant, as the reference spells both.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Model {
    /// Names and values, in the order of their declaration.
    pub values: Vec<(String, String)>,
}

/// The script that asks for the values of all declared constants; `None` if there are none, or if it declares
/// functions, whose interpretation no list of values can hold.
pub fn asking_for_values(script: &Script) -> Option<Script> {
    if script.declarations().any(|declaration| !declaration.parameters.is_empty()) {
        return None;
    }
    let mut asking = single_question(script);
    let constants: Vec<_> = script.declarations().map(|each| (each.name, each.sort)).collect();
    if constants.is_empty() {
        return None;
    }
    let terms = constants.iter().map(|&(name, sort)| asking.terms.constant(name, sort)).collect();
    asking.commands.insert(0, Command::Other(Symbol::new("(set-option :produce-models true)")));
    asking.commands.push(Command::GetValue(terms));
    Some(asking)
}

/// Whether the script forgets what it asserted before.
pub(super) fn resets(script: &Script) -> bool {
    script.commands.iter().any(|command| matches!(command, Command::Other(text) if text.as_str().starts_with("(reset")))
}

/// The script that asks for a model at its end; `None` if it asks more than one question, or forgets assertions.
pub fn asking_for_model(script: &Script) -> Option<Script> {
    let assumes = |command: &Command| matches!(command, Command::CheckSatAssuming(_));
    if script.is_incremental() || resets(script) || script.commands.iter().any(assumes) {
        return None;
    }
    let mut asking = single_question(script);
    asking.commands.insert(0, Command::Other(Symbol::new("(set-option :produce-models true)")));
    asking.commands.push(Command::Other(Symbol::new("(get-model)")));
    Some(asking)
}

/// The script with one `check-sat`, at its end, and without commands that ask for or end anything.
fn single_question(script: &Script) -> Script {
    let mut single = script.clone();
    single.commands.retain(|command| match command {
        Command::CheckSat | Command::GetValue(_) => false,
        Command::Other(text) => {
            !["(get-", "(exit", "(set-option", "(echo"].iter().any(|it| text.as_str().starts_with(it))
        }
        _ => true,
    });
    single.commands.push(Command::CheckSat);
    single
}

impl Model {
    /// Reads the answer to `get-value` out of a solver's output, `sat` and then `((name value) …)`. `None` if it is
    /// not there.
    pub fn read(output: &str) -> Option<Model> {
        let list = output.trim_start().strip_prefix("sat")?.trim_start();
        let values = children(list)?.into_iter().map(|pair| match children(pair)?.as_slice() {
            [name, value] => Some(((*name).to_owned(), (*value).to_owned())),
            _ => None,
        });
        values.collect::<Option<Vec<_>>>().map(|values| Model { values })
    }

    /// The script with the model asserted: `sat` if and only if the model satisfies it. The values are read in the
    /// dialect of the solver that gave them, so that each verifier gets its own spelling of the same strings.
    ///
    /// # Errors
    /// A message if the values cannot be read in that dialect.
    pub fn asserted(&self, script: &Script, dialect: Dialect) -> Result<Script, String> {
        let mut with_values = single_question(script);
        let question = with_values.commands.pop();
        for (name, value) in &self.values {
            let text = format!("(assert (= {name} {value}))");
            with_values.commands.push(Command::Other(Symbol::new(&text)));
        }
        with_values.commands.extend(question);
        let text =
            printer::print(&with_values, dialect, &PrintOptions::default()).map_err(|error| error.to_string())?;
        let options = ParseOptions { dialect: Some(dialect) };
        parser::parse(&text, "model", &options).map_err(|error| error.to_string())
    }
}

/// The texts of the children of the list that `text` begins with; `None` if it begins with none, or it does not end.
fn children(text: &str) -> Option<Vec<&str>> {
    let inside = text.strip_prefix('(')?;
    let mut rest = inside.trim_start();
    let mut found = Vec::new();
    while !rest.starts_with(')') {
        let length = expression_length(rest)?;
        found.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_of_both_solvers_are_read() {
        let model = Model::read("sat\n((a \"x\\n\"\"(\\\\\") (b (- 5))\n (|c d| false))\n");
        let values = [("a", "\"x\\n\"\"(\\\\\""), ("b", "(- 5)"), ("|c d|", "false")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(model, Some(Model { values: values.to_vec() }));
    }

    #[test]
    fn what_is_no_model_is_none() {
        for output in ["", "unsat", "sat", "sat\n(error \"no\")", "sat\n((a 1)", "sat\n((a))", "unknown\n((a 1))"] {
            assert_eq!(Model::read(output), None, "{output}");
        }
    }
}
