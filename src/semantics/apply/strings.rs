//! The theory of strings, but for regular languages.

use std::sync::Arc;

use super::super::evaluate::{Open, Outcome};
use super::super::sequence::TooLong;
use super::super::string;
use super::super::value::Value;
use super::{Call, Rule};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(Rule::Strict(match name {
        "str.++" => |call| {
            let parts: Vec<&[u32]> = call.all(Call::text)?;
            text(string::concat(&parts))
        },
        "str.len" => |call| Ok(Value::Int(string::length(call.text(0)?))),
        "str.<" => |call| call.chained(Call::text, |left, right| string::less(left, right)),
        "str.<=" => |call| call.chained(Call::text, |left, right| string::less_or_equal(left, right)),
        "str.at" => |call| Ok(value(string::at(call.text(0)?, call.integer(1)?))),
        "str.substr" => |call| Ok(value(string::substring(call.text(0)?, call.integer(1)?, call.integer(2)?))),
        "str.prefixof" => |call| Ok(Value::Bool(string::is_prefix(call.text(0)?, call.text(1)?))),
        "str.suffixof" => |call| Ok(Value::Bool(string::is_suffix(call.text(0)?, call.text(1)?))),
        "str.contains" => |call| Ok(Value::Bool(string::contains(call.text(0)?, call.text(1)?))),
        "str.indexof" => |call| Ok(Value::Int(string::index_of(call.text(0)?, call.text(1)?, call.integer(2)?))),
        "seq.last_indexof" => |call| Ok(Value::Int(string::last_index_of(call.text(0)?, call.text(1)?))),
        "str.replace" => |call| text(string::replace(call.text(0)?, call.text(1)?, call.text(2)?)),
        "str.replace_all" => |call| text(string::replace_all(call.text(0)?, call.text(1)?, call.text(2)?)),
        "str.rev" => |call| Ok(value(&string::reverse(call.text(0)?))),
        "str.update" => |call| Ok(value(&string::update(call.text(0)?, call.integer(1)?, call.text(2)?))),
        "str.is_digit" => |call| Ok(Value::Bool(string::is_digit(call.text(0)?))),
        "str.to_code" => |call| Ok(Value::Int(string::to_code(call.text(0)?))),
        "str.from_code" => |call| Ok(value(&string::from_code(call.integer(0)?))),
        "str.to_int" => |call| Ok(Value::Int(string::to_int(call.text(0)?))),
        "str.from_int" => |call| text(string::from_int(call.integer(0)?)),
        "str.to_lower" => |call| Ok(value(&string::to_lower(call.text(0)?))),
        "str.to_upper" => |call| Ok(value(&string::to_upper(call.text(0)?))),
        _ => return super::regexes::rule(name),
    }))
}

/// A string as a value.
pub(super) fn value(code_points: &[u32]) -> Value {
    Value::String(Arc::from(code_points))
}

fn text(result: Result<Vec<u32>, TooLong>) -> Outcome {
    result.map(|code_points| value(&code_points)).map_err(too_long)
}

/// What a result that would be too long is.
pub(super) fn too_long(_: TooLong) -> Open {
    Open::GaveUp("a string or sequence that is too long")
}
