//! `=` and `distinct` over many arguments, of which some may be open.

use std::cell::RefCell;

use super::super::apply::equal;
use super::super::regex::Languages;
use super::super::value::Value;
use super::Outcome;
use crate::smtlib::term::TermId;

/// `=` over all outcomes of these arguments: false if two known ones differ, though others are open.
pub(super) fn all_equal(arguments: &[TermId], outcomes: &[Outcome], languages: &RefCell<Languages>) -> Outcome {
    let mut open = None;
    for (position, outcome) in outcomes.iter().enumerate().skip(1) {
        let before = &outcomes[position - 1];
        match (before, outcome) {
            _ if arguments[position - 1] == arguments[position] => {}
            (Ok(left), Ok(right)) => match equal(left, right, languages) {
                Ok(true) => {}
                Ok(false) => return Ok(Value::Bool(false)),
                Err(why) => open = Some(why),
            },
            (Err(why), _) | (_, Err(why)) => open = Some(*why),
        }
    }
    // Around an open argument, two others may differ.
    let mut known = outcomes.iter().flatten();
    if let (Some(_), Some(first)) = (open, known.next())
        && known.any(|other| equal(first, other, languages) == Ok(false))
    {
        return Ok(Value::Bool(false));
    }
    open.map_or(Ok(Value::Bool(true)), Err)
}

/// `distinct` over all outcomes: false if two known ones are equal.
pub(super) fn all_distinct(outcomes: &[Outcome], languages: &RefCell<Languages>) -> Outcome {
    let mut open = outcomes.iter().find_map(|outcome| outcome.as_ref().err().copied());
    let mut known: Vec<&Value> = outcomes.iter().flatten().collect();
    known.sort_unstable();
    if known.windows(2).any(|pair| pair[0] == pair[1]) {
        return Ok(Value::Bool(false));
    }
    // Only such values may be equal although they are written differently.
    if matches!(known.first(), Some(Value::Array(_) | Value::Sequence(_) | Value::Regex(_))) {
        for (position, left) in known.iter().enumerate() {
            for right in &known[position + 1..] {
                match equal(left, right, languages) {
                    Ok(true) => return Ok(Value::Bool(false)),
                    Ok(false) => {}
                    Err(why) => open = Some(why),
                }
            }
        }
    }
    open.map_or(Ok(Value::Bool(true)), Err)
}

/// Whether some argument occurs twice.
pub(super) fn has_twins(arguments: &[TermId]) -> bool {
    let mut sorted = arguments.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
