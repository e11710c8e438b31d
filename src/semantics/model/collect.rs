//! What a model that was parsed says: its definitions, elements and values as an interpretation.

use rustc_hash::FxHashMap;

use super::super::evaluate::Evaluator;
use super::super::interpretation::{Function, Interpretation, Partial};
use super::super::value::Value;
use crate::smtlib::script::{Command, Definition, Script};
use crate::smtlib::signature::table;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

/// What the commands after the first `preamble` ones say.
pub(super) fn interpretation(
    parsed: Script,
    preamble: usize,
    elements: &[(Symbol, Sort)],
    script: &Script,
) -> Interpretation {
    let Script { mut commands, mut terms } = parsed;
    predicates_of_bits(&mut commands, &mut terms, script);
    let mut values = Vec::new();
    let mut found = Interpretation::over(terms);
    for &(name, sort) in elements {
        found.set(name, Value::Abstract(sort, name));
    }
    for command in commands.into_iter().skip(preamble) {
        match command {
            Command::Declare(declared) if declared.parameters.is_empty() => {
                found.add_element(declared.sort, declared.name);
            }
            Command::Define(definition) => define(&mut found, definition),
            Command::DefineRecursive(list) => list.into_iter().for_each(|each| define(&mut found, each)),
            Command::GetValue(pair) => values.extend(<[TermId; 2]>::try_from(pair)),
            _ => {}
        }
    }
    evaluate_constants(&mut found, script);
    set_values(&mut found, &values, script);
    found
}

/// Boolector's predicates are functions to vectors of one bit: what the script declares as `Bool` is whether that bit is 1.
fn predicates_of_bits(commands: &mut [Command], terms: &mut Terms, script: &Script) {
    let bit = Sort::bit_vec(1);
    let is_predicate = |name: Symbol| {
        script.declarations().any(|each| each.name == name && each.sort == Sort::BOOL && !each.parameters.is_empty())
    };
    for command in commands {
        if let Command::Define(definition) = command
            && terms.sort(definition.body) == bit
            && is_predicate(definition.name)
            && let Ok((equals, sort)) = table().resolve("=", &[], &[bit, bit])
        {
            let one = Value::bits(1, 1).term(terms);
            definition.body = terms.apply(equals, &[definition.body, one], sort);
            definition.sort = sort;
        }
    }
}

fn define(found: &mut Interpretation, definition: Definition) {
    let Definition { name, parameters, body, .. } = definition;
    match Partial::named(name.as_str()) {
        Some(partial) => found.set_free(partial, Function::Body { parameters, body }),
        None => found.set_function(name, Function::Body { parameters, body }),
    }
}

/// Turns constants that are given as terms into values, where these terms have values. A value of another sort than the
/// script declares says nothing.
fn evaluate_constants(found: &mut Interpretation, script: &Script) {
    let constants: Vec<(Symbol, TermId)> = found
        .functions()
        .into_iter()
        .filter_map(|(name, function)| match function {
            Function::Body { parameters, body } if parameters.is_empty() => Some((name, *body)),
            _ => None,
        })
        .collect();
    let declared: FxHashMap<Symbol, Sort> =
        script.declarations().filter(|each| each.parameters.is_empty()).map(|each| (each.name, each.sort)).collect();
    // Boolector's arrays: functions of the index.
    let arrays: Vec<Symbol> = found
        .functions()
        .into_iter()
        .filter(|(name, function)| {
            declared.contains_key(name)
                && matches!(function, Function::Body { parameters, .. } if parameters.len() == 1)
        })
        .map(|(name, _)| name)
        .collect();
    let mut evaluator = Evaluator::new(script, found);
    let mut values: Vec<_> = constants.into_iter().map(|(name, body)| (name, evaluator.model_value(body))).collect();
    values.extend(arrays.into_iter().map(|name| (name, evaluator.model_array(name))));
    for (name, value) in values {
        let Ok(value) = value else { continue };
        let sort = declared.get(&name).copied();
        let value = sort.map_or(value.clone(), |sort| converted(value, sort));
        if sort.is_some_and(|sort| sort != value.sort()) {
            found.forget_function(name);
        } else {
            found.set(name, value);
        }
    }
}

/// Takes over what `get-value` says of constants, and of functions at some arguments.
fn set_values(found: &mut Interpretation, pairs: &[[TermId; 2]], script: &Script) {
    let mut said = Vec::new();
    let mut evaluator = Evaluator::new(script, found);
    for &[term, value] in pairs {
        let Ok(value) = evaluator.model_value(value) else { continue };
        let terms = evaluator.model_terms();
        let value = converted(value, terms.sort(term));
        match terms.head(term) {
            Head::Constant(name) => said.push((name, Vec::new(), value)),
            Head::Function(name) => {
                let arguments: Result<Vec<Value>, _> =
                    terms.arguments(term).iter().map(|&argument| evaluator.model_value(argument)).collect();
                said.extend(arguments.into_iter().map(|arguments| (name, arguments, value.clone())));
            }
            _ => {}
        }
    }
    for (name, arguments, value) in said {
        if arguments.is_empty() { found.set(name, value) } else { found.set_at(name, arguments, value) }
    }
}

/// An integer that is the value of a term of sort real, as a real.
fn converted(value: Value, sort: Sort) -> Value {
    match value {
        Value::Int(value) if sort == Sort::REAL => Value::Real(value.into()),
        value => value,
    }
}
