//! Reads theory files (their syntax is described at the head of `theories/core.smt2`) into the signature table.

use super::super::dialect::Dialect;
use super::super::lexer::{Lexer, TokenKind, line_and_column};
use super::super::sort::Sort;
use super::super::symbol::Symbol;
use super::pattern::{Condition, IndexPattern, MAX_VARIABLES, SortPattern};
use super::{Associativity, Form, Signature, SortDeclaration, Spelling, Table};

/// What is wrong with a theory file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct TheoryError {
    /// The file's name, as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong, and what the reader wants.
    pub message: String,
}

/// An s-expression with the offset of its first character.
#[derive(Debug)]
struct Expression<'a> {
    offset: usize,
    shape: Shape<'a>,
}

#[derive(Debug)]
enum Shape<'a> {
    Atom(&'a str),
    List(Vec<Expression<'a>>),
}

/// How deep lists may nest: they are read, and dropped, by recursion.
const DEEPEST: usize = 100;

type Fault = (usize, String);

impl<'a> Expression<'a> {
    fn atom(&self) -> Option<&'a str> {
        match self.shape {
            Shape::Atom(text) => Some(text),
            Shape::List(_) => None,
        }
    }

    fn list(&self) -> Option<&[Expression<'a>]> {
        match &self.shape {
            Shape::Atom(_) => None,
            Shape::List(items) => Some(items),
        }
    }

    fn fault<T>(&self, message: impl Into<String>) -> Result<T, Fault> {
        Err((self.offset, message.into()))
    }

    fn symbol(&self) -> Result<&'a str, Fault> {
        self.atom().map_or_else(|| self.fault("expected a symbol"), Ok)
    }

    fn numeral(&self) -> Result<u32, Fault> {
        self.atom().and_then(|text| text.parse().ok()).map_or_else(|| self.fault("expected a numeral"), Ok)
    }

    fn items(&self) -> Result<&[Expression<'a>], Fault> {
        self.list().map_or_else(|| self.fault("expected a list in parentheses"), Ok)
    }
}

fn expressions(text: &str) -> Result<Vec<Expression<'_>>, Fault> {
    let mut lexer = Lexer::new(text, false);
    let mut open = vec![(0, Vec::new())];
    loop {
        let token = lexer
            .next_token()
            .map_err(|error| (error.start, format!("found {}, expected {}", error.found, error.expected)))?;
        let (start, end) = (token.start as usize, token.end as usize);
        let finished = match token.kind {
            TokenKind::LeftParenthesis if open.len() > DEEPEST => {
                return Err((start, format!("lists nest deeper than {DEEPEST}")));
            }
            TokenKind::LeftParenthesis => {
                open.push((start, Vec::new()));
                continue;
            }
            TokenKind::RightParenthesis if open.len() > 1 => {
                let (offset, items) = open.pop().unwrap_or_default();
                Expression { offset, shape: Shape::List(items) }
            }
            TokenKind::RightParenthesis => return Err((start, "no '(' is open here".to_owned())),
            TokenKind::End if open.len() > 1 => {
                return Err((open.last().map_or(0, |(offset, _)| *offset), "this '(' is never closed".to_owned()));
            }
            TokenKind::End => return Ok(open.pop().unwrap_or_default().1),
            _ => Expression { offset: start, shape: Shape::Atom(&text[start..end]) },
        };
        if let Some((_, items)) = open.last_mut() {
            items.push(finished);
        }
    }
}

/// Reads `text` into `table`.
///
/// # Errors
/// The first thing in the text that is not a declaration of a theory file.
pub(super) fn read(table: &mut Table, text: &str, file: &str) -> Result<(), TheoryError> {
    let mut reader = Reader { table, theory: Symbol::new("User"), defaults: Vec::new(), extension: false };
    let forms = expressions(text);
    let result = forms.and_then(|forms| forms.iter().try_for_each(|form| reader.form(form)));
    result.map_err(|(offset, message)| {
        let (line, column) = line_and_column(text, offset);
        TheoryError { file: file.to_owned(), line, column, message }
    })
}

struct Reader<'t> {
    table: &'t mut Table,
    theory: Symbol,
    /// Dialects in which the theory's operators have no spelling unless they give one.
    defaults: Vec<Dialect>,
    /// Only some solvers have the theory's operators.
    extension: bool,
}

