//! Ground evaluation: the value of every term under an interpretation, or why it has none. Never a guess.

mod bounds;
mod connective;
mod equality;
mod literal;
mod quantifier;
mod scope;
mod step;
mod symbols;
mod tabulate;
pub(super) mod verbatim;

use std::cell::RefCell;
use std::fmt;

use super::interpretation::Interpretation;
use super::regex::Languages;
use super::value::Value;
use crate::smtlib::script::Script;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{TermId, Terms};

use scope::Scopes;
use step::Task;
use symbols::Symbols;

/// Why a term has no value here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Open {
    /// The standard leaves the value free, and the interpretation does not say what it is: a division by zero.
    Free,
    /// The interpretation says nothing of this symbol.
    Silent(Symbol),
    /// An operator without semantics here.
    Unsupported(Symbol),
    /// A quantifier over a domain that is too large, and nothing that was tried decides it.
    Quantifier,
    /// A bound on work or size was met: which one.
    GaveUp(&'static str),
}

impl fmt::Display for Open {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Open::Free => f.write_str("the standard leaves the value free"),
            Open::Silent(symbol) => write!(f, "the model says nothing of {symbol}"),
            Open::Unsupported(operator) => write!(f, "unsupported operator {operator}"),
            Open::Quantifier => f.write_str("a quantifier that no tried value decides"),
            Open::GaveUp(what) => write!(f, "gave up: {what}"),
        }
    }
}

/// A term's value, or why it has none.
pub type Outcome = Result<Value, Open>;

/// What bounds the work on one term.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many terms may be visited, those in bodies of functions and quantifiers each time.
    pub steps: u64,
    /// How deep calls of defined functions may nest.
    pub calls: usize,
    /// How many assignments to its variables one quantifier may try.
    pub assignments: u64,
}

/// A few seconds at most; recursion as deep as lists in seeds are long; all values of twelve bits.
impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 10_000_000, calls: 20_000, assignments: 1 << 12 }
    }
}

/// The arenas that terms may be of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arena {
    Script,
    /// [`Interpretation::terms`].
    Model,
}

impl Limits {
    /// For one of many evaluations: milliseconds at most for a term.
    pub const SMALL: Limits = Limits { steps: 50_000, calls: 2_000, assignments: 1 << 8 };
}

/// Where terms are being evaluated: the arena, and what is bound in the body of one function.
#[derive(Debug)]
struct Context {
    arena: Arena,
    scopes: Scopes,
}

/// Evaluates terms of a script. What it found is kept: a second question about the same closed term costs nothing.
#[derive(Debug)]
pub struct Evaluator<'a> {
    script: &'a Terms,
    interpretation: &'a Interpretation,
    symbols: Symbols<'a>,
    limits: Limits,
    /// What was found out about regular languages.
    languages: RefCell<Languages>,
    /// The outcomes of closed terms, by arena and number.
    closed: [Vec<Option<Outcome>>; 2],
    /// Open calls, the innermost last.
    contexts: Vec<Context>,
    /// What is still to be done, the next last: an explicit stack, because terms nest deeper than threads' stacks.
    tasks: Vec<Task>,
    /// Outcomes that await the task that needs them.
    outcomes: Vec<Outcome>,
    steps: u64,
    /// Bytes that computed values may still take, of all questions together: what was found is kept.
    room: usize,
    /// How deep [`Evaluator::run`] is nested.
    nesting: u32,
}

/// Bytes of all values that one evaluator computes: a chain of concatenations takes the square of its length.
const MOST_BYTES: usize = 256 << 20;

/// How deep quantifiers (and arrays that are given as functions) may nest: each takes room on the thread's stack.
const DEEPEST_NESTING: u32 = 60;

impl<'a> Evaluator<'a> {
    /// An evaluator of the script's terms, with its definitions and named terms.
    pub fn new(script: &'a Script, interpretation: &'a Interpretation) -> Self {
        Evaluator::with_limits(script, interpretation, Limits::default())
    }

    /// The same, with other bounds on its work.
    pub fn with_limits(script: &'a Script, interpretation: &'a Interpretation, limits: Limits) -> Self {
        Evaluator {
            script: &script.terms,
            interpretation,
            symbols: Symbols::of(script),
            limits,
            languages: RefCell::new(Languages::new()),
            closed: [vec![None; script.terms.len()], vec![None; interpretation.terms().len()]],
            contexts: vec![Context { arena: Arena::Script, scopes: Scopes::default() }],
            tasks: Vec::new(),
            outcomes: Vec::new(),
            steps: 0,
            room: MOST_BYTES,
            nesting: 0,
        }
    }

