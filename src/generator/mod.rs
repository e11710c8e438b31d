//! Fresh scripts, and fresh terms for mutation operators that need new material.

pub mod ground;
pub mod layered;
mod literal;
pub mod parameters;
pub mod scope;
pub mod stringfuzz;
pub mod strings;
pub mod swarm;
mod tables;

pub use ground::GroundTerms;
pub use layered::{Layered, PRESETS, Preset};
pub use literal::character as fuzz_character;
pub use literal::{text_character, text_characters};
pub use parameters::Parameters;
pub use scope::Scope;
pub use strings::StringGenerator;
pub use swarm::Swarm;

use crate::random::FuzzRng;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{TermId, Terms};

/// Parameters that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidParameters(String);

impl InvalidParameters {
    /// `Err` with this message unless `holds`.
    fn unless(holds: bool, message: impl FnOnce() -> String) -> Result<(), InvalidParameters> {
        if holds { Ok(()) } else { Err(InvalidParameters(message())) }
    }
}

/// What makes fresh scripts.
pub trait Generator: Send + Sync + std::fmt::Debug {
    /// Makes `script` a fresh script, reusing its memory.
    fn generate_into(&self, script: &mut Script, rng: &mut FuzzRng);

    /// A fresh script.
    fn generate(&self, rng: &mut FuzzRng) -> Script {
        let mut script = Script::new();
        self.generate_into(&mut script, rng);
        script
    }
}

/// What makes fresh scripts of a logic, and fresh terms for the mutation of others.
pub trait Grammar: Generator {
    /// A random sort for a new variable of a script with these variables; `None` if the logic has none.
    fn variable_sort(&self, scope: &Scope, rng: &mut FuzzRng) -> Option<Sort>;

    /// A fresh `Bool` term to assert, with a variable of `scope` in it if there is one.
    fn assertion(&self, terms: &mut Terms, scope: &Scope, rng: &mut FuzzRng) -> TermId;

    /// A fresh `Bool` term to assert that has `variable` in it; `None` if no operator takes its sort.
    fn assertion_using(&self, terms: &mut Terms, scope: &Scope, variable: TermId, rng: &mut FuzzRng) -> Option<TermId>;

    /// A fresh term of a sort that nests at most so many operators, 0 for a literal; `None` for a sort that is not the
    /// logic's.
    fn term(&self, terms: &mut Terms, scope: &Scope, sort: Sort, depth: u32, rng: &mut FuzzRng) -> Option<TermId>;

    /// The largest numeral that mutation puts for 0.
    fn largest_numeral(&self) -> u32;
}

/// The name of the generator of scripts about strings, which a search has unless it is told another one.
pub const STRINGS: &str = "strings";

/// The names of all generators that a search can begin with.
pub fn names() -> impl Iterator<Item = &'static str> {
    std::iter::once(STRINGS).chain(PRESETS.iter().map(|preset| preset.name))
}

/// The logic of a generator's scripts: `QF_S` of those about strings.
pub fn logic_of(name: &str) -> Option<&'static str> {
    if name == STRINGS { Some("QF_S") } else { Preset::named(name).map(|preset| preset.logic) }
}

/// Whether the scripts of a fragment are about strings, as far as generators go.
pub fn is_about_strings(fragment: &Fragment) -> bool {
    Preset::of_logic(fragment.logic.as_str()).is_none()
}

/// The grammar for the scripts of a fragment, as a search begins with: in layers for the logics of [`PRESETS`], otherwise
/// that of strings.
pub fn grammar(fragment: &Fragment) -> Box<dyn Grammar> {
    let layered = |preset| Layered::new(preset, layered::parameters::Parameters::small(), fragment).ok();
    match Preset::of_logic(fragment.logic.as_str()).and_then(layered) {
        Some(layered) => Box::new(layered),
        None => Box::new(StringGenerator::new(Parameters::default(), fragment)),
    }
}
