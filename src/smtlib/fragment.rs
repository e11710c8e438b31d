//! Fragments: what every solver of a comparison accepts, so that no solver answers by rejecting the question.

mod arithmetic;
mod violation;

use super::dialect::Dialect;
use super::operator_set::{OperatorSet, UnknownName};
use super::script::{Command, Script};
use super::signature::{Op, SortPattern, table};
use super::sort::Sort;
use super::symbol::Symbol;
use super::term::{Head, LiteralKind, Parts, TermId, Terms};
use arithmetic::{is_linear, is_of_differences};

pub use violation::Violation;

/// The operators that Z3's string solver `z3str3` 4.8.10 or CVC4 1.6, the paper's pair, does not accept or does not
/// support in the logic `QF_S`, as measured. CVC4 1.6 has no `div`, `mod` and `abs` there.
pub const REJECTED_BY_PAPER_PAIR: [&str; 20] = [
    "str.replace_all",
    "str.replace_re",
    "str.replace_re_all",
    "str.is_digit",
    "str.to_code",
    "str.from_code",
    "str.rev",
    "str.to_lower",
    "str.to_upper",
    "str.update",
    "str.indexof_re",
    "str.last_indexof",
    "re.all",
    "re.diff",
    "re.comp",
    "re.^",
    "div",
    "mod",
    "abs",
    "divisible",
];

/// The operators beyond the standard, which no two current solvers spell alike.
pub const BEYOND_THE_STANDARD: [&str; 6] =
    ["str.rev", "str.to_lower", "str.to_upper", "str.update", "str.indexof_re", "str.last_indexof"];

/// Chainable by the standard, but solvers read them with two arguments only (Z3 4.8.10, CVC4 1.6).
const NEVER_CHAINED: [&str; 2] = ["str.<", "str.<="];

/// The theories of the string logics.
const STRING_THEORIES: [&str; 3] = ["Core", "Ints", "Strings"];

/// What both solvers of a pair accept.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a pair of solvers")]
pub struct Fragment {
    /// The logic that scripts set.
    pub logic: Symbol,
    /// The operators that both accept in that logic and that both dialects can spell.
    pub operators: OperatorSet,
    /// The sorts that variables may have; `None` for all but `RegLan`, whose variables no solver declares, and for those
    /// that a script declares where there are functions.
    pub variable_sorts: Option<Vec<Sort>>,
    /// The dialects that a script must be printable in.
    pub dialects: Vec<Dialect>,
    /// Products and quotients need a literal on one side.
    pub linear: bool,
    /// Arithmetic compares variables, and differences of two with constants, as in `QF_IDL`.
    pub differences: bool,
    /// Quantifiers are accepted.
    pub quantifiers: bool,
    /// Declared functions with parameters are accepted.
    pub functions: bool,
    /// The largest code point that a string literal may hold.
    pub largest_code_point: u32,
    /// Conditions on the form of arguments count, and unknown identifiers are rejected.
    pub strict: bool,
    /// What [`Fragment::for_pair`] was told to leave out.
    rejected: OperatorSet,
    /// Per operator of the table: what [`Fragment::alternatives`] gives.
    alternatives: Vec<Vec<Op>>,
}

