//! Asking a target about a core, intervention by intervention: what may stand where in one application of it, or in what it
//! asserts.

use rustc_hash::FxHashMap;

use super::is_value;
use crate::known::pattern::{Pattern, Place};
use crate::known::sample::Sampler;
use crate::operator::declarations::{declare, taken_names, untaken_name};
use crate::oracle::OracleError;
use crate::random::FuzzRng;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// How many literals are tried in a place; most of them decide.
const LITERALS: u32 = 3;

/// One application of a core, or all that it asserts, as one conjunction.
pub(super) struct Study<'b> {
    /// The core; once it is known what in the application can be a variable, with variables for all of that.
    pub(super) core: Script,
    pub(super) root: TermId,
    pub(super) sampler: Sampler,
    pub(super) rng: &'b mut FuzzRng,
    pub(super) is_slow: &'b mut dyn FnMut(&Script) -> Result<bool, OracleError>,
}

/// A pattern in the making.
#[derive(Default)]
struct Draft {
    terms: Terms,
    places: Vec<(Symbol, Place)>,
    /// The places of variables of the core that have to be the same term wherever they stand.
    linked: FxHashMap<TermId, TermId>,
    /// Where the places are that take more than literals.
    spots: Vec<(usize, Spot)>,
}

impl Study<'_> {
    /// Whether the target is quick with a fresh variable in the application's place.
    pub(super) fn is_needed(&mut self) -> Result<bool, OracleError> {
        Ok(!self.is_slow_with(&Spot::At(Vec::new()), Filling::Variable)?)
    }

    /// The application with places for whatever does not matter.
    pub(super) fn generalised(&mut self, name: Symbol) -> Result<Pattern, OracleError> {
        let mut draft = Draft::default();
        let root = self.kept(&mut Vec::new(), &mut draft)?;
        self.pattern(name, root, draft)
    }

    /// Of a conjunction, which is what the core asserts: those of its parts that are needed, for each of which that is so while
    /// the needless ones before it are gone. They are gone from the core, too.
    pub(super) fn needed_parts(&mut self) -> Result<Vec<usize>, OracleError> {
        let mut needed = Vec::new();
        for position in 0..self.core.terms.arguments(self.root).len() {
            let opened = self.with(&Spot::At(vec![position]), Filling::Variable);
            match opened {
                Some(opened) if (self.is_slow)(&opened.0.compacted())? => (self.core, self.root) = opened,
                _ => needed.push(position),
            }
        }
        Ok(needed)
    }

    /// These parts of the conjunction, with places for whatever does not matter in them: a pattern of assertions.
    pub(super) fn generalised_parts(&mut self, parts: &[usize], name: Symbol) -> Result<Pattern, OracleError> {
        let mut draft = Draft::default();
        let mut kept = Vec::new();
        for &position in parts {
            kept.push(self.kept(&mut vec![position], &mut draft)?);
        }
        let root = draft.terms.intern(Parts { arguments: &kept, ..self.core.terms.parts(self.root) });
        Ok(Pattern { asserted: true, ..self.pattern(name, root, draft)? })
    }

    /// The pattern of a draft: the places are asked about that take more than literals.
    fn pattern(&mut self, name: Symbol, root: TermId, mut draft: Draft) -> Result<Pattern, OracleError> {
        self.open(&draft)?;
        for (place, spot) in &draft.spots {
            let kind = &mut draft.places[*place].1;
            if *kind == Place::NotLiteral && self.takes_literals(spot)? {
                *kind = Place::Any;
            }
        }
        Ok(Pattern { name, places: draft.places, terms: draft.terms, root, wider: false, asserted: false })
    }

    /// Puts variables into all places that take one each, if the target is slow on that, too.
    fn open(&mut self, draft: &Draft) -> Result<(), OracleError> {
        let (core, root) = (self.core.clone(), self.root);
        for (_, spot) in &draft.spots {
            // What stands for a variable of this sort is a random term.
            if let Spot::At(path) = spot
                && self.core.terms.sort(self.at(path)) != Sort::REGLAN
                && let Some(opened) = self.with(spot, Filling::Variable)
            {
                (self.core, self.root) = opened;
            }
        }
        if self.root != root && !(self.is_slow)(&self.core.compacted())? {
            (self.core, self.root) = (core, root);
        }
        Ok(())
    }

    /// The node at `path` as it is, with its arguments generalised.
    fn kept(&mut self, path: &mut Vec<usize>, draft: &mut Draft) -> Result<TermId, OracleError> {
        let term = self.at(path);
        let mut arguments = Vec::new();
        for position in 0..self.core.terms.arguments(term).len() {
            path.push(position);
            arguments.push(self.argument(path, draft)?);
            path.pop();
        }
        let parts = Parts { arguments: &arguments, ..self.core.terms.parts(term) };
        Ok(draft.terms.intern(parts))
    }

    /// The argument at `path`: a place, if something else may stand there.
    fn argument(&mut self, path: &mut Vec<usize>, draft: &mut Draft) -> Result<TermId, OracleError> {
        let term = self.at(path);
        let is_variable = matches!(self.core.terms.head(term), Head::Constant(_));
        if let Some(&place) = draft.linked.get(&term) {
            return Ok(place);
        }
        let at = Spot::At(path.clone());
        let is_free = self.is_slow_with(&at, Filling::Variable)?;
        if !is_variable && !is_free {
            if self.core.terms.arguments(term).is_empty() {
                // Perhaps it is only that it has to be some literal.
                let takes_literals = self.takes_literals(&at)?;
                let terms = &self.core.terms;
                return Ok(if takes_literals {
                    draft.place(terms.sort(term), Place::Literal)
                } else {
                    draft.terms.import(terms, term)
                });
            }
            return self.kept(path, draft);
        }
        // The pattern is to occur in its own core: where that has a literal, a place takes literals.
        let kind = if is_value(&self.core.terms, term) { Place::Any } else { Place::NotLiteral };
        let place = draft.place(self.core.terms.sort(term), kind);
        // One that has to be the same term elsewhere, too, is replaced there, too.
        let spot = if is_free { at } else { Spot::Everywhere(term) };
        if !is_free {
            draft.linked.insert(term, place);
        }
        draft.spots.push((draft.places.len() - 1, spot));
        Ok(place)
    }

    /// Whether the target is slow with most literals there.
    fn takes_literals(&mut self, spot: &Spot) -> Result<bool, OracleError> {
        let (mut slow, mut quick) = (0, 0);
        while slow.max(quick) <= LITERALS / 2 {
            if self.is_slow_with(spot, Filling::Literal)? { slow += 1 } else { quick += 1 }
        }
        Ok(slow > quick)
    }

    /// Whether the target is slow on the core with something else there in the application; not so if nothing else can stand
    /// there.
    fn is_slow_with(&mut self, spot: &Spot, filling: Filling) -> Result<bool, OracleError> {
        self.with(spot, filling).map_or(Ok(false), |(script, _)| (self.is_slow)(&script.compacted()))
    }

    /// The core with something else there in the application, and what becomes of that.
    fn with(&mut self, spot: &Spot, filling: Filling) -> Option<(Script, TermId)> {
        let mut script = self.core.clone();
        let old = match spot {
            Spot::At(path) => self.at(path),
            Spot::Everywhere(term) => *term,
        };
        let new = self.filling(&mut script, old, filling)?;
        let replacement = match spot {
            Spot::At(path) => replaced(&mut script.terms, self.root, path, new),
            Spot::Everywhere(term) => script.terms.substitute(self.root, |_, each| (each == *term).then_some(new)),
        };
        let Script { commands, terms } = &mut script;
        for command in commands.iter_mut() {
            if let Command::Assert(root) = command {
                *root = terms.substitute(*root, |_, term| (term == self.root).then_some(replacement));
            }
        }
        Some((script, replacement))
    }

    /// A term for the place of `term`.
    fn filling(&mut self, script: &mut Script, term: TermId, filling: Filling) -> Option<TermId> {
        let sort = script.terms.sort(term);
        match filling {
            // No solver declares variables of this sort.
            Filling::Variable if sort == Sort::REGLAN => self.sampler.literal(&mut script.terms, sort, self.rng),
            Filling::Variable => {
                let taken = taken_names(script);
                let name = untaken_name(|name| taken.contains(&name));
                declare(script, name, sort);
                Some(script.terms.constant(name, sort))
            }
            Filling::Literal => self.sampler.literal(&mut script.terms, sort, self.rng),
        }
    }

    /// The node of the application at `path`.
    fn at(&self, path: &[usize]) -> TermId {
        path.iter().fold(self.root, |term, &position| self.core.terms.arguments(term)[position])
    }
}

/// Where something else is put.
enum Spot {
    /// One node of the application, by the positions of arguments that lead to it.
    At(Vec<usize>),
    /// Wherever this term stands in the application.
    Everywhere(TermId),
}

/// What is put into a place.
#[derive(Clone, Copy)]
enum Filling {
    /// A fresh variable.
    Variable,
    /// A random literal.
    Literal,
}

/// `root` with `new` at `path`.
fn replaced(terms: &mut Terms, root: TermId, path: &[usize], new: TermId) -> TermId {
    let Some((&first, rest)) = path.split_first() else { return new };
    let mut arguments = terms.arguments(root).to_vec();
    arguments[first] = replaced(terms, arguments[first], rest, new);
    terms.with_arguments(root, &arguments)
}

impl Draft {
    /// A new place.
    fn place(&mut self, sort: Sort, kind: Place) -> TermId {
        let name = Symbol::new(&format!("p{}", self.places.len()));
        self.places.push((name, kind));
        self.terms.bound(name, sort)
    }
}
