//! Scripts that ask for models, and a reference's model as a script of its own: the values that it gives, asserted.

use crate::smtlib::dialect::Dialect;
use crate::smtlib::expression::expression_length;
use crate::smtlib::parser::{self, ParseOptions};
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::symbol::Symbol;
use crate::solver::profile::ModelQuestion;

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

/// Z3's question with a tactic: the standard's `(check-sat)`, answered in another way.
const CHECK_SAT_USING: &str = "(check-sat-using";
/// Options that change what a script means: a solver that is right with them is wrong without, and nobody else has them.
const OPTIONS_OF_MEANING: [&str; 8] = [
    "hi_div0",
    "bv-div-zero-const",
    "strings-alpha-card",
    ":encoding",
    "solve-real-as-int",
    "solve-int-as-bv",
    "ignore_int",
    "fmf-fun",
];
/// Options that make a solver give up: they bound its work, or take away the part of it that decides a theory.
const OPTIONS_OF_GIVING_UP: [&str; 8] =
    ["rlimit", "resource-limit", "timeout", "tlimit", "max_conflicts", "string_solver", "arith.solver", "max_restarts"];
/// Options that decide what is printed and where, which whoever reads an output decides.
const OPTIONS_OF_OUTPUT: [&str; 5] =
    [":produce-", ":print-success", ":regular-output-channel", ":diagnostic-output-channel", ":verbosity"];

/// Whether a command asks whether the assertions hold, Z3's form with a tactic included.
pub fn is_question(command: &Command) -> bool {
    match command {
        Command::CheckSat | Command::CheckSatAssuming(_) => true,
        Command::Other(text) => text.as_str().starts_with(CHECK_SAT_USING),
        _ => false,
    }
}

/// Whether a command prints something that is no answer, or ends the script.
fn only_prints(command: &Command) -> bool {
    match command {
        Command::GetValue(_) => true,
        Command::Other(text) => ["(get-", "(exit", "(echo"].iter().any(|it| text.as_str().starts_with(it)),
        _ => false,
    }
}

/// Whether a command sets an option that changes what the script means, or whether it is answered at all.
pub(super) fn changes_meaning(command: &Command) -> bool {
    is_option_of_solver(command)
        && matches!(command, Command::Other(text)
            if OPTIONS_OF_MEANING.iter().chain(&OPTIONS_OF_GIVING_UP).any(|option| text.as_str().contains(option)))
}

/// Whether a command sets an option of a solver that may change its answers or its speed.
fn is_option_of_solver(command: &Command) -> bool {
    matches!(command, Command::Other(text) if text.as_str().starts_with("(set-option")
        && !OPTIONS_OF_OUTPUT.iter().any(|option| text.as_str().contains(option)))
}

/// Removes what prints something that is no answer to a question: `(get-model)`, `(echo …)`, and what ends the script. A
/// solver that refuses such a command would seem to refuse the script. Options of the script's own stay, but for those
/// that decide what is printed.
pub fn remove_printing(script: &mut Script) {
    script.commands.retain(|command| match command {
        Command::Other(text) if text.as_str().starts_with("(set-option") => is_option_of_solver(command),
        command => !only_prints(command),
    });
}

/// The script as every solver takes it: without options, which belong to one solver, and with the standard's question in
/// place of one with a tactic. `None` if it has neither.
pub fn without_own_options(script: &Script) -> Option<Script> {
    let mut plain = script.clone();
    // This option decides what `pop` and `reset-assertions` forget.
    let decides_scopes =
        |command: &Command| matches!(command, Command::Other(text) if text.as_str().contains(":global-declarations"));
    plain.commands.retain(|command| !is_option_of_solver(command) || decides_scopes(command));
    for command in &mut plain.commands {
        if matches!(command, Command::Other(text) if text.as_str().starts_with(CHECK_SAT_USING)) {
            *command = Command::CheckSat;
        }
    }
    (plain.commands != script.commands).then_some(plain)
}

