//! What the triage of a run came to, as far as a report shows it.

use std::path::Path;

use super::instance_in;
use serde::Deserialize;

use crate::record::{RecordError, read_json};
use crate::report::error::ReportError;

/// The triage of a run: its list, `triage/triage.json`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Triaged {
    /// The distinct defects, the worst first.
    pub defects: Vec<Distinct>,
    /// The instances that are in none of them.
    pub dropped: Vec<Dropped>,
    /// Why it was stopped before its end, if it was.
    pub stopped: Option<String>,
}

/// One distinct defect.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[expect(missing_docs, reason = "as in triage.json")]
pub struct Distinct {
    pub number: usize,
    pub severity: Severity,
    /// The reduced instance as the target reads it.
    pub instance: String,
    pub members: Vec<Member>,
    #[serde(default)]
    pub like: Option<Like>,
    #[serde(default)]
    pub confirmed: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    pub not_confirmed: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    pub confirmed_by_run: bool,
    /// The instance as it was found; none if its folder does not have it any more.
    #[serde(skip)]
    pub found: Option<String>,
}

/// An instance that is in no defect.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Dropped {
    /// Its name.
    pub instance: String,
    /// Why.
    pub reason: String,
}

/// What decides a defect's place.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Severity {
    pub class: u8,
    pub ratio: f64,
    pub complexity: u64,
}

/// An instance that is a defect.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Member {
    pub name: String,
}

/// An earlier defect that is probably the same.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Like {
    pub number: usize,
    pub because: String,
}

/// The list of a triage, now and as earlier versions wrote it.
#[derive(Deserialize)]
#[serde(untagged)]
enum List {
    Whole(Triaged),
    Defects(Vec<Distinct>),
}

impl Triaged {
    /// The triage in a folder; none if there was none.
    ///
    /// # Errors
    /// [`ReportError`] if a file is damaged or unreadable.
    pub fn read(folder: &Path) -> Result<Option<Triaged>, ReportError> {
        let Some(mut triaged) = Triaged::list(folder)? else { return Ok(None) };
        for defect in &mut triaged.defects {
            let cluster = folder.join("clusters").join(format!("{:03}", defect.number));
            defect.found = instance_in(&cluster, "instance.smt2");
        }
        Ok(Some(triaged))
    }

    /// The same without the instances as they were found.
    ///
    /// # Errors
    /// [`RecordError`] if the list is damaged or unreadable.
    pub fn list(folder: &Path) -> Result<Option<Triaged>, RecordError> {
        Ok(read_json::<List>(&folder.join("triage.json"))?.map(|list| match list {
            List::Whole(triaged) => triaged,
            List::Defects(defects) => Triaged { defects, ..Triaged::default() },
        }))
    }

    /// The names of the instances that had their turn.
    pub fn tried(&self) -> impl Iterator<Item = &str> {
        let members = self.defects.iter().flat_map(|defect| &defect.members).map(|member| member.name.as_str());
        let dropped = self.dropped.iter().filter(|dropped| !dropped.reason.starts_with("not tried"));
        members.chain(dropped.map(|dropped| dropped.instance.as_str()))
    }
}

impl Distinct {
    /// Whether the triage or the run has confirmed it.
    pub fn is_confirmed(&self) -> bool {
        self.confirmed.is_some() || self.confirmed_by_run
    }

    /// The word for what is known of it.
    pub fn label(&self) -> &'static str {
        match (&self.confirmed, self.severity.class) {
            (Some(_), 3) => "stable",
            (Some(_), 2) => "seed-sensitive",
            (Some(_), _) => "gives up",
            (None, _) if self.confirmed_by_run => "by the run",
            (None, _) if self.not_confirmed.is_some() => "not confirmed",
            _ => "not tried",
        }
    }
}
