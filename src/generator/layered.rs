//! Formulas in layers, after FuzzSMT: inputs, terms over them, predicates over these, and connectives over those.
//!
//! Brummayer and Biere: *Fuzzing and Delta-Debugging SMT Solvers*, SMT 2009, section 2. Each layer draws its operands
//! from all nodes so far, and is complete when every node that it began with is used (`ref`). A theory brings its
//! operators to the layers as a part; a logic is a row of [`PRESETS`].

mod arrays;
mod bit_vectors;
mod build;
mod by_table;
mod connectives;
mod extensional;
mod floats;
mod functions;
mod nodes;
mod numbers;
pub mod parameters;
mod part;
mod presets;
mod sharing;
mod strings;
mod uninterpreted;

pub use presets::{PRESETS, Preset};

use super::{Generator, Grammar, InvalidParameters, Scope};
use crate::random::{FuzzRng, below, chance, pick};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{TermId, Terms};
use build::{Build, operator};
use parameters::Parameters;
use part::Part;

/// How many steps a layer takes for each node that it must use, at most: where no operator takes a node, it would never
/// be complete.
const STEPS: usize = 64;

/// How often a fresh assertion is drawn again because it does not have what it should.
const MAXIMUM_ATTEMPTS: usize = 8;

/// The largest numeral that mutation puts for 0.
const LARGEST_NUMERAL: u32 = 30;

/// Makes formulas of one logic in layers.
#[derive(Debug)]
pub struct Layered {
    logic: Symbol,
    parameters: Parameters,
    parts: Vec<Box<dyn Part>>,
}

impl Layered {
    /// The generator of a logic's formulas, with the operators that a fragment admits in that logic.
    ///
    /// # Errors
    /// Parameters that do not fit together.
    pub fn new(preset: &Preset, parameters: Parameters, fragment: &Fragment) -> Result<Layered, InvalidParameters> {
        parameters.check()?;
        let fragment =
            if fragment.logic.as_str() == preset.logic { fragment } else { &fragment.in_logic(preset.logic) };
        let parts = preset.parts.iter().map(|make| make(fragment, &parameters)).collect();
        Ok(Layered { logic: Symbol::new(preset.logic), parameters, parts })
    }

    /// All layers of one formula.
    fn fill(&self, build: &mut Build<'_>) {
        self.parts.iter().for_each(|part| part.inputs(build));
        self.main_layer(build);
        let before = build.nodes.terms().count();
        self.interleave(build);
        if build.nodes.terms().count() > before {
            // What was read is used in operations, too.
            self.main_layer(build);
        }
        self.layer(build, |part, build| part.predicate(build), |build, predicate| build.predicates.push(predicate));
        self.parts.iter().for_each(|part| part.last_predicates(build));
        if build.predicates.is_empty() {
            let predicate = self.some_predicate(build);
            build.predicates.push(predicate);
        }
        connectives::connect(build);
    }

    fn main_layer(&self, build: &mut Build<'_>) {
        self.layer(build, |part, build| part.term(build), add_node);
    }

    /// Makes all that stands between two main layers.
    fn interleave(&self, build: &mut Build<'_>) {
        while self.parts.iter().fold(false, |more, part| part.between(build) | more) {}
    }

