//! How large a script is: what a reduction makes smaller.

use crate::evaluate::complexity::complexity;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{self, PrintOptions};
use crate::smtlib::script::Script;
use crate::smtlib::term::TermId;

/// The size of a script. Sizes compare field by field: what makes an instance hard to read comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Size {
    /// The complexity measure of the search (Eq. 2): the sum over all nodes of the applications that enclose them.
    pub complexity: u64,
    /// Symbols and literals of all terms, an expanded subterm counted each time that it occurs; saturates.
    pub tokens: u64,
    /// Commands, declarations among them.
    pub commands: usize,
    /// Bytes of the text.
    pub bytes: usize,
}

impl Size {
    /// The size of `script`; its bytes are those of `dialect`, and `usize::MAX` if that cannot spell it.
    pub fn of(script: &Script, dialect: Dialect) -> Size {
        let text = printer::print(script, dialect, &PrintOptions::default());
        Size {
            complexity: complexity(script),
            tokens: script.tokens(),
            commands: script.commands.len(),
            bytes: text.map_or(usize::MAX, |text| text.len()),
        }
    }
}

/// The deepest nesting of applications in an assertion.
pub fn depth(script: &Script) -> usize {
    let mut depths: Vec<usize> = Vec::with_capacity(script.terms.len());
    for index in 0..script.terms.len() as u32 {
        let arguments = script.terms.arguments(TermId(index)).iter();
        depths.push(arguments.map(|argument| depths[argument.0 as usize] + 1).max().unwrap_or(0));
    }
    script.assertions().map(|root| depths[root.0 as usize]).max().unwrap_or(0)
}
