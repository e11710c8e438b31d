//! Fresh scripts, and fresh terms for mutation operators that need new material.

mod literal;
pub mod parameters;
pub mod scope;
pub mod strings;
mod tables;

pub use literal::character as fuzz_character;
pub use parameters::Parameters;
pub use scope::Scope;
pub use strings::StringGenerator;
