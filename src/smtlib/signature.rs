//! The signature table: every operator that the tool knows, read from `theories/*.smt2`.

mod application;
mod error;
mod instance;
mod pattern;
mod reader;

use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use super::dialect::Dialect;
use super::sort::Sort;
use super::symbol::Symbol;

pub use error::SortError;
pub use instance::Instance;
pub use pattern::{Bindings, Condition, IndexPattern, MAX_VARIABLES, SortPattern};
pub use reader::TheoryError;

/// One operator with one signature: a line of the table. An overloaded name (`-`) is several `Op`s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Op(pub(crate) u16);

/// How an operator with two parameters takes more than two arguments (section 3.8.1 of the standard).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Associativity {
    /// `(- a b c)` is `(- (- a b) c)`.
    LeftAssoc,
    /// `(=> a b c)` is `(=> a (=> b c))`.
    RightAssoc,
    /// `(< a b c)` is `(and (< a b) (< b c))`.
    Chainable,
    /// `(distinct a b c)` relates every pair.
    Pairwise,
}

/// How an application is laid out in a dialect.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// `(name arguments…)`, or `((_ name indices…) arguments…)`.
    Plain,
    /// `(name second first)`.
    Swapped,
    /// `(name argument indices…)`.
    TrailingIndices,
}

/// An operator's name and form in a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The name.
    pub name: String,
    /// The form.
    pub form: Form,
}

/// What one line of a theory file says.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The operator's name: its SMT-LIB 2.6 spelling, or the name that a solver gave it.
    pub name: Symbol,
    /// The theory: the name that the file gives itself.
    pub theory: Symbol,
    /// Sort variables (`par`).
    pub variables: Vec<Symbol>,
    /// Numeral variables, in order of their first occurrence.
    pub index_variables: Vec<Symbol>,
    /// The operator's own numeral indices.
    pub indices: Vec<IndexPattern>,
    /// Parameter sorts; two if the operator has an associativity.
    pub parameters: Vec<SortPattern>,
    /// The result sort.
    pub result: SortPattern,
    /// How it takes more than two arguments, if it does.
    pub associativity: Option<Associativity>,
    /// Spelling per dialect, in the order of [`Dialect::ALL`]; `None` where it has none.
    pub spellings: [Option<Spelling>; 3],
    /// Spellings that are read but never printed.
    pub aliases: Vec<Spelling>,
    /// The fewest arguments that every solver reads. The parser also reads `(and p)`, as Z3 does.
    pub minimum_arguments: usize,
    /// Positions of arguments that must be literals (`re.range`).
    pub literal_arguments: Vec<usize>,
    /// In linear logics, at most one argument is not a constant; for `div`, `mod` and `/`, the first.
    pub linear: bool,
    /// The numeral that an omitted last argument stands for (`str.indexof`).
    pub default_last: Option<u32>,
    /// What the numerals must satisfy.
    pub conditions: Vec<Condition>,
    /// Only some solvers have it: it is read and printed, but no fragment has it of itself, and where the table has no
    /// signature that fits, an application is kept rather than refused.
    pub extension: bool,
    /// The group of operators that may stand for one another ("Replace Type" of the paper, `OpFuzz`).
    pub group: Option<Symbol>,
}

/// A sort that a theory declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortDeclaration {
    /// How many numeral indices it takes.
    pub indices: usize,
    /// How many argument sorts it takes.
    pub arity: usize,
    /// It takes more of them too.
    pub or_more: bool,
}

impl SortDeclaration {
    /// Whether it takes this many indices and argument sorts.
    pub fn takes(self, indices: usize, arguments: usize) -> bool {
        self.indices == indices && (self.arity == arguments || (self.or_more && self.arity < arguments))
    }
}

/// One way to read a name: an operator, and the form in which the name takes its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The operator.
    pub op: Op,
    /// The form.
    pub form: Form,
}

#[derive(Clone, Debug, Default)]
struct Named {
    ops: Vec<Op>,
    readings: Vec<Reading>,
}

/// The operators and sorts of all theories.
#[derive(Clone, Debug, Default)]
pub struct Table {
    signatures: Vec<Signature>,
    names: FxHashMap<Symbol, Named>,
    sorts: FxHashMap<Symbol, SortDeclaration>,
    aliases: FxHashMap<(Symbol, Vec<Sort>), Sort>,
}

