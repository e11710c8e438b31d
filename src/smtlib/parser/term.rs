//! Reads terms, with a stack of open terms, so that no nesting is too deep.

use super::super::lexer::{Token, TokenKind};
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::super::term::{Head, LiteralKind, Parts, TermId};
use super::super::{literal, printer};
use super::Parser;
use super::error::{Fault, Parsed};
use super::scope::{Mark, Meaning, NameId};

/// A term of which the head was read and some argument was not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub kind: FrameKind,
    /// Height of the value stack below its arguments.
    pub base: u32,
    /// Offset of its '('.
    pub offset: u32,
}

/// What kind of term is open.
#[derive(Clone, Copy, Debug)]
pub(super) enum FrameKind {
    /// `(f …`
    Application(NameId),
    /// `((_ f i…) …`, with the place of its indices.
    Indexed { name: NameId, indices: u32 },
    /// `((as f S) …` or `((_ is c) …`: a head that is kept as written, and the sort of the whole.
    Verbatim { text: Symbol, sort: Sort },
    /// `((…) …`: a term that is applied.
    Applied,
    /// `(lambda (…) …`, or another binder of a solver's own: it may have several bodies.
    Binder { name: Symbol, binders: u32, mark: Mark },
    /// `(let (… (x …`, with the place of its names.
    LetValue { names: u32 },
    /// `(let (…) …`, with the places of its variables and the scope to go back to.
    LetBody { binders: u32, mark: Mark },
    /// `(forall (…) …`
    Quantified { head: Head, binders: u32, mark: Mark },
    /// `(! …`
    Annotated,
    /// `(match …`
    MatchSubject { binders: u32 },
    /// `(match t (… (pattern …`
    MatchBody { binders: u32, mark: Mark },
}

/// The binders that only some solvers have.
const BINDERS: [&str; 4] = ["lambda", "choice", "witness", "set.comprehension"];

