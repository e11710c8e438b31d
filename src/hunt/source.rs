//! Where instances come from: the seeds themselves, STORM's instances of them, or (`chains.rs`) mutants.

use std::fmt::Debug;

use super::seeds::{Prepared, Seeds, Unusable};
use crate::operator::declarations::is_status;
use crate::operator::storm::assignment::Assignments;
use crate::operator::storm::{Bounds, Pools, instances_for, prepared};
use crate::oracle::OracleError;
use crate::oracle::model::is_question;
use crate::oracle::testimony::{ModelVerdict, questions_only, worth};
use crate::random::{FuzzRng, chance, rng_for};
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
    /// CPU seconds of solvers that making it took.
    pub seconds: f64,
    /// Whether its assignment satisfies it, by our evaluator.
    satisfied: bool,
}

impl Case {
    /// A script of which nothing is known.
    pub fn open(seed: String, number: u32, script: Script) -> Case {
        Case { seed, number, script, assignment: None, status: None, seconds: 0.0, satisfied: true }
    }

    /// A script that an assignment satisfies; that is made sure of.
    pub fn satisfied(seed: String, number: u32, script: Script, assignment: Interpretation) -> Case {
        let satisfied = worth(&script, &assignment, Limits::SMALL) == ModelVerdict::Satisfies;
        Case { seed, number, script, assignment: Some(assignment), status: None, seconds: 0.0, satisfied }
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

    /// The name of a seed.
    fn name(&self, seed: usize) -> String;

    /// The instances of a seed in a round; `None` if it gives none. Equal arguments give equal instances.
    ///
    /// # Errors
    /// Why the seed gives none in any round.
    fn cases(&self, seed: usize, round: u32) -> Result<Option<Vec<Case>>, Unusable>;

    /// How many of its instances are so small that they may be asked about in one process.
    fn together(&self) -> usize {
        1
    }
}

/// The seeds themselves, once each.
#[derive(Debug)]
pub struct Themselves<'a> {
    seeds: &'a dyn Seeds,
}

impl<'a> Themselves<'a> {
    /// These seeds.
    pub fn new(seeds: &'a dyn Seeds) -> Self {
        Themselves { seeds }
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

impl Source for Themselves<'_> {
    fn seeds(&self) -> usize {
        self.seeds.count()
    }

    fn name(&self, seed: usize) -> String {
        self.seeds.name(seed)
    }

    fn cases(&self, seed: usize, round: u32) -> Result<Option<Vec<Case>>, Unusable> {
        if round > 0 {
            return Ok(None);
        }
        let script = self.seeds.read(seed)?;
        let open = Case::open(self.seeds.name(seed), 1, questions_only(&script));
        Ok(Some(vec![Case { status: status_of(&script), ..open }]))
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

/// Who gives the first assignment of a seed, as a solver does in STORM's paper. It need not be a model: what holds under it
/// is computed.
pub trait FirstAssignment: Debug + Sync {
    /// An assignment for a script, if there is one, and how many CPU seconds of solvers it took.
    ///
    /// # Errors
    /// [`OracleError`] if a solver could not be run.
    fn of(&self, script: &Script) -> Result<(Option<Interpretation>, f64), OracleError>;
}

/// STORM's instances: each round has an assignment of its own, of which the first is inclined to satisfy the seed, the
/// second is any, the third is inclined to refute it, and so on.
#[derive(Debug)]
pub struct Storm<'a> {
    seeds: &'a dyn Seeds,
    settings: StormSettings,
    first: Option<&'a dyn FirstAssignment>,
    /// The seeds as they are used: without `let`s and questions.
    prepared: Prepared<Script>,
}

impl<'a> Storm<'a> {
    /// STORM on these seeds; those that [`prepared`] does not take give nothing.
    pub fn new(seeds: &'a dyn Seeds, settings: StormSettings) -> Self {
        Storm { seeds, settings, first: None, prepared: Prepared::new() }
    }

    /// The same, with first assignments from somebody.
    #[must_use]
    pub fn with_first(self, first: &'a dyn FirstAssignment) -> Self {
        Storm { first: Some(first), ..self }
    }

    /// The assignment of a round, and how many CPU seconds of solvers it took.
    fn assignment(&self, script: &Script, round: u32, rng: &mut FuzzRng) -> Result<(Interpretation, f64), OracleError> {
        let assignments = Assignments::of(script);
        let mut seconds = 0.0;
        if let Some(first) = self.first.filter(|_| round == 0) {
            let (given, took) = first.of(script)?;
            seconds = took;
            if let Some(mut given) = given {
                given.complete(script);
                return Ok((given, seconds));
            }
        }
        let own = match round % 3 {
            0 => assignments.inclined(true, rng),
            1 => assignments.draw(rng),
            _ => assignments.inclined(false, rng),
        };
        Ok((own, seconds))
    }
}

impl Source for Storm<'_> {
    fn seeds(&self) -> usize {
        self.seeds.count()
    }

    fn name(&self, seed: usize) -> String {
        self.seeds.name(seed)
    }

    fn cases(&self, seed: usize, round: u32) -> Result<Option<Vec<Case>>, Unusable> {
        let StormSettings { bounds, incremental, instances, seed: master } = self.settings;
        let first = round.saturating_mul(INSTANCES_A_ROUND);
        if first >= instances.unwrap_or(MOST_INSTANCES) {
            return Ok(None);
        }
        let name = self.seeds.name(seed);
        let script = self.prepared.of(self.seeds, seed, |script| {
            let unfit = "its lets share too much to be written out, or its names mean several things";
            prepared(&script).ok_or_else(|| Unusable::Unfit(format!("{name}: {unfit}")))
        })?;
        let mut rng = rng_for(master, seed as u32, round);
        let (assignment, seconds) = self.assignment(&script, round, &mut rng)?;
        let Some(pools) = Pools::under(Script::clone(&script), &assignment, bounds, &mut rng) else { return Ok(None) };
        // NM instances of a seed in all, over its rounds.
        let most = instances.unwrap_or_else(|| instances_for(pools.initial().len()) as u32);
        let instance = |number: u32| {
            let asks_often = chance(&mut rng, incremental);
            let instance = pools.instance(bounds, asks_often, &mut rng).compacted();
            let case = Case::satisfied(name.clone(), number + 1, instance, assignment.clone());
            Case { seconds: if number == first { seconds } else { 0.0 }, ..case }
        };
        let numbers = first..first.saturating_add(INSTANCES_A_ROUND).min(most.max(first));
        Ok((!numbers.is_empty()).then(|| numbers.map(instance).collect()))
    }
}
