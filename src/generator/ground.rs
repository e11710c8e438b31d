//! Random ground terms over all operators of a theory: what evaluators and solvers are compared on.

mod leaf;

use crate::random::{FuzzRng, chance, pick, repeats};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::operator_set::OperatorSet;
use crate::smtlib::signature::{Instance, Op, table};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{TermId, Terms};

/// How likely an argument that could be an application is a literal.
const LEAF_PROBABILITY: f64 = 0.35;

/// How likely an operator that takes any number of arguments takes one more.
const MORE_ARGUMENTS_PROBABILITY: f64 = 0.15;

/// The most arguments of such an operator.
const MOST_ARGUMENTS: usize = 4;

/// Of ten terms, how many are how deep.
const DEPTHS: [u32; 10] = [1, 1, 1, 1, 2, 2, 2, 3, 3, 4];

/// Theories whose operators are drawn together, with those of Core.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    /// The name in tables.
    pub name: &'static str,
    /// The theories whose operators are all drawn equally often.
    pub theories: &'static [&'static str],
    /// Theories whose operators occur in arguments only.
    pub around: &'static [&'static str],
    sorts: fn() -> Vec<Sort>,
}

/// The theories that are evaluated, a few at a time.
pub const DOMAINS: [Domain; 7] = [
    Domain {
        name: "Core",
        theories: &["Core"],
        around: &[],
        sorts: || vec![Sort::BOOL, Sort::INT, Sort::STRING, Sort::bit_vec(2), Sort::array(Sort::BOOL, Sort::INT)],
    },
    Domain { name: "Ints", theories: &["Ints"], around: &["Core"], sorts: || vec![Sort::BOOL, Sort::INT] },
    Domain {
        name: "Reals_Ints",
        theories: &["Reals", "Reals_Ints"],
        around: &["Core", "Ints"],
        sorts: || vec![Sort::BOOL, Sort::INT, Sort::REAL],
    },
    Domain {
        name: "Strings",
        theories: &["Strings"],
        around: &["Core"],
        sorts: || vec![Sort::BOOL, Sort::INT, Sort::STRING],
    },
    Domain {
        name: "Sequences",
        theories: &["Sequences"],
        around: &["Core"],
        sorts: || {
            let of = |item| Sort::new(Symbol::new("Seq"), &[], &[item]);
            vec![Sort::BOOL, Sort::INT, Sort::bit_vec(2), of(Sort::BOOL), of(Sort::INT), of(Sort::bit_vec(2))]
        },
    },
    Domain {
        name: "BitVectors",
        theories: &["BitVectors"],
        around: &["Core"],
        sorts: || {
            let widths = [1, 2, 3, 4, 5, 8, 9, 16, 32, 64, 65].into_iter().map(Sort::bit_vec);
            [Sort::BOOL, Sort::INT].into_iter().chain(widths).collect()
        },
    },
    Domain {
        name: "ArraysEx",
        theories: &["ArraysEx"],
        around: &["Core"],
        sorts: || {
            let bits = Sort::bit_vec(2);
            let plain =
                [Sort::array(Sort::INT, Sort::INT), Sort::array(bits, bits), Sort::array(Sort::BOOL, Sort::INT)];
            let nested = Sort::array(Sort::INT, plain[1]);
            [Sort::BOOL, Sort::INT, bits, nested].into_iter().chain(plain).collect()
        },
    },
];

/// An operator, and the ways in which it makes a term of one sort.
type Choice = (Op, Vec<Instance>);

/// Draws the ground terms of a domain, well-sorted by construction.
#[derive(Debug)]
pub struct GroundTerms {
    /// The operators of the domain's theories.
    operators: Vec<Op>,
    /// All ways to apply each of them, in the same order.
    applications: Vec<Vec<Instance>>,
    /// For each sort, what makes an argument of it.
    makers: Vec<(Sort, Vec<Choice>)>,
    /// What takes a regular language and makes something else of it.
    askers: Vec<Instance>,
    fragment: Fragment,
}

