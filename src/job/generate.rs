//! Fresh scripts of a generator, many of them.

use super::batch::Batch;
use crate::generator::Generator;
use crate::generator::stringfuzz::RandomText;
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::printer::{PrintOptions, print_into};
use crate::smtlib::script::Script;

/// What scripts in a dialect may use.
pub fn fragment(dialect: Dialect) -> Fragment {
    match dialect {
        Dialect::SmtLib26 => Fragment::standard(),
        Dialect::SmtLib25 => Fragment::paper(),
        Dialect::SmtLib20 => Fragment::paper().spelled_in(Dialect::SmtLib20),
    }
}

/// Writes scripts of a generator.
///
/// # Errors
/// A folder that is not empty, or scripts that cannot be written.
pub fn write(batch: &Batch, dialect: Dialect, generator: &dyn Generator) -> anyhow::Result<()> {
    let options = PrintOptions::default();
    batch.write(Script::new, |script, number, text| {
        generator.generate_into(script, &mut rng_for(batch.seed, 0, number as u32));
        Ok(print_into(text, script, dialect, &options)?)
    })
}

/// Texts are written as they are, with a line end behind them.
///
/// # Errors
/// As [`write()`].
pub fn write_texts(batch: &Batch, recipe: &RandomText) -> anyhow::Result<()> {
    batch.write(
        || (),
        |(), number, text| {
            recipe.generate_into(text, &mut rng_for(batch.seed, 0, number as u32));
            text.push('\n');
            Ok(())
        },
    )
}
