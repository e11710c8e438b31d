//! Complexity (Eq. 2 of the paper): every node of an assertion weighs the number of applications around it.
//!
//! With the root at weight 1 like its arguments, an assertion costs 1 + F(root, 1), where a leaf has F = 0 and an
//! application at level j has F(t, j) = j × (its arguments) + the sum of F(argument, j + 1). F is linear in j, so two
//! coefficients per term, F(t, j) = a·j + b, give the cost of the expanded tree in one pass over the shared DAG.

use rustc_hash::FxHashMap;

use crate::smtlib::script::Script;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

/// The sum in Eq. 2 over all assertions, saturating at `u64::MAX`. A `let` counts as its expansion, an annotation
/// (`!`) as the term that it annotates, a quantifier as an application of one argument.
pub fn complexity(script: &Script) -> u64 {
    let mut costs = Costs::new(&script.terms);
    script.assertions().map(|root| costs.of_assertion(root)).fold(0, u64::saturating_add)
}

/// F(t, j) = `slope` · j + `offset`.
#[derive(Clone, Copy, Default, Debug)]
struct Linear {
    slope: u64,
    offset: u64,
}

impl Linear {
    /// An application's F from those of its arguments: j·n + Σ (aᵢ·(j + 1) + bᵢ).
    fn application(arguments: impl ExactSizeIterator<Item = Linear>) -> Linear {
        let own = Linear { slope: arguments.len() as u64, offset: 0 };
        arguments.fold(own, |sum, argument| Linear {
            slope: sum.slope.saturating_add(argument.slope),
            offset: sum.offset.saturating_add(argument.slope).saturating_add(argument.offset),
        })
    }
}

/// What is known of a term, and the depth of the innermost scope that it depends on (0: none).
#[derive(Clone, Copy, Default, Debug)]
struct Known {
    cost: Linear,
    depth: usize,
}

/// One step of the traversal, which keeps its own stack: seeds nest deeper than a thread's stack.
enum Step {
    /// Find the cost of this term.
    Visit(TermId),
    /// The arguments are known: add up an application.
    Combine(TermId),
    /// The values of a `let` are known: open its scope.
    Open(TermId),
    /// The body of a binder is known: close its scope.
    Close(TermId),
}

/// One open binder.
struct Scope {
    bindings: FxHashMap<Symbol, Linear>,
    /// Terms whose cost depends on this scope, to be forgotten with it.
    dependants: Vec<TermId>,
    /// What was known of terms outside, if this scope shadows a name and so gives open terms another meaning.
    shadowed: Option<FxHashMap<TermId, Known>>,
}

/// Costs of the terms of one arena.
struct Costs<'a> {
    terms: &'a Terms,
    known: FxHashMap<TermId, Known>,
    scopes: Vec<Scope>,
}

impl<'a> Costs<'a> {
    fn new(terms: &'a Terms) -> Self {
        Costs { terms, known: FxHashMap::default(), scopes: Vec::new() }
    }

    fn of_assertion(&mut self, root: TermId) -> u64 {
        let mut steps = vec![Step::Visit(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(term) if self.known.contains_key(&term) => {}
                Step::Visit(term) => self.visit(term, &mut steps),
                Step::Combine(term) => self.combine(term),
                Step::Open(term) => {
                    let (body, bindings) = self.let_parts(term);
                    self.open(bindings);
                    steps.extend([Step::Close(term), Step::Visit(body)]);
                }
                Step::Close(term) => self.close(term),
            }
        }
        let Linear { slope, offset } = self.cost(root);
        1_u64.saturating_add(slope).saturating_add(offset)
    }

    fn visit(&mut self, term: TermId, steps: &mut Vec<Step>) {
        let parts = self.terms.parts(term);
        match parts.head {
            Head::Bound(name) => {
                let found =
                    self.scopes.iter().enumerate().rev().find_map(|(index, scope)| {
                        scope.bindings.get(&name).map(|&cost| Known { cost, depth: index + 1 })
                    });
                self.learn(term, found.unwrap_or(Known { cost: Linear::default(), depth: self.scopes.len() }));
            }
            Head::Let => {
                let values = parts.arguments.split_last().map_or(&[][..], |(_, values)| values);
                steps.push(Step::Open(term));
                steps.extend(values.iter().map(|&value| Step::Visit(value)));
            }
            Head::Forall | Head::Exists | Head::Binder(_) | Head::Match => {
                let names = parts.binders.iter().flat_map(|(name, _)| bound_names(parts.head, *name));
                self.open(names.map(|name| (name, Linear::default())).collect());
                steps.push(Step::Close(term));
                steps.extend(parts.arguments.iter().map(|&argument| Step::Visit(argument)));
            }
            _ if parts.arguments.is_empty() => self.learn(term, Known::default()),
            _ => {
                steps.push(Step::Combine(term));
                steps.extend(parts.arguments.iter().map(|&argument| Step::Visit(argument)));
            }
        }
    }

