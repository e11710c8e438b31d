//! OpFuzz: an operator gives way to another one over the same arguments (type-aware operator mutation, section 3.2).

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Settings;
use crate::random::{FuzzRng, chance, pick};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::signature::{Op, Signature, SortPattern, table};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// What may stand in an operator's place: an operator with its indices, or the other quantifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Alternative {
    /// What stands at the head.
    pub(super) head: Head,
    /// Its numeral indices.
    pub(super) indices: Vec<u32>,
    /// How near it is.
    pub(super) nearness: Nearness,
}

/// How near an alternative is to the operator whose place it takes; the nearest come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    /// The table has both in one group: `str.<` and `str.<=`.
    Group,
    /// Their signatures are written alike, as in OpFuzz's classes: `=` and `distinct`.
    Signature,
    /// It takes these arguments: `=` and `str.prefixof` on strings.
    Arguments,
}

/// What decides what may stand in an operator's place: itself, its indices, its arguments' sorts and its own.
type Key = (Head, Vec<u32>, Vec<Sort>, Sort);

/// How often one of the near alternatives is drawn where there are others.
const NEAR: f64 = 0.5;

/// One of the alternatives: half of the time one of those that OpFuzz's classes have, else any.
pub(super) fn drawn<'a>(alternatives: &'a [Alternative], rng: &mut FuzzRng) -> Option<&'a Alternative> {
    let near = alternatives.partition_point(|each| each.nearness <= Nearness::Signature);
    let among = if near > 0 && chance(rng, NEAR) { &alternatives[..near] } else { alternatives };
    pick(rng, among)
}

/// The alternatives of applications, found when they are first asked for.
#[derive(Clone, Debug)]
pub(super) struct Alternatives<'a> {
    /// Which operators are made, and which the user lets stand for one another.
    settings: &'a Settings,
    known: FxHashMap<Key, Rc<[Alternative]>>,
}

impl<'a> Alternatives<'a> {
    /// The alternatives that signatures give, or, where there are `classes`, those of the user.
    pub(super) fn new(settings: &'a Settings) -> Self {
        Alternatives { settings, known: FxHashMap::default() }
    }

    /// What takes the arguments of `term` to the same sort, and is in the fragment.
    pub(super) fn of(&mut self, terms: &Terms, term: TermId, fragment: &Fragment) -> Rc<[Alternative]> {
        let parts = terms.parts(term);
        if !has_alternatives(&parts) {
            return Rc::new([]);
        }
        let sorts: Vec<Sort> = parts.arguments.iter().map(|&argument| terms.sort(argument)).collect();
        let key = (parts.head, parts.words.to_vec(), sorts, parts.sort);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let mut found = match parts.head {
            Head::Forall => vec![quantifier(Head::Exists)],
            Head::Exists => vec![quantifier(Head::Forall)],
            Head::Operator(op) => by_signature(op, parts.words, &key.2, parts.sort, fragment),
            _ => Vec::new(),
        };
        if let Some(only) = &self.settings.operators {
            found.retain(|each| matches!(each.head, Head::Operator(op) if only.contains(op)));
        }
        if let Some(classes) = &self.settings.classes {
            found.retain(|each| classes.allows(parts.head, each.head, parts.arguments.len()));
        }
        found.sort_by_key(|each| each.nearness);
        let found: Rc<[Alternative]> = found.into();
        self.known.insert(key, found.clone());
        found
    }
}

/// Whether an operator that stands here may be exchanged at all: operators without arguments are values.
fn has_alternatives(parts: &Parts<'_>) -> bool {
    match parts.head {
        Head::Operator(op) => !parts.arguments.is_empty() && op.signature().literal_arguments.is_empty(),
        Head::Forall | Head::Exists => true,
        _ => false,
    }
}

/// Whether a pattern may stand for a sort, as far as a glance tells: most operators are ruled out by one.
fn may_be(pattern: &SortPattern, sort: Sort) -> bool {
    pattern.ground().is_none_or(|ground| ground == sort)
}

/// The other quantifier.
fn quantifier(head: Head) -> Alternative {
    Alternative { head, indices: Vec::new(), nearness: Nearness::Group }
}

fn nearness(own: &Signature, other: &Signature) -> Nearness {
    let is_written_alike = own.parameters == other.parameters
        && own.result == other.result
        && own.indices.len() == other.indices.len()
        && own.associativity.is_some() == other.associativity.is_some();
    match own.group.is_some() && own.group == other.group {
        true => Nearness::Group,
        false if is_written_alike => Nearness::Signature,
        false => Nearness::Arguments,
    }
}

/// The other operators that take arguments of these sorts to a `result`. One that has as many indices takes these; one
/// that has others is tried with all that fit.
fn by_signature(own: Op, indices: &[u32], sorts: &[Sort], result: Sort, fragment: &Fragment) -> Vec<Alternative> {
    let mut found = Vec::new();
    let mut instances = None;
    for op in fragment.operators.iter().filter(|&op| op != own) {
        let signature = op.signature();
        let cannot_fit = !may_be(&signature.result, result)
            || !signature.parameters.iter().zip(sorts).all(|(pattern, &sort)| may_be(pattern, sort));
        if cannot_fit || !signature.literal_arguments.is_empty() || sorts.len() < signature.minimum_arguments {
            continue;
        }
        let (head, nearness) = (Head::Operator(op), nearness(own.signature(), signature));
        if signature.indices.len() == indices.len() || signature.indices.is_empty() {
            let indices = if signature.indices.is_empty() { &[] } else { indices };
            // One argument is read by some solvers where two are meant.
            let is_whole = signature.associativity.is_none() || sorts.len() > 1;
            if is_whole && signature.apply(indices, sorts) == Some(result) {
                found.push(Alternative { head, indices: indices.to_vec(), nearness });
            }
        } else if signature.parameters.len() == sorts.len() {
            let instances = instances.get_or_insert_with(|| table().instances(result, sorts));
            let fitting = instances.iter().filter(|each| each.op == op && each.parameters == sorts);
            let each = fitting.flat_map(|instance| instance.indices.clone());
            found.extend(each.map(|indices| Alternative { head, indices, nearness }));
        }
    }
    found
}
