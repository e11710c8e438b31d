//! Prints scripts in each dialect.

mod error;
mod spelling;

use std::fmt;

use super::bit_vector;
use super::dialect::Dialect;
use super::literal::{self, Unwritable};
use super::script::{Command, Declaration, Definition, Script};
use super::signature::{Form, Op, Spelling, table};
use super::sort::Sort;
use super::symbol::Symbol;
use super::term::{Head, LiteralKind, TermId, Terms};

pub use error::PrintError;
pub use spelling::write_symbol;

pub(super) use spelling::is_simple;

/// What a printer may replace.
#[derive(Clone, Debug, Default)]
pub struct PrintOptions {
    /// The names that a solver has for logics: `(from, to)`. A logic that is not among them keeps its name.
    pub logic_names: Vec<(Symbol, Symbol)>,
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

/// Appends a script to `out`, as [`print()`] writes it.
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
    let mut clashing = Vec::new();
    let mut check = |name: Symbol| {
        if !table().readings(name).is_empty() {
            clashing.push(name);
        }
    };
    for command in &script.commands {
        match command {
            Command::Declare(declaration) => check(declaration.name),
            Command::Define(definition) => check(definition.name),
            Command::DefineRecursive(definitions) => definitions.iter().for_each(|each| check(each.name)),
            _ => {}
        }
    }
    clashing
}

/// How deep terms are printed by recursion: what people and generators write.
const SHALLOW: u32 = 32;

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
        let text = name.as_str();
        if name.is_simple() {
            self.out.push_str(text);
        } else {
            self.out.push('|');
            self.out.push_str(text);
            self.out.push('|');
        }
    }

    fn sort(&mut self, sort: Sort) {
        use fmt::Write as _;
        if let Some(name) = sort.built_in_name() {
            return self.out.push_str(name);
        }
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
        self.shallow(root, SHALLOW)
    }

    /// Prints a term by recursion as long as it is made of operators and leaves, and does not nest deeper than
    /// `levels`: the explicit stack costs more than the printing.
    fn shallow(&mut self, term: TermId, levels: u32) -> Result<(), PrintError> {
        let terms = self.terms;
        let op = match terms.head(term) {
            Head::Literal(kind) => return self.literal(kind, terms.text(term)),
            Head::Constant(name) | Head::Bound(name) => {
                self.symbol(name);
                return Ok(());
            }
            Head::Operator(op) if levels > 0 && terms.indices(term).is_empty() => op,
            _ => return self.deep(term),
        };
        let spelling = self.spelling(op)?;
        let arguments = terms.arguments(term);
        if spelling.form != Form::Plain || arguments.is_empty() {
            return self.deep(term);
        }
        self.out.push('(');
        self.out.push_str(&spelling.name);
        for &argument in arguments {
            self.out.push(' ');
            self.shallow(argument, levels - 1)?;
        }
        self.out.push(')');
        Ok(())
    }

    /// Prints a term with an explicit stack, above what is stacked already.
    fn deep(&mut self, root: TermId) -> Result<(), PrintError> {
        let base = self.stack.len();
        self.stack.push(Piece::Term(root));
        while self.stack.len() > base
            && let Some(piece) = self.stack.pop()
        {
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
            Head::Binder(name) => {
                self.out.push('(');
                self.symbol(name);
                self.quantifier(" (", term, arguments);
            }
            Head::Application => {
                self.out.push('(');
                let (first, rest) = arguments.split_at(arguments.len().min(1));
                self.stack_arguments(rest);
                self.stack.extend(first.iter().map(|&function| Piece::Term(function)));
            }
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

    /// The operator's spelling in this dialect, which no declared symbol may have.
    fn spelling(&self, op: Op) -> Result<&'static Spelling, PrintError> {
        let signature = op.signature();
        let operator = signature.name.as_str();
        let Some(spelling) = signature.spelling(self.dialect) else {
            return Err(PrintError::Operator { operator, dialect: self.dialect });
        };
        match self.declared.iter().find(|name| name.as_str() == spelling.name) {
            Some(&name) => Err(PrintError::Clash { name, operator, dialect: self.dialect }),
            None => Ok(spelling),
        }
    }

    fn operator(&mut self, op: Op, indices: &[u32], arguments: &[TermId]) -> Result<(), PrintError> {
        let spelling = self.spelling(op)?;
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
            LiteralKind::Binary => {
                if let Some(value) = bit_vector::small_of_wide(text) {
                    self.out.extend(["(_ bv", &value.to_string(), " ", &text.len().to_string(), ")"]);
                    return Ok(());
                }
                self.out.push_str("#b");
            }
            LiteralKind::Numeral | LiteralKind::Decimal => {}
        }
        self.out.extend(text.iter().filter_map(|&digit| char::from_u32(digit)));
        Ok(())
    }
}
