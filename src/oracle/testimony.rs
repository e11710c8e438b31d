//! What one solver says about one script, and what its model is worth: evaluated by us, and checked by itself.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::OracleError;
use super::model::{asking_for_model, changes_meaning, is_question, remove_printing, resets};
use super::prover::{Form, ModelReply, Prover, Question};
use crate::evaluate::individual::Timed;
use crate::semantics::evaluate::{Evaluator, Limits, Open};
use crate::semantics::evidence::evidence;
use crate::semantics::interpretation::Interpretation;
use crate::semantics::model;
use crate::semantics::value::Value;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::expression::expression_length;
use crate::smtlib::printer::print_term;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::term::{TermId, Terms};
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// The most atoms that are shown of an assertion.
const MOST_ATOMS: usize = 8;
/// Bytes that are kept of what was printed before a crash.
const MOST_PRINTED: usize = 1000;
/// Characters of a term that are shown.
const SHOWN: usize = 200;

/// What our evaluator makes of a model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelVerdict {
    /// The solver gave none, or the script asks more than once.
    None,
    /// Every assertion is true.
    Satisfies,
    /// An assertion is false: which, and the atoms that decide it.
    Refuted(Vec<String>),
    /// The value of an assertion could not be decided: why.
    Open(String),
    /// We cannot read it: why.
    Unreadable(String),
}

/// What one solver says about one script.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Testimony {
    /// The solver, as the user names it.
    pub solver: String,
    /// What it says its version is.
    pub version: String,
    /// The command line, with the program's name and `instance.smt2`.
    pub command: String,
    /// What of the script it was asked: all that follows is about that.
    #[serde(default)]
    pub form: Form,
    /// The answer to the last question, and what it cost.
    pub timed: Timed,
    /// The answers to all questions that it printed before it ended, in order: `sat`, `unsat` or `unknown`.
    pub answers: Vec<String>,
    /// The model that it printed; empty if it printed none.
    pub model: String,
    /// What that is worth to our evaluator.
    pub verdict: ModelVerdict,
    /// What the solver answers when it is to check its own model; asked only where our evaluator did not confirm it.
    pub own_check: Option<Answer>,
    /// The command line of that check.
    #[serde(default)]
    pub check_command: Option<String>,
    /// CPU seconds of all runs but the first.
    pub check_seconds: f64,
    /// What the solver printed when it crashed, if it did so once, and not when it was asked the same again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crashed_once: Option<String>,
}

/// On which question a solver crashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CrashOn {
    /// The script itself.
    Script,
    /// The script with the question for a model, and not without it.
    Model,
    /// The script, while the solver checks its own model.
    OwnCheck,
    /// One that it was asked once more, and did not crash on then: nobody can tell what the crash is about.
    Once,
}

impl Testimony {
    /// What `prover` said in a run of which nothing more is known.
    fn new(prover: &dyn Prover, timed: Timed) -> Testimony {
        Testimony {
            solver: prover.name().to_owned(),
            version: prover.version().to_owned(),
            command: String::new(),
            form: Form::default(),
            answers: Vec::new(),
            model: String::new(),
            verdict: ModelVerdict::None,
            own_check: None,
            check_command: None,
            check_seconds: 0.0,
            crashed_once: None,
            timed,
        }
    }

    /// What `prover` answered to a script among others, without a model, in so many CPU seconds.
    pub fn in_passing(prover: &dyn Prover, answer: Answer, cpu_seconds: f64) -> Testimony {
        let answers = vec![answer.name().to_owned()];
        let timed = Timed { answer, cpu_seconds, wall_seconds: 0.0, peak_memory_bytes: 0 };
        Testimony { answers, ..Testimony::new(prover, timed) }
    }

