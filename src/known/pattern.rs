//! A pattern: an application that makes a solver slow, with places for what does not matter in it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::asserted;
use super::wider::{is_extension, is_wider};
use crate::operator::declarations::{declare, taken_names, untaken_name};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

/// What may stand at a place of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Any term of the sort.
    Any,
    /// A term with a variable in it: a solver that evaluates what it knows is quick on a literal, and on what is made of
    /// literals.
    NotLiteral,
    /// A term without a variable.
    Literal,
}

impl Place {
    /// Whether `term` may stand here.
    pub(super) fn takes(self, terms: &Terms, term: TermId) -> bool {
        match self {
            Place::Any => true,
            Place::NotLiteral => has_variable(terms, term),
            Place::Literal => !has_variable(terms, term),
        }
    }
}

/// What may stand for the numbers of a pattern: its literals, the indices of its operators, and those of its sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// They themselves: the pattern *occurs*.
    Same,
    /// Any others, too: a literal of the sort at another width stands for a literal. The pattern is *resembled*.
    Any,
}

/// An application with places. Where the same place stands twice, the same term stands twice.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it is called.
    pub name: Symbol,
    /// The places by name; in `terms` they are bound variables, which have their sorts.
    pub(super) places: Vec<(Symbol, Place)>,
    /// The arena of `root`, which has no other terms.
    pub(super) terms: Terms,
    /// The application.
    pub(super) root: TermId,
    /// Whether it occurs at larger widths of bit-vectors, too.
    pub(super) wider: bool,
    /// Whether it is of assertions: a script has to assert it, or, of a conjunction, each part for itself.
    pub(super) asserted: bool,
}

/// What stands at the places of a pattern.
pub(super) type Bindings = FxHashMap<TermId, TermId>;

/// A script in which a pattern does not occur any more.
#[derive(Clone, Debug)]
pub struct Neutralised {
    /// The script, with fresh variables where the pattern occurred, the same one for equal terms.
    pub script: Script,
    /// How many different terms were replaced.
    pub replaced: usize,
}

impl Pattern {
    /// Whether `term` is an instance of `part` of the pattern, with these terms at its places, and those that this adds; what
    /// it adds is of no use if it is none.
    pub(super) fn binds(
        &self,
        part: TermId,
        terms: &Terms,
        term: TermId,
        numbers: Numbers,
        found: &mut Bindings,
    ) -> bool {
        let is_free = numbers == Numbers::Any;
        // A pattern is as deep as a reduced core, a few applications; its depth bounds the loop, not the script's.
        let mut stack = vec![(part, term)];
        while let Some((ours, theirs)) = stack.pop() {
            let (wanted, given) = (self.terms.parts(ours), terms.parts(theirs));
            let is_of_sort = wanted.sort == given.sort
                || self.wider && is_wider(wanted.sort, given.sort)
                || is_free && wanted.sort.without_indices() == given.sort.without_indices();
            if !is_of_sort {
                return false;
            }
            if let Some(place) = self.place(wanted.head) {
                let earlier = *found.entry(ours).or_insert(theirs);
                if earlier != theirs || !place.takes(terms, theirs) {
                    return false;
                }
                continue;
            }
            // `#b0001` stands for `#x1`.
            let is_literal = |head: Head| matches!(head, Head::Literal(_));
            let is_headed = wanted.head == given.head || is_free && is_literal(wanted.head) && is_literal(given.head);
            let is_like = is_headed
                && (wanted.words == given.words || is_free || self.wider && is_extension(wanted.head))
                && wanted.binders == given.binders
                && wanted.arguments.len() == given.arguments.len();
            if !is_like {
                return false;
            }
            stack.extend(wanted.arguments.iter().copied().zip(given.arguments.iter().copied()));
        }
        true
    }

    /// Whether it occurs in what the script asserts or assumes, outside what quantifiers and `let` bind.
    pub fn occurs(&self, script: &Script) -> bool {
        self.occurrences(script, Numbers::Same).next().is_some()
    }

