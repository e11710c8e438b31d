//! The theory of arrays with extensionality.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::evaluate::Open;
use super::super::regex::Languages;
use super::super::value::{Array, Count, Value, count, mentions_languages};
use super::{Call, Rule};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "select" => Rule::Strict(|call| Ok(indexed(call)?.select(call.argument(1)?).clone())),
        "store" => Rule::Strict(|call| {
            let stored = indexed(call)?.store(call.argument(1)?.clone(), call.argument(2)?.clone());
            Ok(Value::Array(Arc::new(stored)))
        }),
        _ => return None,
    })
}

/// The array, if values tell whether two of its indices are the same: languages that are written differently do not.
fn indexed<'a>(call: &Call<'a>) -> Result<&'a Array, Open> {
    let array = call.array(0)?;
    if mentions_languages(array.index_sort()) { Err(call.unsupported()) } else { Ok(array) }
}

/// Whether two arrays that are different values are equal functions nevertheless.
pub(super) fn equal(left: &Array, right: &Array, languages: &RefCell<Languages>) -> Result<bool, Open> {
    let indices: BTreeSet<&Value> = left.entries().keys().chain(right.entries().keys()).collect();
    let mut open = None;
    for index in indices {
        match super::equal(left.select(index), right.select(index), languages) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(why) => open = Some(why),
        }
    }
    if let Some(why) = open {
        return Err(why);
    }
    // They agree at all entries, so that they differ where neither has one: if there is such an index.
    match (count(left.index_sort()), super::equal(left.default(), right.default(), languages)) {
        (_, Ok(true)) => Ok(true),
        (Count::Unknown, _) => Err(Open::GaveUp("arrays over a sort of unknown size")),
        (Count::Finite(_) | Count::Large, decided) => decided,
    }
}
