//! Fresh scripts, and fresh terms for mutation operators that need new material.

pub mod ground;
mod literal;
pub mod parameters;
pub mod scope;
pub mod stringfuzz;
pub mod strings;
pub mod swarm;
mod tables;

pub use ground::GroundTerms;
pub use literal::character as fuzz_character;
pub use literal::{text_character, text_characters};
pub use parameters::Parameters;
pub use scope::Scope;
pub use strings::StringGenerator;
pub use swarm::Swarm;

use crate::random::FuzzRng;
use crate::smtlib::script::Script;

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

impl Generator for StringGenerator {
    fn generate_into(&self, script: &mut Script, rng: &mut FuzzRng) {
        StringGenerator::generate_into(self, script, rng);
    }
}
