//! The theory of strings: regular languages, and what asks about them.

use super::super::evaluate::{Open, Outcome};
use super::super::regex::{Budget, GaveUp, Regex, Regexes, ReplaceError};
use super::super::sequence::TooLong;
use super::super::value::Value;
use super::strings::{too_long, value};
use super::{Call, Rule};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(Rule::Strict(match name {
        "str.in_re" => {
            |call| decided(call.pool().matches(call.text(0)?, call.regex(1)?, &mut Budget::default())).map(Value::Bool)
        }
        "str.replace_re" => |call| {
            let (text, regex, by) = (call.text(0)?, call.regex(1)?, call.text(2)?);
            replaced(call.pool().replace(text, regex, by, &mut Budget::default()))
        },
        "str.replace_re_all" => |call| {
            let (text, regex, by) = (call.text(0)?, call.regex(1)?, call.text(2)?);
            replaced(call.pool().replace_all(text, regex, by, &mut Budget::default()))
        },
        "str.indexof_re" => |call| {
            let (text, regex, start) = (call.text(0)?, call.regex(1)?, call.integer(2)?);
            decided(call.pool().index_of(text, regex, start, &mut Budget::default())).map(Value::Int)
        },
        "str.to_re" => |call| built(call, |call, pool| Ok(pool.literal(call.text(0)?))),
        "re.none" => |_| Ok(Value::Regex(Regex::NONE)),
        "re.all" => |_| Ok(Value::Regex(Regex::ALL)),
        "re.allchar" => |_| Ok(Value::Regex(Regex::ALLCHAR)),
        "re.++" => |call| built(call, |call, pool| Ok(pool.concat(&call.all(Call::regex)?))),
        "re.union" => |call| built(call, |call, pool| Ok(pool.union(&call.all(Call::regex)?))),
        "re.inter" => |call| built(call, |call, pool| Ok(pool.intersection(&call.all(Call::regex)?))),
        "re.diff" => |call| {
            built(call, |call, pool| {
                let parts = call.all(Call::regex)?;
                let (&first, rest) = parts.split_first().ok_or_else(|| call.unsupported())?;
                Ok(rest.iter().fold(first, |left, &right| pool.difference(left, right)))
            })
        },
        "re.*" => |call| built(call, |call, pool| Ok(pool.star(call.regex(0)?))),
        "re.+" => |call| built(call, |call, pool| Ok(pool.plus(call.regex(0)?))),
        "re.opt" => |call| built(call, |call, pool| Ok(pool.optional(call.regex(0)?))),
        "re.comp" => |call| built(call, |call, pool| Ok(pool.complement(call.regex(0)?))),
        "re.range" => |call| built(call, |call, pool| Ok(pool.range(call.text(0)?, call.text(1)?))),
        "re.^" => |call| built(call, |call, pool| Ok(pool.power(call.regex(0)?, call.index(0)?))),
        "re.loop" => |call| {
            built(call, |call, pool| Ok(pool.repeat(call.regex(0)?, call.index(0)?, call.indices.get(1).copied())))
        },
        _ => return None,
    }))
}

fn built(call: &Call<'_>, build: fn(&Call<'_>, &mut Regexes) -> Result<Regex, Open>) -> Outcome {
    build(call, &mut call.pool()).map(Value::Regex)
}

/// Whether two regular languages are the same.
pub(super) fn equal(left: Regex, right: Regex, pool: &mut Regexes) -> Result<bool, Open> {
    decided(pool.equivalent(left, right, &mut Budget::default()))
}

fn decided<T>(result: Result<T, GaveUp>) -> Result<T, Open> {
    result.map_err(|GaveUp| Open::GaveUp("a regular language that takes too much work"))
}

fn replaced(result: Result<Vec<u32>, ReplaceError>) -> Outcome {
    match result {
        Ok(code_points) => Ok(value(&code_points)),
        Err(ReplaceError::GaveUp(error)) => decided(Err(error)),
        Err(ReplaceError::TooLong(TooLong)) => Err(too_long(TooLong)),
    }
}
