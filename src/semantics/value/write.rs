//! Values as terms, so that every printer of scripts writes them.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};
use rustc_hash::FxHashMap;

use super::super::regex::{Form, Language};
use super::{Array, Sequence, Value};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::print_term;
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, LiteralKind, Parts, TermId, Terms};

/// Languages with more operators and words are not written out.
const LARGEST_LANGUAGE: u64 = 1_000_000;

impl Value {
    /// The value as a ground term: `(- 5)`, `(/ 1.0 3.0)`, `#b0101`, `(store ((as const (Array Int Int)) 0) 1 2)`. An
    /// element of an uninterpreted sort is its name.
    pub fn term(&self, terms: &mut Terms) -> TermId {
        match self {
            Value::Bool(value) => operator(terms, if *value { "true" } else { "false" }, &[]),
            Value::Int(value) => integer(terms, value),
            Value::Real(value) => real(terms, value),
            Value::String(code_points) => terms.string(code_points),
            // Written out, parts that are shared are there many times.
            Value::Regex(language) if written_size(language) > LARGEST_LANGUAGE => {
                verbatim(terms, "|a large regular language|", Sort::REGLAN, &[])
            }
            Value::Regex(language) => {
                language.fold(&mut FxHashMap::default(), |form, operands| regex(terms, form, operands))
            }
            Value::BitVector(bits) => {
                let digits = bits.unsigned().to_str_radix(2);
                let zeros = bits.width() as usize - digits.len().min(bits.width() as usize);
                let digits: Vec<u32> = std::iter::repeat_n(b'0', zeros).chain(digits.bytes()).map(u32::from).collect();
                terms.literal(LiteralKind::Binary, self.sort(), &digits)
            }
            Value::Array(array) => stores(terms, array, self.sort()),
            Value::Sequence(sequence) => concatenation(terms, sequence, self.sort()),
            Value::Abstract(sort, name) => terms.constant(*name, *sort),
        }
    }
}

/// The value as SMT-LIB 2.6 writes it.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut terms = Terms::new();
        let term = self.term(&mut terms);
        // This dialect can spell every value.
        f.write_str(&print_term(&terms, term, Dialect::SmtLib26).unwrap_or_default())
    }
}

/// An operator of the table, which takes these arguments.
fn operator(terms: &mut Terms, name: &str, arguments: &[TermId]) -> TermId {
    let sorts: Vec<Sort> = arguments.iter().map(|&argument| terms.sort(argument)).collect();
    let (op, sort) = table().resolve(name, &[], &sorts).expect("the table has the operators that write values");
    terms.apply(op, arguments, sort)
}

fn digits(text: &str) -> Vec<u32> {
    text.bytes().map(u32::from).collect()
}

fn integer(terms: &mut Terms, value: &BigInt) -> TermId {
    let numeral = terms.literal(LiteralKind::Numeral, Sort::INT, &digits(&value.magnitude().to_string()));
    if value.is_negative() { operator(terms, "-", &[numeral]) } else { numeral }
}

fn real(terms: &mut Terms, value: &BigRational) -> TermId {
    let mut decimal =
        |value: &BigInt| terms.literal(LiteralKind::Decimal, Sort::REAL, &digits(&format!("{}.0", value.magnitude())));
    let numerator = decimal(value.numer());
    let quotient = if value.denom().is_one() {
        numerator
    } else {
        let denominator = decimal(value.denom());
        operator(terms, "/", &[numerator, denominator])
    };
    if value.is_negative() { operator(terms, "-", &[quotient]) } else { quotient }
}

fn verbatim(terms: &mut Terms, text: &str, sort: Sort, arguments: &[TermId]) -> TermId {
    terms.intern(Parts { head: Head::Verbatim(Symbol::new(text)), sort, arguments, words: &[], binders: &[] })
}

/// How many operators and words a language has when it is written out.
fn written_size(language: &Language) -> u64 {
    let size = |_: &Form, operands: &[u64]| operands.iter().fold(1_u64, |sum, &size| sum.saturating_add(size));
    language.fold(&mut FxHashMap::default(), size)
}

/// A regular expression of this form over operands that are terms already.
fn regex(terms: &mut Terms, form: &Form, operands: &[TermId]) -> TermId {
    let (name, indices): (&str, &[u32]) = match form {
        Form::Word(word) => {
            let word = terms.string(word);
            return operator(terms, "str.to_re", &[word]);
        }
        Form::Range(low, high) => {
            let ends = [terms.string(&[*low]), terms.string(&[*high])];
            return operator(terms, "re.range", &ends);
        }
        Form::None => ("re.none", &[]),
        Form::All => ("re.all", &[]),
        Form::AllChar => ("re.allchar", &[]),
        Form::Concat => ("re.++", &[]),
        Form::Union => ("re.union", &[]),
        Form::Intersection => ("re.inter", &[]),
        Form::Difference => ("re.diff", &[]),
        Form::Complement => ("re.comp", &[]),
        Form::Star => ("re.*", &[]),
        Form::Plus => ("re.+", &[]),
        Form::Optional => ("re.opt", &[]),
        Form::Power(count) => ("re.^", &[*count]),
        Form::Loop(low, None) => ("re.loop", &[*low]),
        Form::Loop(low, Some(high)) => ("re.loop", &[*low, *high]),
    };
    // By the name alone where the arguments are of a number that only lenient parsing lets through.
    let sorts = vec![Sort::REGLAN; operands.len()];
    let op = table().resolve(name, indices, &sorts).ok().map(|(op, _)| op).or_else(|| table().canonical(name));
    match op {
        Some(op) => terms.apply_indexed(op, indices, operands, Sort::REGLAN),
        None => verbatim(terms, name, Sort::REGLAN, operands),
    }
}

fn stores(terms: &mut Terms, array: &Array, sort: Sort) -> TermId {
    let default = array.default().term(terms);
    let mut term = verbatim(terms, &format!("(as const {sort})"), sort, &[default]);
    let Some(store) = table().canonical("store") else { return term };
    for (index, value) in array.entries() {
        let arguments = [term, index.term(terms), value.term(terms)];
        // Not by the arguments' sorts: what an ill-sorted model says is shown, too.
        term = terms.apply(store, &arguments, sort);
    }
    term
}

fn concatenation(terms: &mut Terms, sequence: &Sequence, sort: Sort) -> TermId {
    let mut units = Vec::with_capacity(sequence.items.len());
    for item in &sequence.items {
        let item = item.term(terms);
        units.push(operator(terms, "seq.unit", &[item]));
    }
    match units.as_slice() {
        [] => verbatim(terms, &format!("(as seq.empty {sort})"), sort, &[]),
        [unit] => *unit,
        units => operator(terms, "seq.++", units),
    }
}
