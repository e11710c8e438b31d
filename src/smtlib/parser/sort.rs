//! Reads sorts.

use super::super::lexer::{Token, TokenKind};
use super::super::signature::{Bindings, IndexPattern, SortError, SortPattern, table};
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::Parser;
use super::error::{Fault, Parsed, nearest};
use super::scope::SortMeaning;

/// How deeply sorts may nest. Real ones nest a handful of levels; the bound keeps recursion off the stack's end.
const DEEPEST_SORT: usize = 200;

/// How many names a sort may have when it is written out; `define-sort` could double it line by line.
const LARGEST_SORT: u32 = 1000;

impl Parser<'_> {
    /// Reads a sort without variables.
    pub(super) fn sort(&mut self) -> Parsed<Sort> {
        let token = self.token()?;
        self.sort_from(token)
    }

    pub(super) fn sort_from(&mut self, token: Token) -> Parsed<Sort> {
        match self.sort_pattern(token, &[], 0)? {
            SortPattern::Sort(sort) => Ok(sort),
            _ => Err(Fault::new(token.start, "a sort with variables", "a sort")),
        }
    }

    /// Reads a sort that may mention these sort variables.
    pub(super) fn sort_pattern(&mut self, token: Token, variables: &[Symbol], depth: usize) -> Parsed<SortPattern> {
        if depth > DEEPEST_SORT {
            return Err(Fault::new(token.start, "a deeply nested sort", format!("at most {DEEPEST_SORT} levels")));
        }
        if token.kind != TokenKind::LeftParenthesis {
            let text = self.symbol_text(token, "a sort")?;
            match text {
                "Int" if !self.has_sorts => return Ok(SortPattern::Sort(Sort::INT)),
                "String" if !self.has_sorts => return Ok(SortPattern::Sort(Sort::STRING)),
                "Bool" if !self.has_sorts => return Ok(SortPattern::Sort(Sort::BOOL)),
                _ => {}
            }
            let name = Symbol::new(text);
            if let Some(variable) = variables.iter().position(|&each| each == name) {
                return Ok(SortPattern::Variable(variable as u8));
            }
            return self.named_sort(token, name, &[], Vec::new());
        }
        let head = self.token()?;
        if head.kind == TokenKind::Symbol && self.text(head) == "_" {
            let name = self.token()?;
            let name_text = Symbol::new(self.symbol_text(name, "the name of an indexed sort")?);
            let mut indices = Vec::new();
            loop {
                let token = self.token()?;
                match token.kind {
                    TokenKind::RightParenthesis => return self.named_sort(name, name_text, &indices, Vec::new()),
                    _ => indices.push(self.index(token)?),
                }
            }
        }
        if head.kind == TokenKind::LeftParenthesis {
            return Err(Fault::new(head.start, "'('", "the name of a sort"));
        }
        let name = Symbol::new(self.symbol_text(head, "the name of a sort")?);
        let mut arguments = Vec::new();
        loop {
            let token = self.token()?;
            match token.kind {
                TokenKind::RightParenthesis => return self.named_sort(head, name, &[], arguments),
                _ => arguments.push(self.sort_pattern(token, variables, depth + 1)?),
            }
        }
    }

    /// A numeral index of 32 bits.
    pub(super) fn index(&self, token: Token) -> Parsed<u32> {
        let text = self.text(token);
        match (token.kind, text.parse()) {
            (TokenKind::Numeral, Ok(value)) => Ok(value),
            _ => Err(Fault::new(token.start, self.found(token), "a numeral below 2^32")),
        }
    }

    fn named_sort(
        &mut self,
        token: Token,
        name: Symbol,
        indices: &[u32],
        arguments: Vec<SortPattern>,
    ) -> Parsed<SortPattern> {
        let pattern = self.resolved_sort(token, name, indices, arguments)?;
        if pattern.ground().is_some_and(|sort| sort.size() > LARGEST_SORT) {
            let found = format!("{name} of too many parts");
            return Err(Fault::new(token.start, found, format!("a sort of at most {LARGEST_SORT} names")));
        }
        Ok(pattern)
    }

    fn resolved_sort(
        &mut self,
        token: Token,
        name: Symbol,
        indices: &[u32],
        arguments: Vec<SortPattern>,
    ) -> Parsed<SortPattern> {
        if indices.is_empty() {
            let arity = match self.scope.sort(name) {
                None => None,
                Some(SortMeaning::Declared(arity) | SortMeaning::Defined(arity, _)) => Some(*arity),
            };
            if arguments.is_empty() && self.bare_parametric.contains(&name) {
                let variables = (0..arity.unwrap_or_default() as u8).map(SortPattern::Variable).collect();
                return Ok(applied(name, variables));
            }
            if arity.is_some_and(|arity| arity != arguments.len()) {
                let expected = format!("{} argument sorts for {name}", arity.unwrap_or_default());
                return Err(Fault::new(token.start, format!("{} of them", arguments.len()), expected));
            }
            match self.scope.sort(name) {
                Some(SortMeaning::Declared(_)) => return Ok(applied(name, arguments)),
                Some(SortMeaning::Defined(_, pattern)) => return Ok(substituted(pattern, &arguments)),
                None => {}
            }
        }
        let ground: Option<Vec<Sort>> = arguments.iter().map(SortPattern::ground).collect();
        let Some(ground) = ground else {
            // `(Array Int T)` in a parametric datatype.
            let probe = vec![Sort::INT; arguments.len()];
            let known = table().sort(name, indices, &probe);
            return known.map(|_| applied(name, arguments)).map_err(|error| self.sort_fault(token, &error));
        };
        match table().sort(name, indices, &ground) {
            Ok(sort) => Ok(SortPattern::Sort(sort)),
            // A script declares no sort with indices: it is a solver's own, such as `(_ FiniteField 7)`.
            Err(SortError::UnknownSort { .. }) if !indices.is_empty() => {
                Ok(SortPattern::Sort(Sort::new(name, indices, &ground)))
            }
            // Z3 reads `(String)` as `String`.
            Err(_) if self.lenient => Ok(SortPattern::Sort(Sort::new(name, indices, &ground))),
            Err(error) => Err(self.sort_fault(token, &error)),
        }
    }

    fn sort_fault(&self, token: Token, error: &SortError) -> Fault {
        let SortError::UnknownSort { name } = error else {
            return Fault::new(token.start, self.found(token), error.to_string());
        };
        let known = table().sort_names().into_iter().chain(self.scope.declared_sorts());
        let suggestion = nearest(name, known.map(Symbol::as_str)).map(|known| format!("did you mean {known}?"));
        Fault::new(token.start, format!("the unknown sort {name}"), "a sort of a theory or a declared sort")
            .with_help(suggestion)
    }
}

