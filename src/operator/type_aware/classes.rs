//! Which operators may stand for one another, as a user writes it for OpFuzz: one rule a line.
//!
//! `a,b,c` says that each may stand for each, `a,b :arity 2` that they may with two arguments alone (`:arity 2+`: two or
//! more), `a -> b` that `b` may stand for `a` and not the reverse. A semicolon begins a comment. That the arguments' sorts
//! fit is made sure of anyway.

use std::collections::BTreeMap;

use crate::smtlib::signature::table;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::Head;

/// The rules of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Classes {
    /// Per operator, what may stand in its place, and with how many arguments.
    allowed: BTreeMap<Symbol, Vec<(Symbol, Arity)>>,
}

/// With how many arguments a rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arity {
    least: usize,
    most: usize,
}

const ANY: Arity = Arity { least: 0, most: usize::MAX };

/// What is wrong with a file of rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct ClassesError {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// What was found, and what was expected.
    pub message: String,
}

impl Classes {
    /// Reads rules.
    ///
    /// # Errors
    /// The first line that is no rule, or an operator that no theory has.
    pub fn read(text: &str, file: &str) -> Result<Self, ClassesError> {
        let mut classes = Classes::default();
        for (index, line) in text.lines().enumerate() {
            let rule = line.split(';').next().unwrap_or_default();
            classes.add(rule).map_err(|(place, message)| ClassesError {
                file: file.to_owned(),
                line: index + 1,
                column: line[..place.min(line.len())].chars().count() + 1,
                message,
            })?;
        }
        Ok(classes)
    }

    /// Adds the rule of a line; an error has the byte where it is.
    fn add(&mut self, rule: &str) -> Result<(), (usize, String)> {
        if rule.trim().is_empty() {
            return Ok(());
        }
        if let Some((from, to)) = rule.split_once("->") {
            let (from, to) = (name(from, 0)?, name(to, rule.len() - to.len())?);
            self.allow(from, to, ANY);
            return Ok(());
        }
        let (members, arity) = match rule.split_once(':') {
            Some((members, attribute)) => (members, arity(attribute, members.len())?),
            None => (rule, ANY),
        };
        let mut names = Vec::new();
        let mut start = 0;
        for member in members.split(',') {
            names.push(name(member, start)?);
            start += member.len() + 1;
        }
        if names.len() < 2 {
            return Err((0, "a class has two operators or more: a,b".to_owned()));
        }
        for &from in &names {
            for &to in names.iter().filter(|&&to| to != from) {
                self.allow(from, to, arity);
            }
        }
        Ok(())
    }

    fn allow(&mut self, from: Symbol, to: Symbol, arity: Arity) {
        self.allowed.entry(from).or_default().push((to, arity));
    }

    /// Whether `to` may stand for `from` with this number of arguments.
    pub fn allows(&self, from: Head, to: Head, arguments: usize) -> bool {
        let (Some(from), Some(to)) = (spelled(from), spelled(to)) else { return false };
        let rules = self.allowed.get(&from).map_or(&[][..], Vec::as_slice);
        rules.iter().any(|&(other, arity)| other == to && (arity.least..=arity.most).contains(&arguments))
    }
}

/// The name in rules of what stands at a head.
fn spelled(head: Head) -> Option<Symbol> {
    match head {
        Head::Operator(op) => Some(op.signature().name),
        Head::Forall => Some(Symbol::new("forall")),
        Head::Exists => Some(Symbol::new("exists")),
        _ => None,
    }
}

/// An operator in any spelling, as the standard spells it; `start` is where `text` begins.
fn name(text: &str, start: usize) -> Result<Symbol, (usize, String)> {
    let word = text.trim();
    let place = start + text.len() - text.trim_start().len();
    if ["forall", "exists"].contains(&word) {
        return Ok(Symbol::new(word));
    }
    match table().canonical(word) {
        Some(op) => Ok(op.signature().name),
        None if word.is_empty() => Err((place, "expected an operator".to_owned())),
        None => Err((place, format!("{word:?} is no operator of a theory that is loaded"))),
    }
}

/// `arity N` or `arity N+`.
fn arity(attribute: &str, start: usize) -> Result<Arity, (usize, String)> {
    let wrong = || (start, format!("expected :arity N or :arity N+, found \":{}\"", attribute.trim()));
    let number =
        attribute.strip_prefix("arity").filter(|rest| rest.starts_with(char::is_whitespace)).ok_or_else(wrong)?;
    let number = number.trim();
    let (digits, is_open) = match number.strip_suffix('+') {
        Some(digits) => (digits, true),
        None => (number, false),
    };
    let least: usize = digits.parse().map_err(|_| wrong())?;
    Ok(Arity { least, most: if is_open { usize::MAX } else { least } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn op(name: &str) -> Head {
        Head::Operator(table().canonical(name).expect("an operator"))
    }

    #[test]
    fn classes_hold_both_ways_and_arrows_one_way() {
        let classes =
            Classes::read("; comparisons\n<=,<,>= ; no >\n= -> distinct\nforall,exists\n", "rules").expect("rules");
        assert!(classes.allows(op("<="), op(">="), 2) && classes.allows(op(">="), op("<="), 2));
        assert!(!classes.allows(op("<="), op(">"), 2));
        assert!(classes.allows(op("="), op("distinct"), 3) && !classes.allows(op("distinct"), op("="), 3));
        assert!(classes.allows(Head::Forall, Head::Exists, 1));
    }

    #[test]
    fn arities_are_enforced() {
        let classes = Classes::read("=>,xor :arity 2\nand,or :arity 2+", "rules").expect("rules");
        assert!(classes.allows(op("=>"), op("xor"), 2) && !classes.allows(op("=>"), op("xor"), 3));
        assert!(classes.allows(op("and"), op("or"), 5) && !classes.allows(op("and"), op("or"), 1));
    }

    #[test]
    fn older_spellings_are_names_too() {
        let classes = Classes::read("str.to.int, str.len", "rules").expect("rules");
        assert!(classes.allows(op("str.to_int"), op("str.len"), 1));
    }

    #[test]
    fn errors_say_where_they_are() {
        let wrong = |text: &str| Classes::read(text, "rules").expect_err("no rules").to_string();
        assert_eq!(wrong("\nand,nand"), "rules:2:5: \"nand\" is no operator of a theory that is loaded");
        assert_eq!(wrong("and"), "rules:1:1: a class has two operators or more: a,b");
        assert_eq!(wrong("and ->"), "rules:1:7: expected an operator");
        assert_eq!(wrong("and,or :arty 2"), "rules:1:8: expected :arity N or :arity N+, found \":arty 2\"");
    }
}
