//! Reads the cases of `match`.

use super::super::lexer::{Token, TokenKind};
use super::super::signature::{Bindings, SortPattern};
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::super::term::{Head, Parts, TermId};
use super::Parser;
use super::error::{Fault, Parsed};
use super::scope::{Mark, Meaning, NameId};
use super::term::{Frame, FrameKind, push_symbol};

impl<'a> Parser<'a> {
    /// After a case's body: the next case, or the finished match.
    pub(super) fn after_match_body(&mut self, frame: Frame, binders: u32, mark: Mark) -> Parsed<Option<TermId>> {
        self.expect(TokenKind::RightParenthesis, "')' after the case")?;
        self.scope.undo(mark);
        let base = frame.base as usize;
        let (first, last) = (self.values[base + 1], self.values[self.values.len() - 1]);
        self.check_sort(last, self.terms.sort(first), frame.offset, "a case of the match")?;
        let token = self.token()?;
        match token.kind {
            TokenKind::LeftParenthesis => self.match_pattern(binders)?,
            TokenKind::RightParenthesis => {
                self.expect(TokenKind::RightParenthesis, "')' after the cases of the match")?;
                let parts = Parts {
                    head: Head::Match,
                    sort: self.terms.sort(first),
                    arguments: &self.values[base..],
                    words: &[],
                    binders: &self.binders[binders as usize..],
                };
                let term = self.terms.intern(parts);
                self.values.truncate(base);
                self.binders.truncate(binders as usize);
                return Ok(Some(term));
            }
            _ => return Err(Fault::new(token.start, self.found(token), "another case or ')'")),
        }
        Ok(None)
    }

    pub(super) fn match_case(&mut self, binders: u32) -> Parsed<()> {
        self.expect(TokenKind::LeftParenthesis, "'(' and a case such as (pattern term)")?;
        self.match_pattern(binders)
    }

    /// Reads a pattern and opens its body. The pattern's text takes the place of a bound variable.
    fn match_pattern(&mut self, binders: u32) -> Parsed<()> {
        let mark = self.scope.mark();
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let subject = self.terms.sort(self.values[frame.base as usize]);
        let token = self.token()?;
        let mut text = String::new();
        if token.kind == TokenKind::LeftParenthesis {
            let head = self.token()?;
            let constructor = self.symbol_text(head, "a constructor")?;
            let mut variables = Vec::new();
            loop {
                let token = self.token()?;
                if token.kind == TokenKind::RightParenthesis {
                    break;
                }
                variables.push(self.symbol_text(token, "a variable of the pattern")?);
            }
            self.bind_pattern(head, constructor, &variables, subject)?;
            text.push('(');
            push_symbol(&mut text, constructor);
            for variable in variables {
                text.push(' ');
                push_symbol(&mut text, variable);
            }
            text.push(')');
        } else {
            let word = self.symbol_text(token, "a pattern")?;
            push_symbol(&mut text, word);
            let name = self.scope.name(word);
            if !self.is_constructor(name) {
                self.scope.set(name, Meaning::Bound(subject));
            }
        }
        self.binders.push((Symbol::new(&text), subject));
        if let Some(frame) = self.frames.last_mut() {
            frame.kind = FrameKind::MatchBody { binders, mark };
        }
        Ok(())
    }

    /// Whether a name is a constructor of a datatype.
    pub(super) fn is_constructor(&self, name: NameId) -> bool {
        self.scope.overloads(name).any(|function| function.constructor)
    }

    /// Binds the variables of `(constructor variable…)` that is matched with a term of sort `subject`.
    pub(super) fn bind_pattern(
        &mut self,
        head: Token,
        constructor: &'a str,
        variables: &[&'a str],
        subject: Sort,
    ) -> Parsed<()> {
        let name = self.scope.name(constructor);
        let sorts = self.scope.overloads(name).find_map(|function| {
            let mut bindings = Bindings::default();
            let fits = function.constructor
                && function.parameters.len() == variables.len()
                && function.result.unify(subject, &mut bindings);
            let sorts = function.parameters.iter().map(|parameter: &SortPattern| parameter.instantiate(&bindings));
            if fits { sorts.collect::<Option<Vec<Sort>>>() } else { None }
        });
        let unknown = || vec![Sort::UNKNOWN; variables.len()];
        let Some(sorts) = sorts.or_else(|| self.lenient.then(unknown)) else {
            let found = format!("the pattern {constructor} with {} variables", variables.len());
            return Err(Fault::new(head.start, found, format!("a constructor of {subject}")));
        };
        for (&variable, sort) in variables.iter().zip(sorts) {
            let name = self.scope.name(variable);
            self.scope.set(name, Meaning::Bound(sort));
        }
        Ok(())
    }
}