    /// Whether it would occur in a script if its literals, widths and other indices were others.
    pub fn is_resembled_in(&self, script: &Script) -> bool {
        self.occurrences(script, Numbers::Any).next().is_some()
    }

    /// The script with a fresh variable of its sort for each term that the pattern fits, up to its numbers if those are
    /// free; `None` if it fits none.
    pub fn neutralised(&self, script: &Script, numbers: Numbers) -> Option<Neutralised> {
        let found: Vec<TermId> = self.occurrences(script, numbers).collect();
        if found.is_empty() {
            return None;
        }
        let mut script = script.clone();
        let mut taken: FxHashSet<Symbol> = taken_names(&script);
        let mut variables: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &term in &found {
            let (name, sort) = (untaken_name(|name| taken.contains(&name)), script.terms.sort(term));
            taken.insert(name);
            declare(&mut script, name, sort);
            variables.insert(term, script.terms.constant(name, sort));
        }
        let Script { commands, terms } = &mut script;
        for root in commands.iter_mut().filter(|each| asks(each)).flat_map(Command::terms_mut) {
            *root = terms.substitute(*root, |_, term| variables.get(&term).copied());
        }
        Some(Neutralised { replaced: found.len(), script: script.compacted() })
    }

    /// The terms of a script that are instances, of a pattern of assertions those of its first part.
    fn occurrences<'s>(&'s self, script: &'s Script, numbers: Numbers) -> impl Iterator<Item = TermId> + 's {
        let asserted = self.asserted.then(|| asserted::occurrences(self, script, numbers));
        let anywhere = (!self.asserted).then(|| self.instances(script, numbers));
        asserted.into_iter().flatten().chain(anywhere.into_iter().flatten())
    }

    /// The terms of a script that are instances of the application, in the order of their ids.
    fn instances<'s>(&'s self, script: &'s Script, numbers: Numbers) -> impl Iterator<Item = TermId> + 's {
        let terms = &script.terms;
        let roots = script.commands.iter().filter(|each| asks(each)).flat_map(Command::terms);
        terms.subterms(roots).filter(move |&term| {
            terms.is_closed(term) && self.binds(self.root, terms, term, numbers, &mut Bindings::default())
        })
    }

    /// The places with their sorts and what they take, those that occur in the application.
    pub(super) fn places(&self) -> impl Iterator<Item = (Symbol, Sort, Place)> + '_ {
        let sorts = self.terms.free_variables(self.root);
        let sort = move |name: Symbol| sorts.iter().find(|(each, _)| *each == name).map(|&(_, sort)| sort);
        self.places.iter().filter_map(move |&(name, place)| Some((name, sort(name)?, place)))
    }

    fn place(&self, head: Head) -> Option<Place> {
        let Head::Bound(name) = head else { return None };
        self.places.iter().find(|(place, _)| *place == name).map(|&(_, place)| place)
    }
}

/// Whether anything but operators and literals occurs in a term.
fn has_variable(terms: &Terms, root: TermId) -> bool {
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        match terms.head(term) {
            Head::Literal(_) => {}
            Head::Operator(_) => stack.extend_from_slice(terms.arguments(term)),
            _ => return true,
        }
    }
    false
}

/// Whether a command asserts or assumes its terms: definitions precede what could be declared for them.
fn asks(command: &Command) -> bool {
    matches!(command, Command::Assert(_) | Command::CheckSatAssuming(_) | Command::GetValue(_))
}

#[cfg(test)]
mod tests {
    use crate::known::read;
    use crate::known::text::read_one as pattern;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::smtlib::printer::{PrintOptions, print};

    use super::*;

    const SUBSTR: &str = "(define-fun substr ((s String) (from Int) (n Int)) String \
        (str.substr s (! from :not-literal) n))";

    fn script(assertions: &str) -> Script {
        let text = format!("(declare-const a String)(declare-const b Int){assertions}(check-sat)");
        parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script")
    }

