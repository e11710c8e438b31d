//! What several solvers read together, by their profiles.

use super::installed::Solver;
use super::profile::Profile;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::operator_set::{OperatorSet, UnknownName};

/// The logic of scripts about strings.
pub const LOGIC: &str = "QF_S";

/// The names of the operators that one of two solvers rejects.
pub fn rejected(target: &Solver, reference: &Solver) -> Vec<String> {
    let solvers = [&target.profile, &reference.profile];
    in_the_table(solvers.into_iter().flat_map(|profile| profile.rejects.values().flatten().map(String::as_str)))
}

/// Names of rejected operators, once each. What the table does not have is never bred; profiles also name such, for
/// people.
fn in_the_table<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut known: Vec<String> =
        names.filter(|name| OperatorSet::from_names([*name]).is_ok()).map(str::to_owned).collect();
    known.sort_unstable();
    known.dedup();
    known
}

/// What two solvers accept together of a logic.
///
/// # Errors
/// None but by a fault of ours: names that are no operators are left out.
pub fn shared_fragment(target: &Solver, reference: &Solver, logic: &str) -> Result<Fragment, UnknownName> {
    let rejected = rejected(target, reference);
    let dialects = [target.profile.dialect, reference.profile.dialect];
    Fragment::for_pair(rejected.iter().map(String::as_str), &dialects, logic)
}

/// What all these solvers read, in any logic; on some of it they may give up or be wrong, which is what hunts are for.
///
/// # Errors
/// As [`shared_fragment`].
pub fn readable_fragment(solvers: &[&Profile]) -> Result<Fragment, UnknownName> {
    let unread = in_the_table(solvers.iter().flat_map(|profile| profile.unread()));
    let dialects: Vec<Dialect> = solvers.iter().map(|profile| profile.dialect).collect();
    Fragment::for_pair(unread.iter().map(String::as_str), &dialects, "ALL")
}