impl Fragment {
    /// What two solvers accept together: the operators of `logic`'s theories without those that either rejects
    /// (names as in [`OperatorSet::from_names`]) and those that either dialect cannot spell.
    ///
    /// # Errors
    /// A rejected name that is neither an operator nor a theory.
    pub fn for_pair<'a>(
        rejected: impl IntoIterator<Item = &'a str>,
        dialects: &[Dialect],
        logic: &str,
    ) -> Result<Fragment, UnknownName> {
        Ok(Fragment::build(OperatorSet::from_names(rejected)?, dialects, logic))
    }

    fn build(rejected: OperatorSet, dialects: &[Dialect], logic: &str) -> Fragment {
        let theories = theories_of(logic);
        let operators = table()
            .operators()
            .filter(|&op| {
                let signature = op.signature();
                !signature.extension
                    && theories.as_ref().is_none_or(|names| names.contains(&signature.theory.as_str()))
                    && dialects.iter().all(|&dialect| signature.spelling(dialect).is_some())
            })
            .collect::<OperatorSet>()
            .difference(&rejected);
        let all = theories.is_none();
        let letters = logic.strip_prefix("QF_").unwrap_or(logic);
        let functions = all || letters.contains("UF");
        // Every dialect but the standard's last is read by solvers whose characters are bytes.
        let unicode = dialects.iter().all(|&dialect| dialect == Dialect::SmtLib26);
        Fragment {
            logic: Symbol::new(logic),
            variable_sorts: theories
                .is_some_and(|names| !functions && names.iter().all(|name| STRING_THEORIES.contains(name)))
                .then(|| vec![Sort::STRING, Sort::INT, Sort::BOOL]),
            dialects: dialects.to_vec(),
            linear: !all && !["NIA", "NRA", "NIRA"].iter().any(|nonlinear| letters.ends_with(nonlinear)),
            differences: !all && ["IDL", "RDL"].iter().any(|differences| letters.ends_with(differences)),
            quantifiers: !logic.starts_with("QF_"),
            functions,
            largest_code_point: if unicode { 0x2_FFFF } else { 0xFF },
            strict: true,
            alternatives: table().operators().map(|op| alternatives(op, &operators)).collect(),
            operators,
            rejected,
        }
    }

    /// The fragment of the paper's pair, `z3str3` 4.8.10 and CVC4 1.6, in `QF_S` and SMT-LIB 2.5.
    ///
    /// # Panics
    /// If the built-in theories lose an operator of [`REJECTED_BY_PAPER_PAIR`], which a test excludes.
    pub fn paper() -> Fragment {
        Fragment::for_pair(REJECTED_BY_PAPER_PAIR, &[Dialect::SmtLib25], "QF_S").expect("the names are in the table")
    }

    /// The fragment of solvers of today's standard: SMT-LIB 2.6 in `QF_SLIA`.
    ///
    /// # Panics
    /// If the built-in theories lose an operator of [`BEYOND_THE_STANDARD`], which a test excludes.
    pub fn standard() -> Fragment {
        Fragment::for_pair(BEYOND_THE_STANDARD, &[Dialect::SmtLib26], "QF_SLIA").expect("the names are in the table")
    }

    /// What the same solvers accept in another logic.
    #[must_use]
    pub fn in_logic(&self, logic: &str) -> Fragment {
        Fragment::build(self.rejected.clone(), &self.dialects, logic)
    }

    /// What the same solvers accept in one dialect.
    #[must_use]
    pub fn spelled_in(&self, dialect: Dialect) -> Fragment {
        Fragment::build(self.rejected.clone(), &[dialect], self.logic.as_str())
    }

    /// The fragment with only those of its operators that are in a set.
    #[must_use]
    pub fn restricted_to(&self, operators: &OperatorSet) -> Fragment {
        let operators = self.operators.intersection(operators);
        let alternatives = table().operators().map(|op| alternatives(op, &operators)).collect();
        Fragment { operators, alternatives, ..self.clone() }
    }

    /// The fragment with what `script` needs added to it, but for arithmetic beyond differences in a logic of these.
    #[must_use]
    pub fn admitting(&self, script: &Script) -> Fragment {
        let mut wider = self.clone();
        while let Err(violation) = wider.admits(script) {
            match violation {
                Violation::Operator(name) => {
                    wider.operators.extend(table().named(name).iter().copied());
                    wider.alternatives = table().operators().map(|op| alternatives(op, &wider.operators)).collect();
                }
                Violation::NonLinear(_) => wider.linear = false,
                Violation::CodePoint(character, _) => wider.largest_code_point = character,
                Violation::Quantifier(_) => wider.quantifiers = true,
                Violation::Function(_) => wider.functions = true,
                Violation::VariableSort(..) if wider.variable_sorts.is_some() => wider.variable_sorts = None,
                // Whoever writes another form may write any: nobody can tell what the solvers take for a difference.
                Violation::NoDifference(_) => break,
                _ if wider.strict => wider.strict = false,
                _ => break,
            }
        }
        wider
    }

    /// Whether the solvers read an operator that takes any number of arguments with more than two.
    pub fn may_chain(&self, op: Op) -> bool {
        op.signature().associativity.is_none() || !self.strict || !NEVER_CHAINED.contains(&op.name())
    }

    /// The other operators of the fragment that may take the arguments of some application of `op` to the same sort.
    pub fn alternatives(&self, op: Op) -> &[Op] {
        self.alternatives.get(op.index()).map_or(&[], Vec::as_slice)
    }

    /// Checks that both solvers accept every declaration, definition and assertion of `script`.
    ///
    /// # Errors
    /// The first violation, in the order of the arena.
    pub fn admits(&self, script: &Script) -> Result<(), Violation> {
        let mut used = vec![false; script.terms.len()];
        let mut defined: Vec<Symbol> = Vec::new();
        for command in &script.commands {
            match command {
                Command::Assert(term) => used[term.0 as usize] = true,
                Command::Declare(declaration) if declaration.parameters.is_empty() => {
                    let sort = declaration.sort;
                    let admitted = self.variable_sorts.as_ref().is_none_or(|sorts| sorts.contains(&sort));
                    if !admitted || (sort == Sort::REGLAN && self.strict) {
                        return Err(Violation::VariableSort(declaration.name, sort));
                    }
                }
                Command::Declare(declaration) if !self.functions => return Err(Violation::Function(declaration.name)),
                Command::Define(definition) => {
                    used[definition.body.0 as usize] = true;
                    defined.push(definition.name);
                }
                Command::DefineRecursive(list) if !self.functions => {
                    if let Some(first) = list.first() {
                        return Err(Violation::Function(first.name));
                    }
                }
                _ => {}
            }
        }
        for index in (0..used.len()).rev() {
            if used[index] {
                let parts = script.terms.parts(TermId(index as u32));
                self.admits_term(&script.terms, &parts, &defined)?;
                for argument in parts.arguments {
                    used[argument.0 as usize] = true;
                }
            }
        }
        Ok(())
    }

    /// Checks one node; its arguments are checked on their own.
    fn admits_term(&self, terms: &Terms, parts: &Parts<'_>, defined: &[Symbol]) -> Result<(), Violation> {
        match parts.head {
            Head::Literal(LiteralKind::String) => {
                match parts.words.iter().find(|&&character| character > self.largest_code_point) {
                    Some(&character) => Err(Violation::CodePoint(character, self.largest_code_point)),
                    None => Ok(()),
                }
            }
            Head::Operator(op) => self.admits_application(terms, op, parts),
            Head::Function(name) if !self.functions && !defined.contains(&name) => Err(Violation::Function(name)),
            Head::Forall | Head::Exists if !self.quantifiers => Err(Violation::Quantifier(self.logic)),
            Head::Verbatim(name) | Head::Binder(name) if self.strict => Err(Violation::Unknown(name)),
            Head::Constant(name) if self.strict && parts.sort.is_function() => Err(Violation::Unknown(name)),
            Head::Application if self.strict => Err(Violation::Application),
            Head::Match if self.strict => Err(Violation::Match),
            _ => Ok(()),
        }
    }

    /// Checks an application of an operator; its arguments are checked on their own.
    ///
    /// # Errors
    /// What is against it.
    pub fn admits_application(&self, terms: &Terms, op: Op, parts: &Parts<'_>) -> Result<(), Violation> {
        if !self.operators.contains(op) {
            return Err(Violation::Operator(op.name()));
        }
        let signature = op.signature();
        let arguments = parts.arguments;
        if signature.linear && self.linear && !is_linear(terms, op, arguments) {
            return Err(Violation::NonLinear(op.name()));
        }
        if self.differences && !is_of_differences(terms, op, arguments, self.functions) {
            return Err(Violation::NoDifference(op.name()));
        }
        if !self.strict {
            return Ok(());
        }
        if arguments.len() < signature.minimum_arguments {
            return Err(Violation::Arguments(op.name(), signature.minimum_arguments));
        }
        if arguments.len() > 2 && !self.may_chain(op) {
            return Err(Violation::Chained(op.name()));
        }
        if !signature.literal_arguments.is_empty() && !literals_in_order(terms, arguments) {
            return Err(Violation::LiteralArgument(op.name()));
        }
        if let [low, high] = *parts.words
            && low > high
            && parts.sort == Sort::REGLAN
        {
            return Err(Violation::LoopBounds(op.name()));
        }
        // Only operators that every sort has could take regular expressions as values.
        if !signature.variables.is_empty() && arguments.last().is_some_and(|&each| terms.sort(each) == Sort::REGLAN) {
            return Err(Violation::RegexValue(op.name()));
        }
        Ok(())
    }
}