    #[test]
    fn it_occurs_where_places_take_what_stands_there() {
        let occurs = |text: &str| pattern(SUBSTR).occurs(&script(text));
        assert!(occurs("(assert (= a (str.substr a b 1)))"));
        assert!(occurs("(assert (= 1 (str.len (str.substr \"x\" (+ b 1) b))))"));
        assert!(!occurs("(assert (= a (str.substr a 2 b)))"), "a literal");
        assert!(!occurs("(assert (= a (str.at a b)))"));
        assert!(!occurs("(assert (forall ((i Int)) (= a (str.substr a i 1))))"), "it would need the bound variable");
    }

    #[test]
    fn what_differs_in_literals_alone_resembles_it() {
        let long = pattern("(define-fun long ((s String)) Bool (str.prefixof \"aaaa\" (str.++ s s)))");
        let other = script("(assert (str.prefixof \"b\" (str.++ a a)))");
        assert!(!long.occurs(&other) && long.is_resembled_in(&other));
        assert!(!long.is_resembled_in(&script("(assert (str.prefixof a (str.++ a a)))")), "no literal");
    }

    #[test]
    fn what_differs_in_widths_resembles_it() {
        let square = pattern(
            "(define-fun square ((x (_ BitVec 8))) Bool \
             (= (bvmul ((_ sign_extend 4) x) ((_ sign_extend 4) x)) #x004))",
        );
        let at = |width: u32, literal: &str| {
            let text = format!(
                "(declare-const v (_ BitVec {width}))\
                 (assert (= (bvmul ((_ sign_extend 1) v) ((_ sign_extend 1) v)) {literal}))(check-sat)"
            );
            parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script")
        };
        let wider = at(10, "#b00000000100");
        assert!(!square.occurs(&wider) && square.is_resembled_in(&wider));
        assert!(!square.is_resembled_in(&at(10, "(bvneg #b00000000100)")), "another operator");
        assert!(square.neutralised(&wider, Numbers::Same).is_none());
        let without = square.neutralised(&wider, Numbers::Any).expect("it is resembled");
        assert!(!square.is_resembled_in(&without.script));
    }

    #[test]
    fn the_same_place_is_the_same_term() {
        let same = pattern("(define-fun twice ((s String)) Bool (str.prefixof s s))");
        assert!(same.occurs(&script("(assert (str.prefixof (str.at a b) (str.at a b)))")));
        assert!(!same.occurs(&script("(assert (str.prefixof a (str.at a b)))")));
        let literal = pattern("(define-fun at ((s String) (n Int)) String (str.at s (! n :literal)))");
        assert!(literal.occurs(&script("(assert (= a (str.at a 1)))")));
        assert!(!literal.occurs(&script("(assert (= a (str.at a b)))")));
    }

    #[test]
    fn occurrences_become_fresh_variables_the_same_for_the_same() {
        let with = script(
            "(declare-const var0 Int)(assert (= a (str.substr (str.substr a b 1) b var0)))\
             (assert (= (str.substr a b 1) \"x\"))",
        );
        let without = pattern(SUBSTR).neutralised(&with, Numbers::Same).expect("it occurs");
        assert!(!pattern(SUBSTR).occurs(&without.script));
        let text = print(&without.script, Dialect::SmtLib26, &PrintOptions::default()).expect("it prints");
        insta::assert_snapshot!(text, @r#"
        (declare-fun a () String)
        (declare-fun b () Int)
        (declare-fun var0 () Int)
        (declare-fun var1 () String)
        (declare-fun var2 () String)
        (assert (= a var2))
        (assert (= var1 "x"))
        (check-sat)
        "#);
    }

    #[test]
    fn what_would_occur_everywhere_is_no_pattern() {
        let error = |text: &str| read(text, "my.smt2").expect_err("no pattern").to_string();
        assert!(error("(define-fun all ((s String)) String s)").contains("everywhere"));
        assert!(error("(check-sat)").contains("holds no pattern"));
        assert!(error("(define-fun f () String (nosuch))").contains("my.smt2:1:"));
    }
}
