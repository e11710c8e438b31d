//! Prints scripts in each dialect.

use std::fmt;

use super::dialect::Dialect;
use super::lexer::is_symbol_byte;
use super::literal::{self, Unwritable};
use super::script::{Command, Declaration, Definition, Script};
use super::signature::{Form, Op, table};
use super::sort::Sort;
use super::symbol::Symbol;
use super::term::{Head, LiteralKind, TermId, Terms};

/// Words that the standard reserves: as names they need bars.
const RESERVED: [&str; 13] = [
    "!",
    "_",
    "as",
    "BINARY",
    "DECIMAL",
    "exists",
    "HEXADECIMAL",
    "forall",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
];

/// The length of the longest reserved word: longer names need not be compared.
const LONGEST_RESERVED: usize = 11;

/// Whether `name` can stand without bars.
fn is_simple(name: &str) -> bool {
    let bytes = name.as_bytes();
    match bytes.first() {
        None => false,
        // `-5` is a symbol of the standard, but Z3 reads it as a number.
        Some(b'-') if bytes.get(1).is_some_and(u8::is_ascii_digit) => false,
        Some(first) => {
            !first.is_ascii_digit()
                && bytes.iter().all(|&byte| is_symbol_byte(byte))
                && (bytes.len() > LONGEST_RESERVED || !RESERVED.contains(&name))
        }
    }
}

/// Writes `name` as an SMT-LIB symbol, with bars where a simple symbol could not carry it.
///
/// # Errors
/// Those of `out`.
pub fn write_symbol(out: &mut dyn fmt::Write, name: &str) -> fmt::Result {
    if is_simple(name) {
        return out.write_str(name);
    }
    out.write_str("|")?;
    out.write_str(name)?;
    out.write_str("|")
}

/// What a printer may replace.
#[derive(Clone, Debug, Default)]
pub struct PrintOptions {
    /// The names that a solver has for logics: `(from, to)`. A logic that is not among them keeps its name.
    pub logic_names: Vec<(Symbol, Symbol)>,
}

/// Why a script cannot be written in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrintError {
    /// The dialect has no spelling for an operator.
    #[error("{dialect} has no operator {operator}")]
    Operator {
        /// The operator's name.
        operator: &'static str,
        /// The dialect.
        dialect: Dialect,
    },
    /// The dialect has no escape for a character.
    #[error("{dialect} cannot write the character U+{code_point:04X} in a string literal")]
    CodePoint {
        /// The character.
        code_point: u32,
        /// The dialect.
        dialect: Dialect,
    },
    /// The script declares a symbol that is an operator of the dialect, and uses that operator too.
    #[error("the script declares {name}, which is how {dialect} spells {operator}")]
    Clash {
        /// The declared name.
        name: Symbol,
        /// The operator.
        operator: &'static str,
        /// The dialect.
        dialect: Dialect,
    },
}

/// Prints a script, one command a line.
///
/// # Errors
/// What the dialect cannot spell.
pub fn print(script: &Script, dialect: Dialect, options: &PrintOptions) -> Result<String, PrintError> {
    // Most terms take about a dozen bytes.
    let mut out = String::with_capacity(64 + 16 * script.terms.len());
    print_into(&mut out, script, dialect, options)?;
    Ok(out)
}

/// Appends a script to `out`, as [`print`] writes it.
///
/// # Errors
/// What the dialect cannot spell; `out` then holds what came before it.
pub fn print_into(
    out: &mut String,
    script: &Script,
    dialect: Dialect,
    options: &PrintOptions,
) -> Result<(), PrintError> {
    let mut printer = Printer::new(out, &script.terms, dialect);
    printer.declared = clashing_declarations(script);
    script.commands.iter().try_for_each(|command| printer.command(command, options))
}

/// Prints one term.
///
/// # Errors
/// What the dialect cannot spell.
pub fn print_term(terms: &Terms, term: TermId, dialect: Dialect) -> Result<String, PrintError> {
    let mut out = String::new();
    Printer::new(&mut out, terms, dialect).term(term)?;
    Ok(out)
}

