//! Crossover and mutation: how offspring come from parents.

pub mod crossover;
pub mod declarations;
pub mod mutation;
pub mod normal;
pub mod offspring;
pub mod position;
pub mod seed;
pub mod storm;
pub mod stringfuzz;
pub mod type_aware;

use crate::generator::Grammar;
use crate::smtlib::fragment::Fragment;

/// What operators need besides the scripts.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// What every offspring must stay within.
    pub fragment: &'a Fragment,
    /// Where the assertions that mutation adds come from.
    pub grammar: &'a dyn Grammar,
}
