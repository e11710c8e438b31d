//! Ground truth that survives reduction: an assignment that satisfies a script, carried over to its smaller forms.
//!
//! A candidate of a reduction has new variables, or other names for old ones. They get values of what is known, tried in
//! a fixed order up to a bound: a candidate for which none is found is not accepted, however satisfiable it may be.

use crate::oracle::testimony::{ModelVerdict, worth};
use crate::semantics::evaluate::Limits;
use crate::semantics::interpretation::{Function, Interpretation};
use crate::semantics::model::write;
use crate::semantics::value::Value;
use crate::smtlib::script::{Declaration, Script};
use crate::smtlib::sort::Sort;

/// Choices of values that are tried for one candidate.
const MOST_CHOICES: usize = 400;
/// Values that are tried for one variable.
const MOST_VALUES: usize = 12;

/// An assignment that satisfies a script, and the script's declarations.
#[derive(Clone, Debug)]
pub struct Witness {
    interpretation: Interpretation,
    declarations: Vec<Declaration>,
}

/// What may be given to one symbol.
enum Choice {
    Value(Value),
    Function(Function),
}

impl Witness {
    /// The witness that `interpretation`, completed by default values, is for `script`; `None` if it is none.
    pub fn of(script: &Script, interpretation: &Interpretation) -> Option<Witness> {
        let declarations = script.declarations().cloned().collect();
        let mut interpretation = interpretation.clone();
        if worth(script, &interpretation, Limits::default()) != ModelVerdict::Satisfies {
            interpretation.complete(script);
        }
        let satisfies = worth(script, &interpretation, Limits::default()) == ModelVerdict::Satisfies;
        satisfies.then_some(Witness { interpretation, declarations })
    }

    /// A witness for a smaller form of the script, if one is found.
    pub fn carried_to(&self, script: &Script) -> Option<Witness> {
        let declarations: Vec<Declaration> = script.declarations().cloned().collect();
        let unknown: Vec<&Declaration> = declarations.iter().filter(|each| !self.declarations.contains(each)).collect();
        let satisfied =
            |interpretation: &Interpretation| worth(script, interpretation, Limits::SMALL) == ModelVerdict::Satisfies;
        if unknown.is_empty() {
            return satisfied(&self.interpretation)
                .then(|| Witness { interpretation: self.interpretation.clone(), declarations });
        }
        let choices: Vec<Vec<Choice>> = unknown.iter().map(|declaration| self.choices(declaration)).collect();
        if choices.iter().any(Vec::is_empty) {
            return None;
        }
        let number = choices.iter().fold(1_usize, |product, each| product.saturating_mul(each.len()));
        let found = (0..number.min(MOST_CHOICES)).find_map(|mut index| {
            let mut interpretation = self.interpretation.clone();
            for (declaration, choices) in unknown.iter().zip(&choices) {
                match &choices[index % choices.len()] {
                    Choice::Value(value) => interpretation.set(declaration.name, value.clone()),
                    Choice::Function(function) => interpretation.set_function(declaration.name, function.clone()),
                }
                index /= choices.len();
            }
            satisfied(&interpretation).then_some(interpretation)
        });
        found.map(|interpretation| Witness { interpretation, declarations })
    }

    fn choices(&self, declaration: &Declaration) -> Vec<Choice> {
        let alike = self
            .declarations
            .iter()
            .filter(|each| each.sort == declaration.sort && each.parameters == declaration.parameters);
        if !declaration.parameters.is_empty() {
            let functions = alike.filter_map(|each| self.interpretation.function(each.name));
            return functions.take(MOST_VALUES).cloned().map(Choice::Function).collect();
        }
        let known = alike.filter_map(|each| self.interpretation.value(each.name).cloned());
        let mut values: Vec<Value> = Vec::new();
        for value in known.chain(Value::default_of(declaration.sort)).chain(simple(declaration.sort)) {
            if !values.contains(&value) && values.len() < MOST_VALUES {
                values.push(value);
            }
        }
        values.into_iter().map(Choice::Value).collect()
    }

    /// The assignment as a model is printed.
    pub fn model(&self) -> String {
        write(&self.interpretation, &self.declarations)
    }
}

/// Small values beside the default one.
fn simple(sort: Sort) -> Vec<Value> {
    match sort {
        Sort::BOOL => vec![Value::Bool(true)],
        Sort::INT => [1, -1, 2].map(Value::int).to_vec(),
        Sort::STRING => ["a", "0", "b"].map(Value::string).to_vec(),
        _ => Vec::new(),
    }
}
