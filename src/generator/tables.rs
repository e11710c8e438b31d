//! The operators of a fragment by result sort, laid out for drawing.

use super::parameters::Parameters;
use crate::random::{FuzzRng, below, pick};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::signature::{Instance, Op, table};
use crate::smtlib::sort::Sort;

/// The sorts that the string generator makes terms of, in the order of its tables.
pub(super) const SORTS: [Sort; 4] = [Sort::BOOL, Sort::INT, Sort::STRING, Sort::REGLAN];

/// The position of a sort in [`SORTS`].
pub(super) fn index_of(sort: Sort) -> Option<usize> {
    SORTS.iter().position(|&each| each == sort)
}

/// The position of `String` in [`SORTS`].
const STRING: usize = 2;

/// The most parameters of an operator that is generated.
const MAXIMUM_PARAMETERS: usize = 6;

/// The most arguments that one is given.
pub(super) const MAXIMUM_ARGUMENTS: usize = 16;

/// What keeps an operator's arguments inside every fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restriction {
    /// None.
    Free,
    /// Literals of one character, in order (`re.range`).
    Characters,
    /// One argument is any term, the others are literals (`*` in linear logics).
    Product,
    /// The first argument is any term, the others are literals but not 0 (`div` in linear logics).
    Quotient,
}

/// An operator at ground sorts.
#[derive(Debug)]
pub(super) struct Application {
    pub op: Op,
    /// Positions in [`SORTS`].
    pub parameters: Vec<usize>,
    pub minimum: usize,
    /// Takes more arguments than it has parameters.
    pub variadic: bool,
    pub restriction: Restriction,
    /// The index vectors to choose from; one empty vector for most operators.
    pub indices: Vec<Vec<u32>>,
}

impl Application {
    /// Random numeral indices; empty for most operators.
    pub(super) fn draw_indices(&self, rng: &mut FuzzRng) -> &[u32] {
        match self.indices.as_slice() {
            [only] => only,
            several => pick(rng, several).map_or(&[], Vec::as_slice),
        }
    }
}

/// The ways to make a term of one sort.
#[derive(Debug, Default)]
pub(super) struct SortTable {
    applications: Vec<Application>,
    /// Positions in `applications`, each as often as its weight.
    wheel: Vec<u16>,
    /// Operators without arguments: `true`, `re.allchar`.
    pub(super) constants: Vec<Op>,
    /// The position in `applications` of one that takes a single string: `str.to_re`.
    from_string: Option<usize>,
}

impl SortTable {
    /// A random application; `None` if the fragment has no operator that gives this sort.
    #[inline]
    pub(super) fn draw(&self, rng: &mut FuzzRng) -> Option<&Application> {
        if self.wheel.is_empty() {
            return None;
        }
        Some(&self.applications[usize::from(self.wheel[below(rng, self.wheel.len())])])
    }

    /// The application that makes a string a term of this sort.
    pub(super) fn string_application(&self) -> Option<&Application> {
        self.from_string.map(|position| &self.applications[position])
    }

    /// Whether terms of this sort have leaves.
    fn is_inhabited(&self) -> bool {
        !self.constants.is_empty() || self.from_string.is_some()
    }

    /// The applications that take an argument of this sort (a position in [`SORTS`]) without restriction.
    pub(super) fn taking(&self, sort: usize) -> impl Iterator<Item = &Application> {
        self.applications
            .iter()
            .filter(move |each| each.restriction == Restriction::Free && each.parameters.contains(&sort))
    }
}

/// One table per sort of [`SORTS`].
pub(super) fn tables(fragment: &Fragment, parameters: &Parameters) -> [SortTable; SORTS.len()] {
    let regular = sort_table(Sort::REGLAN, &[], fragment, parameters);
    // Without leaves there are no regular expressions, and no operators that take them.
    let missing: &[Sort] = if regular.is_inhabited() { &[] } else { &[Sort::REGLAN] };
    SORTS.map(|sort| sort_table(sort, missing, fragment, parameters))
}

fn sort_table(sort: Sort, missing: &[Sort], fragment: &Fragment, parameters: &Parameters) -> SortTable {
    // Values of `=`, `distinct` and `ite` are no regular expressions: no fragment has those.
    let values = [Sort::BOOL, Sort::INT, Sort::STRING];
    let admitted: Vec<Instance> = table()
        .instances(sort, &values)
        .into_iter()
        .filter(|instance| fragment.operators.contains(instance.op) || is_truth_value(instance))
        .filter(|instance| !instance.parameters.iter().any(|parameter| missing.contains(parameter)))
        .filter(|instance| sort != Sort::REGLAN || instance.op.signature().variables.is_empty())
        .filter(|instance| instance.parameters.len() <= MAXIMUM_PARAMETERS)
        .collect();
    let mut sort_table = SortTable::default();
    for instance in &admitted {
        if instance.parameters.is_empty() {
            sort_table.constants.push(instance.op);
            continue;
        }
        let Some(application) = application(instance, fragment) else { continue };
        let overloads = admitted.iter().filter(|each| each.op.name() == instance.op.name()).count();
        let position = sort_table.applications.len() as u16;
        if application.parameters == [STRING] && application.restriction == Restriction::Free {
            sort_table.from_string.get_or_insert(usize::from(position));
        }
        sort_table.applications.push(application);
        let weight = weight(instance.op, overloads, parameters);
        sort_table.wheel.extend(std::iter::repeat_n(position, weight));
    }
    sort_table
}

/// `true` and `false`, which every solver has.
fn is_truth_value(instance: &Instance) -> bool {
    instance.parameters.is_empty() && instance.result == Sort::BOOL
}

/// An operator's share of the wheel. Its overloads divide it, so that `=` at three sorts is one choice like `not`.
fn weight(op: Op, overloads: usize, parameters: &Parameters) -> usize {
    // Divisible by the numbers of overloads that occur.
    const UNIT: usize = 12;
    let of_strings = op.signature().theory.as_str() == "Strings";
    UNIT * if of_strings { parameters.string_weight as usize } else { 1 } / overloads.max(1)
}

/// `None` if a parameter has a sort that the generator cannot make terms of.
fn application(instance: &Instance, fragment: &Fragment) -> Option<Application> {
    let signature = instance.op.signature();
    let parameters = instance.parameters.iter().map(|&sort| index_of(sort)).collect::<Option<Vec<usize>>>()?;
    let restriction = match instance.op.name() {
        _ if !signature.literal_arguments.is_empty() => Restriction::Characters,
        "*" if signature.linear && fragment.linear => Restriction::Product,
        _ if signature.linear && fragment.linear => Restriction::Quotient,
        _ => Restriction::Free,
    };
    // The bounds of a loop are in order.
    let indices: Vec<Vec<u32>> = instance.indices.iter().filter(|each| each.is_sorted()).cloned().collect();
    let minimum = instance.minimum.max(instance.parameters.len());
    let variadic = instance.maximum.is_none() && fragment.may_chain(instance.op);
    Some(Application { op: instance.op, parameters, minimum, variadic, restriction, indices })
}