/// Names that the script declares although they are spellings of operators: usually none.
fn clashing_declarations(script: &Script) -> Vec<Symbol> {
    let spells_operator = |name: &Symbol| !table().readings(*name).is_empty();
    let declared = script.commands.iter().flat_map(|command| match command {
        Command::Declare(declaration) => vec![declaration.name],
        Command::Define(definition) => vec![definition.name],
        Command::DefineRecursive(definitions) => definitions.iter().map(|each| each.name).collect(),
        _ => Vec::new(),
    });
    declared.filter(spells_operator).collect()
}

/// What is still to be printed, innermost last: an explicit stack, because terms nest deeper than threads' stacks.
#[derive(Clone, Copy)]
enum Piece {
    Term(TermId),
    Argument(TermId),
    Text(&'static str),
    Symbol(Symbol),
    Verbatim(Symbol),
    Attributes(Symbol),
    Index(u32),
}

struct Printer<'a> {
    out: &'a mut String,
    terms: &'a Terms,
    dialect: Dialect,
    declared: Vec<Symbol>,
    stack: Vec<Piece>,
}

impl<'a> Printer<'a> {
    fn new(out: &'a mut String, terms: &'a Terms, dialect: Dialect) -> Self {
        Printer { out, terms, dialect, declared: Vec::new(), stack: Vec::with_capacity(32) }
    }

    fn command(&mut self, command: &Command, options: &PrintOptions) -> Result<(), PrintError> {
        match command {
            Command::SetLogic(logic) => {
                let renamed = options.logic_names.iter().find(|(from, _)| from == logic);
                self.out.push_str("(set-logic ");
                self.symbol(renamed.map_or(*logic, |(_, to)| *to));
            }
            Command::Declare(declaration) => self.declaration(declaration),
            Command::Define(definition) => {
                self.out.push_str("(define-fun ");
                self.prototype(definition);
                self.out.push(' ');
                self.term(definition.body)?;
            }
            Command::DefineRecursive(definitions) => self.recursive(definitions)?,
            Command::Assert(term) => {
                self.out.push_str("(assert ");
                self.term(*term)?;
            }
            Command::CheckSat => self.out.push_str("(check-sat"),
            Command::CheckSatAssuming(terms) => {
                self.out.push_str("(check-sat-assuming (");
                self.list(terms)?;
            }
            Command::GetValue(terms) => {
                self.out.push_str("(get-value (");
                self.list(terms)?;
            }
            Command::Push(count) => {
                self.out.push_str("(push ");
                self.numeral(*count);
            }
            Command::Pop(count) => {
                self.out.push_str("(pop ");
                self.numeral(*count);
            }
            Command::Other(text) => {
                self.kept(*text)?;
                self.out.push('\n');
                return Ok(());
            }
        }
        self.out.push_str(")\n");
        Ok(())
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.out.push_str("(declare-fun ");
        self.symbol(declaration.name);
        self.out.push_str(" (");
        for (position, &sort) in declaration.parameters.iter().enumerate() {
            if position > 0 {
                self.out.push(' ');
            }
            self.sort(sort);
        }
        self.out.push_str(") ");
        self.sort(declaration.sort);
    }

    /// `f ((x S)…) S`
    fn prototype(&mut self, definition: &Definition) {
        self.symbol(definition.name);
        self.out.push_str(" (");
        self.sorted_variables(&definition.parameters);
        self.out.push_str(") ");
        self.sort(definition.sort);
    }

    fn recursive(&mut self, definitions: &[Definition]) -> Result<(), PrintError> {
        if let [definition] = definitions {
            self.out.push_str("(define-fun-rec ");
            self.prototype(definition);
            self.out.push(' ');
            return self.term(definition.body);
        }
        self.out.push_str("(define-funs-rec (");
        for definition in definitions {
            self.out.push('(');
            self.prototype(definition);
            self.out.push(')');
        }
        self.out.push_str(") (");
        let bodies: Vec<TermId> = definitions.iter().map(|definition| definition.body).collect();
        self.list(&bodies)
    }

