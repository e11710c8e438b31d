//! Values as terms, so that every printer of scripts writes them.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed};

use super::{Array, Sequence, Value};
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::print_term;
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, LiteralKind, Parts, TermId, Terms};

impl Value {
    /// The value as a ground term: `(- 5)`, `(/ 1.0 3.0)`, `#b0101`, `(store ((as const (Array Int Int)) 0) 1 2)`. An
    /// element of an uninterpreted sort is its name.
    pub fn term(&self, terms: &mut Terms) -> TermId {
        match self {
            Value::Bool(value) => operator(terms, if *value { "true" } else { "false" }, &[]),
            Value::Int(value) => integer(terms, value),
            Value::Real(value) => real(terms, value),
            Value::String(code_points) => terms.string(code_points),
            // The languages that its evaluator knows are not here.
            Value::Regex(_) => verbatim(terms, "|regular language|", Sort::REGLAN, &[]),
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
