//! Edits of a script that can be made together: some of a list, all at once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::search::{Search, Stop};
use crate::operator::declarations;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::Associativity;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId};

/// One simplification of one script. The ids are of that script's arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edit {
    /// Drops a command.
    Drop(usize),
    /// Puts a term in the place of another of its sort, wherever that occurs.
    Replace(TermId, TermId),
    /// Puts a term in the place of one argument of a term.
    ReplaceArgument(TermId, usize, TermId),
    /// Drops an argument of an operator that takes any number.
    DropArgument(TermId, usize),
}

impl Edit {
    /// The place that it changes: of two edits of one place only one can be made.
    pub fn subject(self) -> (usize, Option<usize>) {
        match self {
            Edit::Drop(command) => (command, Some(usize::MAX)),
            Edit::Replace(term, _) => (term.0 as usize, None),
            Edit::ReplaceArgument(term, place, _) | Edit::DropArgument(term, place) => (term.0 as usize, Some(place)),
        }
    }
}

/// A script and what its edits may use: variables that it does not have yet.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The script.
    pub script: Script,
    fresh: FxHashMap<TermId, (Symbol, Sort)>,
    /// The names that are taken, once a new one was needed, and the number from which names are tried.
    taken: Option<FxHashSet<Symbol>>,
    number: u32,
}

impl Draft {
    /// A draft of `script`.
    pub fn new(script: &Script) -> Self {
        Draft { script: script.clone(), fresh: FxHashMap::default(), taken: None, number: 0 }
    }

    /// A new variable, which is declared where an edit uses it.
    pub fn fresh(&mut self, sort: Sort) -> TermId {
        let taken = self.taken.get_or_insert_with(|| declarations::taken_names(&self.script));
        let name = loop {
            let name = Symbol::new(&format!("var{}", self.number));
            self.number += 1;
            if !taken.contains(&name) {
                break name;
            }
        };
        let term = self.script.terms.constant(name, sort);
        self.fresh.insert(term, (name, sort));
        term
    }

    /// The script with these edits made, without what then nobody needs: assertions of `true`, unused declarations. An
    /// edit inside what another one replaces has no effect.
    pub fn with(&self, edits: &[Edit]) -> Script {
        let mut script = self.script.clone();
        let changes = Changes::of(edits);
        let results = changes.rebuilt(&mut script);
        let mut index = 0;
        script.commands.retain(|_| {
            index += 1;
            !changes.commands.contains(&(index - 1))
        });
        for term in script.commands.iter_mut().flat_map(Command::terms_mut) {
            *term = results.get(term.0 as usize).copied().unwrap_or(*term);
        }
        let terms = &script.terms;
        script
            .commands
            .retain(|command| !matches!(command, Command::Assert(term) if is_named(terms.parts(*term), "true")));
        for edit in edits {
            if let Edit::Replace(_, by) | Edit::ReplaceArgument(_, _, by) = edit
                && let Some(&(name, sort)) = self.fresh.get(by)
                && !script.declarations().any(|each| each.name == name)
            {
                declarations::declare(&mut script, name, sort);
            }
        }
        declarations::drop_unused(&mut script);
        script
    }
}

/// Whether a term is this operator without arguments.
fn is_named(parts: Parts<'_>, name: &str) -> bool {
    parts.arguments.is_empty() && matches!(parts.head, Head::Operator(op) if op.name() == name)
}

/// Edits by what they change.
#[derive(Default)]
struct Changes {
    commands: FxHashSet<usize>,
    terms: FxHashMap<TermId, TermId>,
    arguments: FxHashMap<(TermId, usize), Option<TermId>>,
}

impl Changes {
    fn of(edits: &[Edit]) -> Self {
        let mut changes = Changes::default();
        for &edit in edits {
            match edit {
                Edit::Drop(command) => {
                    changes.commands.insert(command);
                }
                // Of two edits of one place the first holds: it was accepted before.
                Edit::Replace(term, by) => {
                    changes.terms.entry(term).or_insert(by);
                }
                Edit::ReplaceArgument(parent, place, by) => {
                    changes.arguments.entry((parent, place)).or_insert(Some(by));
                }
                Edit::DropArgument(parent, place) => {
                    changes.arguments.entry((parent, place)).or_insert(None);
                }
            }
        }
        changes
    }

