//! Type-aware mutation of a seed: TypeFuzz, OpFuzz and FuzzChick, one step after the other.

mod applications;
pub mod classes;
mod expressions;
mod neighbours;
mod one_step;
mod opfuzz;
mod scope;
mod seed;
mod typefuzz;

use applications::{Applications, takes_any_term};
use classes::Classes;
use expressions::Expressions;
pub use one_step::OneStep;
use opfuzz::Alternatives;
use scope::Scope;
pub use seed::Seed;

use super::Context;
use super::mutation::{MutationResult, Mutator, is_free_place};
use super::position::{Occurrences, Position};
use crate::random::{FuzzRng, chance, pick};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::operator_set::OperatorSet;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// How one step changes a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// An expression gives way to an operator over expressions of the seed: TypeFuzz, the productions `P_gen` of
    /// Definition 1.
    Typefuzz,
    /// An operator gives way to another one over the same arguments: OpFuzz.
    Opfuzz,
    /// An expression gives way to another one of the seed: FuzzChick's mutator, the productions `P_expr`.
    Fuzzchick,
    /// One of the three, drawn for each step.
    Mixed,
}

/// How a chain is made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How a step changes the script.
    pub way: Way,
    /// Operators that take any number of arguments get more than their signature is written with, too.
    pub more_arguments: bool,
    /// Literals near those of the seed are among its expressions. Beyond the paper.
    pub neighbours: bool,
    /// The chance that a step adds an assertion instead of changing one; 0 in the paper.
    pub new_assertions: f64,
    /// Operators that are made; all that the solvers accept if `None`.
    pub operators: Option<OperatorSet>,
    /// Which operators OpFuzz exchanges; those whose signatures fit if `None`.
    pub classes: Option<Classes>,
}

impl Settings {
    /// As in the papers.
    pub const fn new(way: Way) -> Self {
        Settings { way, more_arguments: false, neighbours: false, new_assertions: 0.0, operators: None, classes: None }
    }
}

/// The most tries of a step, whatever the seed's size is.
const MOST_TRIES: u64 = 1000;

/// A chain of mutations (Algorithm 1): each step changes what the step before made. Arguments are the expressions of the
/// *seed* all along, as Algorithm 1 collects them once for each seed.
#[derive(Debug)]
pub struct Chain<'a> {
    /// What the solvers accept of what is new.
    fragment: &'a Fragment,
    settings: &'a Settings,
    script: Script,
    /// The seed's commands, in the same arena.
    seed: Vec<Command>,
    expressions: Expressions,
    applications: Applications<'a>,
    alternatives: Alternatives<'a>,
    /// What the seed's logic admits, while the script sets it.
    logic: Option<&'a Fragment>,
    has_binders: bool,
}

impl<'a> Chain<'a> {
    /// A chain that begins with `seed`, whose bound variables must have names of their own ([`Seed::of`]).
    pub fn new(seed: Script, fragment: &'a Fragment, settings: &'a Settings) -> Self {
        let mut script = seed;
        let mut expressions = Expressions::of(&script);
        if settings.neighbours {
            expressions.add_neighbours(&mut script);
        }
        let applications = Applications::of(&script, settings.operators.as_ref());
        let terms = &script.terms;
        let has_binders = (0..terms.len() as u32).any(|index| !terms.parts(TermId(index)).binders.is_empty());
        Chain {
            fragment,
            settings,
            seed: script.commands.clone(),
            script,
            expressions,
            applications,
            alternatives: Alternatives::new(settings),
            logic: None,
            has_binders,
        }
    }

    /// The chain of a script that sets a logic: a mutant that leaves what `logic` admits sets `ALL`, and so do those
    /// after it.
    #[must_use]
    pub fn in_logic(mut self, logic: &'a Fragment) -> Self {
        self.logic = Some(logic);
        self
    }

    /// The script as it is.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// One mutation (Algorithm 2): as many tries as the script has expressions. The script is neither what it was nor the
    /// seed afterwards; `false`, and the script as it was, if no try succeeds.
    pub fn step(&mut self, rng: &mut FuzzRng) -> bool {
        let way = match self.settings.way {
            Way::Mixed => *pick(rng, &[Way::Typefuzz, Way::Opfuzz, Way::Fuzzchick]).unwrap_or(&Way::Typefuzz),
            way => way,
        };
        if self.settings.new_assertions > 0.0 && chance(rng, self.settings.new_assertions) && self.assert_more(rng) {
            return true;
        }
        let occurrences = Occurrences::new(&self.script, |terms, term| is_mutable(terms, term, way), may_enter);
        for _ in 0..occurrences.total().min(MOST_TRIES) {
            let Some((position, expr)) = occurrences.draw(&self.script, may_enter, rng) else { break };
            if let Some(replacement) = self.replacement(way, &position, expr, rng)
                && self.put(&position, expr, replacement)
            {
                return true;
            }
        }
        false
    }

