//! Connectives of three values: a decisive argument decides, although another is open, and those after it are not
//! visited.

use super::super::apply::Connective;
use super::super::value::Value;
use super::step::Task;
use super::{Evaluator, Open, Outcome};
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::TermId;

/// How far a connective was evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    connective: Connective,
    /// How many arguments have an outcome.
    done: usize,
    /// Why the first open one is.
    open: Option<Open>,
}

impl Progress {
    /// When the first argument is visited.
    pub(super) fn begun(connective: Connective) -> Progress {
        Progress { connective, done: 1, open: None }
    }
}

impl Evaluator<'_> {
    /// The outcome of one more argument is there.
    pub(super) fn connect(&mut self, term: TermId, place: Option<u32>, progress: Progress) {
        let outcome = self.popped();
        let arguments = self.terms().arguments(term);
        if progress.connective == Connective::Ite {
            return self.choose(term, place, &outcome);
        }
        let last = progress.done == arguments.len();
        // The value of this argument that decides, and what it decides.
        let (decisive, decided) = match progress.connective {
            Connective::Or => (true, true),
            Connective::Implies => (last, true),
            Connective::And | Connective::Ite => (false, false),
        };
        let mut open = progress.open;
        match outcome {
            Ok(Value::Bool(value)) if value == decisive => return self.found(term, place, Ok(Value::Bool(decided))),
            Ok(Value::Bool(_)) => {}
            Ok(_) => open = open.or(Some(Open::Unsupported(Symbol::new("a connective of no Booleans")))),
            Err(why) => open = open.or(Some(why)),
        }
        if last {
            return self.found(term, place, open.map_or(Ok(Value::Bool(!decided)), Err));
        }
        let next = arguments[progress.done];
        let progress = Progress { done: progress.done + 1, open, ..progress };
        self.tasks.extend([Task::Connect { term, place, progress }, Task::Visit(next)]);
    }

    /// The condition of an `ite` is there.
    fn choose(&mut self, term: TermId, place: Option<u32>, condition: &Outcome) {
        let arguments = self.terms().arguments(term);
        let (then, otherwise) = (arguments[1], arguments[2]);
        let branch = match condition {
            Ok(Value::Bool(true)) => then,
            Ok(Value::Bool(false)) => otherwise,
            Ok(_) => return self.found(term, place, Err(Open::Unsupported(Symbol::new("ite")))),
            Err(_) if then == otherwise => then,
            &Err(why) => {
                let both = [Task::Branches { term, place, why }, Task::Visit(otherwise), Task::Visit(then)];
                return self.tasks.extend(both);
            }
        };
        self.tasks.extend([Task::Keep { term, place }, Task::Visit(branch)]);
    }
}
