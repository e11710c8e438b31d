//! The normal form in which a reduction and STORM begin: no `let`, no definitions, no annotations, no conjunction on top.
//!
//! All of it together costs one look at the property, and opens what it hides to every later step.

use rustc_hash::FxHashMap;

use super::declarations;
use super::seed::remove_annotations;
use crate::smtlib::script::{Command, Definition, Script};
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// A part of the normal form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// `let` and `!` are expanded.
    Lets,
    /// Functions that are defined without recursion are expanded.
    Definitions,
    /// An asserted conjunction becomes assertions.
    Conjunctions,
    /// What says something about the file and not to the solver is dropped: `set-info`, `exit`, `get-info`.
    Remarks,
}

/// All of it.
pub const OPENINGS: [Opening; 4] = [Opening::Lets, Opening::Definitions, Opening::Conjunctions, Opening::Remarks];

/// An expansion may not make the script larger than this many times its size, and this many symbols: what is shared in a
/// `let` can be exponentially large without it.
const MOST_GROWTH: u64 = 8;
const SOME_TOKENS: u64 = 1000;
/// Deeper `let`s in `let`s than this stay: each level keeps the names of all that are around it.
const MOST_NESTING: usize = 100;

/// `script` with these openings; `None` if an expansion would be too large.
pub fn opened(script: &Script, openings: &[Opening]) -> Option<Script> {
    let mut script = script.clone();
    let largest = script.tokens().saturating_mul(MOST_GROWTH).saturating_add(SOME_TOKENS);
    let most = usize::try_from(largest).unwrap_or(usize::MAX);
    for opening in openings {
        match opening {
            Opening::Lets => {
                remove_annotations(&mut script);
                expand_lets(&mut script, most)?;
            }
            Opening::Definitions => expand_definitions(&mut script, most)?,
            Opening::Conjunctions => split_conjunctions(&mut script, most)?,
            Opening::Remarks => drop_remarks(&mut script),
        }
        // Solvers read trees: what is shared here is written out each time.
        if script.tokens() > largest {
            return None;
        }
    }
    declarations::drop_unused(&mut script);
    Some(script.compacted())
}

/// Changes the terms of a script's commands, one after the other.
fn each_term(script: &mut Script, mut change: impl FnMut(&mut Terms, TermId) -> Option<TermId>) -> Option<()> {
    let Script { commands, terms } = script;
    for term in commands.iter_mut().flat_map(Command::terms_mut) {
        *term = change(terms, *term)?;
    }
    Some(())
}

fn expand_lets(script: &mut Script, most: usize) -> Option<()> {
    each_term(script, |terms, root| expanded(terms, root, &FxHashMap::default(), (most, MOST_NESTING)))
}

/// `term` with the variables of `scope` replaced and every `let` in it expanded; `None` if that makes too many terms, or
/// a quantifier would capture a variable.
fn expanded(
    terms: &mut Terms,
    term: TermId,
    scope: &FxHashMap<Symbol, TermId>,
    (most, nesting): (usize, usize),
) -> Option<TermId> {
    let nesting = nesting.checked_sub(1)?;
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    // An explicit stack: a `let` in a body in a body may nest deeper than the thread's stack. Scopes differ only from
    // one `let` body to the next, so a body is a call of its own.
    let mut stack = vec![(term, false)];
    while let Some((next, ready)) = stack.pop() {
        if terms.len() > most {
            return None;
        }
        if done.contains_key(&next) {
            continue;
        }
        let parts = terms.parts(next);
        if let Head::Bound(name) = parts.head {
            done.insert(next, scope.get(&name).copied().unwrap_or(next));
            continue;
        }
        let arguments = parts.arguments.to_vec();
        let inside = match parts.head {
            // The body has a scope of its own.
            Head::Let => &arguments[..arguments.len().saturating_sub(1)],
            _ => &arguments[..],
        };
        if !ready {
            stack.push((next, true));
            stack.extend(inside.iter().map(|&argument| (argument, false)));
            continue;
        }
        let result = match parts.head {
            Head::Let => {
                let mut scope = scope.clone();
                for ((name, _), value) in parts.binders.iter().zip(inside) {
                    scope.insert(*name, done[value]);
                }
                expanded(terms, *arguments.last()?, &scope, (most, nesting))?
            }
            Head::Annotation(_) => done[arguments.first()?],
            Head::Forall | Head::Exists | Head::Binder(_) | Head::Match => {
                // Capture: a value that stands for a name must not hold a variable of the same name as a binder's.
                let free = |value: &TermId| !terms.is_closed(*value);
                if scope.values().any(free) || parts.binders.iter().any(|(name, _)| scope.contains_key(name)) {
                    return None;
                }
                let changed: Vec<TermId> = arguments.iter().map(|argument| done[argument]).collect();
                terms.with_arguments(next, &changed)
            }
            _ => {
                let changed: Vec<TermId> = arguments.iter().map(|argument| done[argument]).collect();
                if changed == arguments { next } else { terms.with_arguments(next, &changed) }
            }
        };
        done.insert(next, result);
    }
    done.get(&term).copied()
}

