//! Datatype declarations: kept verbatim as commands, known to the scope as sorts, constructors, selectors and testers.

use super::super::lexer::{Token, TokenKind};
use super::super::signature::SortPattern;
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::Parser;
use super::error::{Fault, Parsed};
use super::scope::{Function, Meaning, NameId, SortMeaning};

/// A datatype whose constructors are being read.
struct Datatype {
    name: Symbol,
    variables: Vec<Symbol>,
}

impl Datatype {
    fn sort(&self) -> SortPattern {
        if self.variables.is_empty() {
            return SortPattern::Sort(Sort::named(self.name));
        }
        let arguments = (0..self.variables.len() as u8).map(SortPattern::Variable).collect();
        SortPattern::Application { name: self.name, indices: Vec::new(), arguments }
    }
}

impl<'a> Parser<'a> {
    /// `D (constructors)` or `D (par (T…) (constructors))`
    pub(super) fn declare_datatype(&mut self) -> Parsed<()> {
        let name = Symbol::new(self.symbol("the name of the datatype")?);
        self.has_sorts = true;
        let body = self.lexer.position();
        // A parametric datatype may mention itself, so its arity must be known before its constructors.
        self.expect(TokenKind::LeftParenthesis, "'(' and constructors")?;
        let variables = self.parameters_of_par()?.unwrap_or_default();
        self.scope.set_sort(name, SortMeaning::Declared(variables.len()));
        self.lexer.seek(body);
        self.constructors(name)
    }

