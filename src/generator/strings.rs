//! Random scripts of the string theory, after `StringFuzz`'s generator `random-ast`, over all operators of a fragment.

use super::literal;
use super::parameters::Parameters;
use super::scope::Scope;
use super::tables::{Application, MAXIMUM_ARGUMENTS, Restriction, SORTS, SortTable, index_of, tables};
use super::{Generator, Grammar};
use crate::random::{FuzzRng, below, chance, pick, repeats};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::{Command, Declaration, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{TermId, Terms};

/// The positions of sorts in [`SORTS`].
const BOOL: usize = 0;
const INT: usize = 1;
const STRING: usize = 2;
const REGLAN: usize = 3;

/// How often a fresh assertion is drawn again because it uses no variable, before one is forced in.
const MAXIMUM_ATTEMPTS: usize = 8;

/// How many variables [`Draw::used`] can tell apart.
const TRACKED: usize = u128::BITS as usize;

/// Draws scripts and terms of the string theory that are well-sorted and in a fragment by construction.
#[derive(Debug)]
pub struct StringGenerator {
    parameters: Parameters,
    logic: Symbol,
    tables: [SortTable; SORTS.len()],
    /// The declarations of all variables, in order of their terms: a fresh arena starts with the variables.
    declarations: Vec<Declaration>,
    scope: Scope,
}

/// The drawing of terms into one arena.
struct Draw<'a> {
    generator: &'a StringGenerator,
    terms: &'a mut Terms,
    scope: &'a Scope,
    rng: &'a mut FuzzRng,
    literal_probability: f64,
    /// How many leaves were variables.
    variables_used: usize,
    /// Which of the arena's first [`TRACKED`] terms were such leaves.
    used: u128,
    previous_string: Option<TermId>,
    text: Vec<u32>,
}

impl StringGenerator {
    /// A generator for the scripts of a fragment.
    pub fn new(parameters: Parameters, fragment: &Fragment) -> Self {
        let mut declarations = Vec::new();
        let mut scope = Scope::default();
        for sort in [Sort::STRING, Sort::INT, Sort::BOOL] {
            for _ in 0..parameters.variables {
                let number = declarations.len() as u32;
                scope.add(TermId(number), sort);
                declarations.push(Declaration { name: Symbol::new(&format!("var{number}")), parameters: vec![], sort });
            }
        }
        let tables = tables(fragment, &parameters);
        StringGenerator { parameters, logic: fragment.logic, tables, declarations, scope }
    }

    /// The parameters that the generator was made with.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Drops the declarations of variables that no term uses, for more variables than [`Draw::used`] tracks.
    fn prune(&self, script: &mut Script) {
        let mut used = vec![false; script.terms.len()];
        script.terms.mark_used(script.assertions(), &mut used);
        let names: rustc_hash::FxHashSet<Symbol> =
            self.declarations.iter().zip(used).filter(|(_, used)| *used).map(|(each, _)| each.name).collect();
        script.commands.retain(|command| !matches!(command, Command::Declare(each) if !names.contains(&each.name)));
    }

    fn draw<'a>(&'a self, terms: &'a mut Terms, scope: &'a Scope, rng: &'a mut FuzzRng) -> Draw<'a> {
        let literal_probability = self.parameters.literal_probability;
        let text = Vec::with_capacity(self.parameters.string_length as usize);
        Draw {
            generator: self,
            terms,
            scope,
            rng,
            literal_probability,
            variables_used: 0,
            used: 0,
            previous_string: None,
            text,
        }
    }
}

impl Generator for StringGenerator {
    /// The logic, the variables that are used, the assertions (at least one, and at least one variable in them if there
    /// are any), `check-sat`.
    fn generate_into(&self, script: &mut Script, rng: &mut FuzzRng) {
        script.commands.clear();
        script.terms.clear();
        for declaration in &self.declarations {
            script.terms.constant(declaration.name, declaration.sort);
        }
        let count = self.parameters.assertions.max(1) as usize;
        let mut roots = Vec::with_capacity(count);
        let mut draw = self.draw(&mut script.terms, &self.scope, rng);
        while roots.len() < count {
            let last_chance = roots.len() + 1 == count && draw.variables_used == 0;
            roots.push(if last_chance { draw.assertion_with_variable() } else { draw.root() });
        }
        let used = draw.used;
        script.commands.push(Command::SetLogic(self.logic));
        // The arena began with the variables, so their ids are their numbers.
        for (number, declaration) in self.declarations.iter().enumerate() {
            if number >= TRACKED || used & (1 << number) != 0 {
                script.commands.push(Command::Declare(declaration.clone()));
            }
        }
        script.commands.extend(roots.into_iter().map(Command::Assert));
        script.commands.push(Command::CheckSat);
        if self.declarations.len() > TRACKED {
            self.prune(script);
        }
    }
}

impl Grammar for StringGenerator {
    fn variable_sort(&self, _: &Scope, rng: &mut FuzzRng) -> Option<Sort> {
        pick(rng, &[Sort::STRING, Sort::INT, Sort::BOOL]).copied()
    }

    fn assertion(&self, terms: &mut Terms, scope: &Scope, rng: &mut FuzzRng) -> TermId {
        self.draw(terms, scope, rng).assertion_with_variable()
    }

    fn assertion_using(&self, terms: &mut Terms, scope: &Scope, variable: TermId, rng: &mut FuzzRng) -> Option<TermId> {
        for _ in 0..MAXIMUM_ATTEMPTS {
            let root = self.draw(terms, scope, rng).root();
            if terms.contains(root, variable) {
                return Some(root);
            }
        }
        let sort = index_of(terms.sort(variable))?;
        self.draw(terms, scope, rng).forced(sort, variable)
    }

