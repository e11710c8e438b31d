//! Which instances are one defect: their reduced forms are equal up to names and literals, or their traces agree.

use crate::smtlib::canonical::canonical_hash;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId};
use crate::trace::{Trace, similarity};

/// Traces of two reduced forms that are at least as similar as this (Eq. 3, lines without the numbers of ids) are of one
/// defect.
pub const SAME_TRACE: f64 = 0.9;

/// The shape of a script: equal for scripts that are the same up to names, literals and the logic.
pub fn shape(script: &Script) -> u128 {
    let mut script = script.clone();
    script.commands.retain(|command| !matches!(command, Command::SetLogic(_)));
    let (zero, empty) = (script.terms.numeral(0), script.terms.string(&[]));
    for index in 0..script.commands.len() {
        if let Command::Assert(root) = script.commands[index] {
            let blank = script.terms.substitute(root, |terms, term: TermId| match terms.head(term) {
                Head::Literal(LiteralKind::String) => Some(empty),
                Head::Literal(LiteralKind::Numeral) if terms.sort(term) == Sort::INT => Some(zero),
                _ => None,
            });
            script.commands[index] = Command::Assert(blank);
        }
    }
    canonical_hash(&script.compacted())
}

/// What is compared of an instance.
#[derive(Clone, Copy, Debug)]
pub struct Kin<'a> {
    /// Its reduced form.
    pub script: &'a Script,
    /// The target's trace of that, lines without the numbers of ids; if the target writes one.
    pub trace: Option<&'a Trace>,
}

/// The instances in groups that are one defect each, by their indices; groups stand in the order of their first members.
pub fn clusters(kin: &[Kin<'_>]) -> Vec<Vec<usize>> {
    let shapes: Vec<u128> = kin.iter().map(|each| shape(each.script)).collect();
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    for (index, each) in kin.iter().enumerate() {
        let is_kin = |other: usize| {
            shapes[index] == shapes[other]
                || each.trace.zip(kin[other].trace).is_some_and(|(one, other)| similarity(one, other) >= SAME_TRACE)
        };
        // The first member stands for a group: chains of ever less alike instances do not join.
        match clusters.iter_mut().find(|cluster| cluster.first().is_some_and(|&first| is_kin(first))) {
            Some(cluster) => cluster.push(index),
            None => clusters.push(vec![index]),
        }
    }
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::parser::{ParseOptions, parse};

    fn script(text: &str) -> Script {
        parse(text, "test", &ParseOptions::default()).expect("a sound script")
    }

    #[test]
    fn names_and_literals_do_not_tell_defects_apart_and_operators_do() {
        let one = script("(set-logic QF_S)(declare-fun a () String)(assert (> (str.indexof a \"xy\" 0) 3))(check-sat)");
        let twin = script("(declare-fun name () String)(assert (> (str.indexof name \"q\" 7) 0))(check-sat)");
        let other = script("(declare-fun a () String)(assert (< (str.indexof a \"xy\" 0) 3))(check-sat)");
        let repeated = script("(declare-fun a () String)(assert (> (str.indexof a a 0) 3))(check-sat)");
        assert_eq!(shape(&one), shape(&twin));
        assert_ne!(shape(&one), shape(&other));
        assert_ne!(shape(&one), shape(&repeated));
        let kin = [&one, &other, &twin, &repeated].map(|script| Kin { script, trace: None });
        assert_eq!(clusters(&kin), [vec![0, 2], vec![1], vec![3]]);
    }

    #[test]
    fn traces_that_agree_join_what_shapes_do_not() {
        let one = script("(declare-fun a () Int)(assert (> a 3))(check-sat)");
        let other = script("(declare-fun a () Int)(assert (< a 3))(check-sat)");
        let lines = (0..20).map(|number| format!("[line {number}]\n")).collect::<Vec<_>>().concat();
        let read = |text: &str| {
            crate::trace::read_trace(text.as_bytes(), crate::trace::TraceLines::Raw, None).expect("a trace")
        };
        let (trace, alike, unlike) = (read(&lines), read(&(lines.clone() + "[more]\n")), read("[other]\n"));
        let kin = |trace| [Kin { script: &one, trace: Some(&alike) }, Kin { script: &other, trace: Some(trace) }];
        assert_eq!(clusters(&kin(&trace)), [vec![0, 1]]);
        assert_eq!(clusters(&kin(&unlike)), [vec![0], vec![1]]);
    }
}
