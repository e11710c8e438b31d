//! Scripts on which a solver may be wrong, met on the way: one of each structural class is kept for a hunt.

use super::confirmation::class_of;
use super::population::Known;
use super::{Campaign, CampaignError};
use crate::oracle::suspicion::Suspicion;
use crate::record::format::SuspectRow;
use crate::smtlib::printer::{self, PrintOptions};

impl Campaign<'_> {
    /// Keeps the suspects of a generation, in slot order, so that which script of a class is kept does not depend on who
    /// was ready first.
    pub(super) fn save_suspects<'a>(
        &mut self,
        evaluated: impl Iterator<Item = &'a Known>,
    ) -> Result<(), CampaignError> {
        for known in evaluated {
            let evaluated = &known.evaluated;
            let (target, reference) = (&evaluated.observation.target.answer, &evaluated.observation.reference.answer);
            let Some(suspicion) = Suspicion::of(target, reference) else { continue };
            let individual = &evaluated.individual;
            let class = class_of(&individual.script);
            if !self.recorder.wants_suspect(suspicion, &class) {
                continue;
            }
            // A script that cannot be written in the target's dialect was not read by it.
            let text = printer::print(&individual.script, self.setup.dialect, &PrintOptions::default());
            let Ok(text) = text else { continue };
            // The dialect is said, so that whoever reads the script elsewhere reads the same literals.
            let version = self.setup.dialect.name().trim_start_matches("smtlib-");
            let text = format!("(set-info :smt-lib-version {version})\n{text}");
            let row = SuspectRow {
                id: individual.id.0,
                generation: individual.generation,
                suspicion,
                target_result: target.name().to_owned(),
                reference_result: reference.name().to_owned(),
                class,
            };
            self.recorder.suspect(&row, &text)?;
        }
        Ok(())
    }
}
