//! Learning a pattern from a reduced core, by intervention: which application in it makes the target slow, and what of that
//! matters.
//!
//! An application is *needed* if the target is quick with a fresh variable in its place. Of each of its arguments it is asked
//! whether a fresh variable keeps the target slow, and of those of which it does, whether literals do, too: beside variables,
//! since of two arguments of which one has to be a variable, each may be a literal. A pattern then has to prove itself on
//! fresh scripts that contain it ([`super::sample`]): where most of them are quick, it is not the application alone that is
//! slow, and the next larger one is tried. Where no application is slow by itself, it is what the core asserts together
//! ([`assertions`]).

mod assertions;
mod study;

use self::study::Study;
use super::pattern::{Pattern, Place};
use super::sample::Sampler;
use super::wider::widened;
use crate::generator::Preset;
use crate::oracle::OracleError;
use crate::random::{FuzzRng, between};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, TermId, Terms};

/// Whether the target is slow on a script.
pub type IsSlow<'a> = &'a mut dyn FnMut(&Script) -> Result<bool, OracleError>;

/// Fresh scripts on which a pattern has to prove itself.
pub const SAMPLES: u32 = 20;
/// Where the target is slow on all of the first scripts, so many decide. Quick ones cost nothing, and all are tried.
const FIRST_SAMPLES: u32 = 6;
/// How many scripts with wider bit-vectors are tried; most of them decide.
const WIDER_SAMPLES: u32 = 5;
/// By how many bits they are wider, at most.
const WIDER_BITS: u32 = 16;
/// Applications that only say how others hang together.
const CONNECTIVES: [&str; 6] = ["not", "and", "or", "=>", "xor", "ite"];
/// Applications that are tried in a core, the smallest first: a reduced core has few.
const MOST_APPLICATIONS: usize = 12;

/// What was learned from a core.
#[derive(Clone, Debug, Default)]
pub struct Lesson {
    /// The pattern that proved itself; none if none did.
    pub pattern: Option<Trial>,
    /// Those that were too general, in the order in which they were tried.
    pub refused: Vec<Trial>,
}

/// A pattern, and how it did on fresh scripts that contain it.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The pattern.
    pub pattern: Pattern,
    /// Scripts on which the target is slow.
    pub slow: u32,
    /// Scripts that were tried: no more than it takes to decide.
    pub tried: u32,
}

impl Trial {
    /// Whether the target is slow on half of the scripts at least.
    pub fn is_passed(&self) -> bool {
        self.tried > 0 && 2 * self.slow >= self.tried
    }
}

/// Tries a pattern on fresh scripts of a fragment that contain it, [`SAMPLES`] at most.
///
/// # Errors
/// Those of `is_slow`.
pub fn try_out(
    pattern: &Pattern,
    fragment: &Fragment,
    rng: &mut FuzzRng,
    is_slow: IsSlow<'_>,
) -> Result<Trial, OracleError> {
    let sampler = Sampler::new(fragment);
    let mut trial = Trial { pattern: pattern.clone(), slow: 0, tried: 0 };
    while trial.tried < SAMPLES {
        let Some(script) = sampler.script(pattern, rng) else { break };
        trial.tried += 1;
        trial.slow += u32::from(is_slow(&script)?);
        let quick = trial.tried - trial.slow;
        let is_plain = trial.slow == FIRST_SAMPLES && quick == 0;
        if is_plain || 2 * trial.slow >= SAMPLES || 2 * quick > SAMPLES {
            break;
        }
    }
    Ok(trial)
}

/// Whether the target is slow on most of a few fresh scripts that contain a pattern with wider bit-vectors; not so if it has
/// none that could be wider.
fn is_slow_when_wider(
    pattern: &Pattern,
    fragment: &Fragment,
    rng: &mut FuzzRng,
    is_slow: IsSlow<'_>,
) -> Result<bool, OracleError> {
    let sampler = Sampler::new(fragment);
    let (mut slow, mut quick) = (0, 0);
    while slow.max(quick) <= WIDER_SAMPLES / 2 {
        let wide = widened(pattern, between(rng, 1, WIDER_BITS));
        let Some(script) = wide.and_then(|wide| sampler.script(&wide, rng)) else { return Ok(false) };
        if is_slow(&script)? { slow += 1 } else { quick += 1 }
    }
    Ok(slow > quick)
}

