//! Random assignments of our own: boundary values, values that occur in the seed, and lengths of the strings that were
//! drawn before. No solver is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use rand::RngExt;
use rustc_hash::FxHashMap;

use crate::random::{FuzzRng, below, between, chance};
use crate::semantics::evaluate::{Evaluator, Limits};
use crate::semantics::interpretation::{Function, Interpretation};
use crate::semantics::value::{Array, BitVector, Value};
use crate::smtlib::script::Script;
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};

/// Elements of each uninterpreted sort.
const ELEMENTS: u32 = 3;
/// Entries of a function's table, or of an array, at most.
const MOST_ENTRIES: u32 = 3;
/// Assignments among which [`Assignments::inclined`] chooses.
const TRIES: u32 = 64;
/// Letters where the seed has none.
const LETTERS: &[u8] = b"ab01 ";

/// Where random assignments of one seed come from.
#[derive(Clone, Debug)]
pub struct Assignments<'a> {
    seed: &'a Script,
    /// The values of the seed's literals, by sort.
    literals: FxHashMap<Sort, Vec<Value>>,
    datatypes: bool,
}

impl<'a> Assignments<'a> {
    /// Assignments to the declared symbols of `seed`.
    pub fn of(seed: &'a Script) -> Self {
        let nothing = Interpretation::new();
        let mut evaluator = Evaluator::new(seed, &nothing);
        let mut literals: FxHashMap<Sort, Vec<Value>> = FxHashMap::default();
        for index in 0..seed.terms.len() as u32 {
            let term = TermId(index);
            if matches!(seed.terms.head(term), Head::Literal(_))
                && let Ok(value) = evaluator.value(term)
            {
                literals.entry(value.sort()).or_default().push(value);
            }
        }
        let datatypes = seed.declares_datatypes();
        Assignments { seed, literals, datatypes }
    }

    /// One at random. Symbols of sorts without values here, such as datatypes, get none.
    pub fn draw(&self, rng: &mut FuzzRng) -> Interpretation {
        let mut drawn = Interpretation::new();
        // Strings first: integers are their lengths as often as not.
        let (strings, others): (Vec<_>, Vec<_>) =
            self.seed.declarations().partition(|each| each.sort == Sort::STRING && each.parameters.is_empty());
        let mut lengths = Vec::new();
        for declaration in strings.into_iter().chain(others) {
            if !declaration.parameters.is_empty() {
                if let Some(function) = self.function(&declaration.parameters, declaration.sort, &lengths, rng) {
                    drawn.set_function(declaration.name, function);
                }
                continue;
            }
            let Some(value) = self.value(declaration.sort, &lengths, rng) else { continue };
            if let Value::String(text) = &value {
                lengths.push(text.len());
            }
            drawn.set(declaration.name, value);
        }
        drawn
    }

    /// Of several at random the one under which most of the seed's assertions hold, or, if `holding` is false, fewest:
    /// what STORM gets from a solver as a model of the seed or of its negation.
    pub fn inclined(&self, holding: bool, rng: &mut FuzzRng) -> Interpretation {
        let wanted = self.seed.assertions().count();
        let mut best = (0, self.draw(rng));
        for attempt in 0..TRIES {
            let candidate = if attempt == 0 { best.1.clone() } else { self.draw(rng) };
            let mut evaluator = Evaluator::with_limits(self.seed, &candidate, Limits::SMALL);
            let fitting =
                self.seed.assertions().filter(|&assertion| evaluator.value(assertion) == Ok(Value::Bool(holding)));
            let fitting = fitting.count();
            if fitting > best.0 {
                best = (fitting, candidate);
            }
            if best.0 == wanted {
                break;
            }
        }
        best.1
    }

    fn function(&self, parameters: &[Sort], sort: Sort, lengths: &[usize], rng: &mut FuzzRng) -> Option<Function> {
        let default = Some(self.value(sort, lengths, rng)?);
        let mut entries = BTreeMap::new();
        for _ in 0..between(rng, 0, MOST_ENTRIES) {
            let arguments = parameters.iter().map(|&parameter| self.value(parameter, lengths, rng));
            entries.insert(arguments.collect::<Option<Vec<Value>>>()?, self.value(sort, lengths, rng)?);
        }
        Some(Function::Table { entries, default })
    }