    /// The terms with blanks between them, and the parenthesis that closes the list.
    fn list(&mut self, terms: &[TermId]) -> Result<(), PrintError> {
        for (position, &term) in terms.iter().enumerate() {
            if position > 0 {
                self.out.push(' ');
            }
            self.term(term)?;
        }
        self.out.push(')');
        Ok(())
    }

    fn sorted_variables(&mut self, variables: &[(Symbol, Sort)]) {
        for (position, &(name, sort)) in variables.iter().enumerate() {
            self.out.push_str(if position > 0 { " (" } else { "(" });
            self.symbol(name);
            self.out.push(' ');
            self.sort(sort);
            self.out.push(')');
        }
    }

    fn symbol(&mut self, name: Symbol) {
        let name = name.as_str();
        if is_simple(name) {
            self.out.push_str(name);
        } else {
            self.out.push('|');
            self.out.push_str(name);
            self.out.push('|');
        }
    }

    fn sort(&mut self, sort: Sort) {
        use fmt::Write as _;
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{sort}");
    }

    fn numeral(&mut self, mut value: u32) {
        let mut digits = [0_u8; 10];
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        self.out.extend(digits[first..].iter().map(|&digit| char::from(digit)));
    }

    fn term(&mut self, root: TermId) -> Result<(), PrintError> {
        self.stack.push(Piece::Term(root));
        while let Some(piece) = self.stack.pop() {
            match piece {
                Piece::Term(term) => self.open(term)?,
                Piece::Argument(term) => {
                    self.out.push(' ');
                    self.open(term)?;
                }
                Piece::Text(text) => self.out.push_str(text),
                Piece::Symbol(name) => self.symbol(name),
                Piece::Verbatim(text) => self.out.push_str(text.as_str()),
                Piece::Attributes(text) => self.kept(text)?,
                Piece::Index(index) => {
                    self.out.push(' ');
                    self.numeral(index);
                }
            }
        }
        Ok(())
    }

    /// Prints a term up to its first argument, and stacks the rest.
    fn open(&mut self, term: TermId) -> Result<(), PrintError> {
        let arguments = self.terms.arguments(term);
        match self.terms.head(term) {
            Head::Literal(kind) => return self.literal(kind, self.terms.text(term)),
            Head::Constant(name) | Head::Bound(name) => self.symbol(name),
            Head::Operator(op) => return self.operator(op, self.terms.indices(term), arguments),
            Head::Function(name) => {
                self.out.push('(');
                self.symbol(name);
                self.stack_arguments(arguments);
            }
            Head::Verbatim(text) if arguments.is_empty() => self.out.push_str(text.as_str()),
            Head::Verbatim(text) => {
                self.out.push('(');
                self.out.push_str(text.as_str());
                self.stack_arguments(arguments);
            }
            Head::Let => self.stack_let(term, arguments),
            Head::Forall => self.quantifier("(forall (", term, arguments),
            Head::Exists => self.quantifier("(exists (", term, arguments),
            Head::Annotation(attributes) => {
                self.out.push_str("(!");
                self.stack.extend([Piece::Text(")"), Piece::Attributes(attributes), Piece::Text(" ")]);
                self.stack.extend(arguments.iter().map(|&argument| Piece::Argument(argument)));
            }
            Head::Match => self.stack_match(term, arguments),
        }
        Ok(())
    }

    fn stack_arguments(&mut self, arguments: &[TermId]) {
        self.stack.push(Piece::Text(")"));
        self.stack.extend(arguments.iter().rev().map(|&argument| Piece::Argument(argument)));
    }