    /// `((D arity)…) (constructors…)`, or as before SMT-LIB 2.6 `(T…) ((D constructor…)…)`
    pub(super) fn declare_datatypes(&mut self) -> Parsed<()> {
        self.has_sorts = true;
        self.expect(TokenKind::LeftParenthesis, "'(' and sorts with their arities")?;
        let mut names = Vec::new();
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::RightParenthesis if names.is_empty() => return self.old_datatypes(&[]),
                TokenKind::RightParenthesis => break,
                TokenKind::LeftParenthesis => {}
                _ if names.is_empty() => {
                    let mut variables = vec![Symbol::new(self.symbol_text(token, "a sort parameter")?)];
                    variables.extend(self.symbols_of_list()?);
                    return self.old_datatypes(&variables);
                }
                _ => return Err(Fault::new(token.start, self.found(token), "a sort such as (D 0)")),
            }
            let name = Symbol::new(self.symbol("the name of the datatype")?);
            let arity = self.token()?;
            let arity = self.index(arity)?;
            self.expect(TokenKind::RightParenthesis, "')' after the arity")?;
            self.scope.set_sort(name, SortMeaning::Declared(arity as usize));
            names.push(name);
        }
        self.expect(TokenKind::LeftParenthesis, "'(' and the datatypes' constructors")?;
        for name in names {
            self.constructors(name)?;
        }
        self.expect(TokenKind::RightParenthesis, "')' after the datatypes")?;
        Ok(())
    }

    fn old_datatypes(&mut self, variables: &[Symbol]) -> Parsed<()> {
        self.expect(TokenKind::LeftParenthesis, "'(' and datatypes")?;
        let start = self.lexer.position();
        let mut names: Vec<Symbol> = Vec::new();
        // All names first: the datatypes may mention each other.
        while self.token()?.kind == TokenKind::LeftParenthesis {
            let name = Symbol::new(self.symbol("the name of the datatype")?);
            self.scope.set_sort(name, SortMeaning::Declared(variables.len()));
            names.push(name);
            self.skip_list()?;
        }
        self.lexer.seek(start);
        self.bare_parametric.clone_from(&names);
        let read = self.old_constructors(&names, variables);
        self.bare_parametric.clear();
        read
    }

    fn old_constructors(&mut self, names: &[Symbol], variables: &[Symbol]) -> Parsed<()> {
        for &name in names {
            self.expect(TokenKind::LeftParenthesis, "'(' and a datatype")?;
            self.symbol("the name of the datatype")?;
            let datatype = Datatype { name, variables: variables.to_vec() };
            self.constructors_of(&datatype)?;
        }
        self.expect(TokenKind::RightParenthesis, "')' after the datatypes")?;
        Ok(())
    }

    /// After a '(': the parameters if `par (T…)` follows, else nothing is read.
    fn parameters_of_par(&mut self) -> Parsed<Option<Vec<Symbol>>> {
        let before = self.lexer.position();
        let token = self.token()?;
        if token.kind == TokenKind::Symbol && self.text(token) == "par" {
            self.expect(TokenKind::LeftParenthesis, "'(' and sort parameters")?;
            return self.symbols_of_list().map(Some);
        }
        self.lexer.seek(before);
        Ok(None)
    }

    /// `(constructor…)` or `(par (T…) (constructor…))`
    fn constructors(&mut self, name: Symbol) -> Parsed<()> {
        let open = self.expect(TokenKind::LeftParenthesis, "'(' and constructors")?;
        let parameters = self.parameters_of_par()?;
        let arity = match self.scope.sort(name) {
            Some(SortMeaning::Declared(arity)) => *arity,
            _ => 0,
        };
        let variables = parameters.clone().unwrap_or_default();
        if variables.len() != arity {
            let expected = format!("{arity} parameters of {name}");
            return Err(Fault::new(open.start, format!("{} of them", variables.len()), expected));
        }
        let datatype = Datatype { name, variables };
        if parameters.is_none() {
            return self.constructors_of(&datatype);
        }
        self.expect(TokenKind::LeftParenthesis, "'(' and constructors")?;
        self.constructors_of(&datatype)?;
        self.expect(TokenKind::RightParenthesis, "')' after par")?;
        Ok(())
    }

    /// Constructors up to the ')' of their list.
    fn constructors_of(&mut self, datatype: &Datatype) -> Parsed<()> {
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::RightParenthesis => return Ok(()),
                TokenKind::LeftParenthesis => {
                    let token = self.token()?;
                    let name = self.symbol_text(token, "a constructor")?;
                    let parameters = self.selectors(datatype)?;
                    self.constructor(datatype, token, name, parameters)?;
                }
                _ => {
                    let name = self.symbol_text(token, "a constructor")?;
                    self.constructor(datatype, token, name, Vec::new())?;
                }
            }
        }
    }

    /// `(selector S)…)`: declares the selectors, and returns their sorts.
    fn selectors(&mut self, datatype: &Datatype) -> Parsed<Vec<SortPattern>> {
        let mut sorts = Vec::new();
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::RightParenthesis => return Ok(sorts),
                TokenKind::LeftParenthesis => {}
                _ => return Err(Fault::new(token.start, self.found(token), "a selector such as (head Int)")),
            }
            let token = self.token()?;
            let name = self.scope.name(self.symbol_text(token, "a selector")?);
            let sort = self.token()?;
            let sort = self.sort_pattern(sort, &datatype.variables, 0)?;
            self.expect(TokenKind::RightParenthesis, "')' after the selector")?;
            self.member(datatype, name, token, vec![datatype.sort()], sort.clone(), false)?;
            sorts.push(sort);
        }
    }

    fn constructor(
        &mut self,
        datatype: &Datatype,
        token: Token,
        text: &'a str,
        parameters: Vec<SortPattern>,
    ) -> Parsed<()> {
        let name = self.scope.name(text);
        self.member(datatype, name, token, parameters, datatype.sort(), true)?;
        // The tester's name is no slice of the text: it lives as long as its symbol.
        let tester = self.scope.name(Symbol::new(&format!("is-{text}")).as_str());
        if self.scope.is_declared(tester, &[datatype.sort()]) {
            return Ok(());
        }
        self.member(datatype, tester, token, vec![datatype.sort()], SortPattern::Sort(Sort::BOOL), false)
    }

    fn member(
        &mut self,
        datatype: &Datatype,
        name: NameId,
        token: Token,
        parameters: Vec<SortPattern>,
        result: SortPattern,
        constructor: bool,
    ) -> Parsed<()> {
        let variables = datatype.variables.len();
        let function = Function { variables, parameters, result, constructor, previous: Meaning::Free };
        self.declare_function(name, token, function)
    }
}
