//! What the triage of a run came to, as far as a report shows it.

use std::path::Path;

use super::instance_in;
use serde::Deserialize;

use crate::record::read_json;
use crate::report::error::ReportError;

/// The triage of a run: its list, `triage/triage.json`.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Triaged {
    /// The distinct defects, the worst first.
    pub defects: Vec<Distinct>,
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
    /// The instance as it was found; none if its folder does not have it any more.
    #[serde(skip)]
    pub found: Option<String>,
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
        let mut triaged = match read_json::<List>(&folder.join("triage.json"))? {
            None => return Ok(None),
            Some(List::Whole(triaged)) => triaged,
            Some(List::Defects(defects)) => Triaged { defects, stopped: None },
        };
        for defect in &mut triaged.defects {
            let cluster = folder.join("clusters").join(format!("{:03}", defect.number));
            defect.found = instance_in(&cluster, "instance.smt2");
        }
        Ok(Some(triaged))
    }
}

impl Distinct {
    /// The word for what is known of it.
    pub fn label(&self) -> &'static str {
        match (&self.confirmed, self.severity.class) {
            (Some(_), 3) => "stable",
            (Some(_), 2) => "seed-sensitive",
            (Some(_), _) => "gives up",
            (None, _) if self.not_confirmed.is_some() => "not confirmed",
            _ => "not tried",
        }
    }
}