/// The script that asks for a model at its end, as SMT-LIB has it; `None` as [`asking_as`].
pub fn asking_for_model(script: &Script) -> Option<Script> {
    asking_as(script, &ModelQuestion::default())
}

/// The script that asks for a model at its end, as a solver is asked; `None` if it asks more than one question, or forgets
/// assertions, or the solver prints no model. The script's own options stay.
pub fn asking_as(script: &Script, how: &ModelQuestion) -> Option<Script> {
    let assumes = |command: &Command| matches!(command, Command::CheckSatAssuming(_));
    let questions = script.commands.iter().filter(|command| is_question(command)).count();
    if !how.can_be_asked()
        || questions > 1
        || script.is_incremental()
        || resets(script)
        || script.commands.iter().any(assumes)
    {
        return None;
    }
    let mut asking = script.clone();
    let question = asking.commands.iter().find(|command| is_question(command)).cloned().unwrap_or(Command::CheckSat);
    asking.commands.retain(|command| !is_question(command));
    remove_printing(&mut asking);
    if !how.option.is_empty() {
        asking.commands.insert(0, Command::Other(Symbol::new(&how.option)));
    }
    asking.commands.extend([question, Command::Other(Symbol::new(&how.command))]);
    Some(asking)
}

/// The script with one `check-sat`, at its end, and without commands that ask for or end anything.
fn single_question(script: &Script) -> Script {
    let mut single = script.clone();
    remove_printing(&mut single);
    single.commands.retain(|command| !is_question(command) && !is_option_of_solver(command));
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

    fn script(text: &str) -> Script {
        let options = ParseOptions { dialect: Some(Dialect::SmtLib26) };
        parser::parse(text, "test", &options).expect("a sound script")
    }

    fn printed(script: &Script) -> String {
        printer::print(script, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints")
    }

    #[test]
    fn a_model_is_asked_for_as_the_solver_has_it_and_own_options_stay() {
        let own = "(set-option :produce-models false)(set-option :rewriter.flat false)(declare-const p Bool)\
            (assert p)(check-sat-using smt)(get-model)(echo \"sat\")(exit)";
        insta::assert_snapshot!(printed(&asking_for_model(&script(own)).expect("one question")), @r"
        (set-option :produce-models true)
        (set-option :rewriter.flat false)
        (declare-fun p () Bool)
        (assert p)
        (check-sat-using smt)
        (get-model)
        ");
        let none = ModelQuestion { command: String::new(), ..ModelQuestion::default() };
        assert_eq!(asking_as(&script(own), &none).map(|asking| printed(&asking)), None);
        let twice = "(declare-const p Bool)(assert p)(check-sat-using smt)(check-sat)";
        assert!(asking_for_model(&script(twice)).is_none(), "two questions have two models");
    }

    #[test]
    fn what_belongs_to_one_solver_is_left_away_for_those_that_refuse_it() {
        let own = "(set-option :rewriter.flat false)(set-option :global-declarations true)(declare-const p Bool)\
            (assert p)(check-sat-using smt)";
        insta::assert_snapshot!(printed(&without_own_options(&script(own)).expect("it has its own")), @r"
        (set-option :global-declarations true)
        (declare-fun p () Bool)
        (assert p)
        (check-sat)
        ");
        let means =
            without_own_options(&script("(set-option :rewriter.hi_div0 false)(declare-const p Bool)(check-sat)"));
        assert_eq!(means.map(|script| script.commands.len()), Some(2), "what changes the meaning goes too");
        assert!(without_own_options(&script("(declare-const p Bool)(assert p)(check-sat)")).is_none());
    }

    #[test]
    fn what_is_no_model_is_none() {
        for output in ["", "unsat", "sat", "sat\n(error \"no\")", "sat\n((a 1)", "sat\n((a))", "unknown\n((a 1))"] {
            assert_eq!(Model::read(output), None, "{output}");
        }
    }
}