    /// What becomes of each term of the arena as it was. Arguments precede their terms, so one pass in order does.
    fn rebuilt(&self, script: &mut Script) -> Vec<TermId> {
        let before = script.terms.len() as u32;
        let mut results: Vec<TermId> = Vec::with_capacity(before as usize);
        if self.terms.is_empty() && self.arguments.is_empty() {
            return (0..before).map(TermId).collect();
        }
        let mut arguments = Vec::new();
        for term in (0..before).map(TermId) {
            // A replacement from inside the term was edited itself; a new one comes after all and is as it is.
            let resolve = |by: TermId, results: &[TermId]| results.get(by.0 as usize).copied().unwrap_or(by);
            if let Some(&by) = self.terms.get(&term) {
                results.push(resolve(by, &results));
                continue;
            }
            arguments.clear();
            for (place, &argument) in script.terms.arguments(term).iter().enumerate() {
                match self.arguments.get(&(term, place)) {
                    Some(None) => {}
                    Some(Some(by)) => arguments.push(resolve(*by, &results)),
                    None => arguments.push(results[argument.0 as usize]),
                }
            }
            results.push(rebuilt_with(script, term, &arguments));
        }
        results
    }
}

/// `term` with these arguments; one that is left alone of an associative operator stands for the whole. If the operator
/// cannot have so few, the term stays as it is.
fn rebuilt_with(script: &mut Script, term: TermId, arguments: &[TermId]) -> TermId {
    let terms = &mut script.terms;
    let parts = terms.parts(term);
    if arguments == parts.arguments {
        return term;
    }
    if arguments.len() == parts.arguments.len() {
        return terms.with_arguments(term, arguments);
    }
    match *arguments {
        [] => term,
        [only] if terms.sort(only) == parts.sort => only,
        _ => {
            let Head::Operator(op) = parts.head else { return term };
            let (sort, indices) = (parts.sort, parts.words.to_vec());
            let sorts: Vec<Sort> = arguments.iter().map(|&argument| terms.sort(argument)).collect();
            let enough = arguments.len() >= op.signature().minimum_arguments;
            if !enough || op.signature().apply(&indices, &sorts) != Some(sort) {
                return term;
            }
            terms.apply_indexed(op, &indices, arguments, sort)
        }
    }
}

/// Whether the arguments of this operator can be dropped one by one.
pub fn takes_any_number(parts: Parts<'_>) -> bool {
    let Head::Operator(op) = parts.head else { return false };
    let signature = op.signature();
    let any = matches!(
        signature.associativity,
        Some(Associativity::LeftAssoc | Associativity::RightAssoc | Associativity::Chainable | Associativity::Pairwise)
    );
    any && parts.arguments.len() > 2
}

impl Search<'_> {
    /// Makes as many of these edits as keep the property: all at once if that does, else of the first half what can be
    /// made, then of the second, on top. A step that is accepted may cost a whole time limit, and one that is not costs
    /// next to nothing: so few, large steps.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn make(&mut self, draft: &Draft, edits: &[Edit]) -> Result<bool, Stop> {
        let mut made = Vec::new();
        self.make_on_top(draft, &mut made, edits)?;
        Ok(!made.is_empty())
    }

    /// The same on top of what was made of the same draft already, to which it adds.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn make_on_top(&mut self, draft: &Draft, made: &mut Vec<Edit>, edits: &[Edit]) -> Result<(), Stop> {
        if edits.is_empty() {
            return Ok(());
        }
        let with = |made: &[Edit], edits: &[Edit]| draft.with(&[made, edits].concat());
        if self.attempt(with(made, edits))? {
            made.extend_from_slice(edits);
            return Ok(());
        }
        if edits.len() == 1 {
            return Ok(());
        }
        let (left, right) = edits.split_at(edits.len() / 2);
        let (one, other) = (with(made, left), with(made, right));
        self.prefetch(vec![&one, &other])?;
        self.make_on_top(draft, made, left)?;
        self.make_on_top(draft, made, right)
    }
}
