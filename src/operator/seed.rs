//! Seeds: a user's script as campaigns want it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::declarations::{declaration_point, fresh_name, renamed_words, tidy, words_of};
use crate::smtlib::annotation::name_in;
use crate::smtlib::script::{Command, Definition, Script};
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// Why a script cannot be a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    /// Nothing is asserted before the first `check-sat`.
    #[error("nothing is asserted before the first check-sat")]
    NoAssertion,
}

/// The script as one question: the logic, sorts, declarations and definitions, what is asserted when the first check
/// runs (`check-sat-assuming`'s assumptions too), and a single `check-sat` at the end. Options, infos, `get-model` and
/// other requests go, and so do annotations; bound variables get names that no declared symbol has, so that terms may
/// move into their scopes.
///
/// # Errors
/// [`SeedError`] if nothing is asserted.
pub fn normalise_seed(seed: &Script) -> Result<Script, SeedError> {
    let mut script = Script { commands: first_question(&seed.commands), terms: seed.terms.clone() };
    if script.assertions().next().is_none() {
        return Err(SeedError::NoAssertion);
    }
    remove_annotations(&mut script);
    separate_bound_names(&mut script);
    tidy(&mut script);
    Ok(script.compacted())
}

/// The commands that decide the first check, declarations before assertions.
fn first_question(commands: &[Command]) -> Vec<Command> {
    let mut question: Vec<Command> = Vec::new();
    // The length of `question` at every `push`, to go back to at its `pop`.
    let mut levels: Vec<usize> = Vec::new();
    for command in commands {
        match command {
            Command::SetLogic(_) | Command::Declare(_) | Command::Define(_) | Command::DefineRecursive(_) => {
                question.push(command.clone());
            }
            Command::Assert(_) => question.push(command.clone()),
            Command::Other(text) if declares(*text) => question.push(command.clone()),
            Command::Other(text) if ends_question(*text) => break,
            Command::Other(_) | Command::GetValue(_) => {}
            Command::Push(count) => levels.extend((0..*count).map(|_| question.len())),
            Command::Pop(count) => {
                for _ in 0..*count {
                    question.truncate(levels.pop().unwrap_or(question.len()));
                }
            }
            Command::CheckSat => break,
            Command::CheckSatAssuming(assumptions) => {
                question.extend(assumptions.iter().map(|&term| Command::Assert(term)));
                break;
            }
        }
    }
    // A stable sort keeps the order within each kind.
    question.sort_by_key(|command| matches!(command, Command::Assert(_)));
    question.push(Command::CheckSat);
    question
}

/// Whether a command that is kept as text declares or defines something.
pub(super) fn declares(command: Symbol) -> bool {
    let text = command.as_str().trim_start_matches(|c: char| c == '(' || c.is_whitespace());
    ["declare-", "define-", "synth-"].iter().any(|prefix| text.starts_with(prefix))
}

/// Whether a command that is kept as text is a question (Z3's `check-sat-using`), or forgets what was said.
fn ends_question(command: Symbol) -> bool {
    let text = command.as_str();
    ["(check-sat", "(reset"].iter().any(|beginning| text.starts_with(beginning))
}

/// Applies `change` to every term that a command holds.
pub(super) fn change_terms(script: &mut Script, mut change: impl FnMut(&mut Terms, TermId) -> TermId) {
    let Script { commands, terms } = script;
    for command in commands {
        match command {
            Command::Assert(term) => *term = change(terms, *term),
            Command::Define(definition) => definition.body = change(terms, definition.body),
            Command::DefineRecursive(list) => {
                for definition in list {
                    definition.body = change(terms, definition.body);
                }
            }
            Command::CheckSatAssuming(list) | Command::GetValue(list) => {
                for term in list {
                    *term = change(terms, *term);
                }
            }
            _ => {}
        }
    }
}

/// `(! t :named n)` becomes `t`, and so does `n`, wherever it is used afterwards.
pub(super) fn remove_annotations(script: &mut Script) {
    let has_annotation =
        (0..script.terms.len() as u32).any(|index| matches!(script.terms.head(TermId(index)), Head::Annotation(_)));
    if has_annotation {
        let mut named: FxHashMap<Symbol, TermId> = FxHashMap::default();
        change_terms(script, |terms, root| {
            rewrite(terms, root, |terms, parts| match (parts.head, parts.arguments) {
                (Head::Annotation(text), &[inner]) => {
                    named.extend(name_in(text.as_str()).map(|name| (name, inner)));
                    inner
                }
                (Head::Constant(name), []) if named.contains_key(&name) => named[&name],
                _ => terms.intern(parts),
            })
        });
    }
}

/// Gives bound variables that share their name with a declared or defined symbol another name, everywhere.
pub(super) fn separate_bound_names(script: &mut Script) {
    let names = clashing_names(script);
    if names.is_empty() {
        return;
    }
    let mut fresh: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    let mut taken = FxHashSet::default();
    for name in names {
        let new = fresh_name(script, |candidate| taken.contains(&candidate));
        taken.insert(new);
        fresh.insert(name, new);
    }
    let rename = |name: Symbol| fresh.get(&name).copied().unwrap_or(name);
    change_terms(script, |terms, root| {
        rewrite(terms, root, |terms, parts| {
            let renamed = |name: Symbol| match parts.head {
                Head::Match => renamed_words(name, &fresh),
                _ => rename(name),
            };
            let binders: Vec<_> = parts.binders.iter().map(|&(name, sort)| (renamed(name), sort)).collect();
            let head = match parts.head {
                Head::Bound(name) => Head::Bound(rename(name)),
                head => head,
            };
            terms.intern(Parts { head, binders: &binders, ..parts })
        })
    });
    let rename_parameters = |definition: &mut Definition| {
        definition.parameters.iter_mut().for_each(|(name, _)| *name = rename(*name));
    };
    for command in &mut script.commands {
        match command {
            Command::Define(definition) => rename_parameters(definition),
            Command::DefineRecursive(list) => list.iter_mut().for_each(rename_parameters),
            _ => {}
        }
    }
}

