//! Parse errors: where, what was found, what is wanted, and what to do.

use std::fmt;

use super::super::lexer::{LexicalError, line_and_column};

/// What is wrong with a script, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The file's name, as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What stands there.
    pub found: String,
    /// What the parser or the sort checker wants there.
    pub expected: String,
    /// What to do about it, where there is a good guess.
    pub help: Option<String>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParseError { file, line, column, found, expected, help } = self;
        write!(f, "{file}:{line}:{column}: found {found}, expected {expected}")?;
        help.as_ref().map_or(Ok(()), |help| write!(f, "; {help}"))
    }
}

impl std::error::Error for ParseError {}

/// A parse error that knows only its offset: lines are counted once, when it leaves the parser. One pointer, so that
/// results stay small.
#[derive(Debug)]
pub(super) struct Fault(Box<Details>);

#[derive(Debug)]
struct Details {
    offset: usize,
    found: String,
    expected: String,
    help: Option<String>,
}

pub(super) type Parsed<T> = Result<T, Fault>;

impl Fault {
    pub(super) fn new(offset: u32, found: impl Into<String>, expected: impl Into<String>) -> Fault {
        Fault(Box::new(Details { offset: offset as usize, found: found.into(), expected: expected.into(), help: None }))
    }

    pub(super) fn with_help(mut self, help: Option<String>) -> Fault {
        self.0.help = help;
        self
    }

    pub(super) fn located(self, text: &str, file: &str) -> ParseError {
        let Details { offset, found, expected, help } = *self.0;
        let (line, column) = line_and_column(text, offset);
        ParseError { file: file.to_owned(), line, column, found, expected, help }
    }
}

impl From<Box<LexicalError>> for Fault {
    fn from(error: Box<LexicalError>) -> Self {
        Fault::new(error.start as u32, error.found, error.expected)
    }
}

/// Bytes of names that are near to every other: only another case is a misspelling of theirs.
const SHORTEST: usize = 2;

/// The candidate that `name` is most likely a misspelling of.
pub(super) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() <= SHORTEST {
        let mut candidates = candidates;
        return candidates.find(|candidate| candidate.eq_ignore_ascii_case(name));
    }
    let bound = (name.len() / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = distance(name.as_bytes(), candidate.as_bytes(), bound);
        if distance <= bound && best.is_none_or(|(least, other)| (distance, candidate) < (least, other)) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edit distance (Levenshtein) of two short names; more than `bound` if their lengths differ by more.
fn distance(a: &[u8], b: &[u8], bound: usize) -> usize {
    if a.len().abs_diff(b.len()) > bound {
        return bound + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            // Changing case, or one separator for another, is the commonest mistake: half price would need fractions,
            // so it is free when it is the separator.
            let same = x == y || (matches!(x, b'.' | b'_' | b'-') && matches!(y, b'.' | b'_' | b'-'));
            let substituted = diagonal + usize::from(!same);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_if_it_is_near() {
        let names = ["str.to_int", "str.to.int", "str.len"];
        assert_eq!(nearest("str.toint", names.into_iter()), Some("str.to.int"));
        assert_eq!(nearest("str.lenn", names.into_iter()), Some("str.len"));
        assert_eq!(nearest("concatenate", names.into_iter()), None);
        let short = ["*", "+", "or", "Xs"];
        assert_eq!(["y", "-", "of", "xs", "OR"].map(|name| nearest(name, short.into_iter())), {
            [None, None, None, Some("Xs"), Some("or")]
        });
    }
}
