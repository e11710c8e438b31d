//! The theory of strings: regular languages, and what asks about them.

use super::super::evaluate::{Open, Outcome};
use super::super::regex::{Budget, Form, GaveUp, Language, Languages, ReplaceError};
use super::super::sequence::TooLong;
use super::super::value::Value;
use super::strings::{too_long, value};
use super::{Call, Rule};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(Rule::Strict(match name {
        "str.in_re" => |call| {
            let (text, language) = (call.text(0)?, call.language(1)?);
            decided(call.asked().matches(text, language, &mut Budget::default())).map(Value::Bool)
        },
        "str.replace_re" => |call| {
            let (text, language, by) = (call.text(0)?, call.language(1)?, call.text(2)?);
            replaced(call.asked().replace(text, language, by, &mut Budget::default()))
        },
        "str.replace_re_all" => |call| {
            let (text, language, by) = (call.text(0)?, call.language(1)?, call.text(2)?);
            replaced(call.asked().replace_all(text, language, by, &mut Budget::default()))
        },
        "str.indexof_re" => |call| {
            let (text, language, start) = (call.text(0)?, call.language(1)?, call.integer(2)?);
            decided(call.asked().index_of(text, language, start, &mut Budget::default())).map(Value::Int)
        },
        "str.to_re" => |call| Ok(constant(Form::Word(call.text(0)?.into()))),
        "re.range" => |call| {
            Ok(constant(match (call.text(0)?, call.text(1)?) {
                (&[low], &[high]) => Form::Range(low, high),
                _ => Form::None,
            }))
        },
        "re.none" => |_| Ok(constant(Form::None)),
        "re.all" => |_| Ok(constant(Form::All)),
        "re.allchar" => |_| Ok(constant(Form::AllChar)),
        "re.++" => |call| of_all(call, Form::Concat),
        "re.union" => |call| of_all(call, Form::Union),
        "re.inter" => |call| of_all(call, Form::Intersection),
        "re.diff" => |call| of_all(call, Form::Difference),
        "re.*" => |call| of_first(call, Form::Star),
        "re.+" => |call| of_first(call, Form::Plus),
        "re.opt" => |call| of_first(call, Form::Optional),
        "re.comp" => |call| of_first(call, Form::Complement),
        "re.^" => |call| of_first(call, Form::Power(call.index(0)?)),
        "re.loop" => |call| of_first(call, Form::Loop(call.index(0)?, call.indices.get(1).copied())),
        _ => return None,
    }))
}

fn constant(form: Form) -> Value {
    Value::Regex(Language::new(form, Vec::new()))
}

fn of_first(call: &Call<'_>, form: Form) -> Outcome {
    Ok(Value::Regex(Language::new(form, vec![call.language(0)?.clone()])))
}

fn of_all(call: &Call<'_>, form: Form) -> Outcome {
    let operands: Vec<Language> = call.all(Call::language)?.into_iter().cloned().collect();
    if operands.is_empty() { Err(call.unsupported()) } else { Ok(Value::Regex(Language::new(form, operands))) }
}

/// Whether two regular languages are the same.
pub(super) fn equal(left: &Language, right: &Language, languages: &mut Languages) -> Result<bool, Open> {
    decided(languages.equivalent(left, right, &mut Budget::default()))
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
