//! Reads indexed and qualified identifiers: `(_ extract 7 0)`, `(_ char #x41)`, `(as nil (List Int))`.

use super::super::bit_vector;
use super::super::lexer::{Token, TokenKind};
use super::super::literal::LARGEST_CODE_POINT;
use super::super::signature::Bindings;
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::super::term::{Head, LiteralKind, Parts, TermId};
use super::Parser;
use super::error::{Fault, Parsed};
use super::scope::{Meaning, NameId};
use super::term::{FrameKind, push_symbol};

impl Parser<'_> {
    /// After `((`: the head of an application, `_ f i…)` or `as f S)`.
    pub(super) fn identifier_head(&mut self, offset: u32) -> Parsed<FrameKind> {
        let token = self.token()?;
        match (token.kind, self.text(token)) {
            (TokenKind::Symbol, "_") => {
                let symbol = self.token()?;
                let text = self.symbol_text(symbol, "the name of an indexed operator")?;
                if matches!(text, "is" | "update") {
                    return self.tester_or_update(offset, text == "is");
                }
                let name = self.scope.name(text);
                let indices = self.indices.len() as u32;
                loop {
                    let token = self.token()?;
                    match token.kind {
                        TokenKind::RightParenthesis => return Ok(FrameKind::Indexed { name, indices }),
                        TokenKind::Numeral => self.indices.push(self.index(token)?),
                        _ if self.keeps_indices(name, token) => {
                            self.indices.truncate(indices as usize);
                            return self.verbatim_head(offset, token, Sort::UNKNOWN);
                        }
                        _ => return Err(Fault::new(token.start, self.found(token), "a numeral index or ')'")),
                    }
                }
            }
            (TokenKind::Symbol, "as") => {
                let symbol = self.token()?;
                let text = self.symbol_text(symbol, "a function")?;
                let sort = self.sort()?;
                self.expect(TokenKind::RightParenthesis, "')' after the sort")?;
                let name = self.scope.name(text);
                let declared = self.scope.overloads(name).next().is_some();
                if text != "const" && !declared && !self.is_qualified_extension(name, sort) && !self.lenient {
                    return Err(self.unknown(name, symbol.start));
                }
                Ok(FrameKind::Verbatim { text: self.qualified_text(name, sort), sort })
            }
            _ => Err(Fault::new(token.start, self.found(token), "_ or as: an operator stands alone, as in (f x)")),
        }
    }

    /// `(_ is c)` or `(_ update s)`, kept as it is written.
    fn tester_or_update(&mut self, offset: u32, tester: bool) -> Parsed<FrameKind> {
        let token = self.token()?;
        if token.kind != TokenKind::LeftParenthesis {
            let name = self.scope.name(self.symbol_text(token, "a constructor or selector")?);
            if self.scope.overloads(name).next().is_none() && !self.lenient {
                return Err(self.unknown(name, token.start));
            }
        }
        self.verbatim_head(offset, token, if tester { Sort::BOOL } else { Sort::UNKNOWN })
    }

    /// The text from `offset` to the ')' that closes it, `token` being the last token that was read.
    fn verbatim_head(&mut self, offset: u32, token: Token, sort: Sort) -> Parsed<FrameKind> {
        if token.kind == TokenKind::LeftParenthesis {
            self.skip_list()?;
        }
        let end = self.skip_list()?.end;
        Ok(FrameKind::Verbatim { text: Symbol::new(&self.text[offset as usize..end as usize]), sort })
    }

    /// After `(_` in the place of a term.
    pub(super) fn indexed_constant(&mut self, offset: u32) -> Parsed<TermId> {
        let symbol = self.token()?;
        let text = self.symbol_text(symbol, "the name of an indexed constant")?;
        if text == "char" {
            return self.character();
        }
        let name = self.scope.name(text);
        let first = self.indices.len();
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::RightParenthesis => break,
                TokenKind::Numeral => self.indices.push(self.index(token)?),
                _ if self.keeps_indices(name, token) => {
                    self.indices.truncate(first);
                    let sort = self.sort_of_function_index(text, token);
                    let FrameKind::Verbatim { text, sort } = self.verbatim_head(offset, token, sort)? else {
                        return Err(Fault::new(offset, "an indexed identifier", "numeral indices"));
                    };
                    return Ok(self.verbatim(text, sort, &[]));
                }
                _ => return Err(Fault::new(token.start, self.found(token), "a numeral index or ')'")),
            }
        }
        let digits = text.strip_prefix("bv").filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
        if let (Some(digits), &[width]) = (digits.filter(|digits| !digits.is_empty()), &self.indices[first..]) {
            self.indices.truncate(first);
            return self.bit_vector(symbol, digits, width);
        }
        let base = self.values.len();
        let term = self.apply_indexed(name, first, base, offset)?;
        self.indices.truncate(first);
        Ok(term)
    }

    /// `(_ char #x41)` is a string literal.
    fn character(&mut self) -> Parsed<TermId> {
        let token = self.token()?;
        let value = match token.kind {
            TokenKind::Hexadecimal => u32::from_str_radix(&self.text(token)[2..], 16).ok(),
            _ => None,
        };
        let Some(value) = value.filter(|&value| value <= LARGEST_CODE_POINT) else {
            return Err(Fault::new(token.start, self.found(token), "a hexadecimal up to #x2FFFF"));
        };
        self.expect(TokenKind::RightParenthesis, "')' after the character")?;
        Ok(self.terms.string(&[value]))
    }

    /// `(_ bv5 8)` is a binary literal; a very wide one stays as it is written.
    fn bit_vector(&mut self, symbol: Token, digits: &str, width: u32) -> Parsed<TermId> {
        if width == 0 {
            return Err(Fault::new(symbol.start, "a bit vector of width 0", "a width of at least 1"));
        }
        let sort = self.bit_vec(width);
        if width.max(digits.len() as u32) > bit_vector::WIDEST {
            let text = Symbol::new(&format!("(_ bv{digits} {width})"));
            return Ok(self.verbatim(text, sort, &[]));
        }
        self.words.clear();
        self.words.extend(bit_vector::bits_of(digits, width).map(|bit| u32::from(b'0') + u32::from(bit)));
        Ok(self.terms.literal(LiteralKind::Binary, sort, &self.words))
    }

    /// After `(as` in the place of a term.
    pub(super) fn qualified_constant(&mut self, offset: u32) -> Parsed<TermId> {
        let symbol = self.token()?;
        let text = self.symbol_text(symbol, "a constant")?;
        let sort = self.sort()?;
        self.expect(TokenKind::RightParenthesis, "')' after the sort")?;
        if text == "seq.empty" && sort == Sort::STRING {
            return Ok(self.terms.string(&[]));
        }
        let name = self.scope.name(text);
        for reading in self.scope.readings(name) {
            if reading.op.signature().apply(&[], &[]) == Some(sort) {
                return Ok(self.terms.apply(reading.op, &[], sort));
            }
        }
        if text == "const" && !self.lenient {
            let expected = "an argument: ((as const (Array S T)) t)";
            return Err(Fault::new(offset, "(as const …) as a constant", expected));
        }
        let declared = self
            .scope
            .overloads(name)
            .any(|function| function.parameters.is_empty() && function.result.unify(sort, &mut Bindings::default()));
        let constant = self.scope.meaning(name) == Meaning::Constant(sort);
        let kept = text == "seq.empty" || self.is_qualified_extension(name, sort);
        if !declared && !constant && !kept && !self.lenient {
            return Err(self.unknown(name, symbol.start));
        }
        let text = self.qualified_text(name, sort);
        Ok(self.verbatim(text, sort, &[]))
    }

    fn qualified_text(&self, name: NameId, sort: Sort) -> Symbol {
        let mut text = String::from("(as ");
        push_symbol(&mut text, self.scope.symbol(name).as_str());
        text.push(' ');
        text.push_str(&sort.to_string());
        text.push(')');
        Symbol::new(&text)
    }

    pub(super) fn verbatim(&mut self, text: Symbol, sort: Sort, arguments: &[TermId]) -> TermId {
        self.terms.intern(Parts { head: Head::Verbatim(text), sort, arguments, words: &[], binders: &[] })
    }
}
