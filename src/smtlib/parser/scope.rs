//! Names and what they mean: the parser's symbol table, with undo for binders, `push` and `pop`.

use std::hash::{Hash, Hasher};

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};

use super::super::signature::{Reading, SortPattern, table};
use super::super::sort::Sort;
use super::super::symbol::Symbol;

/// A name of the script being parsed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NameId(pub u32);

/// What a name means in the current scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// Nothing that the script declares; perhaps an operator.
    Free,
    /// A variable of an enclosing binder.
    Bound(Sort),
    /// A declared or defined symbol without parameters.
    Constant(Sort),
    /// Declared functions: an index of [`Scope::functions`], which chains overloads.
    Functions(u32),
}

/// A declared function, constructor, selector or tester.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// How many sort variables it has (parametric datatypes).
    pub variables: usize,
    pub parameters: Vec<SortPattern>,
    pub result: SortPattern,
    /// Whether patterns and `(_ is …)` may use it.
    pub constructor: bool,
    /// What the name meant before: Z3 lets functions be overloaded.
    pub previous: Meaning,
}

/// What a declared sort symbol stands for.
#[derive(Clone, Debug)]
pub(super) enum SortMeaning {
    /// `declare-sort` or a datatype, with this arity.
    Declared(usize),
    /// `define-sort`, with this arity and this pattern over its parameters.
    Defined(usize, SortPattern),
}

struct Name<'a> {
    text: &'a str,
    symbol: Symbol,
    meaning: Meaning,
    readings: &'static [Reading],
}

/// A place to go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    names: usize,
    sorts: usize,
}

#[derive(Default)]
pub(super) struct Scope<'a> {
    table: HashTable<u32>,
    names: Vec<Name<'a>>,
    pub functions: Vec<Function>,
    sorts: FxHashMap<Symbol, SortMeaning>,
    trail: Vec<(NameId, Meaning)>,
    sort_trail: Vec<(Symbol, Option<SortMeaning>)>,
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

impl<'a> Scope<'a> {
    /// An empty scope with room for this many names.
    pub(super) fn with_capacity(names: usize) -> Self {
        Self { table: HashTable::with_capacity(names), names: Vec::with_capacity(names), ..Self::default() }
    }

    /// The name with this text, without bars.
    #[inline]
    pub(super) fn name(&mut self, text: &'a str) -> NameId {
        let hash = hash_of(text);
        let names = &self.names;
        if let Some(&found) = self.table.find(hash, |&other| names[other as usize].text == text) {
            return NameId(found);
        }
        self.add(text, hash)
    }

    fn add(&mut self, text: &'a str, hash: u64) -> NameId {
        let id = self.names.len() as u32;
        let symbol = Symbol::new(text);
        self.names.push(Name { text, symbol, meaning: Meaning::Free, readings: table().readings(symbol) });
        let names = &self.names;
        self.table.insert_unique(hash, id, |&other| hash_of(names[other as usize].text));
        NameId(id)
    }

    pub(super) fn symbol(&self, name: NameId) -> Symbol {
        self.names[name.0 as usize].symbol
    }

    pub(super) fn meaning(&self, name: NameId) -> Meaning {
        self.names[name.0 as usize].meaning
    }

    /// Whether nothing that the script declares has this name.
    pub(super) fn is_free(&self, name: NameId) -> bool {
        self.meaning(name) == Meaning::Free
    }

    pub(super) fn readings(&self, name: NameId) -> &'static [Reading] {
        self.names[name.0 as usize].readings
    }

    /// Gives the name a meaning until the scope is left.
    pub(super) fn set(&mut self, name: NameId, meaning: Meaning) {
        let entry = &mut self.names[name.0 as usize];
        self.trail.push((name, entry.meaning));
        entry.meaning = meaning;
    }

    /// The declared functions of a name, latest first, with their positions.
    pub(super) fn overloads(&self, name: NameId) -> impl Iterator<Item = &Function> + '_ {
        let mut next = self.meaning(name);
        std::iter::from_fn(move || {
            let Meaning::Functions(position) = next else { return None };
            let function = &self.functions[position as usize];
            next = function.previous;
            Some(function)
        })
    }

    /// Declares a function (or a constant, if it has neither parameters nor sort variables).
    pub(super) fn declare(&mut self, name: NameId, mut function: Function) {
        let previous = self.meaning(name);
        let constant = function.result.ground().filter(|_| function.parameters.is_empty() && !function.constructor);
        if let (Some(sort), false) = (constant, matches!(previous, Meaning::Functions(_) | Meaning::Constant(_))) {
            return self.set(name, Meaning::Constant(sort));
        }
        function.previous = match previous {
            // A constant becomes a link of the chain, so that both can be found.
            Meaning::Constant(sort) => {
                let link = Function {
                    variables: 0,
                    parameters: Vec::new(),
                    result: SortPattern::Sort(sort),
                    constructor: false,
                    previous: Meaning::Free,
                };
                self.functions.push(link);
                Meaning::Functions(self.functions.len() as u32 - 1)
            }
            Meaning::Bound(_) => Meaning::Free,
            other => other,
        };
        self.functions.push(function);
        self.set(name, Meaning::Functions(self.functions.len() as u32 - 1));
    }

    /// Whether a function of this name with these parameters is declared already.
    pub(super) fn is_declared(&self, name: NameId, parameters: &[SortPattern]) -> bool {
        match self.meaning(name) {
            Meaning::Free | Meaning::Bound(_) => false,
            Meaning::Constant(_) => parameters.is_empty(),
            Meaning::Functions(_) => self.overloads(name).any(|function| function.parameters == parameters),
        }
    }

    pub(super) fn sort(&self, name: Symbol) -> Option<&SortMeaning> {
        self.sorts.get(&name)
    }

    pub(super) fn set_sort(&mut self, name: Symbol, meaning: SortMeaning) {
        let before = self.sorts.insert(name, meaning);
        self.sort_trail.push((name, before));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { names: self.trail.len(), sorts: self.sort_trail.len() }
    }

    /// Forgets every meaning that was given since the mark.
    pub(super) fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark.names
            && let Some((name, meaning)) = self.trail.pop()
        {
            self.names[name.0 as usize].meaning = meaning;
        }
        while self.sort_trail.len() > mark.sorts
            && let Some((name, before)) = self.sort_trail.pop()
        {
            match before {
                Some(meaning) => self.sorts.insert(name, meaning),
                None => self.sorts.remove(&name),
            };
        }
    }

    /// Forgets every declaration, for `(reset)`.
    pub(super) fn reset(&mut self) {
        self.undo(Mark { names: 0, sorts: 0 });
    }

    /// The names that mean something that the script declares.
    pub(super) fn declared(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.names.iter().filter(|name| name.meaning != Meaning::Free).map(|name| name.text)
    }

    /// The sorts that the script declares, sorted.
    pub(super) fn declared_sorts(&self) -> Vec<Symbol> {
        let mut names: Vec<Symbol> = self.sorts.keys().copied().collect();
        names.sort_unstable();
        names
    }
}
