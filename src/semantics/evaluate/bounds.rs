//! What must hold of a quantifier's variables for its body to have the value that decides it.

use crate::smtlib::term::{Head, TermId, Terms};

/// How the left term stands to the right one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Less,
    LessOrEqual,
    Equal,
}

/// A comparison that must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Comparison {
    pub(super) left: TermId,
    pub(super) relation: Relation,
    pub(super) right: TermId,
}

/// Comparisons without which `body` does not have the value `wanted`: the guards of `(=> (and (<= 0 x) (< x 9)) p)`,
/// if it is to be false.
pub(super) fn necessary(terms: &Terms, body: TermId, wanted: bool) -> Vec<Comparison> {
    let mut found = Vec::new();
    let mut stack = vec![(body, wanted)];
    while let Some((term, wanted)) = stack.pop() {
        let arguments = terms.arguments(term);
        let op = match terms.head(term) {
            Head::Operator(op) => op.name(),
            Head::Annotation(_) => "!",
            _ => continue,
        };
        match (op, wanted) {
            ("!", _) => stack.extend(arguments.iter().map(|&inner| (inner, wanted))),
            ("not", _) => stack.extend(arguments.iter().map(|&inner| (inner, !wanted))),
            ("and", true) | ("or", false) => stack.extend(arguments.iter().map(|&part| (part, wanted))),
            ("=>", false) => {
                let Some((&last, antecedents)) = arguments.split_last() else { continue };
                stack.push((last, false));
                stack.extend(antecedents.iter().map(|&antecedent| (antecedent, true)));
            }
            _ => comparisons(op, arguments, wanted, &mut found),
        }
    }
    found
}

fn comparisons(op: &str, arguments: &[TermId], holds: bool, found: &mut Vec<Comparison>) {
    use Relation::{Equal, Less, LessOrEqual};
    let (relation, swapped) = match (op, holds) {
        ("<", true) => (Less, false),
        ("<=", true) => (LessOrEqual, false),
        (">", true) => (Less, true),
        (">=", true) => (LessOrEqual, true),
        ("=", true) => (Equal, false),
        // Of more than two arguments, only some pair fails.
        _ if arguments.len() != 2 => return,
        ("<", false) => (LessOrEqual, true),
        ("<=", false) => (Less, true),
        (">", false) => (LessOrEqual, false),
        (">=", false) => (Less, false),
        ("distinct", false) => (Equal, false),
        _ => return,
    };
    for pair in arguments.windows(2) {
        let (left, right) = if swapped { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
        found.push(Comparison { left, relation, right });
    }
}