impl Reader<'_> {
    fn form(&mut self, form: &Expression<'_>) -> Result<(), Fault> {
        let items = form.items()?;
        let [head, rest @ ..] = items else { return form.fault("expected an operator with its signature") };
        match head.atom() {
            Some("theory") => self.theory(form, rest),
            Some("declare-sort") => self.declare_sort(form, rest),
            Some("define-sort") => self.define_sort(form, rest),
            Some("par") => {
                let [variables, operator] = rest else { return form.fault("expected (par (A…) (operator …))") };
                let variables: Result<Vec<&str>, Fault> = variables.items()?.iter().map(Expression::symbol).collect();
                self.operator(operator, &variables?)
            }
            _ => self.operator(form, &[]),
        }
    }

    fn theory(&mut self, form: &Expression<'_>, rest: &[Expression<'_>]) -> Result<(), Fault> {
        let [name, defaults @ ..] = rest else { return form.fault("expected (theory name)") };
        self.theory = Symbol::new(name.symbol()?);
        self.extension = defaults.last().and_then(Expression::atom) == Some(":extension");
        let defaults = &defaults[..defaults.len() - usize::from(self.extension)];
        for pair in defaults.chunks(2) {
            match (pair[0].atom().and_then(dialect_of), pair.get(1).and_then(Expression::atom)) {
                (Some(dialect), Some("none")) => self.defaults.push(dialect),
                _ => return pair[0].fault("expected :spelling-2.0 none, :spelling-2.5 none or :extension"),
            }
        }
        Ok(())
    }

    fn declare_sort(&mut self, form: &Expression<'_>, rest: &[Expression<'_>]) -> Result<(), Fault> {
        let (name, arity, or_more) = match rest {
            [name, arity] => (name, arity, false),
            [name, arity, more] if more.atom() == Some(":or-more") => (name, arity, true),
            _ => return form.fault("expected (declare-sort name arity) or (declare-sort name arity :or-more)"),
        };
        let arity = arity.numeral()? as usize;
        let (name, indices) = match name.list() {
            Some([underscore, name, indices @ ..]) if underscore.atom() == Some("_") => (name, indices.len()),
            _ => (name, 0),
        };
        let name = Symbol::new(name.symbol()?);
        self.table.sorts.insert(name, SortDeclaration { indices, arity, or_more });
        Ok(())
    }

    fn define_sort(&mut self, form: &Expression<'_>, rest: &[Expression<'_>]) -> Result<(), Fault> {
        let [alias, sort] = rest else { return form.fault("expected (define-sort alias sort)") };
        let sort = self.ground_sort(sort)?;
        let (name, arguments) = match alias.list() {
            Some([name, arguments @ ..]) => (name, arguments),
            _ => (alias, &[][..]),
        };
        let arguments: Result<Vec<Sort>, Fault> = arguments.iter().map(|each| self.ground_sort(each)).collect();
        self.table.aliases.insert((Symbol::new(name.symbol()?), arguments?), sort);
        Ok(())
    }

    fn ground_sort(&self, expression: &Expression<'_>) -> Result<Sort, Fault> {
        let pattern = self.sort(expression, &mut Scope::default())?;
        pattern.ground().map_or_else(|| expression.fault("expected a sort without variables"), Ok)
    }

    fn operator(&mut self, form: &Expression<'_>, variables: &[&str]) -> Result<(), Fault> {
        let items = form.items()?;
        let [head, rest @ ..] = items else { return form.fault("expected (operator sort… attribute…)") };
        let mut scope = Scope { variables, numerals: Vec::new() };
        let (name, indices) = match head.list() {
            Some([underscore, name, indices @ ..]) if underscore.atom() == Some("_") => (name.symbol()?, indices),
            Some(_) => return head.fault("expected an operator's name, or (_ name i…)"),
            None => (head.symbol()?, &[][..]),
        };
        let indices: Result<Vec<IndexPattern>, Fault> =
            indices.iter().map(|index| index_pattern(index, &mut scope)).collect();
        let first = rest.iter().position(|each| each.atom().is_some_and(|text| text.starts_with(':')));
        let (sorts, attributes) = rest.split_at(first.unwrap_or(rest.len()));
        let sorts: Result<Vec<SortPattern>, Fault> = sorts.iter().map(|each| self.sort(each, &mut scope)).collect();
        let mut parameters = sorts?;
        let Some(result) = parameters.pop() else { return form.fault("the operator has no result sort") };
        let own = || Some(Spelling { name: name.to_owned(), form: Form::Plain });
        let mut signature = Signature {
            name: Symbol::new(name),
            theory: self.theory,
            variables: variables.iter().map(|name| Symbol::new(name)).collect(),
            index_variables: Vec::new(),
            indices: indices?,
            minimum_arguments: parameters.len(),
            parameters,
            result,
            associativity: None,
            spellings: [own(), own(), own()],
            aliases: Vec::new(),
            literal_arguments: Vec::new(),
            linear: false,
            default_last: None,
            conditions: Vec::new(),
            extension: self.extension,
            group: None,
        };
        for dialect in &self.defaults {
            signature.spellings[*dialect as usize] = None;
        }
        Self::attributes(&mut signature, attributes, &mut scope)?;
        signature.index_variables = scope.numerals.iter().map(|name| Symbol::new(name)).collect();
        check(form, &signature)?;
        self.table.add(signature).map_or_else(|message| form.fault(message), Ok)
    }

    fn attributes<'a>(
        signature: &mut Signature,
        attributes: &[Expression<'a>],
        scope: &mut Scope<'a>,
    ) -> Result<(), Fault> {
        let mut rest = attributes.iter();
        while let Some(attribute) = rest.next() {
            let keyword = attribute.symbol()?;
            let associativity = match keyword {
                ":left-assoc" => Some(Associativity::LeftAssoc),
                ":right-assoc" => Some(Associativity::RightAssoc),
                ":chainable" => Some(Associativity::Chainable),
                ":pairwise" => Some(Associativity::Pairwise),
                ":linear" => {
                    signature.linear = true;
                    continue;
                }
                _ => None,
            };
            if associativity.is_some() {
                signature.associativity = associativity;
                continue;
            }
            let Some(value) = rest.next() else { return attribute.fault(format!("{keyword} needs a value")) };
            match keyword {
                ":also" => {
                    for alias in value.items()? {
                        signature.aliases.extend(spelling(alias, signature)?);
                    }
                }
                ":group" => signature.group = Some(Symbol::new(value.symbol()?)),
                ":min-arguments" => signature.minimum_arguments = value.numeral()? as usize,
                ":default-last" => signature.default_last = Some(value.numeral()?),
                ":literal-arguments" => {
                    for position in value.items()? {
                        signature.literal_arguments.push(position.numeral()? as usize);
                    }
                }
                ":where" => {
                    for each in value.items()? {
                        signature.conditions.push(condition(each, scope)?);
                    }
                }
                _ => match dialect_of(keyword) {
                    Some(dialect) => signature.spellings[dialect as usize] = spelling(value, signature)?,
                    None => return attribute.fault(format!("unknown attribute {keyword}")),
                },
            }
        }
        Ok(())
    }

    fn sort<'a>(&self, expression: &Expression<'a>, scope: &mut Scope<'a>) -> Result<SortPattern, Fault> {
        let (name, indices, arguments) = match expression.list() {
            None => (expression.symbol()?, &[][..], &[][..]),
            Some([underscore, name, indices @ ..]) if underscore.atom() == Some("_") => {
                (name.symbol()?, indices, &[][..])
            }
            Some([name, arguments @ ..]) => (name.symbol()?, &[][..], arguments),
            Some([]) => return expression.fault("expected a sort"),
        };
        if let Some(variable) = scope.variables.iter().position(|&each| each == name) {
            return Ok(SortPattern::Variable(variable as u8));
        }
        let indices: Result<Vec<IndexPattern>, Fault> =
            indices.iter().map(|index| index_pattern(index, scope)).collect();
        let arguments: Result<Vec<SortPattern>, Fault> =
            arguments.iter().map(|argument| self.sort(argument, scope)).collect();
        let (indices, arguments, name) = (indices?, arguments?, Symbol::new(name));
        let numerals: Option<Vec<u32>> = indices
            .iter()
            .map(|index| if let IndexPattern::Numeral(numeral) = index { Some(*numeral) } else { None })
            .collect();
        let ground: Option<Vec<Sort>> = arguments.iter().map(SortPattern::ground).collect();
        match (numerals, ground) {
            (Some(numerals), Some(ground)) => match self.table.sort(name, &numerals, &ground) {
                Ok(sort) => Ok(SortPattern::Sort(sort)),
                Err(error) => expression.fault(error.to_string()),
            },
            _ => match self.table.sorts.get(&name) {
                Some(known) if known.takes(indices.len(), arguments.len()) => {
                    Ok(SortPattern::Application { name, indices, arguments })
                }
                Some(_) => expression.fault(format!("{name} takes another number of indices or arguments")),
                None => expression.fault(format!("unknown sort {name}: declare it with (declare-sort {name} 0)")),
            },
        }
    }
}

