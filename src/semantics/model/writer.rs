//! An interpretation as a model, in the form that `read` and Z3 take.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::super::interpretation::{Function, Interpretation, LAMBDA, Partial};
use super::super::value::Value;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{print_term, write_symbol};
use crate::smtlib::script::Declaration;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::TermId;

/// What `interpretation` says of these declarations, of partial operations where the standard leaves them free, and of the
/// functions that its terms use.
pub fn write(interpretation: &Interpretation, declarations: &[Declaration]) -> String {
    let mut model = Writer { interpretation, text: String::from("(\n") };
    model.elements(declarations);
    let declared: BTreeSet<Symbol> = declarations.iter().map(|declaration| declaration.name).collect();
    for (name, function) in interpretation.functions() {
        if let (Function::Body { parameters, body }, false) = (function, declared.contains(&name)) {
            model.defined(name.as_str(), parameters, *body);
        }
    }
    for declaration in declarations {
        model.declared(declaration);
    }
    for operation in Partial::ALL {
        match interpretation.free(operation) {
            Some(Function::Body { parameters, body }) => model.defined(operation.name(), parameters, *body),
            Some(Function::Table { entries, default }) => {
                // It is said at these points; elsewhere nothing depends on it.
                if let Some((arguments, value)) = entries.iter().next() {
                    let sorts: Vec<Sort> = arguments.iter().map(Value::sort).collect();
                    model.table(operation.name(), &sorts, entries, default.as_ref().unwrap_or(value));
                }
            }
            None => {}
        }
    }
    model.text.push_str(")\n");
    model.text
}

struct Writer<'a> {
    interpretation: &'a Interpretation,
    text: String,
}

impl Writer<'_> {
    /// Elements of uninterpreted sorts are declared, as Z3 does it: all that are listed, and all that values have.
    fn elements(&mut self, declarations: &[Declaration]) {
        let mut elements = BTreeSet::new();
        for Declaration { name, sort, .. } in declarations {
            self.interpretation
                .universe(*sort)
                .into_iter()
                .flatten()
                .chain(self.interpretation.value(*name))
                .for_each(|value| elements_of(value, &mut elements));
            if let Some(Function::Table { entries, default }) = self.interpretation.function(*name) {
                let values =
                    entries.iter().flat_map(|(arguments, value)| arguments.iter().chain([value])).chain(default);
                values.for_each(|value| elements_of(value, &mut elements));
            }
        }
        for (name, sort) in elements {
            let _ = writeln!(self.text, "  (declare-fun {} () {sort})", written(name.as_str()));
        }
    }

    fn declared(&mut self, Declaration { name, parameters, sort }: &Declaration) {
        let value = self.interpretation.value(*name).filter(|_| parameters.is_empty());
        match (value, self.interpretation.function(*name)) {
            // An element of a sort stands for itself.
            (Some(Value::Abstract(_, element)), _) if element == name => {}
            (Some(value), _) => {
                let _ = writeln!(self.text, "  (define-fun {} () {sort} {value})", written(name.as_str()));
            }
            (None, Some(Function::Body { parameters, body })) => self.defined(name.as_str(), parameters, *body),
            (None, Some(Function::Table { entries, default })) => {
                if let Some(default) = default.as_ref().or(entries.values().next()) {
                    self.table(name.as_str(), parameters, entries, default);
                }
            }
            (None, None) => {}
        }
    }

    fn defined(&mut self, name: &str, parameters: &[(Symbol, Sort)], body: TermId) {
        let terms = self.interpretation.terms();
        // This dialect spells everything.
        let printed = print_term(terms, body, Dialect::SmtLib26).unwrap_or_default();
        let printed = printed.replace(&format!("(exists (({LAMBDA} Bool) ("), "(lambda ((");
        let list: Vec<String> =
            parameters.iter().map(|(name, sort)| format!("({} {sort})", written(name.as_str()))).collect();
        let (name, sort) = (written(name), terms.sort(body));
        let _ = writeln!(self.text, "  (define-fun {name} ({}) {sort} {printed})", list.join(" "));
    }

    fn table(&mut self, name: &str, parameters: &[Sort], entries: &BTreeMap<Vec<Value>, Value>, default: &Value) {
        let names: Vec<String> = (0..parameters.len()).map(|number| format!("x{number}")).collect();
        let list: Vec<String> = names.iter().zip(parameters).map(|(name, sort)| format!("({name} {sort})")).collect();
        let body = entries.iter().rev().fold(default.to_string(), |rest, (arguments, value)| {
            let same: Vec<String> =
                names.iter().zip(arguments).map(|(name, value)| format!("(= {name} {value})")).collect();
            let same = if same.len() == 1 { same.concat() } else { format!("(and {})", same.join(" ")) };
            format!("(ite {same} {value} {rest})")
        });
        let (name, sort) = (written(name), default.sort());
        let _ = writeln!(self.text, "  (define-fun {name} ({}) {sort} {body})", list.join(" "));
    }
}

fn elements_of(value: &Value, elements: &mut BTreeSet<(Symbol, Sort)>) {
    match value {
        Value::Abstract(sort, name) => {
            elements.insert((*name, *sort));
        }
        Value::Array(array) => {
            let entries = array.entries().iter().flat_map(|(index, value)| [index, value]);
            entries.chain([array.default()]).for_each(|value| elements_of(value, elements));
        }
        Value::Sequence(sequence) => sequence.items.iter().for_each(|value| elements_of(value, elements)),
        _ => {}
    }
}

fn written(name: &str) -> String {
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write_symbol(&mut text, name);
    text
}
