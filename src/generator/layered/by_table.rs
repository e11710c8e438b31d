//! A theory whose terms are drawn from the signature table alone: each operator as often as any other.

use super::build::Build;
use super::nodes::Wanted;
use super::parameters::{Division, Parameters};
use super::part::Part;
use crate::generator::literal;
use crate::random::{below, pick};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::signature::{Instance, Op, table};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

/// Divisions, whose divisor must not be 0.
const DIVISIONS: [&str; 3] = ["/", "div", "mod"];

/// How a literal of a sort is drawn.
type Literal = fn(Sort, &mut Build<'_>) -> Option<TermId>;

/// What is to be known of a theory.
pub(super) struct Domain {
    /// The theories whose operators are used beside those of Core.
    pub(super) theories: &'static [&'static str],
    /// The sorts that have variables, and the stems of their names.
    pub(super) sorts: Vec<(Sort, &'static str)>,
    /// Sorts of which there are terms, but no variables.
    pub(super) without_variables: Vec<Sort>,
    /// Whether scripts must declare the sorts, but for those with arguments.
    pub(super) declared: bool,
    /// How literals are drawn.
    pub(super) literal: Literal,
}

/// An operator, and the ways in which it makes a term of one sort.
type Choice = (Op, Vec<Instance>);

/// The part of a logic that has the terms of such a theory.
#[derive(Debug)]
pub(super) struct ByTable {
    sorts: Vec<(Sort, &'static str)>,
    all: Vec<Sort>,
    declared: bool,
    linear: bool,
    literal: Literal,
    terms: Vec<Choice>,
    predicates: Vec<Choice>,
}

impl ByTable {
    /// What `fragment` admits of a theory.
    pub(super) fn of(domain: Domain, fragment: &Fragment, parameters: &Parameters) -> Box<dyn Part> {
        let Domain { theories, sorts, without_variables, declared, literal } = domain;
        let values: Vec<Sort> = sorts.iter().map(|&(sort, _)| sort).collect();
        let all: Vec<Sort> = values.iter().copied().chain(without_variables).collect();
        let is_known = |instance: &Instance| {
            let signature = instance.op.signature();
            let theory = signature.theory.as_str();
            let divides = DIVISIONS.contains(&instance.op.name()) && parameters.division == Division::None;
            // What every sort has would take languages, which no solver compares.
            let generic = !signature.variables.is_empty() && instance.parameters.contains(&Sort::REGLAN);
            (theory == "Core" || theories.contains(&theory))
                && fragment.operators.contains(instance.op)
                && !instance.parameters.is_empty()
                && !divides
                && !generic
                && instance.parameters.iter().all(|sort| *sort == Sort::BOOL || all.contains(sort))
                // Connectives are the Boolean layer's.
                && instance.parameters.iter().any(|sort| *sort != Sort::BOOL)
        };
        let made = |sort: Sort| -> Vec<Choice> {
            let mut choices: Vec<Choice> = Vec::new();
            for instance in table().instances(sort, &values).into_iter().filter(is_known) {
                match choices.last_mut() {
                    Some((op, instances)) if *op == instance.op => instances.push(instance),
                    _ => choices.push((instance.op, vec![instance])),
                }
            }
            choices
        };
        let terms = all.iter().flat_map(|&sort| made(sort)).collect();
        let mut predicates = made(Sort::BOOL);
        // No condition within a predicate that is one.
        predicates.retain_mut(|(_, instances)| {
            instances.retain(|instance| !instance.parameters.contains(&Sort::BOOL));
            !instances.is_empty()
        });
        Box::new(ByTable { sorts, all, declared, linear: fragment.linear, literal, terms, predicates })
    }

    /// A random operator of these applied to random nodes.
    fn made(&self, choices: &[Choice], build: &mut Build<'_>) -> Option<TermId> {
        let (op, instances) = pick(build.rng, choices)?;
        let instance = pick(build.rng, instances)?;
        let signature = op.signature();
        let ordered: Vec<&Vec<u32>> =
            instance.indices.iter().filter(|indices| instance.result != Sort::REGLAN || indices.is_sorted()).collect();
        let indices = pick(build.rng, &ordered)?;
        if !signature.literal_arguments.is_empty() {
            let bounds = literal::character_range(build.terms, build.rng);
            return build.apply(*op, indices, &bounds);
        }
        let divides = DIVISIONS.contains(&op.name());
        let restricted = self.linear && signature.linear;
        let free = if restricted && !divides { below(build.rng, instance.parameters.len()) } else { 0 };
        let mut arguments = Vec::with_capacity(instance.parameters.len());
        for (place, &sort) in instance.parameters.iter().enumerate() {
            let argument = match sort {
                Sort::BOOL => self.made(&self.predicates, build)?,
                _ if restricted && place != free => self.not_zero(sort, build)?,
                _ => self.argument(sort, build)?,
            };
            arguments.push(argument);
        }
        if divides && !restricted && build.parameters.division == Division::Guarded {
            let zero = Self::zero(*arguments.last()?, build)?;
            let guard = build.named("distinct", &[*arguments.last()?, zero])?;
            build.guards.push(guard);
        }
        build.apply(*op, indices, &arguments)
    }

    /// A literal that may be a divisor, or a factor that leaves something.
    fn not_zero(&self, sort: Sort, build: &mut Build<'_>) -> Option<TermId> {
        (0..16).find_map(|_| {
            let literal = (self.literal)(sort, build)?;
            let zero = |text: &[u32]| text.iter().all(|&digit| [0x30, 0x2E].contains(&digit));
            (!zero(build.terms.text(literal))).then_some(literal)
        })
    }

    fn zero(like: TermId, build: &mut Build<'_>) -> Option<TermId> {
        match build.terms.sort(like) {
            Sort::INT => Some(build.terms.numeral(0)),
            Sort::REAL => Some(super::numbers::decimal(build.terms, 0)),
            _ => None,
        }
    }
}

impl Part for ByTable {
    fn inputs(&self, build: &mut Build<'_>) {
        for &(sort, stem) in &self.sorts {
            // What is made of other sorts, as arrays are, is there once those are declared.
            if self.declared && sort.expression().arguments.is_empty() {
                build.sorts.push(sort);
            }
            for _ in 0..build.parameters.draw_variables(build.rng) {
                build.add_variable(stem, sort);
            }
        }
        self.constants(build);
    }

    fn constants(&self, build: &mut Build<'_>) {
        for &sort in &self.all {
            for _ in 0..build.parameters.draw_constants(build.rng) {
                if let Some(literal) = (self.literal)(sort, build) {
                    build.add(literal);
                }
            }
        }
    }

    fn counts(&self, sort: Sort) -> bool {
        self.sorts.iter().any(|&(own, _)| own == sort)
    }

    fn term(&self, build: &mut Build<'_>) -> Option<TermId> {
        self.made(&self.terms, build)
    }

    fn predicate(&self, build: &mut Build<'_>) -> Option<TermId> {
        self.made(&self.predicates, build)
    }

    fn argument(&self, sort: Sort, build: &mut Build<'_>) -> Option<TermId> {
        if !self.all.contains(&sort) {
            return None;
        }
        build.draw(Wanted::Sort(sort)).or_else(|| (self.literal)(sort, build))
    }

    fn literal(&self, sort: Sort, build: &mut Build<'_>) -> Option<TermId> {
        if self.all.contains(&sort) { (self.literal)(sort, build) } else { None }
    }

    fn must_declare(&self) -> bool {
        self.declared
    }

    fn some_sort(&self, build: &mut Build<'_>) -> Option<Sort> {
        pick(build.rng, &self.sorts).map(|&(sort, _)| sort)
    }
}
