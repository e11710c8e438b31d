//! What commands that are kept as text declare: sorts, and what only some solvers' commands declare.

use super::super::lexer::{Token, TokenKind};
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::Parser;
use super::error::{Fault, Parsed};
use super::scope::{Meaning, SortMeaning};

/// Whether a command of this name, which we do not know, declares something.
pub(super) fn is_declaration(name: &str) -> bool {
    ["declare-", "define-", "synth-"].iter().any(|prefix| name.starts_with(prefix))
}

impl Parser<'_> {
    pub(super) fn declare_sort(&mut self) -> Parsed<()> {
        let name = Symbol::new(self.symbol("the name of the sort")?);
        let token = self.token()?;
        // Z3 reads `(declare-sort S)` as arity 0.
        let arity = if token.kind == TokenKind::RightParenthesis {
            self.lexer.seek(token.start as usize);
            0
        } else {
            self.index(token)?
        };
        self.has_sorts = true;
        self.scope.set_sort(name, SortMeaning::Declared(arity as usize));
        Ok(())
    }

    pub(super) fn define_sort(&mut self) -> Parsed<()> {
        let name = Symbol::new(self.symbol("the name of the sort")?);
        self.expect(TokenKind::LeftParenthesis, "'(' and the sort's parameters")?;
        let variables = self.symbols_of_list()?;
        let token = self.token()?;
        let pattern = self.sort_pattern(token, &variables, 0)?;
        self.has_sorts = true;
        self.scope.set_sort(name, SortMeaning::Defined(variables.len(), pattern));
        Ok(())
    }

    /// Symbols up to the ')' of their list; at most as many as a signature has variables.
    pub(super) fn symbols_of_list(&mut self) -> Parsed<Vec<Symbol>> {
        let mut symbols = Vec::new();
        loop {
            let token = self.token()?;
            if token.kind == TokenKind::RightParenthesis {
                return Ok(symbols);
            }
            if symbols.len() == super::super::signature::MAX_VARIABLES {
                return Err(Fault::new(token.start, "another parameter", "at most 8 parameters of a sort"));
            }
            symbols.push(Symbol::new(self.symbol_text(token, "a sort parameter")?));
        }
    }

    /// `x S`: a variable of Z3's fixed points, or of a synthesis problem.
    pub(super) fn declare_variable(&mut self) -> Parsed<()> {
        let name = self.symbol("the name of the variable")?;
        let name = self.scope.name(name);
        let sort = self.sort()?;
        self.scope.set(name, Meaning::Constant(sort));
        Ok(())
    }

    /// `p (S…) …`: a relation of Z3's fixed points.
    pub(super) fn declare_relation(&mut self) -> Parsed<()> {
        let token = self.token()?;
        let name = self.scope.name(self.symbol_text(token, "the name of the relation")?);
        let parameters = self.sorts_of_list()?;
        self.declare(name, token, &parameters, Sort::BOOL)?;
        // The names of its tables may follow.
        self.skip_list()?;
        self.lexer.seek(self.lexer.position() - 1);
        Ok(())
    }

    /// After a solver's own command that declares something: its first name, or those of the lists in its first list
    /// (`(declare-funs ((f Int Int) (c Int)))`), mean what only the solver knows.
    pub(super) fn declare_unknown(&mut self) -> Parsed<()> {
        let mut token = self.token()?;
        if token.kind != TokenKind::LeftParenthesis {
            self.bind_unknown(token);
            return Ok(());
        }
        loop {
            token = self.token()?;
            match token.kind {
                TokenKind::LeftParenthesis => {
                    let name = self.token()?;
                    self.bind_unknown(name);
                    self.lexer.seek(name.start as usize);
                    self.skip_list()?;
                }
                TokenKind::RightParenthesis | TokenKind::End => return Ok(()),
                _ => {}
            }
        }
    }

    fn bind_unknown(&mut self, token: Token) {
        let Ok(text) = self.symbol_text(token, "a name") else { return };
        let name = self.scope.name(text);
        if self.scope.is_free(name) {
            self.scope.set(name, Meaning::Constant(Sort::UNKNOWN));
        }
    }
}
