//! The theory of sequences, as Z3 and cvc5 document it.

use super::super::evaluate::{Open, Outcome};
use super::super::interpretation::Partial;
use super::super::sequence::{self, TooLong};
use super::super::value::{Sequence, Value};
use super::strings::too_long;
use super::{Call, Rule};

pub(super) fn rule(name: &str) -> Option<Rule> {
    if name == "seq.nth" {
        // Out of range, the solvers' documents leave the item free.
        return Some(Rule::Partial(Partial::Nth, |call| {
            sequence::nth(&call.sequence(0)?.items, call.integer(1)?).cloned().ok_or(Open::Free)
        }));
    }
    Some(Rule::Strict(match name {
        "seq.unit" => |call| {
            let item = call.argument(0)?.clone();
            Ok(Value::sequence(item.sort(), vec![item]))
        },
        "seq.++" => |call| {
            let parts = call.all(Call::sequence)?;
            let items: Vec<&[Value]> = parts.iter().map(|part| &part.items[..]).collect();
            like(call, sequence::concat(&items))
        },
        "seq.len" => |call| Ok(Value::Int(sequence::length(&call.sequence(0)?.items))),
        "seq.at" => |call| like(call, Ok(sequence::at(&call.sequence(0)?.items, call.integer(1)?).to_vec())),
        "seq.extract" => |call| {
            let part = sequence::substring(&call.sequence(0)?.items, call.integer(1)?, call.integer(2)?);
            like(call, Ok(part.to_vec()))
        },
        "seq.prefixof" => |call| Ok(Value::Bool(sequence::is_prefix(compared(call, 0)?, compared(call, 1)?))),
        "seq.suffixof" => |call| Ok(Value::Bool(sequence::is_suffix(compared(call, 0)?, compared(call, 1)?))),
        "seq.contains" => |call| Ok(Value::Bool(sequence::contains(compared(call, 0)?, compared(call, 1)?))),
        "seq.indexof" => {
            |call| Ok(Value::Int(sequence::index_of(compared(call, 0)?, compared(call, 1)?, call.integer(2)?)))
        }
        "seq.last_indexof" => |call| Ok(Value::Int(sequence::last_index_of(compared(call, 0)?, compared(call, 1)?))),
        "seq.replace" => {
            |call| like(call, sequence::replace(compared(call, 0)?, compared(call, 1)?, compared(call, 2)?))
        }
        "seq.replace_all" => {
            |call| like(call, sequence::replace_all(compared(call, 0)?, compared(call, 1)?, compared(call, 2)?))
        }
        "seq.rev" => |call| like(call, Ok(sequence::reverse(&call.sequence(0)?.items))),
        "seq.update" => |call| {
            let by = &call.sequence(2)?.items;
            like(call, Ok(sequence::update(&call.sequence(0)?.items, call.integer(1)?, by)))
        },
        _ => return None,
    }))
}

/// The items of a sequence of which an operator must know which are equal. Arrays and languages may be so although they
/// are different values.
fn compared<'a>(call: &Call<'a>, position: usize) -> Result<&'a [Value], Open> {
    let Sequence { element, items } = &**call.sequence(position)?;
    let structural = !matches!(element.expression().name.as_str(), "Array" | "RegLan" | "Seq");
    if structural { Ok(items) } else { Err(call.unsupported()) }
}

/// A sequence of the first argument's sort.
fn like(call: &Call<'_>, items: Result<Vec<Value>, TooLong>) -> Outcome {
    Ok(Value::sequence(call.sequence(0)?.element, items.map_err(too_long)?))
}
