//! Whether a reference's answer can be trusted: its model holds by our evaluator, or another solver checks it or agrees.

use serde::{Deserialize, Serialize};

use super::OracleError;
use super::model::{self, Model};
use super::performance::{Ledger, RunRow, Step};
use super::prover::{Prover, Question};
use super::testimony::{ModelVerdict, model_in, verdict};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::installed::is_same_file as is_same;
use crate::solver::process::Interrupt;
use std::time::Duration;

/// Why a reference's answer is trusted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verification {
    /// The reference's model satisfies every assertion by our own evaluator: no solver's word is needed.
    ModelEvaluated {
        /// The model.
        model: Model,
    },
    /// The reference's model was substituted into the script, and another solver found that it satisfies it.
    ModelChecked {
        /// The solver that checked.
        by: String,
        /// The model.
        model: Model,
    },
    /// The reference itself checked its model against the script: weaker, and asked only where nobody else decides.
    ModelCheckedItself {
        /// The configuration that checked.
        by: String,
    },
    /// Another solver gives the same answer.
    Agreed {
        /// The solver that agrees.
        by: String,
    },
}

/// Two solvers that contradict each other: one of them is wrong. Kept with its evidence, never a performance defect.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contradiction {
    /// The run that claims one thing.
    pub claim: RunRow,
    /// The run that claims the other.
    pub counterclaim: RunRow,
    /// The model in question, if `counterclaim` is about the script with this model asserted.
    pub model: Option<Model>,
}

/// What verifying came to.
#[derive(Clone, PartialEq, Debug)]
pub enum Verified {
    /// The answer can be trusted.
    Yes(Verification),
    /// Somebody contradicts it.
    Contradicted(Box<Contradiction>),
    /// Nobody could tell.
    Undecided,
}

/// Who is asked, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Verifiers<'a> {
    /// The solver whose answer is in question.
    pub reference: &'a dyn Prover,
    /// Solvers that may decide, in the order in which they are asked.
    pub others: &'a [&'a dyn Prover],
    /// CPU seconds for each.
    pub limit: Duration,
}

/// How much a verifier's word is worth for one reference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Another program: its answers are evidence.
    Independent,
    /// The reference's own program, set to check its models: evidence for `sat` alone.
    ChecksItself,
    /// The reference's own program otherwise: no evidence.
    Dependent,
}

fn standing(reference: &dyn Prover, verifier: &dyn Prover) -> Standing {
    // Solvers of one family are one program in the sense that matters: they share an author's mistakes. One file under two
    // names is one program whatever the names are.
    let is_same_file =
        reference.executable().zip(verifier.executable()).is_some_and(|(one, other)| is_same(one, other));
    let is_same_program = is_same_file || reference.family() == verifier.family();
    let checks_models = ["--check-models", "model_validate=true"].iter().any(|it| verifier.name().contains(it));
    match (is_same_program, checks_models) {
        (false, _) => Standing::Independent,
        (true, true) => Standing::ChecksItself,
        (true, false) => Standing::Dependent,
    }
}

/// Whether two families have the same authors, who may have made the same mistake twice.
fn share_authors(one: &str, other: &str) -> bool {
    ["z3", "cvc"].iter().any(|author| one.starts_with(author) && other.starts_with(author))
}

