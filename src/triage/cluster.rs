//! Which instances are one defect: those whose reduced forms are equal up to names and literals. Which of the others may
//! be one all the same is a hint, and joins nothing: two entries for one defect are a smaller lie than one for two.
//!
//! Traces never join. What is slow does not end within the limit, so its trace is the beginning of one, and beginnings of
//! runs of one solver are alike whatever makes them slow: without ids, those of `(= "a" (str.substr a 0 b))` and of
//! `(distinct "" (int.to.str a))` agree.

use std::collections::BTreeSet;
use std::fmt;

use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::term::{Head, LiteralKind, Parts, TermId, Terms};
use crate::trace::{Trace, similarity};

/// Traces of two reduced forms that are at least as similar as this (Eq. 3, lines without the numbers of ids) are alike.
const ALIKE: f64 = 0.9;
/// Operators that tell little of what makes a solver slow.
const GENERIC: [&str; 7] = ["<", "<=", ">", ">=", "+", "-", "*"];

/// The shape of a script: equal for scripts that are the same up to names, literals, widths of bit-vectors and other
/// indices, the logic, and on which side of an equation its literal stands.
pub fn shape(script: &Script) -> u128 {
    let mut script = without_numbers(script);
    for index in 0..script.commands.len() {
        if let Command::Assert(root) = script.commands[index] {
            script.commands[index] = Command::Assert(turned(&mut script.terms, root));
        }
    }
    canonical_hash(&script.compacted())
}

/// A script with one literal for each kind of sort and without indices: a form to be compared, which is no sound script.
fn without_numbers(script: &Script) -> Script {
    let mut blank = Script::new();
    // Arguments precede their terms in an arena.
    let mut blanked: Vec<TermId> = Vec::with_capacity(script.terms.len());
    for term in (0..script.terms.len() as u32).map(TermId) {
        let parts = script.terms.parts(term);
        let arguments: Vec<TermId> = parts.arguments.iter().map(|argument| blanked[argument.0 as usize]).collect();
        let binders: Vec<_> = parts.binders.iter().map(|&(name, sort)| (name, sort.without_indices())).collect();
        let head = match parts.head {
            Head::Literal(_) => Head::Literal(LiteralKind::Numeral),
            head => head,
        };
        let sort = parts.sort.without_indices();
        blanked.push(blank.terms.intern(Parts { head, sort, arguments: &arguments, words: &[], binders: &binders }));
    }
    blank.commands.clone_from(&script.commands);
    blank.commands.retain(|command| !matches!(command, Command::SetLogic(_)));
    for command in &mut blank.commands {
        if let Command::Declare(declaration) = command {
            declaration.sort = declaration.sort.without_indices();
            declaration.parameters.iter_mut().for_each(|sort| *sort = sort.without_indices());
        }
        command.terms_mut().into_iter().for_each(|term| *term = blanked[term.0 as usize]);
    }
    blank
}

/// A term with the literals of its equations on the right, if it is one or the negation of one.
fn turned(terms: &mut Terms, term: TermId) -> TermId {
    let Head::Operator(op) = terms.head(term) else { return term };
    match (op.name(), terms.arguments(term)) {
        ("not", &[inner]) => {
            let inner = turned(terms, inner);
            terms.with_arguments(term, &[inner])
        }
        ("=" | "distinct", &[one, other]) if matches!(terms.head(one), Head::Literal(_)) => {
            terms.with_arguments(term, &[other, one])
        }
        _ => term,
    }
}

/// The scripts in groups of one shape, by their indices; groups stand in the order of their first members.
pub fn clusters(scripts: &[&Script]) -> Vec<Vec<usize>> {
    let mut clusters: Vec<(u128, Vec<usize>)> = Vec::new();
    for (index, script) in scripts.iter().enumerate() {
        let shape = shape(script);
        match clusters.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, members)) => members.push(index),
            None => clusters.push((shape, vec![index])),
        }
    }
    clusters.into_iter().map(|(_, members)| members).collect()
}

/// What is compared of a defect.
#[derive(Clone, Copy, Debug)]
pub struct Kin<'a> {
    /// Its reduced form.
    pub script: &'a Script,
    /// The beginning of the target's trace of that, lines without the numbers of ids; if the target writes one.
    pub trace: Option<&'a Trace>,
    /// Whether the reduction came to its end: what is left in one that did not tells nothing.
    pub finished: bool,
}

