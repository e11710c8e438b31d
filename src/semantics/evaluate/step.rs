//! The steps of evaluation: visiting a term, and finishing it when its arguments' outcomes are there.

use super::super::apply::{Call, Connective, Rule, equal, rule};
use super::super::interpretation::{Function, Partial};
use super::super::value::{Value, mentions_languages};
use super::connective::Progress;
use super::equality::{all_distinct, all_equal, has_twins};
use super::literal::literal;
use super::symbols::Defined;
use super::{Arena, Context, Evaluator, Open, Outcome, Scopes};
use crate::smtlib::signature::Op;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};

/// What is to be done. Terms are of the current context; `place` is where their outcome is kept.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// Find the term's outcome.
    Visit(TermId),
    /// The arguments' outcomes are there.
    Finish { term: TermId, place: Option<u32> },
    /// One more argument's outcome is there.
    Connect { term: TermId, place: Option<u32>, progress: Progress },
    /// Both branches' outcomes are there, but not the condition's.
    Branches { term: TermId, place: Option<u32>, why: Open },
    /// The outcomes of a `let`'s values are there.
    Bind { term: TermId, place: Option<u32> },
    /// Close a scope: the outcome stays.
    CloseScope,
    /// Leave a function's body: the outcome stays.
    Return,
    /// Keep the last outcome as the term's.
    Keep { term: TermId, place: Option<u32> },
}