    /// Asks `prover` about `script`, with this CPU time for each run.
    ///
    /// # Errors
    /// [`OracleError`] if the solver could not be run, or the user interrupted.
    pub fn of(
        prover: &dyn Prover,
        script: &Script,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Testimony, OracleError> {
        let ModelReply { reply, form } = prover.ask_for_model(script, limit, interrupt)?;
        let asked = form.of(script);
        // A run that somebody killed says nothing, whatever it printed before; nor does one that is to be ignored.
        let says_nothing =
            reply.timed.answer.is_refusal() || matches!(reply.timed.answer, Answer::Killed | Answer::Ignored(_));
        let answers = if says_nothing { Vec::new() } else { answers_in(&reply.output) };
        let mut testimony = Testimony { command: reply.command, form, answers, ..Testimony::new(prover, reply.timed) };
        if matches!(testimony.timed.answer, Answer::Crash(_)) {
            return testimony.of_crash(prover, script, &reply.output, limit, interrupt);
        }
        if asking_for_model(script).is_none() || testimony.timed.answer != Answer::Sat {
            return Ok(testimony);
        }
        let printed = model_in(&reply.output);
        printed.clone_into(&mut testimony.model);
        testimony.verdict = match printed {
            // The assertions of a script that declares nothing have their values without one.
            "" if script.declarations().next().is_some() => ModelVerdict::None,
            printed => verdict(printed, script, prover.dialect()),
        };
        if testimony.verdict != ModelVerdict::Satisfies && prover.checks_models() {
            let question = Question { script: &asked, seed: None, limit, check_model: true };
            let checked = prover.ask(&question, interrupt)?;
            testimony.check_seconds = checked.timed.cpu_seconds;
            testimony.check_command = Some(checked.command);
            testimony.own_check = Some(checked.timed.answer);
        }
        Ok(testimony)
    }

    /// What a crash is about: the script itself, which a reader asks first, or the question for a model, or nobody can tell,
    /// because it does not come again. `output` is what was printed when it came.
    fn of_crash(
        mut self,
        prover: &dyn Prover,
        script: &Script,
        output: &str,
        limit: Duration,
        interrupt: &Interrupt,
    ) -> Result<Testimony, OracleError> {
        let asked = self.form.of(script);
        let again = prover.ask(&Question { script: &asked, seed: None, limit, check_model: false }, interrupt)?;
        self.check_seconds = again.timed.cpu_seconds;
        if matches!(again.timed.answer, Answer::Crash(_)) {
            self.timed.answer = again.timed.answer;
            self.command = again.command;
            self.form.model = false;
            return Ok(self);
        }
        if self.form.model {
            // Without the question it was fine: because of the question, or because it seldom crashes?
            let ModelReply { reply, form } = prover.ask_for_model(script, limit, interrupt)?;
            self.check_seconds += reply.timed.cpu_seconds;
            if form.model && matches!(reply.timed.answer, Answer::Crash(_)) {
                return Ok(self);
            }
        }
        self.crashed_once = Some(beginning_of(output));
        Ok(self)
    }

    /// The message of a crash, and what was asked when it came.
    pub fn crash(&self) -> Option<(&str, CrashOn)> {
        match (&self.timed.answer, &self.own_check) {
            (Answer::Crash(message), _) if self.crashed_once.is_some() => Some((message, CrashOn::Once)),
            (Answer::Crash(message), _) if self.form.model => Some((message, CrashOn::Model)),
            (Answer::Crash(message), _) => Some((message, CrashOn::Script)),
            (_, Some(Answer::Crash(message))) => Some((message, CrashOn::OwnCheck)),
            _ => None,
        }
    }

    /// CPU seconds of all runs.
    pub fn seconds(&self) -> f64 {
        self.timed.cpu_seconds + self.check_seconds
    }

    /// Whether the solver says `sat` with a model that does not hold, by our evaluator or by its own check.
    pub fn model_is_wrong(&self) -> bool {
        matches!(self.verdict, ModelVerdict::Refuted(_))
            || [Some(&self.timed.answer), self.own_check.as_ref()]
                .into_iter()
                .flatten()
                .any(|answer| matches!(answer, Answer::InvalidModel(_)))
    }
}

/// The model in an output that begins with `sat`; what a profile makes a solver print after it is none of it.
pub(super) fn model_in(output: &str) -> &str {
    let printed = output.split_once("sat").map_or("", |(_, rest)| rest).trim();
    expression_length(printed).map_or(printed, |length| &printed[..length])
}

/// What is kept of an output as evidence.
fn beginning_of(output: &str) -> String {
    output[..output.floor_char_boundary(MOST_PRINTED)].trim_end().to_owned()
}

/// The answers among the lines of an output.
fn answers_in(output: &str) -> Vec<String> {
    output.lines().map(str::trim).filter(|line| ["sat", "unsat", "unknown"].contains(line)).map(str::to_owned).collect()
}

/// What a printed model of `script` is worth.
pub(super) fn verdict(printed: &str, script: &Script, dialect: Dialect) -> ModelVerdict {
    let text = if printed.is_empty() { "()" } else { printed };
    let given = match model::read(text, "model", script, dialect) {
        Ok(given) => given,
        Err(error) => return ModelVerdict::Unreadable(error.to_string()),
    };
    match worth(script, &given, Limits::default()) {
        // What a model leaves out may be anything: if one choice satisfies the script, the model does.
        ModelVerdict::Open(reason) => {
            let mut whole = given.clone();
            whole.complete(script);
            match worth(script, &whole, Limits::default()) {
                ModelVerdict::Satisfies => ModelVerdict::Satisfies,
                _ => ModelVerdict::Open(reason),
            }
        }
        decided => decided,
    }
}

/// What an interpretation makes of a script's assertions, each within these limits.
pub fn worth(script: &Script, interpretation: &Interpretation, limits: Limits) -> ModelVerdict {
    let mut evaluator = Evaluator::with_limits(script, interpretation, limits);
    let mut open: Option<Open> = None;
    for assertion in script.assertions() {
        match evaluator.value(assertion) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => return ModelVerdict::Refuted(shown_evidence(script, &mut evaluator, assertion)),
            Err(why) => {
                open.get_or_insert(why);
            }
        }
    }
    open.map_or(ModelVerdict::Satisfies, |why| ModelVerdict::Open(why.to_string()))
}