    fn let_parts(&self, term: TermId) -> (TermId, FxHashMap<Symbol, Linear>) {
        let parts = self.terms.parts(term);
        let (&body, values) = parts.arguments.split_last().unwrap_or((&term, &[]));
        let names = parts.binders.iter().map(|(name, _)| *name);
        (body, names.zip(values).map(|(name, &value)| (name, self.cost(value))).collect())
    }

    fn combine(&mut self, term: TermId) {
        let arguments = self.terms.arguments(term);
        let cost = match self.terms.head(term) {
            Head::Annotation(_) => self.cost(arguments[0]),
            _ => Linear::application(arguments.iter().map(|&argument| self.cost(argument))),
        };
        let depth = arguments.iter().map(|argument| self.known.get(argument).map_or(0, |known| known.depth)).max();
        self.learn(term, Known { cost, depth: depth.unwrap_or(0) });
    }

    fn open(&mut self, bindings: FxHashMap<Symbol, Linear>) {
        let shadows = self.scopes.iter().any(|scope| scope.bindings.keys().any(|name| bindings.contains_key(name)));
        let shadowed = shadows.then(|| std::mem::take(&mut self.known));
        self.scopes.push(Scope { bindings, dependants: Vec::new(), shadowed });
    }

    fn close(&mut self, term: TermId) {
        let arguments = self.terms.arguments(term);
        let cost = match (self.terms.head(term), arguments.last()) {
            (Head::Let, Some(&body)) => self.cost(body),
            _ => Linear::application(arguments.iter().map(|&argument| self.cost(argument))),
        };
        if let Some(scope) = self.scopes.pop() {
            for dependant in scope.dependants {
                self.known.remove(&dependant);
            }
            if let Some(outside) = scope.shadowed {
                self.known = outside;
            }
        }
        let depth = if self.terms.is_closed(term) { 0 } else { self.scopes.len() };
        self.learn(term, Known { cost, depth });
    }

    fn learn(&mut self, term: TermId, known: Known) {
        if let Some(scope) = known.depth.checked_sub(1).and_then(|index| self.scopes.get_mut(index)) {
            scope.dependants.push(term);
        }
        self.known.insert(term, known);
    }

    fn cost(&self, term: TermId) -> Linear {
        self.known.get(&term).map_or_else(Linear::default, |known| known.cost)
    }
}

