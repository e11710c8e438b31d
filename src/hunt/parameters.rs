//! The parameters of the strategies: of hunts, of `mutate`, and of experiments.

mod formulas;
mod mutants;
mod storm;

pub use formulas::FormulaParameters;
pub use mutants::MutantParameters;
pub use storm::StormParameters;