/// The assertion and the atoms that decide it, a line each.
pub fn shown_evidence(script: &Script, evaluator: &mut Evaluator<'_>, assertion: TermId) -> Vec<String> {
    let shown_outcome = |outcome: &Result<Value, Open>| match outcome {
        Ok(value) => shortened(value.to_string()),
        Err(why) => why.to_string(),
    };
    let outcome = evaluator.value(assertion);
    let mut lines = vec![format!("{} is {}", shown(&script.terms, assertion), shown_outcome(&outcome))];
    for atom in evidence(evaluator, assertion, MOST_ATOMS) {
        let told: Vec<String> = atom
            .arguments
            .iter()
            .map(|(term, outcome)| (shown(&script.terms, *term), shown_outcome(outcome)))
            .filter(|(term, value)| term != value)
            .map(|(term, value)| format!("{term} is {value}"))
            .collect();
        let told = if told.is_empty() { String::new() } else { format!(", where {}", told.join(", ")) };
        lines.push(format!("{} is {}{told}", shown(&script.terms, atom.term), shown_outcome(&atom.outcome)));
    }
    lines
}

fn shown(terms: &Terms, term: TermId) -> String {
    // This dialect spells everything.
    shortened(print_term(terms, term, Dialect::SmtLib26).unwrap_or_default())
}

fn shortened(text: String) -> String {
    if text.chars().count() <= SHOWN { text } else { text.chars().take(SHOWN).chain("…".chars()).collect() }
}

