//! Makes a script of a model's text, and has it parsed.

use rustc_hash::FxHashSet;

use super::super::interpretation::{Interpretation, LAMBDA};
use super::collect::interpretation;
use super::preamble::{elements, preamble};
use super::text::Rewritten;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::lexer::{Lexer, Token, TokenKind, line_and_column};
use crate::smtlib::parser::{ParseError, ParseOptions, parse_lenient};
use crate::smtlib::script::Script;

/// The commands that stand in models.
const COMMANDS: [&str; 9] = [
    "define-fun",
    "define-fun-rec",
    "define-const",
    "declare-fun",
    "declare-const",
    "declare-sort",
    "define-sort",
    "declare-datatypes",
    "declare-datatype",
];

/// What is wrong, and at which offset of the model's text.
struct Fault {
    offset: usize,
    found: String,
    expected: &'static str,
}

pub(super) fn read(text: &str, source: &str, script: &Script, dialect: Dialect) -> Result<Interpretation, ParseError> {
    let located = |offset: usize, found: String, expected: String| {
        let (line, column) = line_and_column(text, offset);
        ParseError { file: source.to_owned(), line, column, found, expected, help: None }
    };
    let lexer = Lexer::new(text, dialect == Dialect::SmtLib20);
    let mut reader =
        Reader { text, lexer, out: Rewritten::of(text), prototypes: Vec::new(), elements: FxHashSet::default() };
    reader.all().map_err(|fault| located(fault.offset, fault.found, fault.expected.to_owned()))?;
    let elements = elements(&reader.elements, script);
    let (preamble, commands) = preamble(script, &elements, &reader.prototypes);
    let whole = format!("{preamble}{}", reader.out.text());
    let parsed = parse_lenient(&whole, source, &ParseOptions { dialect: Some(dialect) }).map_err(|error| {
        // Back from line and column to the place in the model.
        let lines = whole.split_inclusive('\n').take(error.line - 1).map(str::len).sum::<usize>();
        let line = whole.get(lines..).unwrap_or_default();
        let within: usize = line.chars().take(error.column - 1).map(char::len_utf8).sum();
        let offset = reader.out.original_offset((lines + within).saturating_sub(preamble.len()));
        located(offset, error.found, error.expected)
    })?;
    Ok(interpretation(parsed, commands, &elements, script))
}

/// Rewrites a model's text into commands.
struct Reader<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    out: Rewritten<'a>,
    /// Declarations of what the model defines, so that definitions may mention later ones.
    prototypes: Vec<String>,
    /// Names that begin with `@`: elements of uninterpreted sorts.
    elements: FxHashSet<&'a str>,
}

impl<'a> Reader<'a> {
    fn token(&mut self) -> Result<Token, Fault> {
        self.lexer.next_token().map_err(|error| Fault {
            offset: error.start,
            found: error.found,
            expected: error.expected,
        })
    }

    /// The next token, which is read again.
    fn peek(&mut self) -> Result<Token, Fault> {
        let position = self.lexer.position();
        let token = self.token()?;
        self.lexer.seek(position);
        Ok(token)
    }

