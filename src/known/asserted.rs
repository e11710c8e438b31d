//! Patterns of assertions: predicates that a script asserts, each for itself and in any order, with the same terms at the same
//! places.

use super::pattern::{Bindings, Numbers, Pattern};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::term::{Head, TermId, Terms};

/// What a script asserts or assumes, the parts of conjunctions one by one, each once.
pub(super) fn conjuncts(script: &Script) -> Vec<TermId> {
    let mut found = Vec::new();
    let asks = |command: &&Command| matches!(command, Command::Assert(_) | Command::CheckSatAssuming(_));
    let mut stack: Vec<TermId> = script.commands.iter().filter(asks).flat_map(Command::terms).collect();
    stack.reverse();
    while let Some(term) = stack.pop() {
        let parts = parts(&script.terms, term);
        if let [only] = parts[..] {
            if !found.contains(&only) {
                found.push(only);
            }
        } else {
            stack.extend(parts.iter().rev());
        }
    }
    found
}

/// The parts of a conjunction; of another term, that alone.
pub(super) fn parts(terms: &Terms, term: TermId) -> Vec<TermId> {
    let is_conjunction = matches!(terms.head(term), Head::Operator(op) if op.name() == "and");
    if is_conjunction && terms.arguments(term).len() > 1 { terms.arguments(term).to_vec() } else { vec![term] }
}

/// The assertions of a script that are the pattern's first part where the script asserts the others, too.
pub(super) fn occurrences(pattern: &Pattern, script: &Script, numbers: Numbers) -> Vec<TermId> {
    let (parts, conjuncts) = (parts(&pattern.terms, pattern.root), conjuncts(script));
    let search = Search { pattern, script, numbers, conjuncts: &conjuncts };
    let is_first = |&term: &TermId| search.completes(&parts, &mut vec![], Some(term), &Bindings::default());
    conjuncts.iter().copied().filter(is_first).collect()
}

/// What parts are looked for in.
struct Search<'a> {
    pattern: &'a Pattern,
    script: &'a Script,
    numbers: Numbers,
    conjuncts: &'a [TermId],
}

impl Search<'_> {
    /// Whether the script asserts all these parts, the first of them as `term` if that is given, none twice.
    fn completes(&self, parts: &[TermId], taken: &mut Vec<TermId>, term: Option<TermId>, found: &Bindings) -> bool {
        let Some((&part, rest)) = parts.split_first() else { return true };
        let candidates = term.map_or(self.conjuncts, |_| term.as_slice());
        candidates.iter().any(|&candidate| {
            let mut found = found.clone();
            if taken.contains(&candidate)
                || !self.pattern.binds(part, &self.script.terms, candidate, self.numbers, &mut found)
            {
                return false;
            }
            taken.push(candidate);
            let completes = self.completes(rest, taken, None, &found);
            taken.pop();
            completes
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::read;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::smtlib::printer::{PrintOptions, print};

    const BOTH: &str = "(define-fun both ((s String) (n Int)) Bool \
        (! (and (> (str.to_int s) n) (str.contains s \"a\")) :assertions))";

    fn script(assertions: &str) -> Script {
        let text = format!("(declare-const a String)(declare-const b String){assertions}(check-sat)");
        parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script")
    }

    fn pattern(text: &str) -> Pattern {
        read(text, "test").expect("a pattern").remove(0)
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
