//! The parser: text → [`Script`], syntax and sorts in one pass, with explicit stacks instead of recursion.

mod apply;
mod command;
mod datatype;
mod declaration;
mod decode;
mod detect;
mod error;
mod extension;
mod function;
mod identifier;
mod matching;
mod number;
mod scope;
mod sort;
mod term;

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::dialect::Dialect;
use super::lexer::{Lexer, Token, TokenKind};
use super::literal;
use super::script::{Command, Script};
use super::sort::Sort;
use super::symbol::Symbol;
use super::term::{TermId, Terms};

pub use decode::decode;
pub use detect::detect;
pub use error::ParseError;

use error::{Fault, Parsed};
use scope::{Mark, NameId, Scope};
use term::Frame;

/// How to read a script.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// The dialect of its string literals; `None` finds it out with [`detect()`]. Operators are read in all spellings
    /// either way.
    pub dialect: Option<Dialect>,
}

/// Reads and sort-checks a script. What is a solver's own and not in the signature table is kept as it is written, of
/// unknown sort if need be; a name that nothing declares is an error all the same. `source` is what errors call it: the file's name.
///
/// # Errors
/// The first thing that is wrong.
pub fn parse(text: &str, source: &str, options: &ParseOptions) -> Result<Script, ParseError> {
    Parser::new(text, *options, false).script().map_err(|fault| fault.located(text, source))
}

/// Reads a script and keeps what it does not know: unknown symbols become [`Head::Verbatim`](super::term::Head) terms
/// of [`Sort::UNKNOWN`], as what solvers have of their own does in [`parse`], and an application that does not sort-check
/// keeps its operator.
///
/// # Errors
/// The first thing that is no SMT-LIB syntax.
pub fn parse_lenient(text: &str, source: &str, options: &ParseOptions) -> Result<Script, ParseError> {
    Parser::new(text, *options, true).script().map_err(|fault| fault.located(text, source))
}

/// Reads a script and goes on after an error with the next command, up to `limit` errors: the script of all commands
/// that check, and the errors in order.
pub fn parse_all(text: &str, source: &str, options: &ParseOptions, limit: usize) -> (Script, Vec<ParseError>) {
    let mut parser = Parser::new(text, *options, false);
    let mut faults = Vec::new();
    while faults.len() < limit {
        let start = parser.lexer.position();
        match parser.next_command() {
            Ok(true) => {}
            Ok(false) => break,
            Err(fault) => {
                faults.push(fault.located(text, source));
                parser.abandon_command(start);
            }
        }
    }
    (parser.finish(), faults)
}

