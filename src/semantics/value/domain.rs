//! Sorts with finitely many values: how many, and all of them.

use std::sync::Arc;

use super::{Array, Value};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;

/// How many values a sort has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many.
    Finite(u64),
    /// Infinitely many, or so many that nobody lists them.
    Large,
    /// An uninterpreted sort: the interpretation decides.
    Unknown,
}

/// How many values the sort has.
pub fn count(sort: Sort) -> Count {
    if sort == Sort::BOOL {
        return Count::Finite(2);
    }
    let expression = sort.expression();
    match (expression.name.as_str(), expression.indices.as_slice(), expression.arguments.as_slice()) {
        ("BitVec", &[width], []) => 1_u64.checked_shl(width).filter(|_| width < 64).map_or(Count::Large, Count::Finite),
        ("Array", [], &[index, element]) => match (count(index), count(element)) {
            // One function only, whatever the indices are.
            (_, Count::Finite(1)) => Count::Finite(1),
            (Count::Finite(indices), Count::Finite(elements)) => {
                let power = u32::try_from(indices).ok().and_then(|indices| elements.checked_pow(indices));
                power.map_or(Count::Large, Count::Finite)
            }
            (Count::Unknown, _) | (_, Count::Unknown) => Count::Unknown,
            _ => Count::Large,
        },
        _ if table().sort_names().contains(&expression.name) => Count::Large,
        _ => Count::Unknown,
    }
}

/// Whether values of the sort have regular languages in them: different values may then be the same, so that they are
/// no keys of tables.
pub fn mentions_languages(sort: Sort) -> bool {
    sort == Sort::REGLAN || sort.expression().arguments.iter().any(|&argument| mentions_languages(argument))
}

/// All values of a sort that has at most so many.
pub fn all_values(sort: Sort, most: u64) -> Option<Vec<Value>> {
    let Count::Finite(number) = count(sort) else { return None };
    if number > most {
        return None;
    }
    if sort == Sort::BOOL {
        return Some(vec![Value::Bool(false), Value::Bool(true)]);
    }
    let expression = sort.expression();
    if let [width] = expression.indices[..] {
        return Some((0..number).map(|bits| Value::bits(width, bits)).collect());
    }
    let [index, element] = expression.arguments[..] else { return None };
    let (indices, elements) = (all_values(index, most)?, all_values(element, most)?);
    let array = |number: u64| {
        let mut array = Array::constant(index, element, elements[0].clone());
        let mut rest = number;
        for index in &indices {
            array = array.store(index.clone(), elements[(rest % elements.len() as u64) as usize].clone());
            rest /= elements.len() as u64;
        }
        Value::Array(Arc::new(array))
    };
    Some((0..number).map(array).collect())
}
