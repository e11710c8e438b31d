//! Functions and predicates that are declared and not interpreted.

use super::build::Build;
use super::part::Part;
use crate::random::{between, chance, pick};
use crate::smtlib::script::Declaration;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, Parts, TermId};

/// The part of a logic that has functions, over the values of its other parts.
#[derive(Debug)]
pub(super) struct Functions {
    /// How many functions, and how many predicates, there are unless the parameters say so.
    pub(super) usual: u32,
}

impl Functions {
    fn declare(&self, least: Option<u32>, most: Option<u32>, is_predicate: bool, build: &mut Build<'_>) {
        let most = most.unwrap_or(self.usual.max(least.unwrap_or(0)));
        let least = least.unwrap_or(self.usual).min(most);
        for _ in 0..between(build.rng, least, most) {
            let arguments = between(build.rng, build.parameters.min_arguments, build.parameters.max_arguments);
            let parameters: Vec<Sort> = (0..arguments).filter_map(|_| build.some_sort()).collect();
            let result = if is_predicate { Some(Sort::BOOL) } else { build.some_sort() };
            if let (Some(result), false) = (result, parameters.is_empty()) {
                let letter = if is_predicate { "p" } else { "f" };
                let signature: Vec<String> = parameters.iter().copied().chain([result]).map(short).collect();
                build.declare(&format!("{letter}{}", signature.join("_")), parameters, result);
            }
        }
    }

    /// A random declared function, or predicate, applied to random terms.
    fn applied(is_predicate: bool, build: &mut Build<'_>) -> Option<TermId> {
        let is_so = |each: &&Declaration| !each.parameters.is_empty() && (each.sort == Sort::BOOL) == is_predicate;
        let declared: Vec<&Declaration> = build.declarations.iter().filter(is_so).collect();
        let Declaration { name, parameters, sort } = (*pick(build.rng, &declared)?).clone();
        let arguments: Option<Vec<TermId>> = parameters.into_iter().map(|sort| build.argument(sort)).collect();
        let (head, arguments) = (Head::Function(name), arguments?);
        Some(build.terms.intern(Parts { head, sort, arguments: &arguments, words: &[], binders: &[] }))
    }
}

impl Part for Functions {
    fn inputs(&self, build: &mut Build<'_>) {
        let parameters = *build.parameters;
        self.declare(parameters.min_functions, parameters.max_functions, false, build);
        self.declare(parameters.min_predicates, parameters.max_predicates, true, build);
    }

    fn constants(&self, _: &mut Build<'_>) {}

    fn counts(&self, _: Sort) -> bool {
        false
    }

    fn term(&self, build: &mut Build<'_>) -> Option<TermId> {
        // As often as an operator where there are many, so that a formula is not made of functions.
        if chance(build.rng, 0.5) { Functions::applied(false, build) } else { None }
    }

    fn predicate(&self, build: &mut Build<'_>) -> Option<TermId> {
        Functions::applied(true, build)
    }

    fn argument(&self, _: Sort, _: &mut Build<'_>) -> Option<TermId> {
        None
    }

    fn literal(&self, _: Sort, _: &mut Build<'_>) -> Option<TermId> {
        None
    }

    fn some_sort(&self, _: &mut Build<'_>) -> Option<Sort> {
        None
    }

    fn has_sorts(&self) -> bool {
        false
    }

    fn has_values(&self) -> bool {
        false
    }
}

/// A sort in a name: a bit-vector's width, otherwise the first letter.
fn short(sort: Sort) -> String {
    let expression = sort.expression();
    match expression.indices[..] {
        [width] => width.to_string(),
        _ => expression.name.as_str().chars().take(1).chain(digits(expression.name.as_str())).collect(),
    }
}

fn digits(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(char::is_ascii_digit)
}