    fn replacement(&mut self, way: Way, position: &Position, expr: TermId, rng: &mut FuzzRng) -> Option<TermId> {
        let sort = self.script.terms.sort(expr);
        match way {
            Way::Typefuzz | Way::Mixed => {
                let scope = self.scope(position);
                self.generated(sort, &scope, rng)
            }
            Way::Fuzzchick => {
                let scope = self.scope(position);
                self.expressions.draw(sort, &self.script.terms, &scope, Some(expr), rng)
            }
            Way::Opfuzz => {
                let alternatives = self.alternatives.of(&self.script.terms, expr, self.fragment);
                let alternative = opfuzz::drawn(&alternatives, rng)?;
                self.exchanged(expr, alternative.head, &alternative.indices)
            }
        }
    }

    fn scope(&self, position: &Position) -> Scope {
        if self.has_binders { Scope::at(&self.script, position) } else { Scope::default() }
    }

    /// `term` with another head over the same arguments, if the solvers accept it.
    fn exchanged(&mut self, term: TermId, head: Head, indices: &[u32]) -> Option<TermId> {
        let parts = self.script.terms.parts(term);
        let (arguments, binders) = (parts.arguments.to_vec(), parts.binders.to_vec());
        self.accepted(Parts { head, sort: parts.sort, arguments: &arguments, words: indices, binders: &binders })
    }

    /// The term with these parts, if the solvers accept it.
    fn accepted(&mut self, parts: Parts<'_>) -> Option<TermId> {
        let is_accepted = match parts.head {
            Head::Operator(op) => self.fragment.admits_application(&self.script.terms, op, &parts).is_ok(),
            _ => true,
        };
        is_accepted.then(|| self.script.terms.intern(parts))
    }

    /// Puts `replacement` where `expr` is, unless that changes nothing or makes the seed again.
    fn put(&mut self, position: &Position, expr: TermId, replacement: TermId) -> bool {
        if replacement == expr {
            return false;
        }
        position.replace(&mut self.script, replacement);
        // Equal terms are one, so that equal commands are equal scripts.
        if self.script.commands == self.seed {
            position.replace(&mut self.script, expr);
            return false;
        }
        self.settle_logic();
        true
    }

    /// Adds an assertion that is made as TypeFuzz makes expressions, before the first question.
    fn assert_more(&mut self, rng: &mut FuzzRng) -> bool {
        let Some(term) = self.generated(Sort::BOOL, &Scope::default(), rng) else { return false };
        let after = self.script.commands.iter().rposition(|command| matches!(command, Command::Assert(_)));
        self.script.commands.insert(after.map_or(0, |last| last + 1), Command::Assert(term));
        self.settle_logic();
        true
    }

    /// Sets the logic `ALL` if the script is outside that of the seed.
    fn settle_logic(&mut self) {
        if self.logic.is_some_and(|logic| logic.admits(&self.script).is_err()) {
            self.logic = None;
            for command in self.script.commands.iter_mut().chain(&mut self.seed) {
                if let Command::SetLogic(name) = command {
                    *name = Symbol::new("ALL");
                }
            }
        }
    }
}

/// Whether an expression can be replaced in this way.
fn is_mutable(terms: &Terms, term: TermId, way: Way) -> bool {
    match way {
        Way::Opfuzz => matches!(terms.head(term), Head::Operator(_) | Head::Forall | Head::Exists),
        _ => terms.sort(term) != Sort::UNKNOWN,
    }
}

/// Whether what stands at this argument may be any term of its sort.
fn may_enter(parts: &Parts<'_>, place: usize) -> bool {
    is_free_place(parts, place) && takes_any_term(parts.head)
}

/// One type-aware mutation as a mutation operator of a search: the seed is the script itself.
#[derive(Clone, Debug)]
pub struct TypeAware {
    settings: Settings,
    name: &'static str,
}

impl TypeAware {
    /// The operator that mutates in this way.
    pub const fn new(way: Way) -> Self {
        let name = match way {
            Way::Typefuzz => "typefuzz",
            Way::Opfuzz => "opfuzz",
            Way::Fuzzchick => "fuzzchick",
            Way::Mixed => "mixed",
        };
        TypeAware { settings: Settings::new(way), name }
    }
}

impl Mutator for TypeAware {
    fn name(&self) -> &'static str {
        self.name
    }

    fn mutate(&self, script: &mut Script, rng: &mut FuzzRng, context: &Context<'_>) -> MutationResult {
        let mut chain = Chain::new(std::mem::take(script), context.fragment, &self.settings);
        let has_mutated = chain.step(rng);
        *script = chain.script;
        if has_mutated { MutationResult::Mutated } else { MutationResult::Skipped }
    }
}

#[cfg(test)]
mod tests;
