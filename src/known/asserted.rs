//! Patterns of assertions: predicates that a script asserts, each for itself and in any order, with the same terms at the same
//! places.

use std::cell::Cell;

use rustc_hash::FxHashSet;

use super::pattern::{Bindings, Numbers, Pattern};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::term::{Head, TermId, Terms};

/// How many terms are tried for the parts of a pattern in one script, where those for one part do not decide; a pattern that
/// has not been found by then does not occur.
const MOST_TRIES: u32 = 100_000;

/// What a script asserts or assumes, without its names and other annotations, the parts of conjunctions one by one, each once.
pub(super) fn conjuncts(script: &Script) -> Vec<TermId> {
    let asks = |command: &&Command| matches!(command, Command::Assert(_) | Command::CheckSatAssuming(_));
    let roots = script.commands.iter().filter(asks).flat_map(Command::terms);
    flattened(&script.terms, roots.collect())
}

/// The parts of a conjunction, those of conjunctions among them too, each once; of another term, that alone.
pub(super) fn parts(terms: &Terms, term: TermId) -> Vec<TermId> {
    flattened(terms, vec![term])
}

fn flattened(terms: &Terms, mut roots: Vec<TermId>) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    roots.reverse();
    while let Some(term) = roots.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.head(term) {
            Head::Operator(op) if op.name() == "and" => roots.extend(terms.arguments(term).iter().rev()),
            Head::Annotation(_) => roots.extend(terms.arguments(term)),
            _ => found.push(term),
        }
    }
    found
}

/// The assertions of a script that are the pattern's first part where the script asserts the others, too.
pub(super) fn occurrences<'s>(
    pattern: &'s Pattern,
    script: &'s Script,
    numbers: Numbers,
) -> impl Iterator<Item = TermId> + 's {
    let conjuncts = conjuncts(script);
    let fits = |part: TermId| -> Vec<TermId> {
        let is_fit = |&term: &TermId| pattern.binds(part, &script.terms, term, numbers, &mut Bindings::default());
        conjuncts.iter().copied().filter(is_fit).collect()
    };
    let parts = parts(&pattern.terms, pattern.root);
    let mut parts: Vec<Part> = parts.into_iter().map(|part| Part { part, candidates: fits(part) }).collect();
    if let [_, others @ ..] = &mut parts[..] {
        // What few terms fit decides soonest.
        others.sort_by_key(|other| other.candidates.len());
    }
    let is_possible = parts.iter().all(|part| !part.candidates.is_empty());
    let first = parts.first().filter(|_| is_possible).map(|first| first.candidates.clone());
    let search = Search { pattern, script, numbers, parts, left: Cell::new(MOST_TRIES) };
    first.into_iter().flatten().filter(move |&term| search.is_first(term))
}

/// A part of a pattern, and the assertions that fit it alone.
struct Part {
    part: TermId,
    candidates: Vec<TermId>,
}

/// What the parts are looked for in.
struct Search<'s> {
    pattern: &'s Pattern,
    script: &'s Script,
    numbers: Numbers,
    parts: Vec<Part>,
    /// How many terms may still be tried.
    left: Cell<u32>,
}