/// The fragment in the logic that a core sets, if that has a grammar of its own: its pattern is tried on scripts of that.
fn in_logic_of(core: &Script, fragment: &Fragment) -> Fragment {
    let own = core.logic().filter(|logic| Preset::of_logic(logic.as_str()).is_some());
    own.map_or_else(|| fragment.clone(), |logic| fragment.in_logic(logic.as_str()))
}

/// Learns the pattern of a reduced core, which gets this name. Every question is one script for `is_slow`. If it is only to
/// explain `others`, what occurs in none of them is not tried.
///
/// # Errors
/// Those of `is_slow`.
pub fn learn(
    core: &Script,
    name: &str,
    (fragment, others): (&Fragment, Option<&[&Script]>),
    rng: &mut FuzzRng,
    is_slow: IsSlow<'_>,
) -> Result<Lesson, OracleError> {
    let fragment = in_logic_of(core, fragment).admitting(core);
    let mut lesson = Lesson::default();
    let mut tried: Vec<String> = Vec::new();
    // What is needed, but explains nothing: nor does what holds it.
    let mut useless: Vec<TermId> = Vec::new();
    for term in applications(core).into_iter().take(MOST_APPLICATIONS) {
        if useless.iter().any(|&inner| core.terms.contains(term, inner)) {
            continue;
        }
        let mut study = Study { core: core.clone(), root: term, sampler: Sampler::new(&fragment), rng, is_slow };
        if !study.is_needed()? {
            continue;
        }
        if others.is_some_and(|others| !others.iter().any(|script| has_operator_of(script, core, term))) {
            useless.push(term);
            continue;
        }
        let pattern = study.generalised(Symbol::new(name))?;
        let text = pattern.to_string();
        if others.is_some_and(|others| !others.iter().any(|script| pattern.occurs(script))) {
            useless.push(term);
            continue;
        }
        if tried.contains(&text) {
            continue;
        }
        tried.push(text);
        if lesson.takes(&pattern, &fragment, rng, is_slow)? {
            return Ok(lesson);
        }
    }
    assertions::learn(core, Symbol::new(name), (&fragment, others), rng, is_slow, &mut lesson)?;
    Ok(lesson)
}

impl Lesson {
    /// Whether a pattern proves itself, and so is what was learned.
    fn takes(
        &mut self,
        pattern: &Pattern,
        fragment: &Fragment,
        rng: &mut FuzzRng,
        is_slow: IsSlow<'_>,
    ) -> Result<bool, OracleError> {
        let mut trial = try_out(pattern, fragment, rng, is_slow)?;
        let is_passed = trial.is_passed();
        if is_passed {
            trial.pattern.wider = is_slow_when_wider(pattern, fragment, rng, is_slow)?;
            self.pattern = Some(trial);
        } else {
            self.refused.push(trial);
        }
        Ok(is_passed)
    }
}

/// The closed applications of theory operators in what a script asserts, the smallest first.
fn applications(script: &Script) -> Vec<TermId> {
    let terms = &script.terms;
    let is_one = |&term: &TermId| {
        let Head::Operator(op) = terms.head(term) else { return false };
        terms.is_closed(term) && !is_value(terms, term) && !CONNECTIVES.contains(&op.name())
    };
    let mut found: Vec<TermId> = terms.subterms(script.assertions()).filter(is_one).collect();
    found.sort_by_key(|&term| (nodes(terms, term), term));
    found
}

/// Whether a script has the operator of this application of a core.
fn has_operator_of(script: &Script, core: &Script, application: TermId) -> bool {
    let head = core.terms.head(application);
    (0..script.terms.len() as u32).any(|term| script.terms.head(TermId(term)) == head)
}

/// How many nodes a term has, written out.
fn nodes(terms: &Terms, root: TermId) -> usize {
    let (mut count, mut stack) = (0, vec![root]);
    while let Some(term) = stack.pop() {
        count += 1;
        stack.extend_from_slice(terms.arguments(term));
    }
    count
}

/// Whether no variable occurs in a term, so that a solver can evaluate it.
fn is_value(terms: &Terms, term: TermId) -> bool {
    !Place::NotLiteral.takes(terms, term)
}

#[cfg(test)]
mod tests;