/// The parser's state between two tokens.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a script")]
struct Parser<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    dialect: Dialect,
    lenient: bool,
    scope: Scope<'a>,
    terms: Terms,
    commands: Vec<Command>,
    /// Marks of the open `push` levels.
    levels: Vec<Mark>,
    /// `(set-option :global-declarations true)` was seen.
    global_declarations: bool,
    /// The logic is a higher-order one, in which functions take fewer arguments than they have parameters.
    higher_order: bool,
    /// The script declares sorts, which may have the names of built-in ones.
    has_sorts: bool,
    /// Terms that are open, outermost first.
    frames: Vec<Frame>,
    /// Finished arguments of the open terms.
    values: Vec<TermId>,
    /// Names of open `let`s.
    let_names: Vec<NameId>,
    /// Variables of open binders.
    binders: Vec<(Symbol, Sort)>,
    /// Indices of open `((_ f i…) …)`.
    indices: Vec<u32>,
    /// Names that `:named` introduced in the current command.
    named: Vec<(NameId, Sort)>,
    /// Parametric datatypes that may stand without their parameters: those of the old `declare-datatypes` being read.
    bare_parametric: Vec<Symbol>,
    bit_vectors: FxHashMap<u32, Sort>,
    /// Names that were found to be solvers' own.
    extensions: FxHashSet<NameId>,
    // Buffers that are empty between uses.
    words: Vec<u32>,
    sorts: Vec<Sort>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, options: ParseOptions, lenient: bool) -> Self {
        // Only backslashes are read differently.
        let undecided = || if text.contains('\\') { detect(text) } else { Dialect::SmtLib26 };
        let dialect = options.dialect.unwrap_or_else(undecided);
        Parser {
            text,
            lexer: Lexer::new(text, dialect == Dialect::SmtLib20),
            dialect,
            lenient,
            scope: Scope::with_capacity((text.len() / 16).min(1 << 12)),
            // Scripts have a term every dozen bytes or so, fewer when they are long and repeat themselves.
            terms: Terms::with_capacity((text.len() / 12).min(1 << 16)),
            commands: Vec::with_capacity((text.len() / 40).min(1 << 12)),
            levels: Vec::new(),
            global_declarations: false,
            higher_order: false,
            has_sorts: false,
            frames: Vec::with_capacity(16),
            values: Vec::with_capacity(16),
            let_names: Vec::new(),
            binders: Vec::new(),
            indices: Vec::new(),
            named: Vec::new(),
            bare_parametric: Vec::new(),
            bit_vectors: FxHashMap::default(),
            extensions: FxHashSet::default(),
            words: Vec::new(),
            sorts: Vec::new(),
        }
    }

    fn script(mut self) -> Parsed<Script> {
        while self.next_command()? {}
        Ok(self.finish())
    }

    fn finish(self) -> Script {
        Script { commands: self.commands, terms: self.terms }
    }

    #[inline]
    fn token(&mut self) -> Parsed<Token> {
        Ok(self.lexer.next_token()?)
    }

    fn text(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// A symbol's text without bars.
    fn symbol_text(&self, token: Token, expected: &str) -> Parsed<&'a str> {
        match token.kind {
            TokenKind::Symbol => Ok(self.text(token)),
            TokenKind::QuotedSymbol => Ok(&self.text[token.start as usize + 1..token.end as usize - 1]),
            _ => Err(Fault::new(token.start, self.found(token), expected)),
        }
    }

    /// Reads a symbol.
    fn symbol(&mut self, expected: &str) -> Parsed<&'a str> {
        let token = self.token()?;
        self.symbol_text(token, expected)
    }

    /// Reads a token of this kind.
    fn expect(&mut self, kind: TokenKind, expected: &str) -> Parsed<Token> {
        let token = self.token()?;
        if token.kind == kind { Ok(token) } else { Err(Fault::new(token.start, self.found(token), expected)) }
    }

    /// What a message calls a token.
    fn found(&self, token: Token) -> String {
        const LONGEST_SHOWN: usize = 40;
        let description = token.kind.description();
        match token.kind {
            TokenKind::LeftParenthesis | TokenKind::RightParenthesis | TokenKind::End => description.to_owned(),
            _ => {
                let text = self.text(token);
                let shown: String = text.chars().take(LONGEST_SHOWN).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                format!("the {description} {shown}{more}")
            }
        }
    }

    /// A piece of the text that is kept, with its string literals as SMT-LIB 2.6 writes them: it may be printed in
    /// any dialect later.
    fn verbatim_text(&self, start: u32, end: u32) -> Symbol {
        let text = &self.text[start as usize..end as usize];
        let translated = literal::translate(text, self.dialect, Dialect::SmtLib26);
        Symbol::new(&translated.unwrap_or(Cow::Borrowed(text)))
    }

    /// Skips to the ')' that closes the list whose '(' was read already, and returns that token.
    fn skip_list(&mut self) -> Parsed<Token> {
        let mut depth = 1_usize;
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::RightParenthesis if depth == 1 => return Ok(token),
                TokenKind::RightParenthesis => depth -= 1,
                TokenKind::End => return Err(Fault::new(token.start, self.found(token), "')'")),
                _ => {}
            }
        }
    }

    /// After a fault: forgets what the command began, and goes to the command after it.
    fn abandon_command(&mut self, start: usize) {
        self.frames.clear();
        self.values.clear();
        self.let_names.clear();
        self.binders.clear();
        self.indices.clear();
        self.named.clear();
        self.lexer.seek(start);
        let mut depth = 0_usize;
        loop {
            // Where even the lexer fails, it has moved past the offending character.
            let Ok(token) = self.lexer.next_token() else { continue };
            match token.kind {
                TokenKind::End => return,
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::RightParenthesis => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests;
