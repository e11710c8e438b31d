//! Scripts: the commands of a file, over one arena of terms.

use std::collections::{BTreeMap, BTreeSet};

use super::sort::Sort;
use super::symbol::Symbol;
use super::term::{Head, TermId, Terms};

/// Operators that occur whatever a script is about.
const CONNECTIVES: [&str; 8] = ["and", "or", "not", "=>", "xor", "=", "distinct", "ite"];

/// A script: its commands in order, and the arena that their terms live in.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The commands, in the order of the file.
    pub commands: Vec<Command>,
    /// The terms of all commands.
    pub terms: Terms,
}

/// The signature of a declared function: argument sorts and result sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The declared name.
    pub name: Symbol,
    /// Argument sorts; empty for what everybody calls a variable.
    pub parameters: Vec<Sort>,
    /// The result sort.
    pub sort: Sort,
}

/// A function definition: `define-fun`, or one of `define-funs-rec`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The defined name.
    pub name: Symbol,
    /// Parameter names (bound in the body) and sorts.
    pub parameters: Vec<(Symbol, Sort)>,
    /// The result sort.
    pub sort: Sort,
    /// The body.
    pub body: TermId,
}

/// One command. What the tool does not need to understand survives verbatim in [`Command::Other`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `(set-logic L)`.
    SetLogic(Symbol),
    /// `(declare-fun f (S…) S)`, and `(declare-const f S)`, which is the same.
    Declare(Declaration),
    /// `(define-fun f ((x S)…) S t)`.
    Define(Definition),
    /// `(define-fun-rec …)` (one definition) or `(define-funs-rec …)`.
    DefineRecursive(Vec<Definition>),
    /// `(assert t)`.
    Assert(TermId),
    /// `(check-sat)`.
    CheckSat,
    /// `(check-sat-assuming (t…))`.
    CheckSatAssuming(Vec<TermId>),
    /// `(push n)`.
    Push(u32),
    /// `(pop n)`.
    Pop(u32),
    /// `(get-value (t…))`.
    GetValue(Vec<TermId>),
    /// Any other command, as it is written: `(set-info …)`, `(declare-datatypes …)`, `(get-model)`, …
    Other(Symbol),
}

impl Command {
    /// The terms that the command holds, in order.
    pub fn terms(&self) -> Vec<TermId> {
        match self {
            Command::Assert(term) => vec![*term],
            Command::CheckSatAssuming(terms) | Command::GetValue(terms) => terms.clone(),
            Command::Define(definition) => vec![definition.body],
            Command::DefineRecursive(list) => list.iter().map(|each| each.body).collect(),
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn terms_mut(&mut self) -> Vec<&mut TermId> {
        match self {
            Command::Assert(term) => vec![term],
            Command::CheckSatAssuming(terms) | Command::GetValue(terms) => terms.iter_mut().collect(),
            Command::Define(definition) => vec![&mut definition.body],
            Command::DefineRecursive(list) => list.iter_mut().map(|each| &mut each.body).collect(),
            _ => Vec::new(),
        }
    }
}

impl Script {
    /// An empty script.
    pub fn new() -> Self {
        Self::default()
    }

    /// The asserted terms, in order.
    pub fn assertions(&self) -> impl Iterator<Item = TermId> + '_ {
        self.commands.iter().filter_map(|command| match command {
            Command::Assert(term) => Some(*term),
            _ => None,
        })
    }

    /// The declared functions, in order.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> + '_ {
        self.commands.iter().filter_map(|command| match command {
            Command::Declare(declaration) => Some(declaration),
            _ => None,
        })
    }

    /// The logic that the script sets, if it sets one.
    pub fn logic(&self) -> Option<Symbol> {
        self.commands.iter().find_map(|command| match command {
            Command::SetLogic(logic) => Some(*logic),
            _ => None,
        })
    }

    /// The names of the operators of all assertions, each with how many different terms it heads.
    pub fn operator_counts(&self) -> BTreeMap<&'static str, u32> {
        let mut counts = BTreeMap::new();
        let mut visited = BTreeSet::new();
        let mut stack: Vec<TermId> = self.assertions().collect();
        while let Some(term) = stack.pop() {
            if !visited.insert(term) {
                continue;
            }
            if let Head::Operator(op) = self.terms.head(term) {
                *counts.entry(op.name()).or_default() += 1;
            }
            stack.extend(self.terms.arguments(term));
        }
        counts
    }

    /// The names of the operators of all assertions, but for connectives and equality: what the script is about.
    pub fn telling_operators(&self) -> BTreeSet<&'static str> {
        self.operator_counts().into_keys().filter(|name| !CONNECTIVES.contains(name)).collect()
    }

    /// Whether the script declares datatypes, whose sorts look like uninterpreted ones.
    pub fn declares_datatypes(&self) -> bool {
        self.commands
            .iter()
            .any(|command| matches!(command, Command::Other(text) if text.as_str().starts_with("(declare-datatype")))
    }

    /// Whether the script asks more than one question, or pushes and pops.
    pub fn is_incremental(&self) -> bool {
        let asks = |command: &&Command| matches!(command, Command::CheckSat | Command::CheckSatAssuming(_));
        self.commands.iter().any(|command| matches!(command, Command::Push(_) | Command::Pop(_)))
            || self.commands.iter().filter(asks).count() > 1
    }

    /// Symbols and literals of all terms, a shared subterm counted each time that it occurs; saturates.
    pub fn tokens(&self) -> u64 {
        let mut counts: Vec<u64> = Vec::with_capacity(self.terms.len());
        for index in 0..self.terms.len() as u32 {
            let arguments = self.terms.arguments(TermId(index)).iter();
            counts.push(arguments.fold(1, |sum, argument| sum.saturating_add(counts[argument.0 as usize])));
        }
        let roots = self.commands.iter().flat_map(Command::terms);
        roots.fold(0, |sum: u64, root| sum.saturating_add(counts[root.0 as usize]))
    }

    /// Copies the script into a fresh arena that holds only the terms in use.
    #[must_use]
    pub fn compacted(&self) -> Script {
        let mut terms = Terms::new();
        let mut keep = |term: &TermId| terms.import(&self.terms, *term);
        let commands = self
            .commands
            .iter()
            .map(|command| match command {
                Command::Assert(term) => Command::Assert(keep(term)),
                Command::CheckSatAssuming(list) => Command::CheckSatAssuming(list.iter().map(&mut keep).collect()),
                Command::GetValue(list) => Command::GetValue(list.iter().map(&mut keep).collect()),
                Command::Define(definition) => {
                    Command::Define(Definition { body: keep(&definition.body), ..definition.clone() })
                }
                Command::DefineRecursive(list) => Command::DefineRecursive(
                    list.iter().map(|each| Definition { body: keep(&each.body), ..each.clone() }).collect(),
                ),
                other => other.clone(),
            })
            .collect();
        Script { commands, terms }
    }
}

/// Scripts are equal when they have the same commands over structurally equal terms, whatever their arenas' order.
impl PartialEq for Script {
    fn eq(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.compacted(), other.compacted());
        // Compaction interns in the order of the commands, so equal scripts get equal ids.
        mine.commands == theirs.commands
            && mine.terms.len() == theirs.terms.len()
            && (0..mine.terms.len() as u32).all(|id| mine.terms.parts(TermId(id)) == theirs.terms.parts(TermId(id)))
    }
}
