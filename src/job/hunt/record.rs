//! A hunt that is begun, or goes on: what was asked for is in its folder, as `hunt.toml`.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::HuntRequest;
use super::seeds::SeedFiles;
use crate::config::absolute;
use crate::exit::NotWritten;
use crate::hunt::choices::StrategyName;
use crate::hunt::outcome::{Outcome, names};
use crate::hunt::seeds::Seeds;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::record::{RecordError, RunDirectory, names as record_names, read_json, write_atomically};

/// What `hunt.toml` says.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Recorded {
    /// The version of this program.
    program: String,
    /// The folder in which relative paths of seeds start.
    folder: PathBuf,
    /// How many files the seeds are.
    files: usize,
    /// Of their names.
    fingerprint: String,
    /// What the solvers said that their versions are, by name.
    versions: BTreeMap<String, String>,
    /// The arguments.
    arguments: HuntRequest,
}

/// A hunt that is to begin, or to go on, before its solvers are found.
#[derive(Debug)]
pub(super) struct Asked {
    /// What is asked for; of a hunt that goes on, what was asked for when it began, but for what may change.
    pub(super) args: HuntRequest,
    folder: PathBuf,
    seeds: SeedFiles,
    /// What the folder has of a hunt that goes on, and the lock on it.
    before: Option<(Recorded, Outcome, RunDirectory)>,
    out: PathBuf,
}

/// A hunt that is under way.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) args: HuntRequest,
    /// Its folder.
    pub(super) out: PathBuf,
    pub(super) seeds: SeedFiles,
    /// What it came to before.
    pub(super) before: Outcome,
    /// Whether it goes on.
    pub(super) is_resumed: bool,
    /// Nobody else works in its folder.
    _alone: RunDirectory,
}

impl Asked {
    /// A hunt as the command line asks for it.
    ///
    /// # Errors
    /// A folder that exists, one of no hunt or in which somebody works, seeds that are not there.
    pub(super) fn of(args: &HuntRequest) -> anyhow::Result<Self> {
        match (&args.resume, &args.out) {
            (Some(out), _) => Self::resumed(args, out),
            (None, Some(out)) => Self::new(args, out),
            (None, None) => anyhow::bail!("--out DIR is missing"),
        }
    }

    fn new(args: &HuntRequest, out: &Path) -> anyhow::Result<Self> {
        let is_hunt = out.join(names::CONFIG).is_file();
        let go_on = if is_hunt { format!("go on with --resume {}, or ", out.display()) } else { String::new() };
        ensure!(is_free(out), "{} exists already: {go_on}name a folder that does not", out.display());
        let seeds = seeds_of(Path::new(""), args)?;
        let folder = std::env::current_dir().context("there is no working folder")?;
        let args = args.clone();
        Ok(Asked { args, folder, seeds, before: None, out: out.to_owned() })
    }

    fn resumed(args: &HuntRequest, out: &Path) -> anyhow::Result<Self> {
        let file = out.join(names::CONFIG);
        if !file.is_file() {
            return Err(RecordError::NotARun { path: out.to_owned(), missing: names::CONFIG }.into());
        }
        let alone = RunDirectory::claim(out)?;
        let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let recorded: Recorded = toml::from_str(&text).with_context(|| format!("{} is damaged", file.display()))?;
        let before = read_json::<Outcome>(&out.join(names::HUNT))?.unwrap_or_default();
        let seeds = seeds_of(&recorded.folder, &recorded.arguments)?;
        ensure!(
            (seeds.count(), seeds.fingerprint()) == (recorded.files, recorded.fingerprint.clone()),
            "the seeds are not those that the hunt began with: {} files then, {} now, or others of other names",
            recorded.files,
            seeds.count()
        );
        let own = recorded.arguments.clone();
        let args = HuntRequest {
            instances: args.instances.or(own.instances),
            budget: args.budget.or(own.budget),
            time: args.time.or(own.time),
            lists: args.lists.as_deref().map(absolute).or(own.lists),
            profiles: args.profiles.as_deref().map(absolute).or(own.profiles),
            jobs: args.jobs,
            quiet: args.quiet,
            ..own
        };
        let folder = recorded.folder.clone();
        Ok(Asked { args, folder, seeds, before: Some((recorded, before, alone)), out: out.to_owned() })
    }

    /// Begins, or goes on, with these solvers: from now on there is a folder.
    ///
    /// # Errors
    /// Solvers that are not those that the hunt began with, or a folder that cannot be written.
    pub(super) fn begin(self, provers: &[InstalledProver]) -> anyhow::Result<Begun> {
        let Asked { args, folder, seeds, before, out } = self;
        let versions: BTreeMap<String, String> =
            provers.iter().map(|prover| (prover.name().to_owned(), prover.version().to_owned())).collect();
        let is_resumed = before.is_some();
        let (before, alone) = if let Some((recorded, before, alone)) = before {
            ensure!(
                recorded.versions == versions,
                "the hunt asked {}; the solvers now are {}",
                listed(&recorded.versions),
                listed(&versions)
            );
            (before, alone)
        } else {
            if let Some(parent) = out.parent() {
                fs::create_dir_all(parent).map_err(|source| NotWritten { path: parent.to_owned(), source })?;
            }
            let alone = RunDirectory::claim(&out)?;
            ensure!(is_free(&out), "{} exists already: another hunt began in it meanwhile", out.display());
            (Outcome::default(), alone)
        };
        let mut arguments = args.clone();
        // Read again, perhaps, by a process that starts elsewhere.
        for path in
            [&mut arguments.profiles, &mut arguments.lists, &mut arguments.options, &mut arguments.mutants.exchange]
                .into_iter()
                .flatten()
        {
            *path = absolute(path);
        }
        let recorded = Recorded {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            folder,
            files: seeds.count(),
            fingerprint: seeds.fingerprint(),
            versions,
            arguments,
        };
        let text = toml::to_string(&recorded).context("what is asked for cannot be recorded")?;
        write_atomically(&out.join(names::CONFIG), text.as_bytes())?;
        Ok(Begun { args, out, seeds, before, is_resumed, _alone: alone })
    }
}

/// Whether a hunt may begin in this folder: it does not exist, or holds only what a hunt left that was stopped before it began.
fn is_free(out: &Path) -> bool {
    let Ok(entries) = fs::read_dir(out) else { return !out.exists() };
    let left = [OsStr::new(record_names::LOCK), OsStr::new("hunt.toml.new")];
    let mut names = entries.flatten().map(|entry| entry.file_name());
    names.all(|name| left.contains(&name.as_os_str()))
}

/// The seeds of a hunt; none where formulas are made without.
fn seeds_of(folder: &Path, args: &HuntRequest) -> anyhow::Result<SeedFiles> {
    let needs_none = args.strategy == StrategyName::Fuzzsmt;
    ensure!(
        needs_none == args.seeds.is_empty(),
        if needs_none {
            "--strategy fuzzsmt makes formulas of its own: leave out --seeds, or choose another strategy"
        } else {
            "--seeds PATH is missing: the strategy makes its instances of scripts; --strategy fuzzsmt needs none"
        }
    );
    if needs_none { Ok(SeedFiles::none()) } else { SeedFiles::list(folder, &args.seeds) }
}

/// Solvers with their versions, for people.
fn listed(versions: &BTreeMap<String, String>) -> String {
    versions.iter().map(|(name, version)| format!("{name} ({version})")).collect::<Vec<_>>().join(", ")
}
