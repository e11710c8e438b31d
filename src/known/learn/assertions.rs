//! Learning from a core as a whole: which of its assertions are slow together, and what of them matters. For solvers of
//! today it mostly is a combination, `(> (str.to_int a) 0)` with `(str.contains a "a")`, either of which is quick alone.

use super::study::Study;
use super::{IsSlow, Lesson, has_operator_of};
use crate::known::asserted::conjuncts;
use crate::known::pattern::{Pattern, Place};
use crate::known::sample::Sampler;
use crate::oracle::OracleError;
use crate::random::FuzzRng;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

/// A core with more assertions is not reduced, and is not asked about.
const MOST: usize = 6;

/// Learns the assertions of `core` that are slow together: with places for whatever does not matter in them, or, where that
/// is too general, for their variables alone.
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
    let explains = |pattern: &Pattern| others.is_none_or(|others| others.iter().any(|script| pattern.occurs(script)));
    let mut parts = conjuncts(core);
    if parts.is_empty() || parts.len() > MOST || !is_plain(core) {
        return Ok(());
    }
    // A part that is a variable could only be a place, and so would occur everywhere.
    let is_variable = |&part: &TermId| core.terms.arguments(part).is_empty();
    // Two assertions at least are needed for what no application explains alone.
    let is_similar = |script: &&Script| parts.iter().filter(|&&part| has_operator_of(script, core, part)).count() > 1;
    if parts.len() > 1 && others.is_some_and(|others| !others.iter().any(is_similar)) {
        return Ok(());
    }
    if parts.len() > 1 {
        let Some((joined, root)) = joined(core, &parts) else { return Ok(()) };
        let all = joined.terms.arguments(root).to_vec();
        let mut study = Study {
            core: joined.clone(),
            root,
            sampler: Sampler::new(fragment),
            rng: &mut *rng,
            is_slow: &mut *is_slow,
        };
        let needed = study.needed_parts()?;
        if needed.iter().any(|&position| is_variable(&all[position])) {
            return Ok(());
        }
        if needed.len() > 1 {
            let pattern = study.generalised_parts(&needed, name)?;
            if !explains(&pattern) {
                return Ok(());
            }
            if lesson.takes(&pattern, fragment, rng, is_slow)? {
                return Ok(());
            }
        }
        parts.retain({
            let mut position = 0..all.len();
            move |_| position.next().is_some_and(|position| needed.contains(&position))
        });
    }
    if let Some(pattern) = exact(core, &parts, name).filter(explains) {
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
    let mut used = vec![false; script.terms.len()];
    script.terms.mark_used(script.assertions(), &mut used);
    let used = (0..).zip(used).filter_map(|(index, used)| used.then_some(TermId(index)));
    used.map(|term| script.terms.head(term))
        .all(|head| matches!(head, Head::Operator(_) | Head::Constant(_) | Head::Literal(_)))
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

/// These assertions of a core with places for their variables; `None` if there are none with arguments.
fn exact(core: &Script, parts: &[TermId], name: Symbol) -> Option<Pattern> {
    let mut terms = Terms::new();
    let mut places: Vec<(Symbol, Place)> = Vec::new();
    let mut import = |terms: &mut Terms, part: TermId| {
        terms.rebuild(&core.terms, part, &mut |terms, term| {
            let Head::Constant(variable) = core.terms.head(term) else { return None };
            if !places.iter().any(|(each, _)| *each == variable) {
                places.push((variable, Place::NotLiteral));
            }
            Some(terms.bound(variable, core.terms.sort(term)))
        })
    };
    let is_application = |&&part: &&TermId| !core.terms.arguments(part).is_empty();
    let parts: Vec<TermId> = parts.iter().filter(is_application).map(|&part| import(&mut terms, part)).collect();
    let root = match parts[..] {
        [] => return None,
        [only] => only,
        _ => {
            let (and, sort) = table().resolve("and", &[], &vec![Sort::BOOL; parts.len()]).ok()?;
            terms.apply(and, &parts, sort)
        }
    };
    Some(Pattern { name, places, terms, root, wider: false, asserted: true })
}
