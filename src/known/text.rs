//! Patterns as SMT-LIB text: each a `define-fun` whose parameters are its places.
//!
//! ```smt2
//! (define-fun substr ((s String) (from Int) (n Int)) String
//!   (str.substr s (! from :not-literal) n))
//! (define-fun square ((x (_ BitVec 64))) (_ BitVec 64)
//!   (! (bvmul x x) :or-wider))
//! (define-fun both ((s String)) Bool
//!   (! (and (> (str.to_int s) 0) (str.contains s "a")) :assertions))
//! ```

use std::fmt;

use super::asserted;
use super::pattern::{Pattern, Place};
use crate::markdown::fenced;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{self, ParseOptions};
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::{Command, Definition, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// The attribute of an application that is slow at larger widths of bit-vectors, too.
const OR_WIDER: &str = ":or-wider";
/// The attribute of what a script has to assert, each part of a conjunction for itself.
const ASSERTIONS: &str = ":assertions";
/// The attributes of places.
const ATTRIBUTES: [(&str, Place); 2] = [(":not-literal", Place::NotLiteral), (":literal", Place::Literal)];

/// Why a text holds no patterns.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// It is no SMT-LIB script; says where and why.
    #[error(transparent)]
    Parse(#[from] parser::ParseError),
    /// It defines nothing.
    #[error("{file} holds no pattern: expected (define-fun NAME ((PLACE SORT) …) SORT APPLICATION)")]
    Empty {
        /// The file.
        file: String,
    },
    /// It is of assertions, and a part of it cannot be one.
    #[error(
        "{file}: the pattern {name} is of assertions ({ASSERTIONS}): expected a predicate with arguments, or `and` of such"
    )]
    NoAssertions {
        /// The file.
        file: String,
        /// The pattern.
        name: String,
    },
    /// A definition is a place or a literal alone, and so would occur everywhere.
    #[error("{file}: the pattern {name} is no application, and would occur everywhere")]
    NoApplication {
        /// The file.
        file: String,
        /// The pattern.
        name: String,
    },
}

/// The text of patterns, which [`read`] reads.
pub fn write(patterns: &[&Pattern]) -> String {
    patterns.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n") + "\n"
}

/// The section of a report on a pattern with this text, and on how it did on fresh scripts; its last sentence is left open, for
/// what else it explains.
pub fn section(text: &str, slow: u32, tried: u32) -> String {
    let of_scripts = if tried == 1 { "script" } else { "scripts" };
    format!(
        "\n## What is slow\n\n{}The target is slow on {slow} of {tried} fresh {of_scripts} with it, and quick on \
         the reduced instance without it",
        fenced("smt2", text.trim_end())
    )
}

impl fmt::Display for Pattern {
    /// The definition, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut script = Script::new();
        let places: Vec<_> = self.places().collect();
        let annotation = |place: Place| ATTRIBUTES.into_iter().find(|(_, kind)| *kind == place).map(|(name, _)| name);
        let body = script.terms.rebuild(&self.terms, self.root, &mut |terms, term| {
            let Head::Bound(name) = self.terms.head(term) else { return None };
            let &(_, sort, place) = places.iter().find(|(each, ..)| *each == name)?;
            let bound = terms.bound(name, sort);
            Some(annotation(place).map_or(bound, |attribute| annotated(terms, bound, attribute)))
        });
        let said = [(ASSERTIONS, self.asserted), (OR_WIDER, self.wider)];
        let said: Vec<&str> = said.into_iter().filter_map(|(attribute, holds)| holds.then_some(attribute)).collect();
        let body = if said.is_empty() { body } else { annotated(&mut script.terms, body, &said.join(" ")) };
        script.commands.push(Command::Define(Definition {
            name: self.name,
            parameters: places.iter().map(|&(name, sort, _)| (name, sort)).collect(),
            sort: script.terms.sort(body),
            body,
        }));
        // This dialect spells everything.
        let text = printer::print(&script, Dialect::SmtLib26, &PrintOptions::default()).map_err(|_| fmt::Error)?;
        f.write_str(text.trim_end())
    }
}

/// `(! term attribute)`
fn annotated(terms: &mut Terms, term: TermId, attribute: &str) -> TermId {
    let (head, sort) = (Head::Annotation(Symbol::new(attribute)), terms.sort(term));
    terms.intern(Parts { head, sort, arguments: &[term], words: &[], binders: &[] })
}

/// The patterns of a text, in its order.
///
/// # Errors
/// [`PatternError`]
pub fn read(text: &str, file: &str) -> Result<Vec<Pattern>, PatternError> {
    let options = ParseOptions { dialect: Some(Dialect::SmtLib26) };
    let script = parser::parse(text, file, &options)?;
    let definitions = script.commands.iter().filter_map(|command| match command {
        Command::Define(definition) => Some(definition),
        _ => None,
    });
    let patterns: Vec<Pattern> =
        definitions.map(|definition| pattern(definition, &script.terms, file)).collect::<Result<_, _>>()?;
    if patterns.is_empty() {
        return Err(PatternError::Empty { file: file.to_owned() });
    }
    Ok(patterns)
}

/// The one pattern of a text, of a test.
#[cfg(test)]
pub(in crate::known) fn read_one(text: &str) -> Pattern {
    read(text, "test").expect("a pattern").remove(0)
}

fn pattern(definition: &Definition, terms: &Terms, file: &str) -> Result<Pattern, PatternError> {
    let mut places: Vec<_> = definition.parameters.iter().map(|&(name, _)| (name, Place::Any)).collect();
    let mut own = Terms::new();
    // What is said of the whole is no part of it.
    let (said, body) = match (terms.head(definition.body), terms.arguments(definition.body)) {
        (Head::Annotation(attributes), &[inner]) => (attributes.as_str(), inner),
        _ => ("", definition.body),
    };
    let says = |attribute: &str| said.split_whitespace().any(|each| each == attribute);
    let (wider, asserted) = (says(OR_WIDER), says(ASSERTIONS));
    let root = own.rebuild(terms, body, &mut |own, term| {
        let Head::Annotation(attributes) = terms.head(term) else { return None };
        let (_, kind) = ATTRIBUTES.into_iter().find(|(name, _)| *name == attributes.as_str().trim())?;
        let inner: TermId = *terms.arguments(term).first()?;
        let Head::Bound(name) = terms.head(inner) else { return None };
        places.iter_mut().filter(|(place, _)| *place == name).for_each(|(_, place)| *place = kind);
        Some(own.import(terms, inner))
    });
    if own.arguments(root).is_empty() {
        return Err(PatternError::NoApplication { file: file.to_owned(), name: definition.name.as_str().to_owned() });
    }
    let is_predicate = |&part: &TermId| own.sort(part) == Sort::BOOL && !own.arguments(part).is_empty();
    if asserted && !asserted::parts(&own, root).iter().all(is_predicate) {
        return Err(PatternError::NoAssertions { file: file.to_owned(), name: definition.name.as_str().to_owned() });
    }
    Ok(Pattern { name: definition.name, places, terms: own, root, wider, asserted })
}
