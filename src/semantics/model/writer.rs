//! An interpretation as a model, in the form that `read` and Z3 take.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::super::evaluate::verbatim::array_function;
use super::super::interpretation::{Function, Interpretation, LAMBDA, Partial};
use super::super::value::Value;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::printer::{print_term, write_symbol};
use crate::smtlib::script::Declaration;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId};

/// What `interpretation` says of these declarations, of partial operations where the standard leaves them free, and of the
/// functions that its terms use.
pub fn write(interpretation: &Interpretation, declarations: &[Declaration]) -> String {
    let mut model = Writer { interpretation, text: String::from("(\n") };
    let declared: BTreeSet<Symbol> = declarations.iter().map(|declaration| declaration.name).collect();
    let used = model.used(&declared);
    model.elements(declarations, &used);
    for &name in used.difference(&declared) {
        if let Some(Function::Body { parameters, body }) = interpretation.function(name) {
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
    /// The names of declarations, and all names that the terms of functions and of partial operations use.
    fn used(&self, declared: &BTreeSet<Symbol>) -> BTreeSet<Symbol> {
        let terms = self.interpretation.terms();
        let mut used = declared.clone();
        let free = Partial::ALL.into_iter().filter_map(|operation| self.interpretation.free(operation));
        let functions = declared.iter().filter_map(|&name| self.interpretation.function(name)).chain(free);
        let body_of = |function: &Function| if let Function::Body { body, .. } = function { Some(*body) } else { None };
        let mut stack: Vec<TermId> = functions.filter_map(body_of).collect();
        let mut seen = BTreeSet::new();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend(terms.arguments(term));
            let name = match terms.head(term) {
                Head::Constant(name) | Head::Function(name) => Some(name),
                Head::Verbatim(text) => array_function(text),
                _ => None,
            };
            if let Some(name) = name.filter(|&name| used.insert(name)) {
                stack.extend(self.interpretation.function(name).and_then(body_of));
            }
        }
        used
    }

    /// Elements of uninterpreted sorts are declared, as Z3 does it: all that are listed of the declarations' sorts, and all
    /// that values and terms have.
    fn elements(&mut self, declarations: &[Declaration], used: &BTreeSet<Symbol>) {
        let mut elements = BTreeSet::new();
        let sorts = declarations.iter().flat_map(|each| each.parameters.iter().chain([&each.sort]));
        let listed = sorts.filter_map(|&sort| self.interpretation.universe(sort)).flatten();
        let values = used.iter().filter_map(|&name| self.interpretation.value(name));
        listed.chain(values).for_each(|value| elements_of(value, &mut elements));
        for Declaration { name, .. } in declarations {
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