const BUILT_IN: [(&str, &str); 11] = [
    ("core.smt2", include_str!("theories/core.smt2")),
    ("ints.smt2", include_str!("theories/ints.smt2")),
    ("reals.smt2", include_str!("theories/reals.smt2")),
    ("reals_ints.smt2", include_str!("theories/reals_ints.smt2")),
    ("strings.smt2", include_str!("theories/strings.smt2")),
    ("sequences.smt2", include_str!("theories/sequences.smt2")),
    ("arrays.smt2", include_str!("theories/arrays.smt2")),
    ("bit_vectors.smt2", include_str!("theories/bit_vectors.smt2")),
    ("floating_point.smt2", include_str!("theories/floating_point.smt2")),
    ("extensions.smt2", include_str!("theories/extensions.smt2")),
    ("higher_order.smt2", include_str!("theories/higher_order.smt2")),
];

static TABLE: OnceLock<Table> = OnceLock::new();
static USER_FILES: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// The process-wide table: the built-in theories, and the user's files that [`load_theory`] was given before.
///
/// # Panics
/// If a built-in theory file is broken, which a test excludes.
pub fn table() -> &'static Table {
    TABLE.get_or_init(|| {
        let files = USER_FILES.lock().unwrap_or_else(PoisonError::into_inner);
        read_all(&files).unwrap_or_else(|error| panic!("a theory file that was checked: {error}"))
    })
}

fn read_all(user_files: &[(String, String)]) -> Result<Table, TheoryError> {
    let mut table = Table::default();
    for (file, text) in BUILT_IN {
        reader::read(&mut table, text, file)?;
    }
    for (file, text) in user_files {
        reader::read(&mut table, text, file)?;
    }
    Ok(table)
}

/// Adds a user's theory file to the process-wide table. Call it before anything uses the table.
///
/// # Errors
/// The first fault of the file, with line and column; or that the table is in use already.
pub fn load_theory(text: &str, file_name: &str) -> Result<(), TheoryError> {
    let mut files = USER_FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if TABLE.get().is_some() {
        let message = "theory files must be loaded before the first script is read".to_owned();
        return Err(TheoryError { file: file_name.to_owned(), line: 1, column: 1, message });
    }
    files.push((file_name.to_owned(), text.to_owned()));
    let checked = read_all(&files);
    if checked.is_err() {
        files.pop();
    }
    checked.map(|_| ())
}

