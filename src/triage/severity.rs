//! How much a defect matters: the order in which a triage lists them.

use serde::{Deserialize, Serialize};

use crate::oracle::performance::Confirmed;
use crate::oracle::profile::Stability;

/// What decides a defect's place. Fields stand in the order of their weight.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Severity {
    /// 3: confirmed, slow on nearly every random seed. 2: confirmed, but some seeds answer. 1: confirmed, and the target
    /// gives up (`unknown`) on nearly every seed. 0: not confirmed.
    pub class: u8,
    /// Of the other versions of the target that were asked, how many are slow too.
    pub other_versions: usize,
    /// The confirm limit over the reference's slowest run: how many times slower the target is, at least. 0 if not
    /// confirmed.
    pub ratio: f64,
    /// The complexity of the reduced form: a small one is worth more.
    pub complexity: u64,
    /// Instances that are this defect.
    pub members: usize,
}

impl Severity {
    /// The severity of a defect with this evidence, if there is any.
    pub fn of(confirmed: Option<&Confirmed>, other_versions: usize, complexity: u64, members: usize) -> Severity {
        let (class, ratio) = confirmed.map_or((0, 0.0), |confirmed| (class_of(confirmed), ratio_of(confirmed)));
        Severity { class, other_versions, ratio, complexity, members }
    }

    /// The word that a report uses for the class.
    pub fn label(&self) -> &'static str {
        match self.class {
            3 => "stable",
            2 => "seed-sensitive",
            1 => "gives up",
            _ => "not confirmed",
        }
    }

    /// What is sorted by: smaller keys are worse defects. Ratios count by their power of ten: they are bounds.
    pub fn key(&self) -> impl Ord + use<> {
        let tens = if self.ratio > 0.0 { self.ratio.log10().floor() as i64 } else { i64::MIN };
        let down = std::cmp::Reverse::<usize>;
        (
            std::cmp::Reverse(self.class),
            down(self.other_versions),
            std::cmp::Reverse(tens),
            self.complexity,
            down(self.members),
        )
    }
}

fn class_of(confirmed: &Confirmed) -> u8 {
    match confirmed.profile.stability {
        Stability::Stable => 3,
        Stability::SeedSensitive => 2,
        Stability::GivesUp => 1,
    }
}

/// How many times slower the target is than the reference's slowest run, at least. Runs that take less than a
/// millisecond count as one: the clock does not tell them apart.
fn ratio_of(confirmed: &Confirmed) -> f64 {
    use crate::oracle::performance::Step;
    let reference = confirmed.runs.iter().filter(|row| matches!(row.step, Step::Reference(_)));
    let slowest = reference.map(|row| row.timed.cpu_seconds).fold(0.001, f64::max);
    confirmed.settings.confirm_limit.as_secs_f64() / slowest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_defects_come_first_then_those_of_many_versions_then_the_small() {
        let severity = |class, other_versions, ratio, complexity| Severity {
            class,
            other_versions,
            ratio,
            complexity,
            members: 1,
        };
        let worst = severity(3, 2, 500.0, 11);
        let order = [
            worst.clone(),
            severity(3, 1, 5000.0, 5),
            severity(3, 1, 900.0, 5),
            severity(3, 1, 500.0, 9),
            severity(2, 5, 9000.0, 3),
            severity(0, 0, 0.0, 1),
        ];
        assert!(order.windows(2).all(|pair| pair[0].key() < pair[1].key()));
        let more = Severity { members: 7, ..worst.clone() };
        assert!(more.key() < worst.key());
    }
}