/// The variables that a line may use.
#[derive(Default)]
struct Scope<'a> {
    variables: &'a [&'a str],
    numerals: Vec<&'a str>,
}

fn index_pattern<'a>(expression: &Expression<'a>, scope: &mut Scope<'a>) -> Result<IndexPattern, Fault> {
    if let Some(text) = expression.atom() {
        if let Ok(numeral) = text.parse() {
            return Ok(IndexPattern::Numeral(numeral));
        }
        let position = scope.numerals.iter().position(|&each| each == text).unwrap_or_else(|| {
            scope.numerals.push(text);
            scope.numerals.len() - 1
        });
        return Ok(IndexPattern::Variable(position as u8));
    }
    let [operator, a, b] = expression.items()? else { return expression.fault("expected (+ a b), (- a b) or (* a b)") };
    let (a, b) = (Box::new(index_pattern(a, scope)?), Box::new(index_pattern(b, scope)?));
    match operator.atom() {
        Some("+") => Ok(IndexPattern::Sum(a, b)),
        Some("-") => Ok(IndexPattern::Difference(a, b)),
        Some("*") => Ok(IndexPattern::Product(a, b)),
        _ => operator.fault("expected +, - or *"),
    }
}

fn condition<'a>(expression: &Expression<'a>, scope: &mut Scope<'a>) -> Result<Condition, Fault> {
    let [relation, a, b] = expression.items()? else {
        return expression.fault("expected (< a b), (<= a b) or (= a b)");
    };
    let (a, b) = (index_pattern(a, scope)?, index_pattern(b, scope)?);
    match relation.atom() {
        Some("<") => Ok(Condition::Less(a, b)),
        Some("<=") => Ok(Condition::AtMost(a, b)),
        Some("=") => Ok(Condition::Equal(a, b)),
        _ => relation.fault("expected <, <= or ="),
    }
}

