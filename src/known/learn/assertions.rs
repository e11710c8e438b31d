//! Learning from a core as a whole: which of its assertions are slow together, and what of them matters. For solvers of
//! today it mostly is a combination, `(> (str.to_int a) 0)` with `(str.contains a "a")`, either of which is quick alone.

use super::study::Study;
use super::{IsSlow, Lesson, has_operator_of};
use crate::known::asserted::conjuncts;
use crate::known::sample::Sampler;
use crate::oracle::OracleError;
use crate::random::FuzzRng;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};

/// A core with more assertions is not reduced, and is not asked about.
const MOST: usize = 6;

/// Learns the assertions of `core` that are slow together, with places for whatever does not matter in them. The core as it stands
/// is no pattern: a reduction that must not end there ends beside it, and one defect becomes two.
///
/// # Errors
/// Those of `is_slow`.
pub(super) fn learn(
    core: &Script,
    name: Symbol,
    (fragment, others): (&Fragment, Option<&[&Script]>),
    rng: &mut FuzzRng,
    is_slow: IsSlow<'_>,
    lesson: &mut Lesson,
) -> Result<(), OracleError> {
    let parts = conjuncts(core);
    if !(2..=MOST).contains(&parts.len()) || !is_plain(core) {
        return Ok(());
    }
    // Two assertions at least are needed for what no application explains alone.
    let is_similar = |script: &&Script| parts.iter().filter(|&&part| has_operator_of(script, core, part)).count() > 1;
    if others.is_some_and(|others| !others.iter().any(is_similar)) {
        return Ok(());
    }
    let Some((joined, root)) = joined(core, &parts) else { return Ok(()) };
    let sampler = Sampler::new(fragment);
    let mut study = Study { core: joined, root, sampler, rng: &mut *rng, is_slow: &mut *is_slow };
    let needed = study.needed_parts()?;
    // A part that is a variable could only be a place, and so would occur everywhere.
    let is_variable = |&position: &usize| core.terms.arguments(parts[position]).is_empty();
    if needed.len() < 2 || needed.iter().any(is_variable) {
        return Ok(());
    }
    let pattern = study.generalised_parts(&needed, name)?;
    if others.is_none_or(|others| others.iter().any(|script| pattern.occurs(script))) {
        lesson.takes(&pattern, fragment, rng, is_slow)?;
    }
    Ok(())
}

/// Whether a script asks one question, and nothing but operators, variables and literals occurs in what it asserts.
fn is_plain(script: &Script) -> bool {
    let asks_more =
        |command: &Command| matches!(command, Command::CheckSatAssuming(_) | Command::Push(_) | Command::Pop(_));
    if script.commands.iter().any(asks_more) {
        return false;
    }
    let mut heads = script.terms.subterms(script.assertions()).map(|term| script.terms.head(term));
    heads.all(|head| matches!(head, Head::Operator(_) | Head::Constant(_) | Head::Literal(_)))
}

/// The script with one assertion, the conjunction of these terms, where the last one stood, and that.
fn joined(script: &Script, parts: &[TermId]) -> Option<(Script, TermId)> {
    let mut script = script.clone();
    let (and, sort) = table().resolve("and", &[], &vec![Sort::BOOL; parts.len()]).ok()?;
    let root = script.terms.apply(and, parts, sort);
    let last = script.commands.iter().rposition(|command| matches!(command, Command::Assert(_)))?;
    script.commands[last] = Command::Assert(root);
    let mut position = 0..;
    script.commands.retain(|command| position.next() == Some(last) || !matches!(command, Command::Assert(_)));
    Some((script, root))
}