    fn text(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn fault(&self, token: Token, expected: &'static str) -> Fault {
        let found = match token.kind {
            TokenKind::Symbol | TokenKind::Keyword => format!("the {} {}", token.kind.description(), self.text(token)),
            kind => kind.description().to_owned(),
        };
        Fault { offset: token.start as usize, found, expected }
    }

    fn all(&mut self) -> Result<(), Fault> {
        let mut open = false;
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::End if open => return Err(self.fault(token, "')' after the model")),
                TokenKind::End => return Ok(()),
                TokenKind::RightParenthesis if open => {
                    open = false;
                    self.out.blank_to(token.end as usize);
                }
                TokenKind::Symbol if !open && matches!(self.text(token), "sat" | "unknown" | "success") => {
                    self.out.blank_to(token.end as usize);
                }
                TokenKind::LeftParenthesis => {
                    let next = self.peek()?;
                    match next.kind {
                        TokenKind::Symbol if COMMANDS.contains(&self.text(next)) => self.command(token)?,
                        // How many elements a sort has: the declarations of its elements say it too.
                        TokenKind::Symbol if open && self.text(next) == "forall" => {
                            self.skip_list()?;
                            self.out.blank_to(self.lexer.position());
                        }
                        TokenKind::Symbol if !open && self.text(next) == "model" => {
                            self.token()?;
                            open = true;
                            self.out.blank_to(self.lexer.position());
                        }
                        TokenKind::LeftParenthesis | TokenKind::RightParenthesis if !open => {
                            open = self.is_model()?;
                            if open {
                                self.out.blank_to(token.end as usize);
                            } else {
                                self.values(token)?;
                            }
                        }
                        _ => return Err(self.fault(next, "a model: a list of define-fun, or of terms and values")),
                    }
                }
                _ => return Err(self.fault(token, "a model in parentheses")),
            }
        }
    }

    /// Whether the list that was opened is one of commands, not of terms and values.
    fn is_model(&mut self) -> Result<bool, Fault> {
        let position = self.lexer.position();
        let first = self.token()?;
        let second = if first.kind == TokenKind::LeftParenthesis { self.token()? } else { first };
        self.lexer.seek(position);
        let word = self.text(second);
        let command = second.kind == TokenKind::Symbol && (COMMANDS.contains(&word) || word == "forall");
        Ok(first.kind == TokenKind::RightParenthesis || command)
    }

    /// Everything up to the ')' of the list whose '(' was read, unchanged but for `lambda`.
    fn skip_list(&mut self) -> Result<(), Fault> {
        let mut depth = 1_usize;
        let mut previous = TokenKind::LeftParenthesis;
        while depth > 0 {
            let token = self.token()?;
            match token.kind {
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::RightParenthesis => depth -= 1,
                TokenKind::End => return Err(self.fault(token, "')'")),
                TokenKind::Symbol if previous == TokenKind::LeftParenthesis && self.text(token) == "lambda" => {
                    let open = self.token()?;
                    if open.kind != TokenKind::LeftParenthesis {
                        return Err(self.fault(open, "the variables of the lambda"));
                    }
                    depth += 1;
                    self.out.keep_to(token.start as usize);
                    self.out.insert("exists ((");
                    self.out.insert(LAMBDA);
                    self.out.insert(" Bool)");
                    self.out.blank_to(open.end as usize);
                }
                TokenKind::Symbol if self.text(token).starts_with('@') => {
                    self.elements.insert(self.text(token));
                }
                _ => {}
            }
            previous = token.kind;
        }
        Ok(())
    }

    /// A command, of which `open` is the '('.
    fn command(&mut self, open: Token) -> Result<(), Fault> {
        self.out.keep_to(open.start as usize);
        let after_open = self.lexer.position();
        let head = self.token()?;
        if self.text(head).starts_with("define-") && self.text(head) != "define-sort" {
            self.prototype(self.text(head) == "define-const")?;
        }
        self.lexer.seek(after_open);
        self.skip_list()?;
        self.out.keep_to(self.lexer.position());
        Ok(())
    }

    /// Declares what is defined: `f ((x S)…) S`, or `f S`.
    fn prototype(&mut self, constant: bool) -> Result<(), Fault> {
        let name = self.token()?;
        if !matches!(name.kind, TokenKind::Symbol | TokenKind::QuotedSymbol) {
            return Err(self.fault(name, "the name that is defined"));
        }
        let mut sorts = Vec::new();
        if !constant {
            let open = self.token()?;
            if open.kind != TokenKind::LeftParenthesis {
                return Err(self.fault(open, "'(' and the parameters"));
            }
            loop {
                let token = self.token()?;
                match token.kind {
                    TokenKind::RightParenthesis => break,
                    TokenKind::LeftParenthesis => {}
                    _ => return Err(self.fault(token, "a parameter such as (x Int)")),
                }
                self.token()?;
                sorts.push(self.expression()?);
                let close = self.token()?;
                if close.kind != TokenKind::RightParenthesis {
                    return Err(self.fault(close, "')' after the parameter"));
                }
            }
        }
        let sort = self.expression()?;
        let prototype = format!("(declare-fun {} ({}) {sort})", self.text(name), sorts.join(" "));
        self.prototypes.push(prototype);
        Ok(())
    }

    /// The text of the next atom or list.
    fn expression(&mut self) -> Result<&'a str, Fault> {
        let first = self.token()?;
        let mut depth = usize::from(first.kind == TokenKind::LeftParenthesis);
        let mut end = first.end;
        while depth > 0 {
            let token = self.token()?;
            match token.kind {
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::RightParenthesis => depth -= 1,
                TokenKind::End => return Err(self.fault(token, "')'")),
                _ => {}
            }
            end = token.end;
        }
        match first.kind {
            TokenKind::RightParenthesis | TokenKind::End => Err(self.fault(first, "a sort")),
            _ => Ok(&self.text[first.start as usize..end as usize]),
        }
    }

    /// `((term value)…)`, of which `open` is the '(': each pair as a command.
    fn values(&mut self, open: Token) -> Result<(), Fault> {
        self.out.blank_to(open.end as usize);
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::RightParenthesis => {
                    self.out.blank_to(token.end as usize);
                    return Ok(());
                }
                TokenKind::LeftParenthesis => {}
                _ => return Err(self.fault(token, "a pair of a term and its value")),
            }
            self.out.keep_to(token.start as usize);
            self.out.insert("(get-value ");
            self.skip_list()?;
            self.out.keep_to(self.lexer.position());
            self.out.insert(")");
        }
    }
}