impl Evaluator<'_> {
    pub(super) fn step(&mut self, task: Task) {
        match task {
            Task::Visit(term) => self.visit(term),
            Task::Finish { term, place } => self.finish(term, place),
            Task::Connect { term, place, progress } => self.connect(term, place, progress),
            Task::Branches { term, place, why } => {
                let (second, first) = (self.popped(), self.popped());
                let agree = matches!((&first, &second), (Ok(a), Ok(b)) if equal(a, b, &self.languages) == Ok(true));
                self.found(term, place, if agree { first } else { Err(why) });
            }
            Task::Bind { term, place } => {
                let terms = self.terms();
                let binders = terms.parts(term).binders;
                let values = self.outcomes.split_off(self.outcomes.len() - binders.len());
                self.scopes().open(binders.iter().map(|&(name, _)| name).zip(values));
                self.tasks.extend([Task::Keep { term, place }, Task::CloseScope]);
                self.tasks.extend(terms.arguments(term).last().map(|&body| Task::Visit(body)));
            }
            Task::CloseScope => self.scopes().close(),
            Task::Return => drop(self.contexts.pop()),
            Task::Keep { term, place } => {
                if let Some(outcome) = self.outcomes.last().cloned() {
                    self.keep(term, place, &outcome);
                }
            }
        }
    }

    /// Hands an outcome to the task that waits for it, and keeps it.
    pub(super) fn found(&mut self, term: TermId, place: Option<u32>, outcome: Outcome) {
        self.keep(term, place, &outcome);
        self.outcomes.push(outcome);
    }

    fn visit(&mut self, term: TermId) {
        let terms = self.terms();
        let head = terms.head(term);
        if let Head::Bound(name) = head {
            let outcome = self.context().scopes.get(name).cloned().unwrap_or(Err(Open::Silent(name)));
            return self.outcomes.push(outcome);
        }
        let place = self.place(term);
        if let Some(outcome) = self.kept(term, place) {
            return self.outcomes.push(outcome);
        }
        let Some(left) = self.steps.checked_sub(1) else {
            return self.outcomes.push(Err(Open::GaveUp("more steps than allowed")));
        };
        self.steps = left;
        let arguments = terms.arguments(term);
        match head {
            Head::Literal(kind) => {
                let outcome = literal(kind, terms.text(term), terms.sort(term));
                self.found(term, place, outcome);
            }
            Head::Constant(name) => self.symbol(name, term, place),
            Head::Operator(op) => match rule(op) {
                Rule::Connective(connective) => self.begin_connective(connective, term, place),
                Rule::Equal if arguments.iter().all(|&each| each == arguments[0]) => {
                    self.found(term, place, Ok(Value::Bool(true)));
                }
                Rule::Distinct if has_twins(arguments) => self.found(term, place, Ok(Value::Bool(false))),
                Rule::Unsupported => {
                    self.found(term, place, Err(Open::Unsupported(Symbol::new(op.name()))));
                }
                _ => self.arguments_first(term, Task::Finish { term, place }),
            },
            Head::Function(_) | Head::Verbatim(_) => self.arguments_first(term, Task::Finish { term, place }),
            Head::Let => {
                self.tasks.push(Task::Bind { term, place });
                self.tasks.extend(arguments.iter().rev().skip(1).map(|&value| Task::Visit(value)));
            }
            Head::Forall | Head::Exists => {
                let outcome = self.quantifier(term);
                self.found(term, place, outcome);
            }
            Head::Annotation(_) => {
                self.tasks.push(Task::Keep { term, place });
                self.tasks.extend(arguments.first().map(|&inner| Task::Visit(inner)));
            }
            Head::Match => self.found(term, place, Err(Open::Unsupported(Symbol::new("match")))),
            Head::Binder(name) => self.found(term, place, Err(Open::Unsupported(name))),
            Head::Application => self.found(term, place, Err(Open::Unsupported(Symbol::new("a term that is applied")))),
            Head::Bound(_) => {}
        }
    }

    fn arguments_first(&mut self, term: TermId, task: Task) {
        self.tasks.push(task);
        self.tasks.extend(self.terms().arguments(term).iter().rev().map(|&argument| Task::Visit(argument)));
    }

    fn begin_connective(&mut self, connective: Connective, term: TermId, place: Option<u32>) {
        let arguments = self.terms().arguments(term);
        match arguments.first() {
            Some(&first) if connective != Connective::Ite || arguments.len() == 3 => {
                let progress = Progress::begun(connective);
                self.tasks.extend([Task::Connect { term, place, progress }, Task::Visit(first)]);
            }
            _ => self.found(term, place, Err(Open::Unsupported(Symbol::new("ite")))),
        }
    }

    /// Finishes an application whose arguments' outcomes are the last ones.
    fn finish(&mut self, term: TermId, place: Option<u32>) {
        let terms = self.terms();
        let arguments = terms.arguments(term);
        let outcomes = self.outcomes.split_off(self.outcomes.len() - arguments.len());
        match terms.head(term) {
            Head::Operator(op) => {
                let outcome = match rule(op) {
                    Rule::Equal => all_equal(arguments, &outcomes, &self.languages),
                    Rule::Distinct => all_distinct(&outcomes, &self.languages),
                    _ if op.name() == "select" && matches!(outcomes[..], [Err(Open::Unsupported(_)), Ok(_)]) => {
                        self.selected(arguments[0], outcomes)
                    }
                    rule => outcomes
                        .into_iter()
                        .collect::<Result<Vec<Value>, Open>>()
                        .and_then(|values| self.strict(rule, op, terms.indices(term), &values))
                        .and_then(|value| self.with_room(value)),
                };
                self.found(term, place, outcome);
            }
            Head::Function(name) => {
                let sorts: Vec<Sort> = arguments.iter().map(|&argument| terms.sort(argument)).collect();
                self.call(name, &sorts, outcomes, term, place);
            }
            Head::Verbatim(text) => {
                let outcome = self.verbatim(text, terms.sort(term), outcomes);
                self.found(term, place, outcome);
            }
            _ => self.outcomes.push(Err(Open::GaveUp("a term without arguments"))),
        }
    }

    fn strict(&mut self, rule: Rule, op: Op, indices: &[u32], arguments: &[Value]) -> Outcome {
        let call = Call { op, indices, arguments, languages: &self.languages };
        let (partial, apply) = match rule {
            Rule::Strict(apply) => return apply(&call),
            Rule::Partial(partial, apply) => (partial, apply),
            _ => return Err(call.unsupported()),
        };
        let (Some(first), true) = (arguments.first(), arguments.len() > 1) else {
            return Err(call.unsupported());
        };
        let mut left = first.clone();
        for right in &arguments[1..] {
            let pair = [left, right.clone()];
            left = match apply(&Call { op, indices, arguments: &pair, languages: &self.languages }) {
                Err(Open::Free) => self.at_free_point(partial, &pair)?,
                outcome => outcome?,
            };
        }
        Ok(left)
    }

    /// What the interpretation makes of a partial operation where the standard leaves it free.
    fn at_free_point(&mut self, partial: Partial, pair: &[Value]) -> Outcome {
        match self.interpretation.free(partial) {
            None => Err(Open::Free),
            Some(Function::Table { entries, default }) => {
                entries.get(pair).or(default.as_ref()).cloned().ok_or(Open::Free)
            }
            // It is said of one sort of sequences alone.
            Some(Function::Body { parameters, .. })
                if parameters.iter().zip(pair).any(|(parameter, value)| parameter.1 != value.sort()) =>
            {
                Err(Open::Free)
            }
            Some(Function::Body { parameters, body }) => {
                // Old models give it as a function of the dividend alone.
                let values = parameters.iter().map(|&(name, _)| name).zip(pair.iter().cloned().map(Ok));
                self.instance(*body, values)
            }
        }
    }

    /// The outcome of a term of the interpretation's arena with these variables bound.
    pub(super) fn instance(&mut self, body: TermId, bindings: impl Iterator<Item = (Symbol, Outcome)>) -> Outcome {
        let mut scopes = Scopes::default();
        scopes.open(bindings);
        self.contexts.push(Context { arena: Arena::Model, scopes });
        let outcome = self.run(body);
        self.contexts.pop();
        outcome
    }

    /// A symbol without arguments.
    fn symbol(&mut self, name: Symbol, term: TermId, place: Option<u32>) {
        // A name that the script gives to a term means that term, whatever an interpretation says of it.
        if !self.symbols.is_declared(name)
            && let Some(named) = self.symbols.named(name)
        {
            return self.enter(Arena::Script, &[], named, Vec::new(), term, place);
        }
        if self.symbols.is_overloaded(name) {
            return self.found(term, place, Err(Open::Silent(name)));
        }
        if let Some(value) = self.interpretation.value(name)
            && matches!(self.symbols.defined(name, &[]), Defined::Not)
        {
            let expected = self.terms().sort(term);
            let fits = expected == Sort::UNKNOWN || value.sort() == expected;
            let outcome = if fits { Ok(value.clone()) } else { Err(Open::Silent(name)) };
            return self.found(term, place, outcome);
        }
        self.call(name, &[], Vec::new(), term, place);
    }

    /// A symbol applied to arguments: by the script's definition, by the interpretation, or by a term's name.
    fn call(&mut self, name: Symbol, sorts: &[Sort], outcomes: Vec<Outcome>, term: TermId, place: Option<u32>) {
        match self.symbols.defined(name, sorts) {
            Defined::Once(definition) => {
                return self.enter(Arena::Script, &definition.parameters, definition.body, outcomes, term, place);
            }
            Defined::Ambiguously => return self.found(term, place, Err(Open::Unsupported(name))),
            Defined::Not => {}
        }
        if self.symbols.is_overloaded(name) {
            return self.found(term, place, Err(Open::Silent(name)));
        }
        let expected = self.terms().sort(term);
        match self.interpretation.function(name) {
            Some(Function::Body { parameters, body }) if parameters.len() == outcomes.len() => {
                self.enter(Arena::Model, parameters, *body, outcomes, term, place);
            }
            Some(Function::Table { entries, default }) => {
                let outcome = outcomes.into_iter().collect::<Result<Vec<Value>, Open>>().and_then(|arguments| {
                    let told_apart = !arguments.iter().any(|argument| mentions_languages(argument.sort()));
                    let value = entries.get(&arguments).or(default.as_ref().filter(|_| told_apart));
                    let fits = |value: &&Value| expected == Sort::UNKNOWN || value.sort() == expected;
                    value.filter(fits).cloned().ok_or(Open::Silent(name))
                });
                self.found(term, place, outcome);
            }
            _ => match self.symbols.named(name).filter(|_| outcomes.is_empty()) {
                Some(named) => self.enter(Arena::Script, &[], named, outcomes, term, place),
                None => self.found(term, place, Err(Open::Silent(name))),
            },
        }
    }

    /// Goes on with the body of a function. Its arguments may be open: perhaps the body does not need them.
    fn enter(
        &mut self,
        arena: Arena,
        parameters: &[(Symbol, Sort)],
        body: TermId,
        outcomes: Vec<Outcome>,
        term: TermId,
        place: Option<u32>,
    ) {
        if self.contexts.len() >= self.limits.calls {
            return self.found(term, place, Err(Open::GaveUp("calls that nest deeply")));
        }
        self.tasks.extend([Task::Keep { term, place }, Task::Return, Task::Visit(body)]);
        let mut scopes = Scopes::default();
        if !parameters.is_empty() {
            scopes.open(parameters.iter().map(|&(name, _)| name).zip(outcomes));
        }
        self.contexts.push(Context { arena, scopes });
    }
}