fn dialect_of(keyword: &str) -> Option<Dialect> {
    keyword.strip_prefix(":spelling-")?.parse().ok()
}

fn spelling(expression: &Expression<'_>, signature: &Signature) -> Result<Option<Spelling>, Fault> {
    let Some(items) = expression.list() else {
        let name = expression.symbol()?;
        return Ok((name != "none").then(|| Spelling { name: name.to_owned(), form: Form::Plain }));
    };
    let texts: Result<Vec<&str>, Fault> = items.iter().map(Expression::symbol).collect();
    match texts?.as_slice() {
        [name, "1", "0"] if signature.parameters.len() == 2 && signature.indices.is_empty() => {
            Ok(Some(Spelling { name: (*name).to_owned(), form: Form::Swapped }))
        }
        [name, "0", indices @ ..] if signature.parameters.len() == 1 && indices.len() == signature.indices.len() => {
            Ok(Some(Spelling { name: (*name).to_owned(), form: Form::TrailingIndices }))
        }
        _ => expression.fault("expected a name, (name 1 0) for swapped arguments, or (name 0 i…) for trailing indices"),
    }
}

fn check(form: &Expression<'_>, signature: &Signature) -> Result<(), Fault> {
    if signature.associativity.is_some() && signature.parameters.len() != 2 {
        return form.fault("an associative, chainable or pairwise operator has two parameters");
    }
    if signature.variables.len() > MAX_VARIABLES || signature.index_variables.len() > MAX_VARIABLES {
        return form.fault(format!("a signature has at most {MAX_VARIABLES} variables of each kind"));
    }
    Ok(())
}