/// The script without what is not a question: remarks, and commands that print or end. Options of the script's own stay, but
/// for those that change what it means: other solvers have none of them, and would be asked something else. A single question
/// stands at the end, so that all that is asked of the script is about all its assertions.
#[must_use]
pub fn questions_only(script: &Script) -> Script {
    let mut script = script.clone();
    remove_printing(&mut script);
    let is_remark =
        |command: &Command| matches!(command, Command::Other(text) if text.as_str().starts_with("(set-info"));
    script.commands.retain(|command| !is_remark(command) && !changes_meaning(command));
    let mut questions = script.commands.iter().filter(|command| is_question(command));
    if let (Some(only), None) = (questions.next().cloned(), questions.next())
        && !script.is_incremental()
        && !resets(&script)
    {
        script.commands.retain(|command| !is_question(command));
        script.commands.push(only);
    } else if !script.commands.iter().any(is_question) {
        script.commands.push(Command::CheckSat);
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::model::without_own_options;
    use crate::oracle::prover::Reply;
    use crate::smtlib::parser::{ParseOptions, parse};

    fn script(text: &str) -> Script {
        parse(text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script")
    }

    /// Refuses scripts with options, and finds its own models wrong.
    #[derive(Debug)]
    struct Picky;

    impl Picky {
        fn reply(answer: Answer, output: &str) -> Reply {
            let timed = Timed { answer, cpu_seconds: 0.0, wall_seconds: 0.0, peak_memory_bytes: 0 };
            Reply { timed, command: "picky".to_owned(), output: output.to_owned() }
        }
    }

    impl Prover for Picky {
        fn name(&self) -> &'static str {
            "picky"
        }

        fn version(&self) -> &'static str {
            "1"
        }

        fn dialect(&self) -> Dialect {
            Dialect::SmtLib26
        }

        fn ask(&self, question: &Question<'_>, _: &Interrupt) -> Result<Reply, OracleError> {
            let refused = without_own_options(question.script).is_some();
            let answer =
                if refused { Answer::Rejected("no".to_owned()) } else { Answer::InvalidModel("wrong".to_owned()) };
            Ok(Picky::reply(answer, ""))
        }

        fn ask_for_model(&self, _: &Script, _: Duration, _: &Interrupt) -> Result<ModelReply, OracleError> {
            let reply = Picky::reply(Answer::Sat, "sat\n");
            Ok(ModelReply { reply, form: Form { plain: true, model: false } })
        }
    }

    #[test]
    fn a_solver_checks_its_model_of_what_it_was_asked() {
        let own = script("(set-option :mine true)(declare-const x Int)(assert (> x 0))(check-sat)");
        let testimony = Testimony::of(&Picky, &own, Duration::from_secs(1), &Interrupt::new()).expect("nothing is run");
        assert_eq!(testimony.own_check, Some(Answer::InvalidModel("wrong".to_owned())));
    }

    #[test]
    fn what_stands_after_a_model_is_none_of_it() {
        let output =
            "sat\n(\n  ;; universe (of A:\n  (define-fun |a)b| () String\n    \"x)\")\n)\n(:reason-unknown \"\")\n";
        assert!(model_in(output).starts_with("(\n  ;;") && model_in(output).ends_with("\"x)\")\n)"));
        assert_eq!(model_in("sat\n"), "");
    }

    const SCRIPT: &str = "(declare-fun s () String)(declare-fun n () Int)(assert (= (str.len s) 2))\
        (assert (or (= s \"ab\") (> (div n 0) 3)))(check-sat)";

    #[test]
    fn a_model_is_worth_what_the_assertions_are_under_it() {
        let script = script(SCRIPT);
        let of = |model: &str| verdict(model, &script, Dialect::SmtLib26);
        assert_eq!(of("((define-fun s () String \"ab\"))"), ModelVerdict::Satisfies);
        assert!(matches!(of("((define-fun s () String \"abc\"))"), ModelVerdict::Refuted(_)));
        assert!(matches!(of("((define-fun s () String \"cd\") (define-fun n () Int 1))"), ModelVerdict::Open(_)));
        assert!(matches!(of("((define-fun s () Int 1"), ModelVerdict::Unreadable(_)));
        // The default of what is left out happens to be none that satisfies: that refutes nothing.
        assert!(matches!(of("()"), ModelVerdict::Open(_)));
    }

    #[test]
    fn evidence_names_the_assertion_and_what_decides_it() {
        let ModelVerdict::Refuted(lines) =
            verdict("((define-fun s () String \"abc\"))", &script(SCRIPT), Dialect::SmtLib26)
        else {
            panic!("the length is wrong")
        };
        assert_eq!(lines, ["(= (str.len s) 2) is false", "(= (str.len s) 2) is false, where (str.len s) is 3"]);
    }

    #[test]
    fn questions_are_kept_and_everything_else_that_prints_goes() {
        let noisy =
            script("(set-option :a true)(set-info :status sat)(declare-fun p () Bool)(assert p)(get-model)(exit)");
        let kinds: Vec<bool> =
            questions_only(&noisy).commands.iter().map(|command| *command == Command::CheckSat).collect();
        assert_eq!(kinds, [false, false, false, true], "its own option, a declaration, an assertion and the question");
    }

    #[test]
    fn an_option_that_changes_what_a_script_means_is_nobodys() {
        let means = "(set-option :rewriter.hi_div0 false)(declare-const p Bool)(assert p)(check-sat)";
        let is_option = |command: &Command| matches!(command, Command::Other(_));
        assert!(!questions_only(&script(means)).commands.iter().any(is_option));
        let mut timed = script(means);
        remove_printing(&mut timed);
        assert!(timed.commands.iter().any(is_option), "a run of one solver is as the user wrote it");
    }

    #[test]
    fn a_script_that_forgets_is_not_asked_for_a_model_and_a_single_question_comes_last() {
        let forgets = "(set-option :global-declarations true)(declare-const x Int)(assert (> x 0))(reset-assertions)\
            (assert (< x 0))(check-sat)";
        let forgets = questions_only(&script(forgets));
        assert!(asking_for_model(&forgets).is_none());
        assert_eq!(forgets.commands.len(), 6, "the option decides what is forgotten");
        let early = questions_only(&script("(declare-const x Int)(assert (> x 0))(check-sat)(assert (< x 0))"));
        assert_eq!(early.commands.last(), Some(&Command::CheckSat));
    }
}
