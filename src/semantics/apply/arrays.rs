//! The theory of arrays with extensionality.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::evaluate::Open;
use super::super::regex::Regexes;
use super::super::value::{Array, Count, Value, count};
use super::Rule;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "select" => Rule::Strict(|call| Ok(call.array(0)?.select(call.argument(1)?).clone())),
        "store" => Rule::Strict(|call| {
            let stored = call.array(0)?.store(call.argument(1)?.clone(), call.argument(2)?.clone());
            Ok(Value::Array(Arc::new(stored)))
        }),
        _ => return None,
    })
}

/// Whether two arrays that are different values are equal functions nevertheless.
pub(super) fn equal(left: &Array, right: &Array, regexes: &RefCell<Regexes>) -> Result<bool, Open> {
    let indices: BTreeSet<&Value> = left.entries().keys().chain(right.entries().keys()).collect();
    let mut open = None;
    for index in indices {
        match super::equal(left.select(index), right.select(index), regexes) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(why) => open = Some(why),
        }
    }
    if let Some(why) = open {
        return Err(why);
    }
    // They agree at all entries, so that they differ where neither has one: if there is such an index.
    match (count(left.index_sort()), super::equal(left.default(), right.default(), regexes)) {
        (_, Ok(true)) => Ok(true),
        (Count::Unknown, _) => Err(Open::GaveUp("arrays over a sort of unknown size")),
        (Count::Finite(_) | Count::Large, decided) => decided,
    }
}
