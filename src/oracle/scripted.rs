//! A prover for tests, which answers by a rule.

use super::OracleError;
use super::prover::{Prover, Question, Reply};
use crate::evaluate::individual::Timed;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{PrintOptions, print};
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;

/// Answers what the rule makes of the script's text, and prints the answer, or a text of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scripted {
    name: &'static str,
    rule: fn(&str) -> Answer,
    prints: Option<&'static str>,
}

impl Scripted {
    /// A prover of this name that prints its answers.
    pub(crate) const fn new(name: &'static str, rule: fn(&str) -> Answer) -> Self {
        Scripted { name, rule, prints: None }
    }

    /// The same, which prints this, whatever it is asked.
    pub(crate) const fn printing(self, text: &'static str) -> Self {
        Scripted { prints: Some(text), ..self }
    }
}

impl Prover for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn dialect(&self) -> Dialect {
        Dialect::SmtLib26
    }

    fn checks_models(&self) -> bool {
        false
    }

    fn ask(&self, question: &Question<'_>, _: &Interrupt) -> Result<Reply, OracleError> {
        let text = print(question.script, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints");
        let answer = (self.rule)(&text);
        let output = self.prints.map_or_else(|| format!("{}\n", answer.name()), str::to_owned);
        let cpu_seconds = if answer == Answer::Timeout { question.limit.as_secs_f64() } else { 0.1 };
        let timed = Timed { answer, cpu_seconds, wall_seconds: cpu_seconds, peak_memory_bytes: 0 };
        Ok(Reply { timed, command: self.name.to_owned(), output })
    }
}
