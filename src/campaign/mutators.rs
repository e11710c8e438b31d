//! Which mutation operators a run breeds with.

use crate::config::{Config, Mutators};
use crate::operator::mutation::{MUTATORS, Mutator};
use crate::operator::stringfuzz::{STRINGBREAK, WITH_TRANSFORMERS};
use crate::operator::type_aware::{TypeAware, Way};
use crate::search::Strategy;

const TYPEFUZZ: [&dyn Mutator; 1] = [&TypeAware::new(Way::Typefuzz)];
const OPFUZZ: [&dyn Mutator; 1] = [&TypeAware::new(Way::Opfuzz)];
const FUZZCHICK: [&dyn Mutator; 1] = [&TypeAware::new(Way::Fuzzchick)];
const MIXED: [&dyn Mutator; 1] = [&TypeAware::new(Way::Mixed)];

/// The operators to draw from: those of the variant, or the type-aware ones that the user wants in their place.
pub(super) fn of(config: &Config) -> &'static [&'static dyn Mutator] {
    match config.mutators {
        Mutators::Typefuzz => &TYPEFUZZ,
        Mutators::Opfuzz => &OPFUZZ,
        Mutators::Fuzzchick => &FUZZCHICK,
        Mutators::Mixed => &MIXED,
        Mutators::Variant if config.variant.strategy() == Strategy::SingleObjective => &STRINGBREAK,
        Mutators::Variant if config.variant.uses_transformers() => &WITH_TRANSFORMERS,
        Mutators::Variant => &MUTATORS,
    }
}