/// The names of bound variables that a declared or defined symbol has too, sorted.
fn clashing_names(script: &Script) -> Vec<Symbol> {
    let mut bound: FxHashSet<Symbol> = FxHashSet::default();
    for index in 0..script.terms.len() as u32 {
        let parts = script.terms.parts(TermId(index));
        match parts.head {
            Head::Match => {
                // A constructor in a pattern is no declared symbol.
                bound.extend(parts.binders.iter().flat_map(|(pattern, _)| words_of(*pattern)).map(|(_, name)| name));
            }
            _ => bound.extend(parts.binders.iter().map(|(name, _)| *name)),
        }
    }
    let mut own: Vec<Symbol> = Vec::new();
    let mut define = |definition: &Definition| {
        own.push(definition.name);
        bound.extend(definition.parameters.iter().map(|(name, _)| *name));
    };
    for command in &script.commands {
        match command {
            Command::Define(definition) => define(definition),
            Command::DefineRecursive(list) => list.iter().for_each(&mut define),
            _ => {}
        }
    }
    own.extend(script.declarations().map(|each| each.name));
    own.retain(|name| bound.contains(name));
    own.sort_unstable();
    own.dedup();
    own
}

/// `root` with `build` applied to every subterm from the leaves up; its parts have rewritten arguments.
fn rewrite(terms: &mut Terms, root: TermId, mut build: impl FnMut(&mut Terms, Parts<'_>) -> TermId) -> TermId {
    let mut used = vec![false; root.0 as usize + 1];
    terms.mark_used(std::iter::once(root), &mut used);
    let mut results: Vec<TermId> = (0..=root.0).map(TermId).collect();
    for index in (0..used.len()).filter(|&index| used[index]) {
        let parts = terms.parts(TermId(index as u32));
        let arguments: Vec<TermId> = parts.arguments.iter().map(|argument| results[argument.0 as usize]).collect();
        let (words, binders) = (parts.words.to_vec(), parts.binders.to_vec());
        let Parts { head, sort, .. } = parts;
        results[index] = build(terms, Parts { head, sort, arguments: &arguments, words: &words, binders: &binders });
    }
    results[root.0 as usize]
}

/// Inserts commands where declarations go.
pub(super) fn insert_declarations(script: &mut Script, commands: impl IntoIterator<Item = Command>) {
    let at = declaration_point(script);
    script.commands.splice(at..at, commands);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::smtlib::printer::{PrintOptions, print};

    fn normalised(text: &str) -> Result<String, SeedError> {
        let options = ParseOptions { dialect: Some(Dialect::SmtLib26) };
        let script = normalise_seed(&parse(text, "test", &options).expect("a well-sorted script"))?;
        Ok(print(&script, Dialect::SmtLib26, &PrintOptions::default()).expect("the dialect spells it"))
    }

    #[test]
    fn the_first_question_is_kept() {
        let text = "(set-logic QF_S)(set-info :status sat)(declare-const a Int)(declare-const b Int)(push 1)\
                    (assert (= b 1))(pop 1)(assert (! (= a 1) :named first))(check-sat-assuming ((= a 2)))\
                    (get-model)(assert (= a 3))(check-sat)(exit)";
        let expected = "(set-logic QF_S)\n(declare-fun a () Int)\n(assert (= a 1))\n(assert (= a 2))\n(check-sat)\n";
        assert_eq!(normalised(text).as_deref(), Ok(expected));
    }

    #[test]
    fn bound_variables_get_names_of_their_own() {
        let text = "(declare-const x Int)(assert (let ((x (+ x 1))) (= x 2)))(check-sat)";
        let expected = "(declare-fun x () Int)\n(assert (let ((var0 (+ x 1))) (= var0 2)))\n(check-sat)\n";
        assert_eq!(normalised(text).as_deref(), Ok(expected));
    }

    #[test]
    fn a_named_term_stands_for_its_name() {
        let text = "(declare-const x Int)(assert (< 0 (! (+ x 1) :named n) n))(assert (= n 3))(check-sat)";
        let expected = "(declare-fun x () Int)\n(assert (< 0 (+ x 1) (+ x 1)))\n(assert (= (+ x 1) 3))\n(check-sat)\n";
        assert_eq!(normalised(text).as_deref(), Ok(expected));
    }

    #[test]
    fn a_tactic_s_question_and_a_reset_end_the_question() {
        let text = "(declare-const x Int)(assert (= x 1))(check-sat-using smt)(reset)(declare-const x Bool)(assert x)(check-sat)";
        let expected = "(declare-fun x () Int)\n(assert (= x 1))\n(check-sat)\n";
        assert_eq!(normalised(text).as_deref(), Ok(expected));
    }

    #[test]
    fn variables_of_patterns_get_names_of_their_own() {
        let text = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))(declare-const l L)\
                    (declare-const x Int)(assert (= x (match l (((cons x t) (+ x 1)) (l x)))))(check-sat)";
        let text = normalised(text).expect("a seed");
        assert!(text.contains("(match l (((cons var1 t) (+ var1 1)) (var0 x)))"), "{text}");
        assert!(normalised(&text).is_ok());
    }

    #[test]
    fn a_seed_asserts_something() {
        assert_eq!(normalised("(declare-const x Int)(check-sat)(assert (= x 1))"), Err(SeedError::NoAssertion));
    }
}
