//! Instances: the signatures of the table with all variables replaced, as generators and mutators want them.

use super::super::sort::Sort;
use super::pattern::{Bindings, SortPattern};
use super::{Op, Signature, Table};

/// An operator at ground sorts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The operator.
    pub op: Op,
    /// The index vectors that it may have at these sorts: one empty vector if it takes no indices.
    pub indices: Vec<Vec<u32>>,
    /// Parameter sorts; two if the operator takes any number of arguments.
    pub parameters: Vec<Sort>,
    /// The result's sort.
    pub result: Sort,
    /// The fewest arguments.
    pub minimum: usize,
    /// The most arguments; `None` if there is no bound.
    pub maximum: Option<usize>,
}

impl Instance {
    /// The sort of the argument at `position` if there are `count` of them.
    ///
    /// # Panics
    /// If the operator takes no argument at that position.
    pub fn parameter(&self, position: usize, count: usize) -> Sort {
        use super::Associativity::{Chainable, LeftAssoc, Pairwise, RightAssoc};
        match self.op.signature().associativity {
            None => self.parameters[position],
            Some(LeftAssoc) => self.parameters[position.min(1)],
            Some(RightAssoc) => self.parameters[usize::from(position + 1 == count)],
            Some(Chainable | Pairwise) => self.parameters[0],
        }
    }

    /// The sort of the arguments that may be put before the last one, any number of them; `None` if there are none, or
    /// if each would change the sort of the result, as with `concat`.
    pub fn further(&self) -> Option<Sort> {
        let longer: [Sort; 3] = match self.maximum {
            None => std::array::from_fn(|position| self.parameter(position, 3)),
            Some(_) => return None,
        };
        let keeps_sort = self.op.signature().apply(self.indices.first()?, &longer) == Some(self.result);
        keeps_sort.then_some(longer[1])
    }
}

/// The largest index of an operator whose sorts do not bound it (`re.loop`).
const LARGEST_FREE_INDEX: u32 = 5;
/// The largest index that is tried of an operator whose sorts bound it (`extract`): a width may be any number below 2^32.
const LARGEST_INDEX: u32 = 1024;

impl Table {
    /// Every operator at every choice of sorts that gives a term of sort `result`, in the order of the table. Sort
    /// variables range over `sorts`; a compound parameter with variables in it must itself be among `sorts`, and the
    /// widths of bit-vector parameters are those of `sorts`. Indices are up to 1024. Ground parameters are taken as they are.
    pub fn instances(&self, result: Sort, sorts: &[Sort]) -> Vec<Instance> {
        let mut widths: Vec<u32> =
            sorts.iter().chain([&result]).flat_map(|sort| sort.expression().indices.iter().copied()).collect();
        widths.sort_unstable();
        widths.dedup();
        let mut found = Vec::new();
        for op in self.operators() {
            let signature = self.signature(op);
            let mut bindings = Bindings::default();
            if signature.result.unify(result, &mut bindings) {
                let mut search = Search { op, signature, result, sorts, widths: &widths, found: &mut found };
                search.bind_sorts(0, &bindings);
            }
        }
        found
    }

    /// The other operators of `op`'s group that take arguments of the same sorts, and the same indices, to the same
    /// result sort.
    pub fn exchangeable(&self, op: Op, indices: &[u32], argument_sorts: &[Sort]) -> Vec<Op> {
        let signature = self.signature(op);
        let Some(group) = signature.group else { return Vec::new() };
        let Some(result) = signature.apply(indices, argument_sorts) else { return Vec::new() };
        self.operators()
            .filter(|&other| {
                let candidate = self.signature(other);
                other != op
                    && candidate.group == Some(group)
                    && candidate.apply(indices, argument_sorts) == Some(result)
            })
            .collect()
    }
}

/// The enumeration of one operator's instances.
struct Search<'a> {
    op: Op,
    signature: &'a Signature,
    result: Sort,
    sorts: &'a [Sort],
    widths: &'a [u32],
    found: &'a mut Vec<Instance>,
}

impl<'a> Search<'a> {
    fn bind_sorts(&mut self, variable: usize, bindings: &Bindings<'a>) {
        if variable == self.signature.variables.len() {
            return self.bind_numerals(0, bindings);
        }
        if bindings.sorts[variable].is_some() {
            return self.bind_sorts(variable + 1, bindings);
        }
        for &sort in self.sorts {
            let mut bindings = bindings.clone();
            bindings.sorts[variable] = Some(sort);
            self.bind_sorts(variable + 1, &bindings);
        }
    }

    fn bind_numerals(&mut self, variable: usize, bindings: &Bindings<'a>) {
        if variable == self.signature.index_variables.len() {
            return self.finish(bindings);
        }
        if bindings.numerals[variable].is_some() {
            return self.bind_numerals(variable + 1, bindings);
        }
        let in_parameter = self.signature.parameters.iter().any(|pattern| mentions(pattern, variable));
        let candidates: Vec<u32> = if in_parameter {
            self.widths.to_vec()
        } else {
            (0..=self.widths.last().copied().unwrap_or(0).clamp(LARGEST_FREE_INDEX, LARGEST_INDEX)).collect()
        };
        let free = self.widths.is_empty() || self.signature.conditions.is_empty() && !in_parameter;
        for numeral in candidates {
            // An index that no sort bounds (`re.loop`, `rotate_left`) stays small.
            if free && numeral > LARGEST_FREE_INDEX && !self.result_mentions(variable) {
                break;
            }
            let mut bindings = bindings.clone();
            bindings.numerals[variable] = Some(numeral);
            self.bind_numerals(variable + 1, &bindings);
        }
    }

    fn result_mentions(&self, variable: usize) -> bool {
        mentions(&self.signature.result, variable)
    }

    fn finish(&mut self, bindings: &Bindings<'a>) {
        let signature = self.signature;
        if !bindings.settled() || !signature.conditions.iter().all(|condition| condition.holds(bindings)) {
            return;
        }
        let parameters: Option<Vec<Sort>> =
            signature.parameters.iter().map(|each| each.instantiate(bindings)).collect();
        let indices: Option<Vec<u32>> = signature.indices.iter().map(|index| index.value(bindings)).collect();
        let (Some(parameters), Some(indices)) = (parameters, indices) else { return };
        let allowed =
            signature.parameters.iter().zip(&parameters).all(|(pattern, sort)| {
                !matches!(pattern, SortPattern::Application { .. }) || self.sorts.contains(sort)
            });
        if !allowed {
            return;
        }
        let same = self.found.iter_mut().rev().take_while(|each| each.op == self.op);
        if let Some(instance) = same.into_iter().find(|each| each.parameters == parameters) {
            instance.indices.push(indices);
            return;
        }
        self.found.push(Instance {
            op: self.op,
            indices: vec![indices],
            parameters,
            result: self.result,
            minimum: signature.minimum_arguments,
            maximum: signature.maximum_arguments(),
        });
    }
}

fn mentions(pattern: &SortPattern, variable: usize) -> bool {
    match pattern {
        SortPattern::Sort(_) | SortPattern::Variable(_) => false,
        SortPattern::Application { indices, arguments, .. } => {
            indices.iter().any(|index| index.mentions(variable))
                || arguments.iter().any(|argument| mentions(argument, variable))
        }
    }
}
