//! How fresh formulas are made.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use crate::generator::layered::parameters::Parameters;
use crate::generator::{PRESETS, Preset};
use crate::hunt::fresh::TOGETHER;
use crate::number::positive;

/// Parameters of FuzzSMT.
#[derive(Clone, Debug, Serialize, Deserialize, clap::Args)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Fresh formulas (FuzzSMT)")]
pub struct FormulaParameters {
    /// The logic of the formulas
    #[arg(long, value_name = "NAME", default_value = PRESETS[0].name, value_parser = clap::builder::PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name)))]
    pub generator: String,
    /// Ask about so many formulas in one process, and on its own, with a model, only about one on which not all agree; 1
    /// to ask about each on its own
    #[arg(long, value_name = "N", default_value_t = default_together(), value_parser = positive::<NonZeroUsize>)]
    pub together: NonZeroUsize,
    /// How they are shaped.
    #[command(flatten)]
    pub parameters: Parameters,
}

fn default_together() -> NonZeroUsize {
    NonZeroUsize::new(TOGETHER).unwrap_or(NonZeroUsize::MIN)
}

impl Default for FormulaParameters {
    fn default() -> Self {
        FormulaParameters {
            generator: PRESETS[0].name.to_owned(),
            together: default_together(),
            parameters: Parameters::default(),
        }
    }
}

impl FormulaParameters {
    /// The logic.
    pub fn preset(&self) -> &'static Preset {
        Preset::named(&self.generator).unwrap_or(&PRESETS[0])
    }
}
