//! The Boolean layer: predicates are connected until one formula is left, or a few.

use super::build::{Build, operator};
use super::parameters::Structure;
use crate::random::{below, chance, pick};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

/// The literals of a clause.
const CLAUSE: usize = 3;

/// Connects the predicates of a formula, and leaves at most `assertions` of them.
pub(super) fn connect(build: &mut Build<'_>) {
    let left = build.parameters.max_assertions.max(1) as usize;
    match build.parameters.structure {
        Structure::Random => until(build, left),
        Structure::And => all(build, "and"),
        Structure::Or => all(build, "or"),
        Structure::Cnf => clauses(build, left),
    }
}

/// Connects the predicates at random until one is left.
pub(super) fn until_one(build: &mut Build<'_>) {
    until(build, 1);
}

/// Random roots give way to their connection, until few are left.
fn until(build: &mut Build<'_>, left: usize) {
    const CONNECTIVES: [&str; 5] = ["and", "or", "xor", "=>", "="];
    while build.predicates.len() > left {
        let roots = build.predicates.len();
        let term = match below(build.rng, 7) {
            0 => {
                let root = take(build);
                build.named("not", &[root])
            }
            1 if roots >= 3 => {
                let (condition, one, other) = (take(build), take(build), take(build));
                build.named("ite", &[condition, one, other])
            }
            _ => {
                let name = pick(build.rng, &CONNECTIVES).copied().unwrap_or("and");
                let (one, other) = (take(build), take(build));
                build.named(name, &[one, other])
            }
        };
        build.predicates.extend(term);
    }
}

/// Takes a random root out.
fn take(build: &mut Build<'_>) -> TermId {
    let at = below(build.rng, build.predicates.len());
    build.predicates.swap_remove(at)
}

fn all(build: &mut Build<'_>, connective: &str) {
    let predicates = std::mem::take(&mut build.predicates);
    let formula = joined(build, connective, &predicates);
    build.predicates.extend(formula);
}

/// One term of many; a single one stays as it is.
pub(super) fn joined(build: &mut Build<'_>, connective: &str, terms: &[TermId]) -> Option<TermId> {
    match *terms {
        [] => None,
        [only] => Some(only),
        _ => Some(build.terms.apply(operator(connective), terms, Sort::BOOL)),
    }
}

/// Clauses of predicates, each negated or not.
fn clauses(build: &mut Build<'_>, left: usize) {
    let predicates = std::mem::take(&mut build.predicates);
    let count = ((build.parameters.clauses * predicates.len() as f64).ceil() as usize).max(1);
    let mut clauses = Vec::with_capacity(count);
    for number in 0..count {
        let mut literals = Vec::with_capacity(CLAUSE);
        for place in 0..CLAUSE {
            // The first literals of all clauses go through all predicates.
            let predicate = match place {
                0 => Some(predicates[number % predicates.len()]),
                _ => pick(build.rng, &predicates).copied(),
            };
            let negated = chance(build.rng, 0.5);
            literals.extend(predicate.and_then(|each| if negated { build.named("not", &[each]) } else { Some(each) }));
        }
        clauses.extend(joined(build, "or", &literals));
    }
    let size = clauses.len().div_ceil(left);
    let groups: Vec<Vec<TermId>> = clauses.chunks(size).map(<[TermId]>::to_vec).collect();
    for group in groups {
        let formula = joined(build, "and", &group);
        build.predicates.extend(formula);
    }
}
