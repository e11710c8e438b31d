//! Makes a script of a model's text, has it parsed, and collects what it defines.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use super::super::evaluate::Evaluator;
use super::super::interpretation::{Function, Interpretation, LAMBDA, Partial};
use super::super::value::Value;
use super::text::Rewritten;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::lexer::{Lexer, Token, TokenKind, line_and_column};
use crate::smtlib::parser::{ParseError, ParseOptions, parse_lenient};
use crate::smtlib::printer::write_symbol;
use crate::smtlib::script::{Command, Definition, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

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

/// The sorts of the elements that have names such as `@uc_A_0` or `@A_0`: they have the sort's name in them.
fn elements(names: &FxHashSet<&str>, script: &Script) -> Vec<(Symbol, Sort)> {
    let mut names: Vec<&str> = names.iter().copied().collect();
    names.sort_unstable();
    let sort_of = |name: &str| {
        let inside = name.strip_prefix("@uc_").or_else(|| name.strip_prefix('@'))?;
        let (sort, _) = inside.rsplit_once('_')?;
        let declared = format!("(declare-sort {sort} ");
        let is_declared = |command: &Command| match command {
            Command::Other(text) => text.as_str().starts_with(&declared),
            _ => false,
        };
        let known = script.commands.iter().any(is_declared);
        known.then(|| (Symbol::new(name), Sort::named(Symbol::new(sort))))
    };
    names.into_iter().filter_map(sort_of).collect()
}

/// The commands before those of the model, and how many they are: sorts and declarations of the script, elements,
/// prototypes.
fn preamble(script: &Script, elements: &[(Symbol, Sort)], prototypes: &[String]) -> (String, usize) {
    let mut commands: Vec<String> = Vec::new();
    for command in &script.commands {
        match command {
            Command::Other(text) => {
                let declares = ["(declare-sort", "(define-sort", "(declare-datatype"];
                if declares.iter().any(|start| text.as_str().starts_with(start)) {
                    commands.push(text.to_string());
                }
            }
            Command::Declare(it) => commands.push(declaration(it.name, &it.parameters, it.sort)),
            Command::Define(it) => commands.push(declaration(it.name, &sorts(it), it.sort)),
            Command::DefineRecursive(list) => {
                commands.extend(list.iter().map(|it| declaration(it.name, &sorts(it), it.sort)));
            }
            _ => {}
        }
    }
    commands.extend(elements.iter().map(|&(name, sort)| declaration(name, &[], sort)));
    commands.extend_from_slice(prototypes);
    let count = commands.len();
    (commands.join("\n") + "\n", count)
}

fn declaration(name: Symbol, parameters: &[Sort], sort: Sort) -> String {
    let mut out = String::from("(declare-fun ");
    let parameters: Vec<String> = parameters.iter().map(ToString::to_string).collect();
    // Writing to a string cannot fail.
    let _ = write_symbol(&mut out, name.as_str());
    let _ = write!(out, " ({}) {sort})", parameters.join(" "));
    out
}

fn sorts(definition: &Definition) -> Vec<Sort> {
    definition.parameters.iter().map(|&(_, sort)| sort).collect()
}

/// What the commands after the first `preamble` ones say.
fn interpretation(parsed: Script, preamble: usize, elements: &[(Symbol, Sort)], script: &Script) -> Interpretation {
    let Script { commands, terms } = parsed;
    let mut values = Vec::new();
    let mut found = Interpretation::over(terms);
    for &(name, sort) in elements {
        found.set(name, Value::Abstract(sort, name));
    }
    for command in commands.into_iter().skip(preamble) {
        match command {
            Command::Declare(declared) if declared.parameters.is_empty() => {
                found.add_element(declared.sort, declared.name);
            }
            Command::Define(definition) => define(&mut found, definition),
            Command::DefineRecursive(list) => list.into_iter().for_each(|each| define(&mut found, each)),
            Command::GetValue(pair) => values.extend(<[TermId; 2]>::try_from(pair)),
            _ => {}
        }
    }
    evaluate_constants(&mut found, script);
    set_values(&mut found, &values, script);
    found
}

fn define(found: &mut Interpretation, definition: Definition) {
    let Definition { name, parameters, body, .. } = definition;
    match Partial::named(name.as_str()) {
        Some(partial) => found.set_free(partial, Function::Body { parameters, body }),
        None => found.set_function(name, Function::Body { parameters, body }),
    }
}

/// Turns constants that are given as terms into values, where these terms have values.
fn evaluate_constants(found: &mut Interpretation, script: &Script) {
    let constants: Vec<(Symbol, TermId)> = found
        .functions()
        .into_iter()
        .filter_map(|(name, function)| match function {
            Function::Body { parameters, body } if parameters.is_empty() => Some((name, *body)),
            _ => None,
        })
        .collect();
    let mut evaluator = Evaluator::new(script, found);
    let values: Vec<_> = constants.into_iter().map(|(name, body)| (name, evaluator.model_value(body))).collect();
    for (name, value) in values {
        if let Ok(value) = value {
            found.set(name, value);
        }
    }
}

/// Takes over what `get-value` says of constants, and of functions at some arguments.
fn set_values(found: &mut Interpretation, pairs: &[[TermId; 2]], script: &Script) {
    let mut said = Vec::new();
    let mut evaluator = Evaluator::new(script, found);
    for &[term, value] in pairs {
        let Ok(value) = evaluator.model_value(value) else { continue };
        let terms = evaluator.model_terms();
        let value = converted(value, terms, term);
        match terms.head(term) {
            Head::Constant(name) => said.push((name, Vec::new(), value)),
            Head::Function(name) => {
                let arguments: Result<Vec<Value>, _> =
                    terms.arguments(term).iter().map(|&argument| evaluator.model_value(argument)).collect();
                said.extend(arguments.into_iter().map(|arguments| (name, arguments, value.clone())));
            }
            _ => {}
        }
    }
    for (name, arguments, value) in said {
        if arguments.is_empty() { found.set(name, value) } else { found.set_at(name, arguments, value) }
    }
}

/// An integer that is the value of a real term, as a real.
fn converted(value: Value, terms: &Terms, term: TermId) -> Value {
    match value {
        Value::Int(value) if terms.sort(term) == Sort::REAL => Value::Real(value.into()),
        value => value,
    }
}
