//! Smaller terms, from the outside in: constants, variables and subterms in the place of terms of their sort.

use std::collections::VecDeque;

use super::edit::{Draft, Edit, takes_any_number};
use super::search::{Search, Stop};
use crate::semantics::value::BitVector;
use crate::smtlib::script::Script;
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, LiteralKind, TermId};

/// How many subterms, beyond its arguments, may stand for a term: the nearest ones.
const MOST_DESCENDANTS: usize = 6;

impl Search<'_> {
    /// One pass over the levels of the terms: at each, drops arguments, then puts simpler terms in the place of all
    /// terms of the level at once, kind by kind. Returns whether anything became smaller.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn simplify_terms(&mut self) -> Result<bool, Stop> {
        let before = self.size();
        self.drop_arguments()?;
        let mut level = 0;
        while let Some(terms) = levels(self.best()).into_iter().nth(level) {
            self.simplify_level(&terms)?;
            level += 1;
        }
        self.simplify_occurrences()?;
        Ok(self.size() < before)
    }

    /// Simplifies terms of one level together: of several ways for each, all first ways, then all second ways…
    fn simplify_level(&mut self, terms: &[TermId]) -> Result<(), Stop> {
        let mut draft = Draft::new(self.best());
        let mut made: Vec<Edit> = Vec::new();
        for kind in Kind::ALL {
            let ways: Vec<Vec<Edit>> = terms.iter().map(|&term| kind.edits(&mut draft, term)).collect();
            for round in 0..ways.iter().map(Vec::len).max().unwrap_or(0) {
                let open = |edit: &Edit| !made.iter().any(|done| done.subject() == edit.subject());
                let batch: Vec<Edit> = ways.iter().filter_map(|ways| ways.get(round)).copied().filter(open).collect();
                self.make_on_top(&draft, &mut made, &batch)?;
            }
        }
        Ok(())
    }

    /// Drops arguments of operators that take any number, halves first.
    fn drop_arguments(&mut self) -> Result<(), Stop> {
        let mut seen = 0;
        loop {
            let draft = Draft::new(self.best());
            let terms = &draft.script.terms;
            let wide: Vec<TermId> = levels(&draft.script)
                .concat()
                .into_iter()
                .filter(|&term| takes_any_number(terms.parts(term)))
                .collect();
            let Some(&term) = wide.get(seen) else { return Ok(()) };
            let edits: Vec<Edit> =
                (0..terms.arguments(term).len()).map(|place| Edit::DropArgument(term, place)).collect();
            self.make(&draft, &edits)?;
            seen += 1;
        }
    }

    /// Terms that stand in several places: each place by itself, since all together could not be simplified.
    fn simplify_occurrences(&mut self) -> Result<(), Stop> {
        for kind in Kind::ALL {
            let draft = &mut Draft::new(self.best());
            let mut uses = vec![0_u32; draft.script.terms.len()];
            let reached = levels(&draft.script).concat();
            for &term in &reached {
                draft.script.terms.arguments(term).iter().for_each(|argument| uses[argument.0 as usize] += 1);
            }
            let mut edits = Vec::new();
            for &parent in &reached {
                for (place, argument) in draft.script.terms.arguments(parent).to_vec().into_iter().enumerate() {
                    if uses[argument.0 as usize] > 1 {
                        let ways = kind.edits(draft, argument);
                        edits.extend(ways.into_iter().filter_map(|way| match way {
                            Edit::Replace(_, by) => Some(Edit::ReplaceArgument(parent, place, by)),
                            _ => None,
                        }));
                    }
                }
            }
            self.make(draft, &edits)?;
        }
        Ok(())
    }
}

/// The subterms of all assertions, by their distance from the root that is nearest.
pub fn levels(script: &Script) -> Vec<Vec<TermId>> {
    let mut seen = vec![false; script.terms.len()];
    let mut queue: VecDeque<(TermId, usize)> = script.assertions().map(|root| (root, 0)).collect();
    let mut levels: Vec<Vec<TermId>> = Vec::new();
    while let Some((term, level)) = queue.pop_front() {
        if std::mem::replace(&mut seen[term.0 as usize], true) {
            continue;
        }
        if levels.len() <= level {
            levels.push(Vec::new());
        }
        levels[level].push(term);
        queue.extend(script.terms.arguments(term).iter().map(|&argument| (argument, level + 1)));
    }
    levels
}

/// What may stand in the place of a term, the simplest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A constant of its sort.
    Constant,
    /// A variable that the script has.
    Variable,
    /// One of its arguments.
    Argument,
    /// A subterm further down: chains of operators are skipped at once.
    Descendant,
    /// A variable of its own.
    Fresh,
}

impl Kind {
    /// All kinds, in the order in which they are tried.
    pub const ALL: [Kind; 5] = [Kind::Constant, Kind::Variable, Kind::Argument, Kind::Descendant, Kind::Fresh];