fn expand_definitions(script: &mut Script, most: usize) -> Option<()> {
    // A function that is given as an argument keeps its definition.
    let alone = declarations::standing_alone(script);
    let is_value = |definition: &Definition| !definition.parameters.is_empty() && alone.contains(&definition.name);
    let definitions: Vec<Definition> = script
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Define(definition) if !is_value(definition) => Some(definition.clone()),
            _ => None,
        })
        .collect();
    // Later definitions may use earlier ones: the last are expanded first.
    for definition in definitions.iter().rev() {
        each_term(script, |terms, root| inlined(terms, root, definition, most))?;
    }
    script.commands.retain(|command| !matches!(command, Command::Define(definition) if !is_value(definition)));
    Some(())
}

/// `root` with every call of a defined function replaced by its body.
fn inlined(terms: &mut Terms, root: TermId, definition: &Definition, most: usize) -> Option<TermId> {
    let mut used = vec![false; root.0 as usize + 1];
    terms.mark_used(std::iter::once(root), &mut used);
    let mut results: Vec<TermId> = (0..=root.0).map(TermId).collect();
    for index in 0..used.len() {
        if !used[index] {
            continue;
        }
        if terms.len() > most {
            return None;
        }
        let term = TermId(index as u32);
        let Parts { head, arguments, .. } = terms.parts(term);
        let arguments: Vec<TermId> = arguments.iter().map(|argument| results[argument.0 as usize]).collect();
        results[index] = match head {
            Head::Constant(name) | Head::Function(name) if name == definition.name => {
                let names = definition.parameters.iter().map(|(name, _)| *name);
                let scope = names.zip(arguments).collect();
                expanded(terms, definition.body, &scope, (most, MOST_NESTING))?
            }
            _ if arguments == terms.arguments(term) => term,
            _ => terms.with_arguments(term, &arguments),
        };
    }
    results.last().copied()
}

fn split_conjunctions(script: &mut Script, most: usize) -> Option<()> {
    let mut commands = Vec::with_capacity(script.commands.len());
    for command in std::mem::take(&mut script.commands) {
        let Command::Assert(root) = command else {
            commands.push(command);
            continue;
        };
        let mut stack = vec![root];
        while let Some(term) = stack.pop() {
            if commands.len() + stack.len() > most {
                return None;
            }
            match script.terms.head(term) {
                Head::Operator(op) if op.name() == "and" => stack.extend(script.terms.arguments(term).iter().rev()),
                _ => commands.push(Command::Assert(term)),
            }
        }
    }
    script.commands = commands;
    Some(())
}

fn drop_remarks(script: &mut Script) {
    let is_remark = |text: &str| ["(set-info", "(exit", "(get-info", "(echo"].iter().any(|it| text.starts_with(it));
    script.commands.retain(|command| !matches!(command, Command::Other(text) if is_remark(text.as_str())));
}