    /// The value of a term of the script. Variables that are bound outside of the term are symbols of which nothing is
    /// said.
    ///
    /// # Errors
    /// Why it has none.
    pub fn value(&mut self, term: TermId) -> Outcome {
        self.steps = self.limits.steps;
        self.run(term)
    }

    /// The values of all closed terms of the script's arena, by number; none of terms that are open.
    pub fn values(&mut self) -> Vec<Option<Outcome>> {
        let closed = |number: usize| self.script.is_closed(TermId(number as u32));
        let closed: Vec<bool> = (0..self.script.len()).map(closed).collect();
        let value = |(number, closed): (usize, bool)| closed.then(|| self.value(TermId(number as u32)));
        closed.into_iter().enumerate().map(value).collect()
    }

    /// The value of a term of the interpretation's arena.
    pub(super) fn model_value(&mut self, term: TermId) -> Outcome {
        self.steps = self.limits.steps;
        self.contexts.push(Context { arena: Arena::Model, scopes: Scopes::default() });
        let outcome = self.run(term);
        self.contexts.pop();
        outcome
    }

    /// The value of a term of the script in the scopes that are open.
    pub(super) fn value_here(&mut self, term: TermId) -> Outcome {
        self.steps = self.limits.steps;
        self.run(term)
    }

    /// Opens the scope of a `let`, whose body may then be asked about.
    pub(super) fn open_let(&mut self, term: TermId) {
        let terms = self.terms();
        let parts = terms.parts(term);
        let values: Vec<Outcome> =
            parts.arguments[..parts.binders.len()].iter().map(|&value| self.value_here(value)).collect();
        self.scopes().open(parts.binders.iter().map(|&(name, _)| name).zip(values));
    }

    /// Closes the scope that was opened last.
    pub(super) fn close_let(&mut self) {
        self.scopes().close();
    }

    /// The depth of the scope that binds the name.
    pub(super) fn depth(&self, name: Symbol) -> Option<u32> {
        self.context().scopes.depth(name)
    }

    /// The script's arena.
    pub(super) fn script_terms(&self) -> &'a Terms {
        self.script
    }

    /// The interpretation's arena.
    pub(super) fn model_terms(&self) -> &'a Terms {
        self.interpretation.terms()
    }

    /// The arena of the term that is being evaluated.
    fn terms(&self) -> &'a Terms {
        match self.context().arena {
            Arena::Script => self.script,
            Arena::Model => self.interpretation.terms(),
        }
    }

    fn context(&self) -> &Context {
        &self.contexts[self.contexts.len() - 1]
    }

    fn scopes(&mut self) -> &mut Scopes {
        let innermost = self.contexts.len() - 1;
        &mut self.contexts[innermost].scopes
    }

    /// Evaluates a term in the current context.
    fn run(&mut self, term: TermId) -> Outcome {
        if self.nesting >= DEEPEST_NESTING {
            return Err(Open::GaveUp("quantifiers that nest deeply"));
        }
        self.nesting += 1;
        let floor = self.tasks.len();
        self.tasks.push(Task::Visit(term));
        while self.tasks.len() > floor
            && let Some(task) = self.tasks.pop()
        {
            self.step(task);
        }
        self.nesting -= 1;
        self.popped()
    }

    /// The outcome that was found last.
    fn popped(&mut self) -> Outcome {
        self.outcomes.pop().unwrap_or(Err(Open::GaveUp("an outcome that is missing")))
    }

    /// The value, if there is room for it.
    fn with_room(&mut self, value: Value) -> Outcome {
        self.room = self.room.checked_sub(value.bytes()).ok_or(Open::GaveUp("values of 256 MB in all"))?;
        Ok(value)
    }

    /// The place where the outcome of a term is kept: the innermost scope that binds one of its free variables; none
    /// if a variable is not bound.
    fn place(&self, term: TermId) -> Option<u32> {
        let terms = self.terms();
        if terms.is_closed(term) {
            return Some(0);
        }
        let scopes = &self.context().scopes;
        terms.free(term).try_fold(0, |deepest, (name, _)| Some(scopes.depth(name)?.max(deepest)))
    }

    fn kept(&self, term: TermId, place: Option<u32>) -> Option<Outcome> {
        match place? {
            0 => self.closed[self.context().arena as usize].get(term.0 as usize)?.clone(),
            depth => self.context().scopes.kept(depth, term),
        }
    }

    fn keep(&mut self, term: TermId, place: Option<u32>, outcome: &Outcome) {
        match place {
            None => {}
            Some(0) => {
                let arena = self.context().arena as usize;
                self.closed[arena][term.0 as usize] = Some(outcome.clone());
            }
            Some(depth) => self.scopes().keep(depth, term, outcome.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
