//! How seeds are mutated.

use std::path::PathBuf;

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::generator::parameters::probability;
use crate::hunt::chains::{CHAIN, ChainSettings};
use crate::operator::type_aware::classes::Classes;
use crate::operator::type_aware::{Settings, Way};
use crate::smtlib::operator_set::OperatorSet;

/// Parameters of TypeFuzz, OpFuzz and FuzzChick.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
#[serde(rename_all = "kebab-case")]
#[command(next_help_heading = "Type-aware mutation (TypeFuzz, OpFuzz, FuzzChick)")]
pub struct MutantParameters {
    /// Mutations one after the other before the next seed's turn comes
    #[arg(long, value_name = "N", default_value_t = CHAIN, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub chain: u32,
    /// Enumerate all mutants that are one step away from a seed, instead of drawing chains
    #[arg(long)]
    pub exhaustive: bool,
    /// Make these operators alone, as NAME,… (`+,str.++`, or a theory such as Ints) [default: all that the solvers accept]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub operators: Vec<String>,
    /// Give operators that take any number of arguments more than two (TypeFuzz)
    #[arg(long)]
    pub more_arguments: bool,
    /// Use literals near those of the seed as well: ±1, lengths, prefixes (beyond the papers)
    #[arg(long)]
    pub neighbours: bool,
    /// The share of steps that add an assertion instead of changing one (beyond the papers)
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = probability)]
    pub new_assertions: f64,
    /// Which operators may stand for one another (OpFuzz): lines "a,b,c", "a,b :arity 2" or "a -> b" [default: those whose
    /// signatures fit]
    #[arg(long, value_name = "FILE")]
    pub exchange: Option<PathBuf>,
}

impl Default for MutantParameters {
    fn default() -> Self {
        MutantParameters {
            chain: CHAIN,
            exhaustive: false,
            operators: Vec::new(),
            more_arguments: false,
            neighbours: false,
            new_assertions: 0.0,
            exchange: None,
        }
    }
}

impl MutantParameters {
    /// How mutants are made in this way; `seed` decides all that is random.
    ///
    /// # Errors
    /// A file of rules that cannot be read, or is wrong.
    pub fn settings(&self, way: Way, seed: u64) -> anyhow::Result<ChainSettings> {
        let classes = match &self.exchange {
            Some(file) => {
                let name = file.display().to_string();
                let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
                Some(Classes::read(&text, &name)?)
            }
            None => None,
        };
        let operators = OperatorSet::from_names(self.operators.iter().map(String::as_str))?;
        let mutation = Settings {
            way,
            more_arguments: self.more_arguments,
            neighbours: self.neighbours,
            new_assertions: self.new_assertions,
            operators: (!self.operators.is_empty()).then_some(operators),
            classes,
        };
        Ok(ChainSettings { mutation, steps: self.chain, exhaustive: self.exhaustive, seed })
    }
}