    fn term(&self, terms: &mut Terms, scope: &Scope, sort: Sort, depth: u32, rng: &mut FuzzRng) -> Option<TermId> {
        let sort = index_of(sort)?;
        Some(self.draw(terms, scope, rng).term(sort, depth))
    }

    fn largest_numeral(&self) -> u32 {
        self.parameters.maximum_integer
    }
}

impl Draw<'_> {
    fn root(&mut self) -> TermId {
        self.term(BOOL, self.generator.parameters.depth.max(1))
    }

    fn assertion_with_variable(&mut self) -> TermId {
        let before = self.variables_used;
        let mut root = self.root();
        for _ in 0..MAXIMUM_ATTEMPTS {
            if self.variables_used > before || self.scope.is_empty() {
                return root;
            }
            self.literal_probability = 0.0;
            root = self.root();
        }
        let variable = SORTS.iter().flat_map(|&sort| self.scope.variables(sort)).next().copied();
        let forced = variable.and_then(|each| self.forced(index_of(self.terms.sort(each))?, each));
        forced.unwrap_or(root)
    }

    /// An application at the root that takes `variable` as an argument.
    fn forced(&mut self, sort: usize, variable: TermId) -> Option<TermId> {
        let candidates: Vec<&Application> = self.generator.tables[BOOL].taking(sort).collect();
        let application = pick(self.rng, &candidates)?;
        let places: Vec<usize> =
            (0..application.parameters.len()).filter(|&place| application.parameters[place] == sort).collect();
        let place = *pick(self.rng, &places)?;
        self.note(variable);
        let mut arguments = Vec::with_capacity(application.parameters.len());
        for (position, &parameter) in application.parameters.iter().enumerate() {
            arguments.push(if position == place { variable } else { self.term(parameter, 1) });
        }
        let indices = application.draw_indices(self.rng);
        Some(self.terms.apply_indexed(application.op, indices, &arguments, Sort::BOOL))
    }

    /// A term of the sort with this position in [`SORTS`].
    fn term(&mut self, sort: usize, depth: u32) -> TermId {
        if depth == 0 {
            return self.leaf(sort);
        }
        let generator = self.generator;
        match generator.tables[sort].draw(self.rng) {
            Some(application) => self.apply(application, SORTS[sort], depth),
            None => self.leaf(sort),
        }
    }

    fn apply(&mut self, application: &Application, sort: Sort, depth: u32) -> TermId {
        // All arguments get the same depth, as in StringFuzz.
        let depth = if depth == 1 { 0 } else { below(self.rng, depth as usize) as u32 };
        let parameters = &application.parameters;
        let mut count = application.minimum;
        if application.variadic {
            let Parameters { more_arguments_probability: more, maximum_arguments, .. } = self.generator.parameters;
            let most = MAXIMUM_ARGUMENTS.min(maximum_arguments as usize);
            if count < most && more > 0.0 {
                count += repeats(self.rng, more, most - count);
            }
        }
        let mut arguments = [TermId(0); MAXIMUM_ARGUMENTS];
        match application.restriction {
            Restriction::Free => {
                for (position, argument) in arguments[..count].iter_mut().enumerate() {
                    *argument = self.term(parameters[position.min(parameters.len() - 1)], depth);
                }
            }
            Restriction::Characters => {
                arguments[..2].copy_from_slice(&literal::character_range(self.terms, self.rng));
            }
            Restriction::Product | Restriction::Quotient => {
                let free = if application.restriction == Restriction::Product { below(self.rng, count) } else { 0 };
                for (position, argument) in arguments[..count].iter_mut().enumerate() {
                    *argument = if position == free {
                        self.term(INT, depth)
                    } else {
                        literal::numeral(&self.generator.parameters, self.terms, 1, self.rng)
                    };
                }
            }
        }
        let indices = application.draw_indices(self.rng);
        self.terms.apply_indexed(application.op, indices, &arguments[..count], sort)
    }

    fn leaf(&mut self, sort: usize) -> TermId {
        if sort == REGLAN {
            return self.regex_leaf();
        }
        let variables = self.scope.variables(SORTS[sort]);
        if variables.is_empty() || chance(self.rng, self.literal_probability) {
            return self.literal(sort);
        }
        let variable = variables[below(self.rng, variables.len())];
        self.note(variable);
        variable
    }

    fn note(&mut self, variable: TermId) {
        self.variables_used += 1;
        if (variable.0 as usize) < TRACKED {
            self.used |= 1 << variable.0;
        }
    }

    fn literal(&mut self, sort: usize) -> TermId {
        let parameters = &self.generator.parameters;
        match sort {
            STRING => literal::string(parameters, self.terms, &mut self.previous_string, &mut self.text, self.rng),
            INT => literal::numeral(parameters, self.terms, 0, self.rng),
            _ => self.constant(sort),
        }
    }

    /// An operator without arguments.
    fn constant(&mut self, sort: usize) -> TermId {
        let constants = &self.generator.tables[sort].constants;
        let op = constants[below(self.rng, constants.len())];
        self.terms.apply(op, &[], SORTS[sort])
    }

    /// Regular expressions have no variables; their leaves are languages of one string more often than constants.
    fn regex_leaf(&mut self) -> TermId {
        let generator = self.generator;
        let table = &generator.tables[REGLAN];
        match table.string_application() {
            Some(application) if table.constants.is_empty() || below(self.rng, 4) > 0 => {
                self.apply(application, Sort::REGLAN, 1)
            }
            _ => self.constant(REGLAN),
        }
    }
}

#[cfg(test)]
mod tests;