impl Search<'_> {
    /// Whether `term` is the first part where the script asserts the others.
    fn is_first(&self, term: TermId) -> bool {
        let Some((first, others)) = self.parts.split_first() else { return false };
        let mut found = Bindings::default();
        self.pattern.binds(first.part, &self.script.terms, term, self.numbers, &mut found)
            && self.completes(others, &mut vec![term], &found)
    }

    /// Whether the script asserts all these parts with what has been found for others, none of what is taken twice.
    fn completes(&self, parts: &[Part], taken: &mut Vec<TermId>, found: &Bindings) -> bool {
        let Some((Part { part, candidates }, rest)) = parts.split_first() else { return true };
        candidates.iter().any(|&candidate| {
            let Some(left) = self.left.get().checked_sub(1) else { return false };
            self.left.set(left);
            if taken.contains(&candidate) {
                return false;
            }
            let mut found = found.clone();
            if !self.pattern.binds(*part, &self.script.terms, candidate, self.numbers, &mut found) {
                return false;
            }
            taken.push(candidate);
            let completes = self.completes(rest, taken, &found);
            taken.pop();
            completes
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::read;
    use crate::known::text::read_one as pattern;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::smtlib::printer::{PrintOptions, print};

    const BOTH: &str = "(define-fun both ((s String) (n Int)) Bool \
        (! (and (> (str.to_int s) n) (str.contains s \"a\")) :assertions))";

    fn script(assertions: &str) -> Script {
        let text = format!("(declare-const a String)(declare-const b String){assertions}(check-sat)");
        parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script")
    }

    #[test]
    fn it_occurs_where_all_parts_are_asserted_of_the_same_terms() {
        let occurs = |assertions: &str| pattern(BOTH).occurs(&script(assertions));
        assert!(occurs("(assert (str.contains a \"a\"))(assert (> (str.to_int a) 5))"), "in any order");
        assert!(occurs("(assert (and (str.contains a \"a\") (and (= a b) (> (str.to_int a) 5))))"), "in conjunctions");
        assert!(!occurs("(assert (str.contains b \"a\"))(assert (> (str.to_int a) 5))"), "of another variable");
        assert!(!occurs("(assert (str.contains a \"a\"))(assert (not (> (str.to_int a) 5)))"), "not asserted");
        assert!(!occurs("(assert (> (str.to_int a) 5))"), "one of them");
        // The first `>` fits, but not with what else there is: the second does.
        assert!(occurs("(assert (> (str.to_int b) 5))(assert (> (str.to_int a) 5))(assert (str.contains a \"a\"))"));
        let twice =
            pattern("(define-fun f ((s String) (t String)) Bool (! (and (str.< s t) (str.< t s)) :assertions))");
        assert!(!twice.occurs(&script("(assert (str.< a a))")), "each part is an assertion of its own");
    }

    #[test]
    fn a_large_script_is_searched_in_bounded_time() {
        let many = (0..2_000).fold(String::new(), |before, n| {
            before + &format!("(assert (> (str.to_int a) {n}))(assert (= {n} (str.len b)))")
        });
        assert!(!pattern(BOTH).occurs(&script(&many)), "one part is nowhere");
        let four = pattern(
            "(define-fun f ((n Int) (m Int) (k Int) (s String) (t String)) Bool (! (and (> (str.to_int s) n) \
             (> (str.to_int s) m) (> (str.to_int s) k) (= n (str.len s))) :assertions))",
        );
        assert!(!four.occurs(&script(&many)), "8 thousand million ways to choose three");
        let nested =
            (0..5_000).fold("(str.contains a \"a\")".to_owned(), |inner, n| format!("(and (= b \"{n}\") {inner})"));
        assert!(pattern(BOTH).occurs(&script(&format!("(assert (> (str.to_int a) 5))(assert {nested})"))));
    }

    #[test]
    fn without_it_its_first_part_is_a_fresh_variable() {
        let with = script(
            "(assert (str.contains a \"a\"))(assert (or (> (str.to_int a) 5) (= a b)))(assert (> (str.to_int a) 5))",
        );
        let without = pattern(BOTH).neutralised(&with, Numbers::Same).expect("it occurs");
        assert!(!pattern(BOTH).occurs(&without.script));
        let text = print(&without.script, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints");
        insta::assert_snapshot!(text, @r#"
        (declare-fun a () String)
        (declare-fun b () String)
        (declare-fun var0 () Bool)
        (assert (str.contains a "a"))
        (assert (or var0 (= a b)))
        (assert var0)
        (check-sat)
        "#);
        let other = script("(assert (str.contains a \"x\"))(assert (> (str.to_int a) 5))");
        assert!(!pattern(BOTH).occurs(&other) && pattern(BOTH).is_resembled_in(&other));
    }

    #[test]
    fn it_is_printed_as_it_is_read_and_is_of_predicates() {
        assert_eq!(pattern(BOTH).to_string(), BOTH);
        let error = |text: &str| read(text, "my.smt2").expect_err("no pattern").to_string();
        let place = error("(define-fun f ((p Bool) (s String)) Bool (! (and p (str.< s s)) :assertions))");
        assert_eq!(
            place,
            "my.smt2: the pattern f is of assertions (:assertions): expected a predicate with arguments, or `and` of such"
        );
        assert!(error("(define-fun f ((s String)) String (! (str.++ s s) :assertions))").contains("predicate"));
    }
}
