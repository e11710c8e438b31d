//! Learning a pattern from a reduced core, by intervention: which application in it makes the target slow, and what of that
//! matters.
//!
//! An application is *needed* if the target is quick with a fresh variable in its place. Of each of its arguments it is asked
//! whether a fresh variable keeps the target slow, and of those of which it does, whether literals do, too: beside variables,
//! since of two arguments of which one has to be a variable, each may be a literal. A pattern then has to prove itself on
//! fresh scripts that contain it ([`super::sample`]): where most of them are quick, it is not the application alone that is
//! slow, and the next larger one is tried.

use rustc_hash::FxHashMap;

use super::pattern::{Pattern, Place};
use super::sample::Sampler;
use super::wider::widened;
use crate::generator::Preset;
use crate::operator::declarations::{declare, taken_names, untaken_name};
use crate::oracle::OracleError;
use crate::random::{FuzzRng, between};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// Whether the target is slow on a script.
pub type IsSlow<'a> = &'a mut dyn FnMut(&Script) -> Result<bool, OracleError>;

/// Fresh scripts on which a pattern has to prove itself.
pub const SAMPLES: u32 = 20;
/// Where the target is slow on all of the first scripts, so many decide. Quick ones cost nothing, and all are tried.
const FIRST_SAMPLES: u32 = 6;
/// How many scripts with wider bit-vectors are tried; most of them decide.
const WIDER_SAMPLES: u32 = 5;
/// By how many bits they are wider, at most.
const WIDER_BITS: u32 = 16;
/// How many literals are tried in a place; most of them decide.
const LITERALS: u32 = 3;
/// Applications that only say how others hang together.
const CONNECTIVES: [&str; 6] = ["not", "and", "or", "=>", "xor", "ite"];
/// Applications that are tried in a core, the smallest first: a reduced core has few.
const MOST_APPLICATIONS: usize = 12;

/// What was learned from a core.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    /// The pattern that proved itself; none if none did.
    pub pattern: Option<Trial>,
    /// Those that were too general, in the order in which they were tried.
    pub refused: Vec<Trial>,
}

/// A pattern, and how it did on fresh scripts that contain it.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The pattern.
    pub pattern: Pattern,
    /// Scripts on which the target is slow.
    pub slow: u32,
    /// Scripts that were tried: no more than it takes to decide.
    pub tried: u32,
}

impl Trial {
    /// Whether the target is slow on half of the scripts at least.
    pub fn is_passed(&self) -> bool {
        self.tried > 0 && 2 * self.slow >= self.tried
    }
}

/// Tries a pattern on fresh scripts of a fragment that contain it, [`SAMPLES`] at most.
///
/// # Errors
/// Those of `is_slow`.
pub fn try_out(
    pattern: &Pattern,
    fragment: &Fragment,
    rng: &mut FuzzRng,
    is_slow: IsSlow<'_>,
) -> Result<Trial, OracleError> {
    let sampler = Sampler::new(fragment);
    let mut trial = Trial { pattern: pattern.clone(), slow: 0, tried: 0 };
    while trial.tried < SAMPLES {
        let Some(script) = sampler.script(pattern, rng) else { break };
        trial.tried += 1;
        trial.slow += u32::from(is_slow(&script)?);
        let quick = trial.tried - trial.slow;
        let is_plain = trial.slow == FIRST_SAMPLES && quick == 0;
        if is_plain || 2 * trial.slow >= SAMPLES || 2 * quick > SAMPLES {
            break;
        }
    }
    Ok(trial)
}

/// Whether the target is slow on most of a few fresh scripts that contain a pattern with wider bit-vectors; not so if it has
/// none that could be wider.
fn is_slow_when_wider(
    pattern: &Pattern,
    fragment: &Fragment,
    rng: &mut FuzzRng,
    is_slow: IsSlow<'_>,
) -> Result<bool, OracleError> {
    let sampler = Sampler::new(fragment);
    let (mut slow, mut quick) = (0, 0);
    while slow.max(quick) <= WIDER_SAMPLES / 2 {
        let wide = widened(pattern, between(rng, 1, WIDER_BITS));
        let Some(script) = wide.and_then(|wide| sampler.script(&wide, rng)) else { return Ok(false) };
        if is_slow(&script)? { slow += 1 } else { quick += 1 }
    }
    Ok(slow > quick)
}

/// The fragment in the logic that a core sets, if that has a grammar of its own: its pattern is tried on scripts of that.
fn in_logic_of(core: &Script, fragment: &Fragment) -> Fragment {
    let own = core.logic().filter(|logic| Preset::of_logic(logic.as_str()).is_some());
    own.map_or_else(|| fragment.clone(), |logic| fragment.in_logic(logic.as_str()))
}

