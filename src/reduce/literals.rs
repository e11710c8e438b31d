//! Smaller literals: shorter strings of fewer letters, smaller numbers; shorter names of operators.

use super::edit::{Draft, Edit};
use super::search::{Search, Stop};
use super::terms::levels;
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId, Terms};

/// What may become of a literal; each is tried for all literals of a script at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shrinking {
    FirstHalf,
    SecondHalf,
    WithoutFirst,
    WithoutLast,
    OneLetter,
    Half,
    Tenth,
    Less,
}

const SHRINKINGS: [Shrinking; 8] = [
    Shrinking::FirstHalf,
    Shrinking::SecondHalf,
    Shrinking::WithoutFirst,
    Shrinking::WithoutLast,
    Shrinking::OneLetter,
    Shrinking::Tenth,
    Shrinking::Half,
    Shrinking::Less,
];

impl Search<'_> {
    /// Shrinks literals, all together where that keeps the property, until none can be shrunk. Returns whether any was.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn shrink_literals(&mut self) -> Result<bool, Stop> {
        let before = self.size();
        for shrinking in SHRINKINGS {
            loop {
                let mut draft = Draft::new(self.best());
                let literals = levels(&draft.script).concat();
                let edits: Vec<Edit> =
                    literals.into_iter().filter_map(|term| shrinking.edit(&mut draft, term)).collect();
                if !self.make(&draft, &edits)? {
                    break;
                }
            }
        }
        Ok(self.size() < before)
    }

    /// Puts `=` in the place of other predicates of two terms of one sort, and operators of shorter names in the place
    /// of others of their group.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn simplify_operators(&mut self) -> Result<bool, Stop> {
        let before = self.size();
        let mut draft = Draft::new(self.best());
        let mut edits = Vec::new();
        for term in levels(self.best()).concat() {
            edits.extend(simpler(&mut draft, term).into_iter().map(|by| Edit::Replace(term, by)));
        }
        self.make(&draft, &edits)?;
        Ok(self.size() < before)
    }
}

impl Shrinking {
    fn edit(self, draft: &mut Draft, term: TermId) -> Option<Edit> {
        let terms = &mut draft.script.terms;
        let by = match terms.head(term) {
            Head::Literal(LiteralKind::String) => {
                let text = terms.text(term).to_vec();
                let shorter = self.of_text(&text).filter(|shorter| *shorter != text)?;
                terms.string(&shorter)
            }
            Head::Literal(LiteralKind::Numeral) if terms.sort(term) == Sort::INT => {
                let value = terms.numeral_value(term);
                match (self, value) {
                    (Shrinking::Half, Some(value @ 2..)) => terms.numeral(value / 2),
                    (Shrinking::Less, Some(value @ 2..)) => terms.numeral(value - 1),
                    (Shrinking::Tenth, _) => {
                        // Digits are dropped, so that numbers beyond 64 bits shrink too.
                        let digits = terms.text(term).to_vec();
                        let (_, shorter) = digits.split_last().filter(|(_, rest)| !rest.is_empty())?;
                        terms.literal(LiteralKind::Numeral, Sort::INT, shorter)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Edit::Replace(term, by))
    }

    fn of_text(self, text: &[u32]) -> Option<Vec<u32>> {
        let half = text.len() / 2;
        let shorter = match self {
            Shrinking::FirstHalf if text.len() > 1 => text[..half].to_vec(),
            Shrinking::SecondHalf if text.len() > 1 => text[half..].to_vec(),
            Shrinking::WithoutFirst => text.get(1..)?.to_vec(),
            Shrinking::WithoutLast => text.split_last()?.1.to_vec(),
            // A digit stays a digit: what reads a number must still find one.
            Shrinking::OneLetter => {
                text.iter().map(|&letter| if is_digit(letter) { u32::from('0') } else { u32::from('a') }).collect()
            }
            _ => return None,
        };
        Some(shorter)
    }
}

fn is_digit(letter: u32) -> bool {
    (u32::from('0')..=u32::from('9')).contains(&letter)
}

/// A negation in fewer words: `distinct` for the negation of an equation, `not` for an exclusive or with `true`. So scripts
/// that differ in nothing else become equal.
fn plainer(terms: &mut Terms, term: TermId, operator: &str) -> Option<TermId> {
    let is =
        |terms: &Terms, term: TermId, name: &str| matches!(terms.head(term), Head::Operator(op) if op.name() == name);
    match (operator, terms.arguments(term)) {
        ("not", &[inner]) if is(terms, inner, "=") => {
            let arguments = terms.arguments(inner).to_vec();
            let sorts: Vec<Sort> = arguments.iter().map(|&argument| terms.sort(argument)).collect();
            let (distinct, sort) = table().resolve("distinct", &[], &sorts).ok().filter(|_| sorts.len() == 2)?;
            Some(terms.apply(distinct, &arguments, sort))
        }
        ("xor", &[one, other]) => {
            let inner = if is(terms, other, "true") { one } else { Some(other).filter(|_| is(terms, one, "true"))? };
            let (not, sort) = table().resolve("not", &[], &[Sort::BOOL]).ok()?;
            Some(terms.apply(not, &[inner], sort))
        }
        _ => None,
    }
}

/// What may stand for an application with the same arguments.
fn simpler(draft: &mut Draft, term: TermId) -> Vec<TermId> {
    let terms = &mut draft.script.terms;
    let Head::Operator(op) = terms.head(term) else { return Vec::new() };
    if let Some(by) = plainer(terms, term, op.name()) {
        return vec![by];
    }
    let (arguments, indices, sort) = (terms.arguments(term).to_vec(), terms.indices(term).to_vec(), terms.sort(term));
    let sorts: Vec<Sort> = arguments.iter().map(|&argument| terms.sort(argument)).collect();
    let mut by = Vec::new();
    if let (Sort::BOOL, [one, other], true) = (sort, &sorts[..], op.name() != "=")
        && one == other
        && *one != Sort::BOOL
    {
        by.extend(table().resolve("=", &[], &sorts).ok().map(|(equals, _)| terms.apply(equals, &arguments, sort)));
    }
    let shorter = table().exchangeable(op, &indices, &sorts);
    by.extend(
        shorter
            .into_iter()
            .filter(|other| other.name().len() < op.name().len())
            .map(|other| terms.apply_indexed(other, &indices, &arguments, sort)),
    );
    by
}