impl GroundTerms {
    /// The generator of a domain's terms. In their arguments are only operators of `inner`: those that enough solvers
    /// read, so that one that few know does not spoil the terms about others.
    pub fn new(domain: &Domain, inner: &OperatorSet) -> GroundTerms {
        let sorts = (domain.sorts)();
        let mut makers: Vec<(Sort, Vec<Choice>)> = Vec::new();
        let languages = domain.theories.contains(&"Strings").then_some(Sort::REGLAN);
        for &sort in sorts.iter().chain(&languages) {
            let mut choices: Vec<Choice> = Vec::new();
            for instance in table().instances(sort, &sorts) {
                let theory = instance.op.signature().theory.as_str();
                let known = domain.theories.contains(&theory) || domain.around.contains(&theory);
                // Solvers take no conditional languages.
                let conditional = sort == Sort::REGLAN && theory == "Core";
                if !known || conditional {
                    continue;
                }
                match choices.last_mut() {
                    Some((op, instances)) if *op == instance.op => instances.push(instance),
                    _ => choices.push((instance.op, vec![instance])),
                }
            }
            makers.push((sort, choices));
        }
        let operators: Vec<Op> =
            table().operators().filter(|op| domain.theories.contains(&op.signature().theory.as_str())).collect();
        let every = |op: Op| -> Vec<Instance> {
            let choices = makers.iter().flat_map(|(_, choices)| choices);
            choices.filter(|(maker, _)| *maker == op).flat_map(|(_, instances)| instances.clone()).collect()
        };
        let applications = operators.iter().map(|&op| every(op)).collect();
        for (_, choices) in &mut makers {
            choices.retain(|(op, _)| inner.contains(*op));
        }
        let asks = |each: &&Instance| each.result != Sort::REGLAN && each.parameters.contains(&Sort::REGLAN);
        let made = makers.iter().flat_map(|(_, choices)| choices).flat_map(|(_, instances)| instances);
        let askers = made.filter(asks).cloned().collect();
        GroundTerms { operators, applications, makers, askers, fragment: Fragment::standard() }
    }

    /// The operators of the domain's theories: each can be the one that a term is about.
    pub fn operators(&self) -> &[Op] {
        &self.operators
    }

    /// A term about the operator at a position of [`GroundTerms::operators`]: an application of it, or, where that is
    /// a regular language, a term that asks about the language. None if nothing can be made of the operator here.
    pub fn draw(&self, about: usize, terms: &mut Terms, rng: &mut FuzzRng) -> Option<TermId> {
        let depth = *pick(rng, &DEPTHS)?;
        let instance = pick(rng, self.applications.get(about)?)?;
        let term = self.apply(instance, depth, None, terms, rng)?;
        if instance.result != Sort::REGLAN {
            return Some(term);
        }
        let asker = pick(rng, &self.askers)?;
        self.apply(asker, 1, Some(term), terms, rng)
    }

    /// A term of a sort.
    fn term(&self, sort: Sort, depth: u32, terms: &mut Terms, rng: &mut FuzzRng) -> Option<TermId> {
        if depth == 0 || chance(rng, LEAF_PROBABILITY) {
            return leaf::term(sort, terms, rng);
        }
        let made = self.makers.iter().find(|(made, _)| *made == sort);
        match made.and_then(|(_, choices)| pick(rng, choices)) {
            Some((_, instances)) => self.apply(pick(rng, instances)?, depth, None, terms, rng),
            None => leaf::term(sort, terms, rng),
        }
    }

    /// An application whose arguments are less deep; `language` stands for the argument of that sort.
    fn apply(
        &self,
        instance: &Instance,
        depth: u32,
        language: Option<TermId>,
        terms: &mut Terms,
        rng: &mut FuzzRng,
    ) -> Option<TermId> {
        let op = instance.op;
        let indices = pick(rng, &instance.indices)?;
        let signature = op.signature();
        if !signature.literal_arguments.is_empty() {
            return leaf::character_range(terms, rng);
        }
        let mut sorts = instance.parameters.clone();
        if instance.maximum.is_none() && self.fragment.may_chain(op) {
            let least = sorts.len().max(instance.minimum);
            let count = least + repeats(rng, MORE_ARGUMENTS_PROBABILITY, MOST_ARGUMENTS.saturating_sub(least));
            let longer: Vec<Sort> = (0..count).map(|position| instance.parameter(position, count)).collect();
            // Not those whose width grows with each argument.
            if signature.apply(indices, &longer) == Some(instance.result) {
                sorts = longer;
            }
        }
        let mut arguments = Vec::with_capacity(sorts.len());
        for sort in sorts {
            arguments.push(match language {
                Some(language) if sort == Sort::REGLAN => language,
                _ => self.term(sort, depth - 1, terms, rng)?,
            });
        }
        Some(terms.apply_indexed(op, indices, &arguments, instance.result))
    }
}

#[cfg(test)]
mod tests;