impl Verifiers<'_> {
    /// Verifies `claim`, a run in which the reference solved `script`.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run, or the user interrupted.
    pub(super) fn verify(
        &self,
        script: &Script,
        claim: &RunRow,
        ledger: &Ledger<'_>,
        interrupt: &Interrupt,
    ) -> Result<Verified, OracleError> {
        if claim.timed.answer == Answer::Sat {
            let by_model = self.verify_model(script, claim, ledger, interrupt)?;
            if by_model != Verified::Undecided {
                return Ok(by_model);
            }
        }
        self.verify_by_agreement(script, claim, ledger, interrupt)
    }

    fn verify_model(
        &self,
        script: &Script,
        claim: &RunRow,
        ledger: &Ledger<'_>,
        interrupt: &Interrupt,
    ) -> Result<Verified, OracleError> {
        let Some(asking) = model::asking_for_values(script) else { return Ok(Verified::Undecided) };
        let question = Question { script: &asking, seed: None, limit: self.limit, check_model: false };
        let output = ledger.ask(Step::Values, self.reference, &question, interrupt)?;
        let Some(model) = Model::read(&output) else { return Ok(Verified::Undecided) };
        if verdict(model_in(&output), script, self.reference.dialect()) == ModelVerdict::Satisfies {
            return Ok(Verified::Yes(Verification::ModelEvaluated { model }));
        }
        let with_model = match model.asserted(script, self.reference.dialect()) {
            Ok(with_model) => with_model,
            Err(reason) => {
                tracing::warn!(solver = self.reference.name(), reason, "a model cannot be read");
                return Ok(Verified::Undecided);
            }
        };
        let question = Question { script: &with_model, seed: None, limit: self.limit, check_model: false };
        for (number, verifier) in self.with_standing(Standing::Independent) {
            let row = ledger.run(Step::ModelCheck(number), verifier, &question, interrupt)?;
            match row.timed.answer {
                Answer::Sat => return Ok(Verified::Yes(Verification::ModelChecked { by: row.solver, model })),
                Answer::Unsat => return Ok(contradiction(claim, row, Some(model))),
                _ => {}
            }
        }
        Ok(Verified::Undecided)
    }

    fn verify_by_agreement(
        &self,
        script: &Script,
        claim: &RunRow,
        ledger: &Ledger<'_>,
        interrupt: &Interrupt,
    ) -> Result<Verified, OracleError> {
        let question = Question { script, seed: None, limit: self.limit, check_model: false };
        for (number, verifier) in self.with_standing(Standing::Independent) {
            let row = ledger.run(Step::Agreement(number), verifier, &question, interrupt)?;
            if row.timed.answer == claim.timed.answer {
                return Ok(Verified::Yes(Verification::Agreed { by: row.solver }));
            }
            if row.timed.answer.is_solved() {
                return Ok(contradiction(claim, row, None));
            }
        }
        if claim.timed.answer == Answer::Sat {
            for (number, verifier) in self.with_standing(Standing::ChecksItself) {
                let row = ledger.run(Step::Agreement(number), verifier, &question, interrupt)?;
                if row.timed.answer == Answer::Sat {
                    return Ok(Verified::Yes(Verification::ModelCheckedItself { by: row.solver }));
                }
            }
        }
        Ok(Verified::Undecided)
    }

    /// The verifiers of this standing, each with its number; those of other authors come first.
    fn with_standing(&self, wanted: Standing) -> impl Iterator<Item = (u32, &dyn Prover)> {
        let numbered = (0..).zip(self.others.iter().copied());
        let mut found: Vec<(u32, &dyn Prover)> =
            numbered.filter(|(_, verifier)| standing(self.reference, *verifier) == wanted).collect();
        found.sort_by_key(|(_, verifier)| share_authors(self.reference.family(), verifier.family()));
        found.into_iter()
    }
}

fn contradiction(claim: &RunRow, counterclaim: RunRow, model: Option<Model>) -> Verified {
    Verified::Contradicted(Box::new(Contradiction { claim: claim.clone(), counterclaim, model }))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::oracle::prover::Reply;
    use crate::smtlib::dialect::Dialect;

    #[derive(Debug)]
    struct Named(&'static str, &'static str, PathBuf);

    impl Prover for Named {
        fn name(&self) -> &str {
            self.0
        }

        fn family(&self) -> &str {
            self.1
        }

        fn executable(&self) -> Option<&Path> {
            Some(&self.2)
        }

        fn version(&self) -> &'static str {
            "1"
        }

        fn dialect(&self) -> Dialect {
            Dialect::SmtLib26
        }

        fn ask(&self, _: &Question<'_>, _: &Interrupt) -> Result<Reply, OracleError> {
            Err(OracleError::Interrupted)
        }
    }

    #[test]
    fn the_same_file_is_no_second_opinion_whatever_it_is_called() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            path
        };
        let (one, copy, other) = (file("z3old", "program"), file("copy", "program"), file("z3", "another"));
        let reference = Named("/x/z3old@4.8.10", "mine", one);
        let copied = Named("z3seq@4.8.10", "z3seq", copy);
        let distinct = Named("z3@5.4.1", "z3seq", other.clone());
        assert!(standing(&reference, &copied) == Standing::Dependent);
        assert!(standing(&reference, &distinct) == Standing::Independent);
        assert!(standing(&copied, &distinct) == Standing::Dependent, "they share an author's mistakes");
        let checks = Named("z3@5.4.1 model_validate=true", "z3seq", other);
        assert!(standing(&copied, &checks) == Standing::ChecksItself);
    }

    #[test]
    fn solvers_of_other_authors_are_asked_first() {
        let named = |name, family| Named(name, family, PathBuf::from("/nowhere").join(name));
        let (reference, first, second) = (named("cvc4", "cvc4"), named("cvc5", "cvc5"), named("z3", "z3seq"));
        let verifiers = Verifiers { reference: &reference, others: &[&first, &second], limit: Duration::from_secs(1) };
        let order: Vec<u32> = verifiers.with_standing(Standing::Independent).map(|(number, _)| number).collect();
        assert_eq!(order, [1, 0]);
    }
}
