//! The cell of a script in the archive of elites: what it may be slow for, and how large it is.

use std::collections::BTreeSet;

use crate::smtlib::script::{Command, Script};
use crate::smtlib::signature::Op;
use crate::smtlib::term::{Head, TermId};

/// Scripts of one cell compete with each other, and with nobody else.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    /// The operators of the string theory that are applied to something with a variable in it: solvers evaluate what is
    /// made of literals. By their numbers, which are the same in every process of a run.
    culprits: BTreeSet<usize>,
    /// The binary logarithm of the complexity.
    size: u32,
}

impl Cell {
    /// The cell of a script of this complexity.
    pub(super) fn of(script: &Script, complexity: u64) -> Self {
        let culprits = symbolic_string_operators(script).into_iter().map(Op::index).collect();
        Cell { culprits, size: complexity.max(1).ilog2() }
    }
}

fn symbolic_string_operators(script: &Script) -> Vec<Op> {
    let terms = &script.terms;
    let mut used = vec![false; terms.len()];
    terms.mark_used(script.commands.iter().flat_map(Command::terms), &mut used);
    // Arguments stand before their terms.
    let mut is_symbolic: Vec<bool> = Vec::with_capacity(used.len());
    let mut found = Vec::new();
    for (index, used) in (0..).zip(used) {
        let term = TermId(index);
        let arguments = terms.arguments(term);
        let symbolic = match terms.head(term) {
            Head::Literal(_) => false,
            Head::Operator(_) => arguments.iter().any(|argument| is_symbolic[argument.0 as usize]),
            _ => true,
        };
        is_symbolic.push(symbolic);
        if let Head::Operator(op) = terms.head(term)
            && symbolic
            && used
            && op.signature().theory.as_str() == "Strings"
        {
            found.push(op);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};

    fn cell(assertion: &str, complexity: u64) -> Cell {
        let text = format!("(declare-fun s () String)(declare-fun n () Int)(assert {assertion})(check-sat)");
        let script = parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib25) }).expect("well-sorted");
        Cell::of(&script, complexity)
    }

    #[test]
    fn a_cell_is_of_operators_on_variables_and_of_a_size() {
        let one = cell(r#"(= (str.at s 1) (str.++ "a" "b"))"#, 9);
        assert_eq!(one, cell(r#"(distinct "x" (str.at "abc" n))"#, 15));
        assert_ne!(one, cell(r#"(= (str.at s 1) "a")"#, 16));
        assert_ne!(one, cell(r#"(= (str.at s 1) (str.++ "a" s))"#, 9));
        assert_eq!(cell(r#"(= n (str.len "a"))"#, 3), cell("(= n (+ n 1))", 2));
    }
}