    fn stack_let(&mut self, term: TermId, arguments: &[TermId]) {
        let Some((&body, values)) = arguments.split_last() else { return };
        self.out.push_str("(let (");
        self.stack.extend([Piece::Text(")"), Piece::Argument(body), Piece::Text(")")]);
        for (position, (&value, &(name, _))) in values.iter().zip(self.terms.parts(term).binders).enumerate().rev() {
            let open = Piece::Text(if position > 0 { " (" } else { "(" });
            self.stack.extend([Piece::Text(")"), Piece::Argument(value), Piece::Symbol(name), open]);
        }
    }

    fn stack_match(&mut self, term: TermId, arguments: &[TermId]) {
        let Some((&scrutinee, bodies)) = arguments.split_first() else { return };
        self.out.push_str("(match");
        self.stack.push(Piece::Text("))"));
        for (position, (&body, &(pattern, _))) in bodies.iter().zip(self.terms.parts(term).binders).enumerate().rev() {
            let open = Piece::Text(if position > 0 { " (" } else { " ((" });
            self.stack.extend([Piece::Text(")"), Piece::Argument(body), Piece::Verbatim(pattern), open]);
        }
        self.stack.push(Piece::Argument(scrutinee));
    }

    fn quantifier(&mut self, open: &str, term: TermId, arguments: &[TermId]) {
        self.out.push_str(open);
        self.sorted_variables(self.terms.parts(term).binders);
        self.out.push(')');
        self.stack_arguments(arguments);
    }

    fn operator(&mut self, op: Op, indices: &[u32], arguments: &[TermId]) -> Result<(), PrintError> {
        let signature = op.signature();
        let operator = signature.name.as_str();
        let Some(spelling) = signature.spelling(self.dialect) else {
            return Err(PrintError::Operator { operator, dialect: self.dialect });
        };
        if let Some(&name) = self.declared.iter().find(|name| name.as_str() == spelling.name) {
            return Err(PrintError::Clash { name, operator, dialect: self.dialect });
        }
        let trailing = spelling.form == Form::TrailingIndices;
        if arguments.is_empty() && indices.is_empty() {
            self.out.push_str(&spelling.name);
            return Ok(());
        }
        if !arguments.is_empty() {
            self.out.push('(');
            self.stack.push(Piece::Text(")"));
        }
        if trailing {
            self.stack.extend(indices.iter().rev().map(|&index| Piece::Index(index)));
        }
        if spelling.form == Form::Swapped {
            self.stack.extend(arguments.iter().map(|&argument| Piece::Argument(argument)));
        } else {
            self.stack.extend(arguments.iter().rev().map(|&argument| Piece::Argument(argument)));
        }
        if indices.is_empty() || trailing {
            self.out.push_str(&spelling.name);
            return Ok(());
        }
        self.out.push_str("(_ ");
        self.out.push_str(&spelling.name);
        for &index in indices {
            self.out.push(' ');
            self.numeral(index);
        }
        self.out.push(')');
        Ok(())
    }

    /// Text that the parser kept, with the dialect's string literals.
    fn kept(&mut self, text: Symbol) -> Result<(), PrintError> {
        let translated = literal::translate(text.as_str(), Dialect::SmtLib26, self.dialect);
        let translated = translated.map_err(|error| self.code_point(error))?;
        self.out.push_str(&translated);
        Ok(())
    }

    fn code_point(&self, error: Unwritable) -> PrintError {
        PrintError::CodePoint { code_point: error.0, dialect: self.dialect }
    }

    fn literal(&mut self, kind: LiteralKind, text: &[u32]) -> Result<(), PrintError> {
        match kind {
            LiteralKind::String => {
                return literal::write(text, self.dialect, self.out).map_err(|error| self.code_point(error));
            }
            LiteralKind::Hexadecimal => self.out.push_str("#x"),
            LiteralKind::Binary => self.out.push_str("#b"),
            LiteralKind::Numeral | LiteralKind::Decimal => {}
        }
        self.out.extend(text.iter().filter_map(|&digit| char::from_u32(digit)));
        Ok(())
    }
}
