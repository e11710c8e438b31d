//! A seed of type-aware mutation: one question, and what its mutants may hold.

use super::{Chain, OneStep, Settings};
use crate::operator::seed::{SeedError, normalise_seed};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;

/// What the solvers of a fragment accept in a logic. One without arithmetic has the lengths of strings and nothing to
/// calculate with, as cvc5 reads it.
fn within(logic: &str, fragment: &Fragment) -> Fragment {
    let own = fragment.in_logic(logic);
    let calculates = logic == "ALL" || ["IA", "RA", "DL"].iter().any(|letters| logic.contains(letters));
    if calculates {
        return own;
    }
    let others = own.operators.iter().filter(|op| op.signature().theory.as_str() != "Ints").collect();
    own.restricted_to(&others)
}

/// A script that mutants are made of.
#[derive(Clone, Debug)]
pub struct Seed {
    script: Script,
    /// What the solvers accept, in any logic.
    fragment: Fragment,
    /// What the script's logic admits, if it sets one.
    logic: Option<Fragment>,
}

impl Seed {
    /// The first question of `script`, whose mutants hold what `solvers` admits whatever the logic, and what the script
    /// itself holds.
    ///
    /// # Errors
    /// As for [`normalise_seed`].
    pub fn of(script: &Script, solvers: &Fragment) -> Result<Self, SeedError> {
        let script = normalise_seed(script)?;
        // What a seed holds beyond the common rules is no reason to make more of it.
        let mut fragment = solvers.admitting(&script);
        fragment.strict = true;
        let logic = script.logic().map(|logic| within(logic.as_str(), &fragment).admitting(&script));
        Ok(Seed { script, fragment, logic })
    }

    /// The script as it is mutated.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// A chain of mutations of the seed.
    pub fn chain<'a>(&'a self, settings: &'a Settings) -> Chain<'a> {
        let chain = Chain::new(self.script.clone(), &self.fragment, settings);
        match &self.logic {
            Some(logic) => chain.in_logic(logic),
            None => chain,
        }
    }

    /// All mutants that are one step away.
    pub fn one_step<'a>(&'a self, settings: &'a Settings) -> OneStep<'a> {
        OneStep::of(self.chain(settings))
    }
}