    /// The ways to simplify `term` so.
    pub fn edits(self, draft: &mut Draft, term: TermId) -> Vec<Edit> {
        let sort = draft.script.terms.sort(term);
        let by: Vec<TermId> = match self {
            Kind::Constant => constants(draft, sort),
            Kind::Variable => variables(&draft.script, sort),
            Kind::Argument => {
                let terms = &draft.script.terms;
                terms
                    .arguments(term)
                    .iter()
                    .copied()
                    .filter(|&argument| can_stand_for(&draft.script, argument, term))
                    .collect()
            }
            Kind::Descendant => descendants(&draft.script, term),
            Kind::Fresh => {
                if draft.script.terms.arguments(term).is_empty() || sort == Sort::UNKNOWN || sort == Sort::REGLAN {
                    Vec::new()
                } else {
                    vec![draft.fresh(sort)]
                }
            }
        };
        let is_leaf = |term: &TermId| draft.script.terms.arguments(*term).is_empty();
        // Constants and variables for variables make no cycle: a variable never stands for a constant.
        let is_constant =
            is_leaf(&term) && !matches!(draft.script.terms.head(term), Head::Constant(_) | Head::Bound(_));
        if is_constant && matches!(self, Kind::Variable | Kind::Fresh) {
            return Vec::new();
        }
        by.into_iter().filter(|&by| by != term).map(|by| Edit::Replace(term, by)).collect()
    }
}

/// Whether `inner` may stand where `outer` stands: its sort is the same, and it needs no variable that is bound between.
pub(super) fn can_stand_for(script: &Script, inner: TermId, outer: TermId) -> bool {
    let terms = &script.terms;
    // What could not be typed, such as the name of a named term, is boolean where a boolean stands around it.
    let fits = terms.sort(inner) == terms.sort(outer)
        || (terms.sort(inner) == Sort::UNKNOWN && terms.sort(outer) == Sort::BOOL);
    fits && (terms.is_closed(inner) || {
        let outside = terms.free_variables(outer);
        terms.free_variables(inner).iter().all(|variable| outside.contains(variable))
    })
}

/// Subterms of the term's sort below its arguments: the nearest, and the end of a chain of operators with one.
fn descendants(script: &Script, term: TermId) -> Vec<TermId> {
    let terms = &script.terms;
    let mut queue: VecDeque<TermId> = terms.arguments(term).iter().copied().collect();
    let arguments = queue.len();
    let mut seen: Vec<TermId> = Vec::new();
    let mut found = Vec::new();
    while let Some(next) = queue.pop_front() {
        if seen.contains(&next) {
            continue;
        }
        seen.push(next);
        if seen.len() > arguments && can_stand_for(script, next, term) {
            found.push(next);
        }
        queue.extend(terms.arguments(next).iter().copied());
    }
    if found.len() > MOST_DESCENDANTS {
        // The last ones are the deepest: the end of a chain is among them.
        found.drain(MOST_DESCENDANTS - 1..found.len() - 1);
    }
    found
}

/// The simplest values of a sort, the simplest first.
pub fn constants(draft: &mut Draft, sort: Sort) -> Vec<TermId> {
    let terms = &mut draft.script.terms;
    let nullary = |terms: &mut crate::smtlib::term::Terms, name: &str| {
        table().canonical(name).map(|op| terms.apply(op, &[], sort))
    };
    match sort {
        Sort::BOOL => ["true", "false"].into_iter().filter_map(|name| nullary(terms, name)).collect(),
        Sort::INT => vec![terms.numeral(0), terms.numeral(1)],
        Sort::REAL => {
            let digits = |text: &str| text.chars().map(u32::from).collect::<Vec<u32>>();
            vec![
                terms.literal(LiteralKind::Decimal, sort, &digits("0.0")),
                terms.literal(LiteralKind::Decimal, sort, &digits("1.0")),
            ]
        }
        // The empty string makes most operators trivial, so that it seldom keeps what is wrong with a script.
        Sort::STRING => vec![terms.string(&[u32::from('a')]), terms.string(&[])],
        Sort::REGLAN => {
            let empty = terms.string(&[]);
            let word = table().canonical("str.to_re").map(|op| terms.apply(op, &[empty], sort));
            word.into_iter().chain(nullary(terms, "re.allchar")).collect()
        }
        other => match other.width() {
            // A wider one is not written out: that would take more than what it stands for.
            Some(width) if width <= BitVector::WIDEST => {
                // Four bits are one hexadecimal digit, which is shorter.
                let (kind, length) = match width % 4 {
                    0 => (LiteralKind::Hexadecimal, width / 4),
                    _ => (LiteralKind::Binary, width),
                };
                let digits = |last: char| {
                    let mut digits = vec![u32::from('0'); length as usize];
                    digits.pop();
                    digits.push(u32::from(last));
                    digits
                };
                ['0', '1'].map(|last| terms.literal(kind, sort, &digits(last))).to_vec()
            }
            _ => Vec::new(),
        },
    }
}

/// The declared variables of this sort, in order.
fn variables(script: &Script, sort: Sort) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    for level in levels(script) {
        let is_variable =
            |term: &TermId| matches!(script.terms.head(*term), Head::Constant(_)) && script.terms.sort(*term) == sort;
        found.extend(level.into_iter().filter(is_variable));
    }
    // One that is declared first stands for later ones, never the other way round.
    found.sort_unstable();
    found.truncate(2);
    found
}