impl Parser<'_> {
    /// Reads a term, of which `first` is the first token.
    pub(super) fn term_from(&mut self, first: Token) -> Parsed<TermId> {
        let floor = self.frames.len();
        let mut token = first;
        loop {
            let value = match token.kind {
                TokenKind::LeftParenthesis => self.open(token.start)?,
                TokenKind::RightParenthesis if self.frames.len() > floor => Some(self.close(token)?),
                _ => Some(self.atom(token)?),
            };
            if let Some(value) = value
                && let Some(root) = self.deliver(value, floor)?
            {
                return Ok(root);
            }
            token = self.lexer.next_token()?;
        }
    }

    /// Hands a finished term to the innermost open one, and on to the next where that finishes too. The term that
    /// finishes the outermost is the result.
    fn deliver(&mut self, mut value: TermId, floor: usize) -> Parsed<Option<TermId>> {
        while self.frames.len() > floor {
            let frame = self.frames[self.frames.len() - 1];
            let finished = match frame.kind {
                FrameKind::Application(_)
                | FrameKind::Indexed { .. }
                | FrameKind::Verbatim { .. }
                | FrameKind::Applied
                | FrameKind::Binder { .. } => None,
                FrameKind::LetValue { names } => {
                    self.values.push(value);
                    self.after_let_value(frame, names)?;
                    return Ok(None);
                }
                FrameKind::LetBody { binders, mark } => {
                    self.values.push(value);
                    Some(self.finish_binder(frame, Head::Let, binders, mark)?)
                }
                FrameKind::Quantified { head, binders, mark } => {
                    self.check_sort(value, Sort::BOOL, frame.offset, "the body of a quantifier")?;
                    self.values.push(value);
                    Some(self.finish_binder(frame, head, binders, mark)?)
                }
                FrameKind::Annotated => Some(self.finish_annotation(value)?),
                FrameKind::MatchSubject { binders } => {
                    self.values.push(value);
                    self.expect(TokenKind::LeftParenthesis, "'(' and the cases of the match")?;
                    self.match_case(binders)?;
                    return Ok(None);
                }
                FrameKind::MatchBody { binders, mark } => {
                    self.values.push(value);
                    match self.after_match_body(frame, binders, mark)? {
                        Some(finished) => Some(finished),
                        None => return Ok(None),
                    }
                }
            };
            let Some(finished) = finished else {
                self.values.push(value);
                return Ok(None);
            };
            self.frames.pop();
            value = finished;
        }
        Ok(Some(value))
    }

    pub(super) fn push_frame(&mut self, kind: FrameKind, offset: u32) {
        self.frames.push(Frame { kind, base: self.values.len() as u32, offset });
    }

    /// After a '(' in the place of a term: opens a term, or reads the whole of `(_ …)` and `(as …)`.
    fn open(&mut self, offset: u32) -> Parsed<Option<TermId>> {
        let token = self.lexer.next_token()?;
        match token.kind {
            TokenKind::Symbol => {
                let text = self.text(token);
                match text {
                    "let" => self.open_let(offset)?,
                    "forall" => self.open_quantifier(Head::Forall, offset)?,
                    "exists" => self.open_quantifier(Head::Exists, offset)?,
                    "!" => self.push_frame(FrameKind::Annotated, offset),
                    "match" => {
                        let binders = self.binders.len() as u32;
                        self.push_frame(FrameKind::MatchSubject { binders }, offset);
                    }
                    "_" => return self.indexed_constant(offset).map(Some),
                    "as" => return self.qualified_constant(offset).map(Some),
                    _ => {
                        let name = self.scope.name(text);
                        if BINDERS.contains(&text) && self.binds(name)? {
                            self.open_binder(name, offset)?;
                        } else {
                            self.push_frame(FrameKind::Application(name), offset);
                        }
                    }
                }
            }
            TokenKind::QuotedSymbol => {
                let name = self.scope.name(self.symbol_text(token, "a symbol")?);
                self.push_frame(FrameKind::Application(name), offset);
            }
            TokenKind::LeftParenthesis => {
                let inside = self.lexer.position();
                let first = self.lexer.next_token()?;
                if first.kind == TokenKind::Symbol && matches!(self.text(first), "_" | "as") {
                    self.lexer.seek(inside);
                    let kind = self.identifier_head(token.start)?;
                    self.push_frame(kind, offset);
                } else {
                    self.lexer.seek(token.start as usize);
                    self.push_frame(FrameKind::Applied, offset);
                }
            }
            _ => return Err(Fault::new(token.start, self.found(token), "an operator, a function or a binder")),
        }
        Ok(None)
    }

    /// At the ')' of an application.
    fn close(&mut self, token: Token) -> Parsed<TermId> {
        let frame = self.frames[self.frames.len() - 1];
        let base = frame.base as usize;
        let term = match frame.kind {
            FrameKind::Application(name) => self.apply(name, base, frame.offset)?,
            FrameKind::Indexed { name, indices } => {
                let term = self.apply_indexed(name, indices as usize, base, frame.offset)?;
                self.indices.truncate(indices as usize);
                term
            }
            FrameKind::Verbatim { text, sort } => self.apply_verbatim(text, sort, base, frame.offset)?,
            FrameKind::Applied => self.apply_term(base, frame.offset)?,
            FrameKind::Binder { name, binders, mark } if self.values.len() > base => {
                self.finish_bodies(name, base, binders, mark)
            }
            _ => return Err(Fault::new(token.start, "')'", "a term")),
        };
        self.values.truncate(base);
        self.frames.pop();
        Ok(term)
    }

    fn atom(&mut self, token: Token) -> Parsed<TermId> {
        match token.kind {
            TokenKind::Symbol => {
                let name = self.scope.name(self.text(token));
                self.constant(name, token)
            }
            TokenKind::QuotedSymbol => {
                let name = self.scope.name(self.symbol_text(token, "a symbol")?);
                self.constant(name, token)
            }
            TokenKind::String => self.string(token),
            TokenKind::Numeral => Ok(self.number(self.text(token), LiteralKind::Numeral)),
            TokenKind::Decimal => Ok(self.number(self.text(token), LiteralKind::Decimal)),
            TokenKind::Rational => Ok(self.rational(self.text(token))),
            TokenKind::Hexadecimal => Ok(self.bits(token, LiteralKind::Hexadecimal, 4)),
            TokenKind::Binary => Ok(self.bits(token, LiteralKind::Binary, 1)),
            _ => Err(Fault::new(token.start, self.found(token), "a term")),
        }
    }

    fn string(&mut self, token: Token) -> Parsed<TermId> {
        let source = &self.text[token.start as usize + 1..token.end as usize - 1];
        self.words.clear();
        literal::read(source, self.dialect, &mut self.words).map_err(|character| {
            Fault::new(token.start, format!("the character {character:?} in a string"), "code points up to 2FFFF")
        })?;
        Ok(self.terms.string(&self.words))
    }

    fn bits(&mut self, token: Token, kind: LiteralKind, width: u32) -> TermId {
        let digits = &self.text[token.start as usize + 2..token.end as usize];
        self.words.clear();
        self.words.extend(digits.bytes().map(|digit| u32::from(digit.to_ascii_lowercase())));
        let sort = self.bit_vec(width * digits.len() as u32);
        self.terms.literal(kind, sort, &self.words)
    }

    pub(super) fn bit_vec(&mut self, width: u32) -> Sort {
        *self.bit_vectors.entry(width).or_insert_with(|| Sort::bit_vec(width))
    }

    /// `(let (`…: up to the first value.
    fn open_let(&mut self, offset: u32) -> Parsed<()> {
        self.expect(TokenKind::LeftParenthesis, "'(' and the bindings of the let")?;
        let names = self.let_names.len() as u32;
        self.push_frame(FrameKind::LetValue { names }, offset);
        self.expect(TokenKind::LeftParenthesis, "'(' and a binding such as (x t)")?;
        self.let_name()
    }

    fn let_name(&mut self) -> Parsed<()> {
        let text = self.symbol("the name of a variable")?;
        let name = self.scope.name(text);
        self.let_names.push(name);
        Ok(())
    }

    fn after_let_value(&mut self, frame: Frame, names: u32) -> Parsed<()> {
        self.expect(TokenKind::RightParenthesis, "')' after the bound term")?;
        let token = self.token()?;
        match token.kind {
            TokenKind::LeftParenthesis => return self.let_name(),
            TokenKind::RightParenthesis => {}
            _ => return Err(Fault::new(token.start, self.found(token), "another binding or ')'")),
        }
        let (mark, binders) = (self.scope.mark(), self.binders.len() as u32);
        for position in 0..self.let_names.len() - names as usize {
            let name = self.let_names[names as usize + position];
            let sort = self.terms.sort(self.values[frame.base as usize + position]);
            self.bind(name, sort);
        }
        self.let_names.truncate(names as usize);
        if let Some(frame) = self.frames.last_mut() {
            frame.kind = FrameKind::LetBody { binders, mark };
        }
        Ok(())
    }

    fn bind(&mut self, name: NameId, sort: Sort) {
        self.binders.push((self.scope.symbol(name), sort));
        self.scope.set(name, Meaning::Bound(sort));
    }

    fn open_quantifier(&mut self, head: Head, offset: u32) -> Parsed<()> {
        let (mark, binders) = (self.scope.mark(), self.binders.len() as u32);
        self.expect(TokenKind::LeftParenthesis, "'(' and sorted variables such as (x Int)")?;
        self.sorted_variables()?;
        if self.binders.len() == binders as usize {
            return Err(Fault::new(offset, "a quantifier without variables", "sorted variables such as (x Int)"));
        }
        self.push_frame(FrameKind::Quantified { head, binders, mark }, offset);
        Ok(())
    }

    /// Reads `(x S)…)` and binds the variables, in [`Parser::binders`] too.
    pub(super) fn sorted_variables(&mut self) -> Parsed<()> {
        let first = self.binders.len();
        let mut names = Vec::new();
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::RightParenthesis => break,
                TokenKind::LeftParenthesis => {}
                _ => return Err(Fault::new(token.start, self.found(token), "a sorted variable such as (x Int)")),
            }
            let text = self.symbol("the name of a variable")?;
            let name = self.scope.name(text);
            let sort = self.sort()?;
            self.expect(TokenKind::RightParenthesis, "')' after the sorted variable")?;
            names.push(name);
            self.binders.push((self.scope.symbol(name), sort));
        }
        for (name, position) in names.into_iter().zip(first..) {
            let sort = self.binders[position].1;
            self.scope.set(name, Meaning::Bound(sort));
        }
        Ok(())
    }

    fn finish_binder(&mut self, frame: Frame, head: Head, binders: u32, mark: Mark) -> Parsed<TermId> {
        self.expect(TokenKind::RightParenthesis, "')' after the body")?;
        self.scope.undo(mark);
        let base = frame.base as usize;
        let body = self.values[self.values.len() - 1];
        let parts = Parts {
            head,
            sort: self.terms.sort(body),
            arguments: &self.values[base..],
            words: &[],
            binders: &self.binders[binders as usize..],
        };
        let term = self.terms.intern(parts);
        self.values.truncate(base);
        self.binders.truncate(binders as usize);
        Ok(term)
    }

    /// Reads the attributes of `(! t …)` and the ')' after them.
    fn finish_annotation(&mut self, value: TermId) -> Parsed<TermId> {
        let sort = self.terms.sort(value);
        let (mut start, mut end, mut depth, mut named) = (None, 0, 0_usize, false);
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::RightParenthesis if depth == 0 => break,
                TokenKind::RightParenthesis => depth -= 1,
                TokenKind::LeftParenthesis => depth += 1,
                TokenKind::End => return Err(Fault::new(token.start, self.found(token), "')' after the attributes")),
                TokenKind::Symbol | TokenKind::QuotedSymbol if named && depth == 0 => {
                    let name = self.scope.name(self.symbol_text(token, "a name")?);
                    // From here on the name stands for the term, even in the same command.
                    self.scope.set(name, Meaning::Constant(sort));
                    self.named.push((name, sort));
                }
                _ => {}
            }
            named = token.kind == TokenKind::Keyword && self.text(token) == ":named";
            start.get_or_insert(token.start);
            end = token.end;
        }
        let Some(start) = start else {
            return Err(Fault::new(self.lexer.position() as u32 - 1, "')'", "an attribute such as :named"));
        };
        let head = Head::Annotation(self.verbatim_text(start, end));
        Ok(self.terms.intern(Parts { head, sort, arguments: &[value], words: &[], binders: &[] }))
    }

    /// That a term has a sort.
    pub(super) fn check_sort(&self, term: TermId, sort: Sort, offset: u32, what: &str) -> Parsed<()> {
        let found = self.terms.sort(term);
        if found == sort || self.lenient || (found == Sort::UNKNOWN || sort == Sort::UNKNOWN) {
            return Ok(());
        }
        Err(Fault::new(offset, format!("{what} of sort {found}"), format!("sort {sort}")))
    }
}

/// Appends a symbol, with bars where it needs them.
pub(super) fn push_symbol(text: &mut String, symbol: &str) {
    // Writing to a string cannot fail.
    let _ = printer::write_symbol(text, symbol);
}
