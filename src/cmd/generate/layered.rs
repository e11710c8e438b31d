//! The kinds of layered formulas, a subcommand for each row of the presets.

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use crate::generator::layered::parameters::Parameters;
use crate::generator::{PRESETS, Preset};

/// A logic, and how its formulas are shaped.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayeredKind {
    pub(super) preset: &'static Preset,
    pub(super) parameters: Parameters,
}

impl FromArgMatches for LayeredKind {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (name, arguments) = matches.subcommand().ok_or_else(missing)?;
        let preset = Preset::named(name).ok_or_else(missing)?;
        Ok(LayeredKind { preset, parameters: Parameters::from_arg_matches(arguments)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn missing() -> clap::Error {
    clap::Error::new(clap::error::ErrorKind::MissingSubcommand)
}

impl Subcommand for LayeredKind {
    fn augment_subcommands(command: Command) -> Command {
        PRESETS.iter().fold(command, |command, preset| {
            command.subcommand(Parameters::augment_args(Command::new(preset.name)).about(preset.about))
        })
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Preset::named(name).is_some()
    }
}
