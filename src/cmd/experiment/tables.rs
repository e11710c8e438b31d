//! `experiment tables`: the tables of what is finished, printed and written.

use std::io::Write;

use anyhow::Context;

use super::Which;
use crate::experiment::tables::{Format, Table, Tables};

/// Print the tables of what is finished.
#[derive(Clone, Debug, clap::Args)]
pub struct TablesArgs {
    #[command(flatten)]
    which: Which,
    /// How to print them; tables/ in the experiment's folder has all formats
    #[arg(long, value_name = "FORMAT", default_value = "markdown")]
    format: Format,
    /// Print only the tables with these names, as in tables/: results, compare-timeouts, …
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Print the tables as JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Writes all tables, and prints those that were asked for to `output`.
pub(super) fn run(args: &TablesArgs, output: &mut dyn Write) -> anyhow::Result<()> {
    let folder = args.which.folder()?;
    let tables = Tables::of(&folder)?;
    let all = &tables.all;
    let names = || all.iter().map(|table| table.name.as_str()).collect::<Vec<_>>().join(", ");
    if let Some(unknown) = args.only.iter().find(|name| all.iter().all(|table| table.name != **name)) {
        anyhow::bail!("there is no table `{unknown}`; there are {}", names());
    }
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    let chosen: Vec<_> = all.iter().filter(|table| wanted(&table.name)).cloned().collect();
    tables.write()?;
    let text = if args.json {
        serde_json::to_string_pretty(&chosen.iter().map(Table::json).collect::<Vec<_>>())? + "\n"
    } else {
        args.format.document(&chosen)
    };
    output.write_all(text.as_bytes()).context("cannot write the tables")
}