impl Op {
    /// The operator's line of the table.
    pub fn signature(self) -> &'static Signature {
        &table().signatures[usize::from(self.0)]
    }

    /// The operator's name: its SMT-LIB 2.6 spelling.
    pub fn name(self) -> &'static str {
        self.signature().name.as_str()
    }

    /// The operator's position in the table, for tables of one's own that are indexed by operator.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Table {
    /// This table with the sorts and operators of a theory file added.
    ///
    /// # Errors
    /// The first fault of the file, with line and column.
    pub fn extended(&self, text: &str, file_name: &str) -> Result<Table, TheoryError> {
        let mut extended = self.clone();
        reader::read(&mut extended, text, file_name)?;
        Ok(extended)
    }

    /// The name of an operator of this table.
    pub fn name(&self, op: Op) -> &'static str {
        self.signature(op).name.as_str()
    }

    /// All operators, in the order of the theory files.
    pub fn operators(&self) -> impl ExactSizeIterator<Item = Op> + use<> {
        (0..self.signatures.len() as u16).map(Op)
    }

    /// The operators that have this spelling in any dialect; none if there is none.
    pub fn named(&self, name: &str) -> &[Op] {
        self.names.get(&Symbol::new(name)).map_or(&[], |named| &named.ops)
    }

    /// The ways to read a name: operators and the forms in which the name takes their arguments.
    pub fn readings(&self, name: Symbol) -> &[Reading] {
        self.names.get(&name).map_or(&[], |named| &named.readings)
    }

    /// The first operator of this spelling.
    pub fn canonical(&self, name: &str) -> Option<Op> {
        self.named(name).first().copied()
    }

    /// Every spelling of every operator, sorted.
    pub fn spellings(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.names.keys().map(|name| name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// The theories, in the order of their files, without repetition.
    pub fn theories(&self) -> Vec<Symbol> {
        let mut theories: Vec<Symbol> = Vec::new();
        for signature in &self.signatures {
            if !theories.contains(&signature.theory) {
                theories.push(signature.theory);
            }
        }
        theories
    }

    /// The sort with this name, these indices and these arguments, if a theory declares or defines it.
    ///
    /// # Errors
    /// [`SortError::UnknownSort`] or [`SortError::SortArguments`].
    pub fn sort(&self, name: Symbol, indices: &[u32], arguments: &[Sort]) -> Result<Sort, SortError> {
        if indices.is_empty()
            && let Some(&sort) = self.aliases.get(&(name, arguments.to_vec()))
        {
            return Ok(sort);
        }
        match self.sorts.get(&name) {
            Some(known) if known.takes(indices.len(), arguments.len()) => Ok(Sort::new(name, indices, arguments)),
            Some(known) => {
                let (indices, arity) = (known.indices, known.arity);
                Err(SortError::SortArguments { name: name.to_string(), indices, arity })
            }
            None => Err(SortError::UnknownSort { name: name.to_string() }),
        }
    }

    /// The names of the sorts that theories declare, sorted.
    pub fn sort_names(&self) -> Vec<Symbol> {
        let mut names: Vec<Symbol> = self.sorts.keys().copied().collect();
        names.sort_unstable();
        names
    }

    /// The operator that `name` (any spelling) stands for on arguments of these sorts, and the result's sort. No
    /// argument is converted: an `Int` is no `Real` here.
    ///
    /// # Errors
    /// [`SortError::UnknownOperator`] or [`SortError::Arguments`].
    pub fn resolve(&self, name: &str, indices: &[u32], argument_sorts: &[Sort]) -> Result<(Op, Sort), SortError> {
        let ops = self.named(name);
        let fitting = ops.iter().find_map(|&op| Some((op, self.signature(op).apply(indices, argument_sorts)?)));
        match fitting {
            Some(found) => Ok(found),
            None if ops.is_empty() => Err(SortError::UnknownOperator { name: name.to_owned() }),
            None => Err(self.mismatch(name, indices, argument_sorts)),
        }
    }

    /// The error for an operator that takes no such arguments.
    pub fn mismatch(&self, name: &str, indices: &[u32], argument_sorts: &[Sort]) -> SortError {
        let mut found: Vec<String> = argument_sorts.iter().map(ToString::to_string).collect();
        if !indices.is_empty() {
            let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
            found.insert(0, format!("indices {} and", indices.join(" ")));
        }
        if argument_sorts.is_empty() {
            found.push("no arguments".to_owned());
        }
        let mut expected: Vec<String> =
            self.named(name).iter().map(|&op| self.signature(op).parameters_shown()).collect();
        expected.dedup();
        SortError::Arguments { name: name.to_owned(), found: found.join(" "), expected }
    }

    fn signature(&self, op: Op) -> &Signature {
        &self.signatures[usize::from(op.0)]
    }

    fn add(&mut self, signature: Signature) -> Result<(), String> {
        let number = u16::try_from(self.signatures.len()).map_err(|_| "the table is full".to_owned())?;
        let op = Op(number);
        let own = Spelling { name: signature.name.to_string(), form: Form::Plain };
        let spelled = signature.spellings.iter().flatten().chain(&signature.aliases);
        for spelling in std::iter::once(&own).chain(spelled) {
            let named = self.names.entry(Symbol::new(&spelling.name)).or_default();
            let reading = Reading { op, form: spelling.form };
            if !named.readings.contains(&reading) {
                // What is said of one sort goes before what is said of all: Z3's `(seq.unit c)` is a string.
                let general = |each: &Reading| self.signatures.get(each.op.index()).is_some_and(Signature::is_general);
                let last = named.readings.len();
                let at = named.readings.iter().position(general).filter(|_| !signature.is_general()).unwrap_or(last);
                named.readings.insert(at, reading);
            }
            if !named.ops.contains(&op) {
                named.ops.push(op);
            }
        }
        self.signatures.push(signature);
        Ok(())
    }
}

impl Signature {
    /// The spelling in a dialect, if the operator has one there.
    pub fn spelling(&self, dialect: Dialect) -> Option<&Spelling> {
        self.spellings[dialect as usize].as_ref()
    }

    /// The most arguments it takes; `None` if there is no bound.
    pub fn maximum_arguments(&self) -> Option<usize> {
        self.associativity.is_none().then_some(self.parameters.len())
    }

    /// The parameters as theory files write them: `(String String)`.
    pub fn parameters_shown(&self) -> String {
        let shown: Vec<String> = self
            .parameters
            .iter()
            .map(|pattern| pattern::Shown(pattern, &self.variables, &self.index_variables).to_string())
            .collect();
        let more = if self.associativity.is_some() { " …" } else { "" };
        format!("({}{more})", shown.join(" "))
    }
}

#[cfg(test)]
mod tests;
