//! What a triage begins with: the raw instances, and a folder for the result that is none of theirs.

use std::fs;

use anyhow::{bail, ensure};

use super::TriageArgs;
use crate::cmd::check::read as read_text;
use crate::cmd::evaluate::parsed;
use crate::cmd::instances::{Instance, holds_defects, instances_of};
use crate::cmd::place::{is_same, is_within};
use crate::config::format_duration;
use crate::smtlib::script::Script;
use crate::triage::overview::{Dropped, Reason};

/// A raw instance.
pub(super) struct Raw {
    pub(super) instance: Instance,
    pub(super) script: Script,
    /// Its text as it is in the file.
    pub(super) text: String,
}

/// Refuses limits that would confirm nothing, and a folder for the result that has something else in it.
pub(super) fn check(args: &TriageArgs) -> anyhow::Result<()> {
    if let Some(confirm) = args.confirm_limit.filter(|&confirm| confirm < args.limit) {
        let limit = format_duration(args.limit);
        bail!("--confirm-limit {} is below --limit {limit}, and so would confirm nothing", format_duration(confirm));
    }
    let out = &args.out;
    for input in &args.inputs {
        // A run directory may well have its triage in it: only its defects and candidates are read.
        let clash = if holds_defects(input) { is_same(out, input) } else { is_within(out, input) };
        ensure!(
            !clash,
            "--out {} is in {}, whose scripts are to be triaged: choose a folder elsewhere",
            out.display(),
            input.display()
        );
    }
    let is_empty = fs::read_dir(out).map_or(true, |mut entries| entries.next().is_none());
    ensure!(
        is_empty || out.join("triage.json").exists() || out.join("reduced").is_dir(),
        "{} is not empty, and what it holds is no triage: choose a new folder for --out",
        out.display()
    );
    Ok(())
}

/// Reads the instances; the second list says of the others why they cannot be read.
pub(super) fn raws(args: &TriageArgs) -> anyhow::Result<(Vec<Raw>, Vec<Dropped>)> {
    let mut raws = Vec::new();
    let mut unreadable: Vec<Dropped> = Vec::new();
    for instance in instances_of(&args.inputs, true)? {
        match read_text(&instance.path).and_then(|text| Ok((parsed(&instance.path, &text)?, text))) {
            Ok((script, text)) => raws.push(Raw { instance, script, text }),
            // One that cannot be read keeps none of the others from being looked at.
            Err(error) => {
                unreadable.push(Dropped { instance: instance.name, reason: Reason::Unfit(format!("{error:#}")) });
            }
        }
    }
    if raws.is_empty() {
        let inputs: Vec<String> = args.inputs.iter().map(|input| input.display().to_string()).collect();
        let why = match unreadable.first() {
            Some(dropped) => dropped.reason.to_string(),
            None => "no file in them is named .smt2".to_owned(),
        };
        bail!("there are no scripts to triage in {}: {why}", inputs.join(", "));
    }
    Ok((raws, unreadable))
}