/// The operators of `among` whose signatures do not rule out that they take what `op` takes to what it gives.
fn alternatives(op: Op, among: &OperatorSet) -> Vec<Op> {
    let own = op.signature();
    if own.parameters.is_empty() || !own.literal_arguments.is_empty() || !among.contains(op) {
        return Vec::new();
    }
    among
        .iter()
        .filter(|&other| {
            let signature = other.signature();
            other != op
                && signature.parameters.len() == own.parameters.len()
                && signature.indices.len() == own.indices.len()
                && signature.literal_arguments.is_empty()
                && may_be_equal(&signature.result, &own.result)
                && signature.parameters.iter().zip(&own.parameters).all(|(one, another)| may_be_equal(one, another))
        })
        .collect()
}

/// Two ground sorts must be the same; a sort with variables may be any.
fn may_be_equal(one: &SortPattern, other: &SortPattern) -> bool {
    match (one.ground(), other.ground()) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

/// The letters of logic names and the theories that they stand for. Longer names first, so that `SEQ` is not read as
/// `S`, and `AX` not as `A`.
const LETTERS: [(&str, &[&str]); 15] = [
    ("AX", &["ArraysEx"]),
    ("UF", &[]),
    ("BV", &["BitVectors"]),
    ("FP", &["FloatingPoint"]),
    ("LIRA", &["Ints", "Reals", "Reals_Ints"]),
    ("NIRA", &["Ints", "Reals", "Reals_Ints"]),
    ("LIA", &["Ints"]),
    ("NIA", &["Ints"]),
    ("LRA", &["Reals"]),
    ("NRA", &["Reals"]),
    ("IDL", &["Ints"]),
    ("RDL", &["Reals"]),
    ("SEQ", &["Sequences", "Ints"]),
    ("S", &["Strings", "Ints"]),
    ("A", &["ArraysEx"]),
];

/// The theories of a logic; `None` for all of them (`ALL`, or a name that is not built like the standard's).
fn theories_of(logic: &str) -> Option<Vec<&'static str>> {
    let mut rest = logic.strip_prefix("QF_").unwrap_or(logic);
    let mut theories = vec!["Core"];
    while !rest.is_empty() {
        let (letters, names) = LETTERS.iter().find(|(letters, _)| rest.starts_with(letters))?;
        theories.extend_from_slice(names);
        rest = &rest[letters.len()..];
    }
    Some(theories)
}

/// The bounds of `re.range`.
fn literals_in_order(terms: &Terms, arguments: &[TermId]) -> bool {
    let character = |&term: &TermId| match (terms.head(term), terms.text(term)) {
        (Head::Literal(LiteralKind::String), &[character]) => Some(character),
        _ => None,
    };
    arguments.iter().map(character).collect::<Option<Vec<u32>>>().is_some_and(|characters| characters.is_sorted())
}

#[cfg(test)]
mod tests;
