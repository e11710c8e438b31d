//! What a run is like unless its user says otherwise.

use std::time::Duration;

use super::{ConfirmSettings, Settings};
use crate::search::Variant;

/// Limits of variants that are not the paper's: CPU time of target and reference, of the run that yields coverage and trace,
/// and of those that confirm.
const LIMIT: Duration = Duration::from_secs(1);
const OBSERVE_LIMIT: Duration = Duration::from_millis(500);
const CONFIRM_LIMIT: Duration = Duration::from_secs(5);

impl Settings {
    /// What a run is like unless its user says otherwise: one that finds many different defects. Where the paper's variants and
    /// limits are not asked for, a short limit tries more scripts, and a long one confirms.
    #[must_use]
    pub fn unless_told(&self) -> Settings {
        let variant = self.variant.unwrap_or(Variant::Diverse);
        let unless = Settings { learn: Some(true), variant: Some(variant), ..Settings::default() };
        if !variant.uses_swarm() || self.limit.is_some() {
            return unless;
        }
        let confirm = ConfirmSettings { limit: Some(CONFIRM_LIMIT), ..ConfirmSettings::default() };
        Settings { limit: Some(LIMIT), observe_limit: Some(OBSERVE_LIMIT), confirm, ..unless }
    }
}
