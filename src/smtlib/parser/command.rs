//! Reads commands, and keeps the scope that they make.

use super::super::lexer::{Token, TokenKind};
use super::super::script::{Command, Declaration, Definition};
use super::super::signature::SortPattern;
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::super::term::TermId;
use super::Parser;
use super::declaration::is_declaration;
use super::error::{Fault, Parsed};
use super::scope::{Function, Meaning, NameId};

/// The most levels that one `push` may open: more is a mistake, and would only fill memory.
const MOST_LEVELS: u32 = 10_000;

impl Parser<'_> {
    /// Reads one command; `false` at the end of the text.
    pub(super) fn next_command(&mut self) -> Parsed<bool> {
        let open = self.token()?;
        match open.kind {
            TokenKind::End => return Ok(false),
            TokenKind::LeftParenthesis => {}
            _ => return Err(Fault::new(open.start, self.found(open), "'(' and a command")),
        }
        let head = self.token()?;
        if head.kind != TokenKind::Symbol {
            return Err(Fault::new(head.start, self.found(head), "the name of a command"));
        }
        let mark = self.scope.mark();
        match self.command(open, self.text(head)) {
            Ok(Some(command)) => self.commands.push(command),
            Ok(None) => {}
            Err(fault) => {
                // Only what this command bound: earlier declarations stay.
                self.scope.undo(mark);
                return Err(fault);
            }
        }
        self.keep_named();
        Ok(true)
    }

    /// A name that `:named` introduced under a binder lives on after it.
    fn keep_named(&mut self) {
        for (name, sort) in std::mem::take(&mut self.named) {
            if self.scope.meaning(name) != Meaning::Constant(sort) {
                self.scope.set(name, Meaning::Constant(sort));
            }
        }
    }

    fn command(&mut self, open: Token, name: &str) -> Parsed<Option<Command>> {
        let command = match name {
            "assert" => {
                let token = self.token()?;
                let term = self.term_from(token)?;
                self.check_sort(term, Sort::BOOL, token.start, "an assertion")?;
                Command::Assert(term)
            }
            "declare-fun" | "declare-const" => self.declaration(name == "declare-const")?,
            "define-fun" => Command::Define(self.definition(false, true)?),
            "define-const" => Command::Define(self.definition(false, false)?),
            "define-fun-rec" => Command::DefineRecursive(vec![self.definition(true, true)?]),
            "define-funs-rec" => self.recursive_definitions()?,
            "set-logic" => {
                let logic = self.symbol("the name of a logic")?;
                self.higher_order = logic.starts_with("HO_");
                Command::SetLogic(Symbol::new(logic))
            }
            "push" | "pop" => self.level(name == "push")?,
            "get-value" | "check-sat-assuming" => {
                self.expect(TokenKind::LeftParenthesis, "'(' and terms")?;
                let terms = self.terms_of_list(name == "check-sat-assuming")?;
                if name == "get-value" { Command::GetValue(terms) } else { Command::CheckSatAssuming(terms) }
            }
            "check-sat" => {
                let token = self.token()?;
                if token.kind == TokenKind::RightParenthesis {
                    return Ok(Some(Command::CheckSat));
                }
                self.lexer.seek(token.start as usize);
                return self.other(open).map(Some);
            }
            _ => return self.other_command(open, name).map(Some),
        };
        self.expect(TokenKind::RightParenthesis, "')' after the command")?;
        Ok(Some(command))
    }

    /// A command that is kept verbatim, though the scope may have to know of it.
    fn other_command(&mut self, open: Token, name: &str) -> Parsed<Command> {
        let inside = self.lexer.position();
        let command = self.other(open)?;
        let after = self.lexer.position();
        let declares = match name {
            "declare-sort" => Self::declare_sort,
            "define-sort" => Self::define_sort,
            "declare-datatypes" | "declare-codatatypes" => Self::declare_datatypes,
            "declare-datatype" | "declare-codatatype" => Self::declare_datatype,
            "declare-var" => Self::declare_variable,
            "declare-rel" => Self::declare_relation,
            "reset" => {
                self.scope.reset();
                self.levels.clear();
                return Ok(command);
            }
            "reset-assertions" => {
                if !self.global_declarations {
                    self.scope.reset();
                }
                self.levels.clear();
                return Ok(command);
            }
            "set-option" => {
                let mut words = self.text[inside..after].trim_end_matches(')').split_ascii_whitespace();
                if words.next() == Some(":global-declarations") {
                    self.global_declarations = words.next() == Some("true");
                }
                return Ok(command);
            }
            _ if is_declaration(name) => {
                self.lexer.seek(inside);
                self.declare_unknown()?;
                self.lexer.seek(after);
                return Ok(command);
            }
            _ => return Ok(command),
        };
        self.lexer.seek(inside);
        declares(self)?;
        self.expect(TokenKind::RightParenthesis, "')' after the command")?;
        self.lexer.seek(after);
        Ok(command)
    }

    /// Everything up to the ')' that closes the command, as it is written.
    fn other(&mut self, open: Token) -> Parsed<Command> {
        let end = self.skip_list()?.end;
        Ok(Command::Other(self.verbatim_text(open.start, end)))
    }

    /// Terms up to the ')' of their list.
    fn terms_of_list(&mut self, boolean: bool) -> Parsed<Vec<TermId>> {
        let mut terms = Vec::new();
        loop {
            let token = self.token()?;
            if token.kind == TokenKind::RightParenthesis {
                return Ok(terms);
            }
            let term = self.term_from(token)?;
            if boolean {
                self.check_sort(term, Sort::BOOL, token.start, "an assumption")?;
            }
            terms.push(term);
        }
    }

    fn level(&mut self, push: bool) -> Parsed<Command> {
        let token = self.token()?;
        // Z3 reads `(push)` as `(push 1)`.
        let count = if token.kind == TokenKind::RightParenthesis {
            self.lexer.seek(token.start as usize);
            1
        } else {
            self.index(token)?
        };
        if push {
            if count > MOST_LEVELS {
                return Err(Fault::new(token.start, self.found(token), format!("at most {MOST_LEVELS} levels")));
            }
            let mark = self.scope.mark();
            self.levels.extend(std::iter::repeat_n(mark, count as usize));
            return Ok(Command::Push(count));
        }
        let Some(left) = self.levels.len().checked_sub(count as usize) else {
            let found = format!("(pop {count}) with {} levels open", self.levels.len());
            return Err(Fault::new(token.start, found, "no more than the open levels"));
        };
        if count > 0 && !self.global_declarations {
            self.scope.undo(self.levels[left]);
        }
        self.levels.truncate(left);
        Ok(Command::Pop(count))
    }

    fn declaration(&mut self, constant: bool) -> Parsed<Command> {
        let token = self.token()?;
        let name = self.scope.name(self.symbol_text(token, "the name to declare")?);
        let parameters = if constant { Vec::new() } else { self.sorts_of_list()? };
        let sort = self.sort()?;
        self.declare(name, token, &parameters, sort)?;
        Ok(Command::Declare(Declaration { name: self.scope.symbol(name), parameters, sort }))
    }

    pub(super) fn sorts_of_list(&mut self) -> Parsed<Vec<Sort>> {
        self.expect(TokenKind::LeftParenthesis, "'(' and the parameters' sorts")?;
        let mut sorts = Vec::new();
        loop {
            let token = self.token()?;
            if token.kind == TokenKind::RightParenthesis {
                return Ok(sorts);
            }
            sorts.push(self.sort_from(token)?);
        }
    }

    pub(super) fn declare(&mut self, name: NameId, token: Token, parameters: &[Sort], sort: Sort) -> Parsed<()> {
        let parameters = parameters.iter().map(|&sort| SortPattern::Sort(sort)).collect();
        let result = SortPattern::Sort(sort);
        self.declare_function(
            name,
            token,
            Function { variables: 0, parameters, result, constructor: false, previous: Meaning::Free },
        )
    }

    pub(super) fn declare_function(&mut self, name: NameId, token: Token, function: Function) -> Parsed<()> {
        if !self.lenient && self.scope.is_declared(name, &function.parameters) {
            let found = format!("a second declaration of {}", self.scope.symbol(name));
            return Err(Fault::new(token.start, found, "a name that is not declared with these parameters"));
        }
        self.scope.declare(name, function);
        Ok(())
    }

    /// `f ((x S)…) S t`, or `f S t`.
    fn definition(&mut self, recursive: bool, has_parameters: bool) -> Parsed<Definition> {
        let token = self.token()?;
        let name = self.scope.name(self.symbol_text(token, "the name to define")?);
        let first = self.binders.len();
        let outside = self.scope.mark();
        if has_parameters {
            self.expect(TokenKind::LeftParenthesis, "'(' and the parameters")?;
            self.sorted_variables()?;
        }
        let sort = self.sort()?;
        let parameters = self.binders[first..].to_vec();
        self.binders.truncate(first);
        let sorts: Vec<Sort> = parameters.iter().map(|(_, sort)| *sort).collect();
        if recursive {
            // The name is known inside, but a parameter of the same name hides it.
            self.scope.undo(outside);
            self.declare(name, token, &sorts, sort)?;
        }
        let inside = self.scope.mark();
        if recursive {
            self.bind_parameters(&parameters);
        }
        let body = self.body(sort)?;
        self.scope.undo(if recursive { inside } else { outside });
        if !recursive {
            self.declare(name, token, &sorts, sort)?;
        }
        Ok(Definition { name: self.scope.symbol(name), parameters, sort, body })
    }

    fn bind_parameters(&mut self, parameters: &[(Symbol, Sort)]) {
        for &(parameter, sort) in parameters {
            let name = self.scope.name(parameter.as_str());
            self.scope.set(name, Meaning::Bound(sort));
        }
    }

    fn body(&mut self, sort: Sort) -> Parsed<TermId> {
        let token = self.token()?;
        let body = self.term_from(token)?;
        if sort == Sort::REAL && self.terms.sort(body) == Sort::INT {
            return Ok(self.real(body));
        }
        let body = self.as_array_where(body, sort);
        self.check_sort(body, sort, token.start, "a body")?;
        Ok(body)
    }

    /// `((f ((x S)…) S)…) (t…)`
    fn recursive_definitions(&mut self) -> Parsed<Command> {
        self.expect(TokenKind::LeftParenthesis, "'(' and the prototypes")?;
        let mut prototypes = Vec::new();
        loop {
            let open = self.token()?;
            match open.kind {
                TokenKind::RightParenthesis => break,
                TokenKind::LeftParenthesis => {}
                _ => return Err(Fault::new(open.start, self.found(open), "a prototype such as (f ((x Int)) Int)")),
            }
            let token = self.token()?;
            let name = self.scope.name(self.symbol_text(token, "the name to define")?);
            let (first, outside) = (self.binders.len(), self.scope.mark());
            self.expect(TokenKind::LeftParenthesis, "'(' and the parameters")?;
            self.sorted_variables()?;
            self.scope.undo(outside);
            let parameters = self.binders.split_off(first);
            let sort = self.sort()?;
            self.expect(TokenKind::RightParenthesis, "')' after the prototype")?;
            prototypes.push((name, token, parameters, sort));
        }
        for (name, token, parameters, sort) in &prototypes {
            let sorts: Vec<Sort> = parameters.iter().map(|(_, sort)| *sort).collect();
            self.declare(*name, *token, &sorts, *sort)?;
        }
        self.expect(TokenKind::LeftParenthesis, "'(' and the bodies")?;
        let mut definitions = Vec::new();
        for (name, _, parameters, sort) in prototypes {
            let mark = self.scope.mark();
            self.bind_parameters(&parameters);
            let body = self.body(sort)?;
            self.scope.undo(mark);
            definitions.push(Definition { name: self.scope.symbol(name), parameters, sort, body });
        }
        self.expect(TokenKind::RightParenthesis, "')' after the bodies")?;
        Ok(Command::DefineRecursive(definitions))
    }
}
