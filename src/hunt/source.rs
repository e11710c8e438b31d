//! Where instances come from: the seeds themselves, STORM's instances of them, or (`chains.rs`) mutants.

use crate::operator::declarations::is_status;
use crate::operator::storm::assignment::Assignments;
use crate::operator::storm::{Bounds, Pools, instances_for, prepared};
use crate::oracle::model::is_question;
use crate::oracle::testimony::{ModelVerdict, questions_only, worth};
use crate::random::{chance, rng_for};
use crate::semantics::evaluate::Limits;
use crate::semantics::interpretation::Interpretation;
use crate::smtlib::script::{Command, Script};

/// A script to ask about.
#[derive(Clone, Debug)]
pub struct Case {
    /// The seed's name.
    pub seed: String,
    /// Which instance of the seed it is, from 1.
    pub number: u32,
    /// The script.
    pub script: Script,
    /// An assignment that satisfies it by construction, if there is one.
    pub assignment: Option<Interpretation>,
    /// What `(set-info :status …)` of the seed says of its only question: `sat` or `unsat`. Whoever wrote it may be wrong.
    pub status: Option<String>,
    /// Whether it does so, by our evaluator.
    satisfied: bool,
}

impl Case {
    /// A script of which nothing is known.
    pub fn open(seed: String, number: u32, script: Script) -> Case {
        Case { seed, number, script, assignment: None, status: None, satisfied: true }
    }

    /// A script that an assignment satisfies; that is made sure of.
    pub fn satisfied(seed: String, number: u32, script: Script, assignment: Interpretation) -> Case {
        let satisfied = worth(&script, &assignment, Limits::SMALL) == ModelVerdict::Satisfies;
        Case { seed, number, script, assignment: Some(assignment), status: None, satisfied }
    }

    /// The same case with a script of the same assertions.
    pub(super) fn with_script(&self, script: Script) -> Case {
        Case { script, ..self.clone() }
    }

    /// Whether its assignment satisfies it; `true` if it has none.
    pub fn is_satisfied(&self) -> bool {
        self.satisfied
    }
}

/// What makes instances.
pub trait Source: Sync {
    /// How many seeds there are.
    fn seeds(&self) -> usize;

    /// The instances of a seed in a round; `None` when the seed is used up. Equal arguments give equal instances.
    fn cases(&self, seed: usize, round: u32) -> Option<Vec<Case>>;
}

/// The seeds themselves, once each.
#[derive(Debug)]
pub struct Themselves {
    cases: Vec<Case>,
}

impl Themselves {
    /// These seeds, by their names.
    pub fn new(seeds: &[(String, Script)]) -> Self {
        let case = |(name, script): &(String, Script)| {
            let open = Case::open(name.clone(), 1, questions_only(script));
            Case { status: status_of(script), ..open }
        };
        Themselves { cases: seeds.iter().map(case).collect() }
    }
}

/// What a script that asks once says of the answer.
fn status_of(script: &Script) -> Option<String> {
    let mut said = script.commands.iter().filter_map(|command| match command {
        Command::Other(text) if is_status(*text) => Some(text.as_str()),
        _ => None,
    });
    let (only, None) = (said.next()?, said.next()) else { return None };
    let asks_once = script.commands.iter().filter(|command| is_question(command)).count() == 1;
    let word = only.split(|c: char| c.is_whitespace() || "()".contains(c)).rfind(|word| !word.is_empty())?;
    (asks_once && ["sat", "unsat"].contains(&word)).then(|| word.to_owned())
}

impl Source for Themselves {
    fn seeds(&self) -> usize {
        self.cases.len()
    }

    fn cases(&self, seed: usize, round: u32) -> Option<Vec<Case>> {
        (round == 0).then(|| vec![self.cases[seed].clone()])
    }
}

/// How STORM is set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StormSettings {
    /// The bounds of depth and assertions.
    pub bounds: Bounds,
    /// The part of the instances that ask several times.
    pub incremental: f64,
    /// NM, the instances of each seed; by the size of its pool if `None`.
    pub instances: Option<u32>,
    /// Decides all that is random.
    pub seed: u64,
}

/// Instances of one assignment, before the next seed's turn comes: a round.
pub const INSTANCES_A_ROUND: u32 = 10;

/// The largest NM, whatever a seed's pool is.
const MOST_INSTANCES: u32 = 1000;

/// STORM's instances: each round has an assignment of its own, of which the first is inclined to satisfy the seed, the
/// second is any, the third is inclined to refute it, and so on.
#[derive(Debug)]
pub struct Storm {
    seeds: Vec<(String, Script)>,
    settings: StormSettings,
    /// A model of each seed, or of its negation, where somebody gave one.
    models: Vec<Option<Interpretation>>,
}

impl Storm {
    /// STORM on these seeds; those that [`prepared`] does not take are left away, and named in the second list.
    pub fn new(seeds: &[(String, Script)], settings: StormSettings) -> (Self, Vec<String>) {
        let (mut usable, mut unusable) = (Vec::new(), Vec::new());
        for (name, script) in seeds {
            match prepared(script) {
                Some(script) => usable.push((name.clone(), script)),
                None => unusable.push(name.clone()),
            }
        }
        let models = vec![None; usable.len()];
        (Storm { seeds: usable, settings, models }, unusable)
    }

    /// The seeds as they are used: without `let`s and questions.
    pub fn prepared(&self) -> &[(String, Script)] {
        &self.seeds
    }

    /// Uses this assignment in the first round of a seed, as STORM does with a solver's model. It need not be one: what
    /// holds under it is computed.
    pub fn set_model(&mut self, seed: usize, mut model: Interpretation) {
        model.complete(&self.seeds[seed].1);
        self.models[seed] = Some(model);
    }
}

impl Source for Storm {
    fn seeds(&self) -> usize {
        self.seeds.len()
    }

    fn cases(&self, seed: usize, round: u32) -> Option<Vec<Case>> {
        let (name, script) = &self.seeds[seed];
        let StormSettings { bounds, incremental, instances, seed: master } = self.settings;
        let first = round.saturating_mul(INSTANCES_A_ROUND);
        if first >= instances.unwrap_or(MOST_INSTANCES) {
            return None;
        }
        let mut rng = rng_for(master, seed as u32, round);
        let assignments = Assignments::of(script);
        let assignment = match round % 3 {
            _ if round == 0 && self.models[seed].is_some() => self.models[seed].clone().unwrap_or_default(),
            0 => assignments.inclined(true, &mut rng),
            1 => assignments.draw(&mut rng),
            _ => assignments.inclined(false, &mut rng),
        };
        let pools = Pools::under(script.clone(), &assignment, bounds, &mut rng)?;
        // NM instances of a seed in all, over its rounds.
        let most = instances.unwrap_or_else(|| instances_for(pools.initial().len()) as u32);
        let instance = |number: u32| {
            let asks_often = chance(&mut rng, incremental);
            let instance = pools.instance(bounds, asks_often, &mut rng).compacted();
            Case::satisfied(name.clone(), number + 1, instance, assignment.clone())
        };
        let numbers = first..first.saturating_add(INSTANCES_A_ROUND).min(most.max(first));
        (!numbers.is_empty()).then(|| numbers.map(instance).collect())
    }
}