/// Learns the pattern of a reduced core, which gets this name. Every question is one script for `is_slow`. If it is only to
/// explain `others`, what occurs in none of them is not tried.
///
/// # Errors
/// Those of `is_slow`.
pub fn learn(
    core: &Script,
    name: &str,
    (fragment, others): (&Fragment, Option<&[&Script]>),
    rng: &mut FuzzRng,
    is_slow: IsSlow<'_>,
) -> Result<Lesson, OracleError> {
    let fragment = in_logic_of(core, fragment).admitting(core);
    let mut lesson = Lesson::default();
    let mut tried: Vec<String> = Vec::new();
    // What is needed, but explains nothing: nor does what holds it.
    let mut useless: Vec<TermId> = Vec::new();
    for term in applications(core).into_iter().take(MOST_APPLICATIONS) {
        if useless.iter().any(|&inner| holds(&core.terms, term, inner)) {
            continue;
        }
        let mut study = Study { core: core.clone(), root: term, sampler: Sampler::new(&fragment), rng, is_slow };
        if !study.is_needed()? {
            continue;
        }
        if others.is_some_and(|others| !others.iter().any(|script| has_operator_of(script, core, term))) {
            useless.push(term);
            continue;
        }
        let pattern = study.generalised(Symbol::new(name))?;
        let text = pattern.to_string();
        if others.is_some_and(|others| !others.iter().any(|script| pattern.occurs(script))) {
            useless.push(term);
            continue;
        }
        if tried.contains(&text) {
            continue;
        }
        tried.push(text);
        let mut trial = try_out(&pattern, &fragment, rng, is_slow)?;
        if trial.is_passed() {
            trial.pattern.wider = is_slow_when_wider(&pattern, &fragment, rng, is_slow)?;
            lesson.pattern = Some(trial);
            break;
        }
        lesson.refused.push(trial);
    }
    Ok(lesson)
}

/// The closed applications of theory operators in what a script asserts, the smallest first.
fn applications(script: &Script) -> Vec<TermId> {
    let terms = &script.terms;
    let mut used = vec![false; terms.len()];
    terms.mark_used(script.assertions(), &mut used);
    let used = (0..).zip(used).filter_map(|(index, used)| used.then_some(TermId(index)));
    let is_one = |&term: &TermId| {
        let Head::Operator(op) = terms.head(term) else { return false };
        terms.is_closed(term) && !is_value(terms, term) && !CONNECTIVES.contains(&op.name())
    };
    let mut found: Vec<TermId> = used.filter(is_one).collect();
    found.sort_by_key(|&term| (nodes(terms, term), term));
    found
}

/// Whether a term is part of another.
fn holds(terms: &Terms, outer: TermId, inner: TermId) -> bool {
    outer == inner || terms.arguments(outer).iter().any(|&argument| holds(terms, argument, inner))
}

/// Whether a script has the operator of this application of a core.
fn has_operator_of(script: &Script, core: &Script, application: TermId) -> bool {
    let head = core.terms.head(application);
    (0..script.terms.len() as u32).any(|term| script.terms.head(TermId(term)) == head)
}

/// How many nodes a term has, written out.
fn nodes(terms: &Terms, root: TermId) -> usize {
    let (mut count, mut stack) = (0, vec![root]);
    while let Some(term) = stack.pop() {
        count += 1;
        stack.extend_from_slice(terms.arguments(term));
    }
    count
}

/// Whether no variable occurs in a term, so that a solver can evaluate it.
fn is_value(terms: &Terms, term: TermId) -> bool {
    !Place::NotLiteral.takes(terms, term)
}

/// One application of a core.
struct Study<'b> {
    /// The core; once it is known what in the application can be a variable, with variables for all of that.
    core: Script,
    root: TermId,
    sampler: Sampler,
    rng: &'b mut FuzzRng,
    is_slow: &'b mut dyn FnMut(&Script) -> Result<bool, OracleError>,
}

/// A pattern in the making.
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
    fn is_needed(&mut self) -> Result<bool, OracleError> {
        Ok(!self.is_slow_with(&Spot::At(Vec::new()), Filling::Variable)?)
    }

    /// The application with places for whatever does not matter.
    fn generalised(&mut self, name: Symbol) -> Result<Pattern, OracleError> {
        let mut draft =
            Draft { terms: Terms::new(), places: Vec::new(), linked: FxHashMap::default(), spots: Vec::new() };
        let root = self.kept(&mut Vec::new(), &mut draft)?;
        self.open(&draft)?;
        for (place, spot) in &draft.spots {
            let kind = &mut draft.places[*place].1;
            if *kind == Place::NotLiteral && self.takes_literals(spot)? {
                *kind = Place::Any;
            }
        }
        Ok(Pattern { name, places: draft.places, terms: draft.terms, root, wider: false })
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

#[cfg(test)]
mod tests;
