//! Fresh scripts that contain a pattern: one assertion, a random predicate about a random instance of it; or, of a pattern of
//! assertions, these and a random one about a variable of theirs.

use super::asserted::parts;
use super::pattern::{Pattern, Place};
use crate::generator::layered::parameters::Parameters as LayeredParameters;
use crate::generator::{Grammar, Layered, Parameters, Preset, Scope, StringGenerator};
use crate::random::{FuzzRng, chance, pick};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::{Command, Declaration, Script};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

/// How often a place that takes anything gets a literal.
const LITERAL: f64 = 0.5;
/// How often an instance that is a predicate stands negated.
const NEGATED: f64 = 0.2;
/// Sorts of the variables beside an instance, in logics of strings.
const BESIDE: [Sort; 2] = [Sort::STRING, Sort::INT];

/// Makes scripts that contain a pattern.
#[derive(Debug)]
pub(super) struct Sampler {
    logic: Symbol,
    grammar: Box<dyn Grammar>,
    /// Sorts of the variables beside an instance; none if they are drawn.
    beside: &'static [Sort],
}

impl Sampler {
    /// For the solvers of a fragment.
    pub(super) fn new(fragment: &Fragment) -> Self {
        let layered = |preset| Layered::new(preset, LayeredParameters::small(), fragment).ok();
        if let Some(layered) = Preset::of_logic(fragment.logic.as_str()).and_then(layered) {
            return Sampler { logic: fragment.logic, grammar: Box::new(layered), beside: &[] };
        }
        let parameters = Parameters {
            assertions: 1,
            depth: 1,
            string_length: 3,
            short_string_probability: 1.0,
            related_string_probability: 0.0,
            ..Parameters::default()
        };
        let grammar = Box::new(StringGenerator::new(parameters, fragment));
        Sampler { logic: fragment.logic, grammar, beside: &BESIDE }
    }

    /// A fresh script; `None` if a place takes only literals, and its sort has none.
    pub(super) fn script(&self, pattern: &Pattern, rng: &mut FuzzRng) -> Option<Script> {
        let mut script = Script::new();
        script.commands.push(Command::SetLogic(self.logic));
        let mut variables = Variables::default();
        let mut scope = Scope::default();
        for sort in self.beside(rng) {
            let variable = variables.fresh(&mut script.terms, sort);
            scope.add(variable, sort);
        }
        let beside = variables.all.len();
        let instance = self.instance(pattern, &mut script.terms, &mut variables, rng)?;
        let sort = script.terms.sort(instance);
        let roots = if pattern.asserted {
            let mut roots = parts(&script.terms, instance);
            // Scripts that assert this assert something else of the same variables, too.
            let about = pick(rng, &variables.all[beside..]).map(|&(.., variable)| variable);
            let other = about.map(|variable| self.grammar.assertion_using(&mut script.terms, &scope, variable, rng));
            roots.extend(other.flatten());
            roots
        } else if sort == Sort::BOOL {
            vec![negated_at_times(&mut script.terms, instance, rng)]
        } else {
            let stand_in = script.terms.constant(Symbol::new("instance"), sort);
            let root = if let Some(root) = self.grammar.assertion_using(&mut script.terms, &scope, stand_in, rng) {
                root
            } else {
                let other = variables.fresh(&mut script.terms, sort);
                let (equals, result) = table().resolve("=", &[], &[sort, sort]).ok()?;
                script.terms.apply(equals, &[stand_in, other], result)
            };
            vec![script.terms.substitute(root, |_, term| (term == stand_in).then_some(instance))]
        };
        let mut used = vec![false; script.terms.len()];
        script.terms.mark_used(roots.iter().copied(), &mut used);
        for (name, sort, term) in variables.all {
            if used[term.0 as usize] {
                script.commands.push(Command::Declare(Declaration { name, parameters: Vec::new(), sort }));
            }
        }
        script.commands.extend(roots.into_iter().map(Command::Assert));
        script.commands.push(Command::CheckSat);
        Some(script.compacted())
    }

    /// Sorts of the variables beside an instance.
    fn beside(&self, rng: &mut FuzzRng) -> Vec<Sort> {
        if self.beside.is_empty() {
            return (0..BESIDE.len()).filter_map(|_| self.grammar.variable_sort(&Scope::default(), rng)).collect();
        }
        self.beside.to_vec()
    }

    /// A random literal, or for a sort without literals, a random term without variables; `None` for a sort of which nothing
    /// is known.
    pub(super) fn literal(&self, terms: &mut Terms, sort: Sort, rng: &mut FuzzRng) -> Option<TermId> {
        if sort == Sort::REGLAN {
            return self.grammar.term(terms, &Scope::default(), sort, 1, rng);
        }
        self.grammar.term(terms, &Scope::default(), sort, 0, rng)
    }

    fn instance(
        &self,
        pattern: &Pattern,
        terms: &mut Terms,
        variables: &mut Variables,
        rng: &mut FuzzRng,
    ) -> Option<TermId> {
        let mut fillings: Vec<(Symbol, TermId)> = Vec::new();
        for (name, sort, place) in pattern.places() {
            let with_literal = match place {
                // No solver declares variables of this sort.
                _ if sort == Sort::REGLAN => true,
                Place::Any => chance(rng, LITERAL),
                Place::NotLiteral => false,
                Place::Literal => true,
            };
            let filling = match with_literal.then(|| self.literal(terms, sort, rng)).flatten() {
                Some(literal) => literal,
                None if place == Place::Literal => return None,
                None => variables.fresh(terms, sort),
            };
            fillings.push((name, filling));
        }
        let other = &pattern.terms;
        Some(terms.rebuild(other, pattern.root, &mut |_, term| {
            let Head::Bound(name) = other.head(term) else { return None };
            fillings.iter().find(|(place, _)| *place == name).map(|&(_, filling)| filling)
        }))
    }
}

/// The negation of a predicate, now and then.
fn negated_at_times(terms: &mut Terms, instance: TermId, rng: &mut FuzzRng) -> TermId {
    let not = table().resolve("not", &[], &[Sort::BOOL]).ok().filter(|_| chance(rng, NEGATED));
    not.map_or(instance, |(op, sort)| terms.apply(op, &[instance], sort))
}

/// The variables of a fresh script.
#[derive(Default)]
struct Variables {
    all: Vec<(Symbol, Sort, TermId)>,
}

impl Variables {
    fn fresh(&mut self, terms: &mut Terms, sort: Sort) -> TermId {
        let name = Symbol::new(&format!("var{}", self.all.len()));
        let term = terms.constant(name, sort);
        self.all.push((name, sort, term));
        term
    }
}