    fn value(&self, sort: Sort, lengths: &[usize], rng: &mut FuzzRng) -> Option<Value> {
        let known = self.literals.get(&sort).map_or(&[][..], Vec::as_slice);
        match sort {
            Sort::BOOL => return Some(Value::Bool(chance(rng, 0.5))),
            Sort::INT => return Some(Value::Int(integer(known, lengths, rng))),
            Sort::REAL => return Some(Value::Real(self.real(known, rng))),
            Sort::STRING => return Some(Value::String(text(known, rng))),
            Sort::REGLAN | Sort::UNKNOWN => return None,
            _ => {}
        }
        let expression = sort.expression();
        match (expression.name.as_str(), &expression.indices[..], &expression.arguments[..]) {
            ("BitVec", &[width], []) => (width <= BitVector::WIDEST).then(|| bit_vector(width, known, rng)),
            ("Array", [], &[index, element]) => {
                let mut array = Array::constant(index, element, self.value(element, lengths, rng)?);
                for _ in 0..between(rng, 0, MOST_ENTRIES) {
                    array = array.store(self.value(index, lengths, rng)?, self.value(element, lengths, rng)?);
                }
                Some(Value::Array(Arc::new(array)))
            }
            ("Seq", [], &[element]) => {
                let items = (0..between(rng, 0, MOST_ENTRIES)).map(|_| self.value(element, lengths, rng));
                Some(Value::sequence(element, items.collect::<Option<Vec<Value>>>()?))
            }
            (name, [], _) if !self.datatypes && !table().sort_names().contains(&expression.name) => {
                let number = between(rng, 0, ELEMENTS - 1);
                Some(Value::Abstract(sort, Symbol::new(&format!("{name}!val!{number}"))))
            }
            _ => None,
        }
    }

    fn real(&self, known: &[Value], rng: &mut FuzzRng) -> BigRational {
        let integers = self.literals.get(&Sort::INT).map_or(&[][..], Vec::as_slice);
        match known.get(below(rng, known.len() + 2)) {
            Some(Value::Real(value)) => value + BigRational::new(between(rng, 0, 2).into(), 2.into()),
            _ if chance(rng, 0.7) => integer(integers, &[], rng).into(),
            _ => BigRational::new(integer(integers, &[], rng), between(rng, 1, 9).into()),
        }
    }
}

/// A string: a literal of the seed, several, a part of one, or random letters of theirs.
fn text(known: &[Value], rng: &mut FuzzRng) -> Arc<[u32]> {
    let texts: Vec<&[u32]> =
        known.iter().filter_map(|value| if let Value::String(text) = value { Some(&text[..]) } else { None }).collect();
    // To old solvers there are no others, and what holds for one of those may be false to them.
    let texts: Vec<&[u32]> = texts.into_iter().filter(|text| text.iter().all(|&letter| letter <= 0xFF)).collect();
    let letter = |rng: &mut FuzzRng| match texts.get(below(rng, texts.len() + 1)) {
        Some(text) if !text.is_empty() => text[below(rng, text.len())],
        _ => u32::from(LETTERS[below(rng, LETTERS.len())]),
    };
    match between(rng, 0, 9) {
        0 => Arc::from([]),
        1..=4 if !texts.is_empty() => Arc::from(texts[below(rng, texts.len())]),
        5..=6 if !texts.is_empty() => (0..2).flat_map(|_| texts[below(rng, texts.len())].iter().copied()).collect(),
        7 if !texts.is_empty() => {
            let text = texts[below(rng, texts.len())];
            let start = below(rng, text.len() + 1);
            text[start..start + below(rng, text.len() - start + 1)].into()
        }
        _ => {
            let length = if chance(rng, 0.8) { between(rng, 1, 4) } else { between(rng, 5, 40) };
            (0..length).map(|_| letter(rng)).collect()
        }
    }
}

/// An integer: small, a literal of the seed or beside one, a length, or at a boundary of machine numbers.
fn integer(known: &[Value], lengths: &[usize], rng: &mut FuzzRng) -> BigInt {
    let beside = |rng: &mut FuzzRng| i64::from(between(rng, 0, 2)) - 1;
    match between(rng, 0, 9) {
        0..=2 if !known.is_empty() => match &known[below(rng, known.len())] {
            Value::Int(value) if chance(rng, 0.2) => -value,
            Value::Int(value) => value + beside(rng),
            _ => BigInt::from(0),
        },
        3..=5 if !lengths.is_empty() => {
            let length = BigInt::from(lengths[below(rng, lengths.len())]);
            if chance(rng, 0.7) { length } else { length + beside(rng) }
        }
        6 => {
            let power: u32 = *[7, 8, 15, 16, 31, 32, 63, 64].get(below(rng, 8)).unwrap_or(&31);
            let value = (BigInt::from(1) << power) + beside(rng);
            if chance(rng, 0.5) { value } else { -value }
        }
        7 => BigInt::from(i64::from(between(rng, 0, 200)) - 100),
        _ => BigInt::from(i64::from(between(rng, 0, 6)) - 2),
    }
}

/// Bits: all alike, one alone, the largest or least signed number, a literal of the seed, or any.
fn bit_vector(width: u32, known: &[Value], rng: &mut FuzzRng) -> Value {
    let one = BigInt::from(1);
    let integer = match between(rng, 0, 6) {
        0 => BigInt::from(0),
        1 => one.clone(),
        2 => -one,
        3 => (one << (width - 1)) - i32::from(chance(rng, 0.5)),
        4 => one << below(rng, width as usize),
        5 if !known.is_empty() => return known[below(rng, known.len())].clone(),
        _ => (0..width.div_ceil(64)).fold(BigInt::from(0), |bits, _| (bits << 64) + rng.random::<u64>()),
    };
    Value::BitVector(BitVector::from_integer(width, &integer))
}