/// The variables that a binder's entry introduces: itself, or the words of a `match` pattern.
fn bound_names(head: Head, entry: Symbol) -> Vec<Symbol> {
    match head {
        Head::Match => entry.as_str().split(['(', ')', ' ']).filter(|word| !word.is_empty()).map(Symbol::new).collect(),
        _ => vec![entry],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::script::Command;
    use crate::smtlib::sort::Sort;
    use crate::smtlib::term::Parts;

    fn apply(terms: &mut Terms, name: &str, arguments: &[TermId]) -> TermId {
        let head = Head::Function(Symbol::new(name));
        terms.intern(Parts { head, sort: Sort::INT, arguments, words: &[], binders: &[] })
    }

    fn bind(terms: &mut Terms, head: Head, name: &str, arguments: &[TermId]) -> TermId {
        let binders = [(Symbol::new(name), Sort::INT)];
        terms.intern(Parts { head, sort: Sort::INT, arguments, words: &[], binders: &binders })
    }

    fn variable(terms: &mut Terms, name: &str) -> TermId {
        terms.constant(Symbol::new(name), Sort::INT)
    }

    fn of(terms: &Terms, roots: &[TermId]) -> u64 {
        let commands = roots.iter().map(|&root| Command::Assert(root)).collect();
        complexity(&Script { commands, terms: terms.clone() })
    }

    /// The two assertions of the paper's Fig. 1(c).
    fn figure_1_c(terms: &mut Terms) -> [TermId; 2] {
        let [text, var0, var2, var3] = ["text", "var0", "var2", "var3"].map(|name| variable(terms, name));
        let nine = terms.numeral(9);
        let to_int = apply(terms, "str.to.int", &[text]);
        let less = apply(terms, "<", &[to_int, nine]);
        let index = apply(terms, "str.indexof", &[text, var2, var3]);
        let to_int = apply(terms, "str.to.int", &[var0]);
        [less, apply(terms, ">", &[index, to_int])]
    }

    #[test]
    fn the_papers_worked_examples_cost_what_the_paper_says() {
        let mut terms = Terms::new();
        let [first, second] = figure_1_c(&mut terms);
        assert_eq!(of(&terms, &[first]), 5);
        assert_eq!(of(&terms, &[second]), 11);
        assert_eq!(of(&terms, &[first, second]), 16);
    }

    #[test]
    fn a_bare_leaf_costs_one_and_no_assertion_nothing() {
        let mut terms = Terms::new();
        let leaf = variable(&mut terms, "p");
        assert_eq!(of(&terms, &[leaf]), 1);
        assert_eq!(of(&terms, &[]), 0);
    }

    #[test]
    fn a_let_costs_what_its_expansion_costs() {
        let mut terms = Terms::new();
        let (free, bound) = (variable(&mut terms, "v"), terms.bound(Symbol::new("x"), Sort::INT));
        let value = apply(&mut terms, "f", &[free]);
        let expanded = apply(&mut terms, "g", &[value, value]);
        let body = apply(&mut terms, "g", &[bound, bound]);
        let with_let = bind(&mut terms, Head::Let, "x", &[value, body]);
        assert_eq!(of(&terms, &[with_let]), of(&terms, &[expanded]));
    }

    #[test]
    fn an_inner_let_shadows_only_inside() {
        let mut terms = Terms::new();
        let (free, bound) = (variable(&mut terms, "v"), terms.bound(Symbol::new("x"), Sort::INT));
        let (small, large) = (apply(&mut terms, "f", &[free]), apply(&mut terms, "g", &[free, free, free]));
        // (let ((x (f v))) (h x (let ((x (g v v v))) (f x)) x)) = (h (f v) (f (g v v v)) (f v))
        let inner_body = apply(&mut terms, "f", &[bound]);
        let inner = bind(&mut terms, Head::Let, "x", &[large, inner_body]);
        let body = apply(&mut terms, "h", &[bound, inner, inner_body]);
        let outer = bind(&mut terms, Head::Let, "x", &[small, body]);
        let (f_large, f_small) = (apply(&mut terms, "f", &[large]), apply(&mut terms, "f", &[small]));
        let expanded = apply(&mut terms, "h", &[small, f_large, f_small]);
        assert_eq!(of(&terms, &[outer]), of(&terms, &[expanded]));
    }

    #[test]
    fn a_quantified_variable_is_a_leaf_even_under_a_let_of_its_name() {
        let mut terms = Terms::new();
        let (free, bound) = (variable(&mut terms, "v"), terms.bound(Symbol::new("x"), Sort::INT));
        let body = apply(&mut terms, "f", &[bound]);
        let quantified = bind(&mut terms, Head::Forall, "x", &[body]);
        // A quantifier is an application of one argument: 1 + 1·1 + 2·1.
        assert_eq!(of(&terms, &[quantified]), 4);
        let value = apply(&mut terms, "g", &[free, free]);
        let conjunction = apply(&mut terms, "and", &[body, quantified]);
        let under = bind(&mut terms, Head::Let, "x", &[value, conjunction]);
        // 1 for the root, 1·2 for its arguments, 2·2 and 3·1 below: (f (g v v)) costs 2 + 3·2, the forall 2 + 3.
        assert_eq!(of(&terms, &[under]), 1 + 2 + (2 + 6) + (2 + 3));
    }

    #[test]
    fn an_exponential_expansion_saturates_in_linear_time() {
        let mut terms = Terms::new();
        let mut term = variable(&mut terms, "v");
        for _ in 0..200 {
            term = apply(&mut terms, "f", &[term, term]);
        }
        assert_eq!(of(&terms, &[term, term]), u64::MAX);
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let mut terms = Terms::new();
        let mut term = variable(&mut terms, "v");
        for _ in 0..200_000_u64 {
            term = apply(&mut terms, "f", &[term]);
        }
        assert_eq!(of(&terms, &[term]), 1 + 200_000 * 200_001 / 2);
    }
}
