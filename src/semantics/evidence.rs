//! Evidence: the atoms that decide a term's value. Of a false conjunction a false conjunct, of a true one all; and so on
//! down through the connectives, bindings and annotations.

use rustc_hash::FxHashSet;

use super::evaluate::{Evaluator, Outcome};
use super::value::Value;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};

/// An atom with its value and those of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The atom: a term of the script.
    pub term: TermId,
    /// Its value, or why it has none.
    pub outcome: Outcome,
    /// Its arguments, and their values.
    pub arguments: Vec<(TermId, Outcome)>,
}

/// What a `let` binds a name to, and at which depths the free variables of that term were bound.
struct Binding {
    name: Symbol,
    value: TermId,
    depths: Vec<(Symbol, Option<u32>)>,
}

enum Task {
    Look(TermId),
    /// Leave the `let` that was entered last, which binds so many names.
    Leave(usize),
}

/// The atoms that decide the value of a term of the script, in the order in which they stand in it; the first `most`.
pub fn evidence(evaluator: &mut Evaluator<'_>, term: TermId, most: usize) -> Vec<Evidence> {
    let mut found = Vec::new();
    let mut bindings: Vec<Binding> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack = vec![Task::Look(term)];
    while let Some(task) = stack.pop() {
        let term = match task {
            Task::Look(term) => term,
            Task::Leave(names) => {
                evaluator.close_let();
                bindings.truncate(bindings.len() - names);
                continue;
            }
        };
        // Open scopes are left in any case.
        if found.len() >= most {
            continue;
        }
        let terms = evaluator.script_terms();
        if terms.is_closed(term) && !seen.insert(term) {
            continue;
        }
        match terms.head(term) {
            Head::Let => {
                let parts = terms.parts(term);
                let depths = |value: TermId| terms.free(value).map(|(name, _)| (name, evaluator.depth(name))).collect();
                let bound = parts.binders.iter().zip(parts.arguments);
                bindings.extend(bound.map(|(&(name, _), &value)| Binding { name, value, depths: depths(value) }));
                evaluator.open_let(term);
                stack.push(Task::Leave(parts.binders.len()));
                stack.extend(parts.arguments.last().map(|&body| Task::Look(body)));
                continue;
            }
            Head::Bound(name) if terms.sort(term) == Sort::BOOL => {
                let binding = bindings.iter().rev().find(|binding| binding.name == name);
                // Its term means here what it meant there, unless one of its variables is bound anew.
                let same = |binding: &&Binding| binding.depths.iter().all(|&(it, at)| evaluator.depth(it) == at);
                if let Some(binding) = binding.filter(same) {
                    stack.push(Task::Look(binding.value));
                    continue;
                }
            }
            _ => {}
        }
        let outcome = evaluator.value_here(term);
        if let Some(parts) = deciding(evaluator, term, &outcome) {
            stack.extend(parts.into_iter().rev().map(Task::Look));
            continue;
        }
        let shown: &[TermId] = match terms.head(term) {
            Head::Operator(_) | Head::Function(_) | Head::Verbatim(_) => terms.arguments(term),
            _ => &[],
        };
        let arguments = shown.iter().map(|&argument| (argument, evaluator.value_here(argument))).collect();
        found.push(Evidence { term, outcome, arguments });
    }
    found
}

/// The parts that decide a term; none of an atom.
fn deciding(evaluator: &mut Evaluator<'_>, term: TermId, outcome: &Outcome) -> Option<Vec<TermId>> {
    let terms = evaluator.script_terms();
    let arguments = terms.arguments(term);
    let op = match terms.head(term) {
        Head::Annotation(_) => return Some(arguments.to_vec()),
        Head::Operator(op) => op.name(),
        _ => return None,
    };
    let value = outcome.as_ref().ok().map(|value| value.is_bool(true));
    let mut with = |wanted: Option<bool>, among: &[TermId]| -> Vec<TermId> {
        let is_wanted = |&part: &TermId| match (evaluator.value_here(part), wanted) {
            (Ok(Value::Bool(value)), Some(wanted)) => value == wanted,
            (Err(_), None) => true,
            _ => false,
        };
        among.iter().copied().filter(is_wanted).collect()
    };
    Some(match (op, value) {
        ("not", _) | ("and", Some(true)) | ("or" | "=>", Some(false)) => arguments.to_vec(),
        ("and", Some(false)) => with(Some(false), arguments).into_iter().take(1).collect(),
        ("or", Some(true)) => with(Some(true), arguments).into_iter().take(1).collect(),
        ("=>", Some(true)) => {
            let (&last, antecedents) = arguments.split_last()?;
            let refuted = with(Some(false), antecedents);
            vec![refuted.first().copied().unwrap_or(last)]
        }
        ("and" | "or" | "=>", None) => with(None, arguments),
        ("ite", _) if terms.sort(term) == Sort::BOOL => {
            let condition = *arguments.first()?;
            match evaluator.value_here(condition) {
                Ok(condition_value) => {
                    let branch = arguments.get(if condition_value.is_bool(true) { 1 } else { 2 })?;
                    vec![condition, *branch]
                }
                Err(_) => arguments.to_vec(),
            }
        }
        ("=" | "distinct" | "xor", _) if arguments.iter().all(|&each| terms.sort(each) == Sort::BOOL) => {
            arguments.to_vec()
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::interpretation::Interpretation;
    use super::*;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::smtlib::printer::print_term;

    /// The evidence for the only assertion where x is 7 and y is 2, as text.
    fn shown(assertion: &str) -> Vec<String> {
        let text = format!("(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)(assert {assertion})");
        let script = parse(&text, "test", &ParseOptions::default()).unwrap();
        let mut interpretation = Interpretation::new();
        interpretation.set(Symbol::new("x"), Value::int(7));
        interpretation.set(Symbol::new("y"), Value::int(2));
        let mut evaluator = Evaluator::new(&script, &interpretation);
        let root = script.assertions().next().unwrap();
        let show = |each: Evidence| {
            let value = each.outcome.map_or("open".to_owned(), |value| value.to_string());
            format!("{} {value}", print_term(&script.terms, each.term, Dialect::SmtLib26).unwrap())
        };
        evidence(&mut evaluator, root, 10).into_iter().map(show).collect()
    }

    #[test]
    fn a_false_conjunct_refutes_and_all_true_ones_prove() {
        assert_eq!(shown("(and (< y x) (< x y) (= x z))"), ["(< x y) false"]);
        assert_eq!(shown("(and (< y x) (not (< x y)))"), ["(< y x) true", "(< x y) false"]);
        assert_eq!(shown("(or (< x y) (= y 2) (= x 7))"), ["(= y 2) true"]);
        assert_eq!(shown("(=> (< y x) (= x 8))"), ["(< y x) true", "(= x 8) false"]);
        assert_eq!(shown("(and (< y x) (= x z))"), ["(= x z) open"]);
        assert_eq!(shown("(ite (< y x) (= x 1) (= x z))"), ["(< y x) true", "(= x 1) false"]);
    }

    #[test]
    fn evidence_goes_through_lets_and_annotations() {
        assert_eq!(shown("(let ((p (< x y)) (q true)) (! (and q p) :named n))"), ["(< x y) false"]);
        assert_eq!(shown("(let ((a (+ x 1))) (let ((p (< a y))) (or p (= a 9))))"), ["(< a y) false", "(= a 9) false"]);
        // The binding's own name is bound anew, so that its term means something else inside.
        assert_eq!(shown("(let ((a true)) (let ((a (and a (< x y)))) a))"), ["a false"]);
    }
}
