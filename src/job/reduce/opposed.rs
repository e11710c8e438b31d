//! `--keep result --trusted SOLVER…`: what is asked about the input before.

use anyhow::bail;

use super::{Reduced, Workshop};
use crate::oracle::OracleError;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::reduce::property::Opposed;

impl Workshop<'_> {
    pub(super) fn keep_opposed(
        &self,
        target: &InstalledProver,
        trusted: &[InstalledProver],
    ) -> anyhow::Result<Reduced> {
        let args = self.args;
        let provers: Vec<&dyn Prover> = trusted.iter().map(|prover| prover as &dyn Prover).collect();
        let property = Opposed::new(target, provers, args.limit(), self.meter);
        let truth = match property.truth(self.script, self.interrupt)? {
            Ok(truth) => truth,
            Err(why) => bail!("{why}: there is nothing to keep{}", self.fault()),
        };
        let property = property.with_status(args.keep_status.then(|| truth.clone()));
        let dialect = args.dialect.unwrap_or(target.dialect());
        let Some(reduction) = self.reduce(&property, dialect)? else { bail!("the solvers do not answer alike twice") };
        // What the trusted solvers say may have changed. The reduction is done: an interrupt does not lose it.
        let truth = match property.truth(&reduction.script, self.interrupt) {
            Ok(now) => now.unwrap_or(truth),
            Err(OracleError::Interrupted) => truth,
            Err(error) => return Err(error.into()),
        };
        let names: Vec<&str> = trusted.iter().map(Prover::name).collect();
        let says = if names.len() == 1 { "says" } else { "say" };
        let kept = format!("{} is wrong, for {} {says} {}", target.name(), names.join(", "), truth.name());
        let summary = self.summary(kept, &reduction);
        self.finish(&reduction, dialect, summary)
    }
}