fn applied(name: Symbol, arguments: Vec<SortPattern>) -> SortPattern {
    let ground: Option<Vec<Sort>> = arguments.iter().map(SortPattern::ground).collect();
    match ground {
        Some(ground) => SortPattern::Sort(Sort::new(name, &[], &ground)),
        None => SortPattern::Application { name, indices: Vec::new(), arguments },
    }
}

/// A defined sort's pattern with its parameters replaced.
fn substituted(pattern: &SortPattern, arguments: &[SortPattern]) -> SortPattern {
    match pattern {
        SortPattern::Sort(sort) => SortPattern::Sort(*sort),
        SortPattern::Variable(variable) => arguments[usize::from(*variable)].clone(),
        SortPattern::Application { name, indices, arguments: inner } => {
            let inner: Vec<SortPattern> = inner.iter().map(|each| substituted(each, arguments)).collect();
            let replaced = SortPattern::Application { name: *name, indices: indices.clone(), arguments: inner };
            let ground = is_ground(&replaced).then(|| replaced.instantiate(&Bindings::default())).flatten();
            ground.map_or(replaced, SortPattern::Sort)
        }
    }
}

fn is_ground(pattern: &SortPattern) -> bool {
    match pattern {
        SortPattern::Sort(_) => true,
        SortPattern::Variable(_) => false,
        SortPattern::Application { indices, arguments, .. } => {
            indices.iter().all(|index| matches!(index, IndexPattern::Numeral(_))) && arguments.iter().all(is_ground)
        }
    }
}