/// Why two defects of different shapes are probably one.
#[derive(Clone, PartialEq, Debug)]
pub enum Hint {
    /// They have the same operators, apart from connectives and arithmetic.
    Operators(BTreeSet<&'static str>),
    /// They have some of these operators in common, and the beginnings of their traces are as similar as this.
    Traces(f64, BTreeSet<&'static str>),
}

impl Hint {
    /// Whether operators do not decide about these two, so that their traces are asked about.
    pub fn asks_for_traces(one: &Kin<'_>, other: &Kin<'_>) -> bool {
        let (mine, theirs) = (operators(one.script), operators(other.script));
        one.finished && other.finished && mine != theirs && !mine.is_disjoint(&theirs)
    }

    /// The hint that these two are one, if there is one.
    pub fn of(one: &Kin<'_>, other: &Kin<'_>) -> Option<Hint> {
        if !one.finished || !other.finished {
            return None;
        }
        let (mine, theirs) = (operators(one.script), operators(other.script));
        let shared: BTreeSet<&'static str> = mine.intersection(&theirs).copied().collect();
        if shared.is_empty() {
            return None;
        }
        if mine == theirs {
            return Some(Hint::Operators(shared));
        }
        let alike = one.trace.zip(other.trace).map(|(one, other)| similarity(one, other));
        alike.filter(|&alike| alike >= ALIKE).map(|alike| Hint::Traces(alike, shared))
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |operators: &BTreeSet<&'static str>| {
            operators.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        match self {
            Hint::Operators(operators) => write!(f, "the same operators: {}", names(operators)),
            Hint::Traces(alike, shared) => {
                write!(f, "{} in both, and traces that begin alike ({alike:.2})", names(shared))
            }
        }
    }
}

/// The operators that tell what makes a script slow.
fn operators(script: &Script) -> BTreeSet<&'static str> {
    script.telling_operators().into_iter().filter(|name| !GENERIC.contains(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::parser::{ParseOptions, parse};
    use crate::trace::{TraceLines, read_trace};

    fn script(text: &str) -> Script {
        let declared = "(declare-fun a () String)(declare-fun b () Int)(declare-fun c () Int)";
        parse(&format!("{declared}{text}(check-sat)"), "test", &ParseOptions::default()).expect("a sound script")
    }

    fn trace() -> Trace {
        let lines = (0..20).map(|number| format!("[line {number}]\n")).collect::<Vec<_>>().concat();
        read_trace(lines.as_bytes(), TraceLines::Raw, None).expect("a trace")
    }

    /// The hint for two scripts whose traces agree wholly.
    fn hint(one: &str, other: &str) -> Option<String> {
        let (one, other, trace) = (script(one), script(other), trace());
        let kin = |script| Kin { script, trace: Some(&trace), finished: true };
        Hint::of(&kin(&one), &kin(&other)).map(|hint| hint.to_string())
    }

    #[test]
    fn names_and_literals_do_not_tell_defects_apart_and_operators_do() {
        let one = script("(assert (> (str.indexof a \"xy\" 0) 3))");
        let twin = script("(declare-fun name () String)(assert (> (str.indexof name \"q\" 7) 0))");
        let other = script("(assert (< (str.indexof a \"xy\" 0) 3))");
        let repeated = script("(assert (> (str.indexof a a 0) 3))");
        assert_eq!(
            clusters(&[&one, &other, &script("(assert (> (str.indexof a \"q\" 7) 0))"), &repeated]),
            [vec![0, 2], vec![1], vec![3]]
        );
        assert_ne!(shape(&one), shape(&twin), "a declaration more");
        let renamed = |name: &str| {
            let text = format!("(declare-fun {name} () String)(assert (= {name} (str.at {name} 0)))(check-sat)");
            shape(&parse(&text, "test", &ParseOptions::default()).expect("a sound script"))
        };
        assert_eq!(renamed("a"), renamed("name"));
        let turned = |assertion: &str| {
            let text = format!("(declare-fun a () String)(declare-fun b () String)(assert {assertion})(check-sat)");
            shape(&parse(&text, "test", &ParseOptions::default()).expect("a sound script"))
        };
        assert_eq!(turned("(distinct \"\" (str.replace \"\" a b))"), turned("(distinct (str.replace \"\" b a) \"\")"));
        assert_ne!(turned("(distinct a (str.replace \"\" a b))"), turned("(distinct (str.replace \"\" b a) \"\")"));
    }

    #[test]
    fn widths_do_not_tell_defects_apart() {
        let at = |width: u32, assertion: &str| {
            let text = format!("(declare-const v (_ BitVec {width}))(assert {assertion})(check-sat)");
            shape(&parse(&text, "test", &ParseOptions::default()).expect("a sound script"))
        };
        let narrow = at(8, "(= (bvmul ((_ sign_extend 4) v) ((_ sign_extend 4) v)) #x004)");
        assert_eq!(narrow, at(10, "(= (bvmul ((_ sign_extend 1) v) ((_ sign_extend 1) v)) #b00000000100)"));
        assert_ne!(narrow, at(8, "(= (bvmul ((_ zero_extend 4) v) ((_ sign_extend 4) v)) #x004)"));
    }

    #[test]
    fn defects_without_a_common_operator_are_apart_though_their_traces_agree() {
        let pairs = [
            ("(assert (= \"a\" (str.substr a 0 b)))", "(assert (distinct \"\" (int.to.str b)))"),
            (
                "(assert (str.in.re (int.to.str b) re.allchar))",
                "(assert (= (str.replace \"\" (str.at a 1) \"a\") \"a\"))",
            ),
            ("(assert (distinct \"\" (int.to.str b)))", "(assert (< 0 (str.to.int (str.at \"\" b))))"),
            ("(assert (< b c))", "(assert (> b c))"),
        ];
        for (one, other) in pairs {
            assert_eq!(clusters(&[&script(one), &script(other)]), [vec![0], vec![1]], "{one} {other}");
            assert_eq!(hint(one, other), None, "{one} {other}");
        }
    }

    #[test]
    fn a_common_operator_is_a_hint_if_it_is_the_only_one_or_traces_begin_alike() {
        let (one, other) = ("(assert (= \"a\" (str.substr a 0 b)))", "(assert (= \"a\" (str.substr a b 1)))");
        assert_eq!(clusters(&[&script(one), &script(other)]), [vec![0], vec![1]], "a hint joins nothing");
        assert_eq!(hint(one, other).as_deref(), Some("the same operators: `str.substr`"));
        let more = "(assert (< 3 (str.len (str.substr a 0 b))))";
        assert_eq!(hint(one, more).as_deref(), Some("`str.substr` in both, and traces that begin alike (1.00)"));
        let (one, more) = (script(one), script(more));
        let kin = |script, finished| Kin { script, trace: None, finished };
        assert_eq!(Hint::of(&kin(&one, true), &kin(&more, true)), None, "without traces");
        assert_eq!(Hint::of(&kin(&one, true), &kin(&one, false)), None, "a reduction that was stopped tells nothing");
    }
}