    /// Makes nodes until each that there was before is used.
    fn layer(
        &self,
        build: &mut Build<'_>,
        make: fn(&dyn Part, &mut Build<'_>) -> Option<TermId>,
        keep: fn(&mut Build<'_>, TermId),
    ) {
        let references = build.parameters.references;
        build.nodes.begin_layer(references, |sort| self.parts.iter().any(|part| part.counts(sort)));
        let mut steps = STEPS * (references as usize) * (1 + build.nodes.lacking());
        while build.nodes.lacks_uses() && steps > 0 {
            steps -= 1;
            let Some(part) = pick(build.rng, &self.parts) else { return };
            if let Some(node) = make(part.as_ref(), build) {
                keep(build, node);
            }
        }
    }

    /// A predicate of any part; `true` if none makes one.
    fn some_predicate(&self, build: &mut Build<'_>) -> TermId {
        for _ in 0..STEPS {
            if let Some(predicate) = pick(build.rng, &self.parts).and_then(|part| part.predicate(build)) {
                return predicate;
            }
        }
        build.terms.apply(operator("true"), &[], Sort::BOOL)
    }

    /// A small formula over the variables of a script: a few terms, and a predicate or two about them.
    fn small(&self, terms: &mut Terms, scope: &Scope, wanted: Option<TermId>, rng: &mut FuzzRng) -> TermId {
        let mut build = Build::new(terms, rng, &self.parameters, &self.parts);
        let mut booleans = Vec::new();
        for (variable, sort) in scope.all() {
            if sort == Sort::BOOL { booleans.push(variable) } else { build.nodes.add(variable, sort) }
        }
        self.parts.iter().for_each(|part| part.constants(&mut build));
        // What is wanted is used at once, and so is what was made of it.
        build.nodes.begin_layer(1, |_| false);
        if let Some(wanted) = wanted {
            build.nodes.want(wanted);
        }
        for _ in 0..below(build.rng, 4) {
            if let Some(term) = pick(build.rng, &self.parts).and_then(|part| part.term(&mut build)) {
                build.add(term);
                build.nodes.want(term);
            }
        }
        self.interleave(&mut build);
        let mut predicates = vec![self.some_predicate(&mut build)];
        if chance(build.rng, 0.3) {
            predicates.push(self.some_predicate(&mut build));
        }
        predicates.extend(pick(build.rng, &booleans).filter(|_| predicates.len() < 2));
        build.predicates = predicates;
        connectives::until_one(&mut build);
        guarded(&mut build)
    }
}

/// Keeps a term of the main layer.
fn add_node(build: &mut Build<'_>, term: TermId) {
    build.add(term);
}

/// The one predicate that is left, with the guards of divisors.
fn guarded(build: &mut Build<'_>) -> TermId {
    let all: Vec<TermId> = build.predicates.drain(..).chain(build.guards.drain(..)).collect();
    connectives::joined(build, "and", &all).unwrap_or_else(|| build.terms.apply(operator("true"), &[], Sort::BOOL))
}

impl Generator for Layered {
    fn generate_into(&self, script: &mut Script, rng: &mut FuzzRng) {
        script.commands.clear();
        script.terms.clear();
        let mut build = Build::new(&mut script.terms, rng, &self.parameters, &self.parts);
        self.fill(&mut build);
        let Build { sorts, declarations, mut predicates, guards, .. } = build;
        let most = self.parameters.written_out;
        if let [root] = predicates[..] {
            // One formula, as FuzzSMT makes it: the guards are conjuncts of it.
            let all: Vec<TermId> = std::iter::once(root).chain(guards).collect();
            if all.len() > 1 {
                predicates = vec![script.terms.apply(operator("and"), &all, Sort::BOOL)];
            }
        } else {
            predicates.extend(guards);
        }
        let roots: Vec<TermId> =
            predicates.into_iter().map(|root| sharing::with_names(&mut script.terms, root, most)).collect();
        script.commands.push(Command::SetLogic(self.logic));
        let declared = sorts.iter().map(|sort| format!("(declare-sort {} 0)", sort.expression().name.as_str()));
        script.commands.extend(declared.map(|text| Command::Other(Symbol::new(&text))));
        script.commands.extend(declarations.into_iter().map(Command::Declare));
        script.commands.extend(roots.into_iter().map(Command::Assert));
        script.commands.push(Command::CheckSat);
        // What layers drew and dropped stays out, and so do variables that nothing uses.
        *script = script.compacted();
    }
}

impl Grammar for Layered {
    fn variable_sort(&self, scope: &Scope, rng: &mut FuzzRng) -> Option<Sort> {
        let known: Vec<Sort> = scope.all().map(|(_, sort)| sort).filter(|&sort| sort != Sort::BOOL).collect();
        let mut terms = Terms::new();
        let mut build = Build::new(&mut terms, rng, &self.parameters, &self.parts);
        let sorted: Vec<&Box<dyn Part>> = self.parts.iter().filter(|part| part.has_sorts()).collect();
        let part = pick(build.rng, &sorted)?;
        // A sort that a script must declare is known to it, or of no use.
        if !known.is_empty() && (part.must_declare() || chance(build.rng, 0.5)) {
            return pick(build.rng, &known).copied();
        }
        part.some_sort(&mut build)
    }

    fn assertion(&self, terms: &mut Terms, scope: &Scope, rng: &mut FuzzRng) -> TermId {
        let wanted: Vec<TermId> = scope.all().filter(|&(_, sort)| sort != Sort::BOOL).map(|(term, _)| term).collect();
        let wanted = pick(rng, &wanted).copied();
        self.small(terms, scope, wanted, rng)
    }

    fn assertion_using(&self, terms: &mut Terms, scope: &Scope, variable: TermId, rng: &mut FuzzRng) -> Option<TermId> {
        for _ in 0..MAXIMUM_ATTEMPTS {
            let root = self.small(terms, scope, Some(variable), rng);
            if terms.contains(root, variable) {
                return Some(root);
            }
        }
        let sort = terms.sort(variable);
        if sort == Sort::BOOL {
            return Some(variable);
        }
        let mut build = Build::new(terms, rng, &self.parameters, &self.parts);
        scope.all().for_each(|(variable, sort)| build.nodes.add(variable, sort));
        let other = build.argument(sort)?;
        let relation = if chance(build.rng, 0.5) { "=" } else { "distinct" };
        build.named(relation, &[variable, other])
    }

    fn term(&self, terms: &mut Terms, scope: &Scope, sort: Sort, depth: u32, rng: &mut FuzzRng) -> Option<TermId> {
        let mut build = Build::new(terms, rng, &self.parameters, &self.parts);
        if sort == Sort::BOOL {
            let value = if chance(build.rng, 0.5) { "true" } else { "false" };
            return build.apply(operator(value), &[], &[]);
        }
        if depth == 0 {
            return self.parts.iter().find_map(|part| part.literal(sort, &mut build));
        }
        scope.all().for_each(|(variable, sort)| build.nodes.add(variable, sort));
        self.parts.iter().for_each(|part| part.constants(&mut build));
        for _ in 0..depth {
            if let Some(term) = pick(build.rng, &self.parts).and_then(|part| part.term(&mut build)) {
                build.add(term);
            }
        }
        build.argument(sort)
    }

    fn largest_numeral(&self) -> u32 {
        LARGEST_NUMERAL
    }
}

#[cfg(test)]
mod tests;
