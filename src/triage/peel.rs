//! Peeling: from many slow scripts to few defects, of which each is reduced once, and taken out of all others.
//!
//! The simplest script is reduced, and the pattern of its core learned. Wherever that pattern occurs in another script, fresh
//! variables take its place, and the target is asked once more: if it is quick now, the script is that defect; if it is still
//! slow, what is left of the script stays in the queue. A script with two defects becomes two of them, and no core holds what
//! is known already. Nor what is learned afterwards: a defect whose core is explained by a later pattern is that defect.

use std::collections::VecDeque;

use super::cluster::shape;
use crate::known::{Numbers, Pattern, neutralised};
use crate::smtlib::script::Script;

/// A script that is slow.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Which instance it is, or was before something was taken out of it.
    pub index: usize,
    /// What is left of it.
    pub script: Script,
    /// The defects that were taken out of it, by their positions in the result.
    pub without: Vec<usize>,
}

/// What became of one script of which a known defect was taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// The target still is slow where the reference is quick: there is another defect in it.
    Slow,
    /// The target answers, or the reference is not quick any more: nothing else is known to be in it.
    Quick,
    /// Nobody was asked, because there is no time.
    Unknown,
}

/// What became of the simplest script.
#[derive(Clone, Debug)]
pub enum Reduced<C, R> {
    /// Its core, and the pattern that was learned of it; none if none proved itself.
    Core(C, Option<Box<Pattern>>),
    /// None: it is not slow when it is looked at more closely, or there was no time.
    Not(R),
}

/// What peeling asks of solvers.
pub trait Ask {
    /// A reduced script, with what else is kept of it.
    type Core;
    /// Why a script is no defect.
    type Reason: Clone;
    /// Why solvers could not be asked.
    type Error;

    /// Reduces a script in which none of these patterns occurs, and learns the pattern of what is left, if there may be one
    /// that occurs in one of the `others`.
    ///
    /// # Errors
    /// When a solver cannot be run.
    fn core(
        &self,
        candidate: &Candidate,
        known: &[Pattern],
        others: &[&Script],
    ) -> Result<Reduced<Self::Core, Self::Reason>, Self::Error>;

    /// The reduced script of a core.
    fn script<'c>(&self, core: &'c Self::Core) -> &'c Script;

    /// Asks once about each of these scripts.
    ///
    /// # Errors
    /// When a solver cannot be run.
    fn left(&self, scripts: &[Script]) -> Result<Vec<Left>, Self::Error>;

    /// That all that makes a script slow is known beforehand.
    fn explained_by(&self, known: &Pattern) -> Self::Reason;

    /// How large a script is: the smallest is looked at first.
    fn size(&self, script: &Script) -> u64;
}

/// A defect that is found out already: a run has learned it.
#[derive(Clone, Debug)]
pub struct Found<C> {
    /// The instance that it was learned of.
    pub index: usize,
    /// Its core.
    pub core: C,
    /// Its pattern.
    pub pattern: Option<Pattern>,
}

/// A defect.
#[derive(Clone, Debug)]
pub struct Peeled<C> {
    /// Its core, of the first of `members`.
    pub core: C,
    /// Further cores of its shape, or which its pattern explains, with the instances that they are of.
    pub twins: Vec<(usize, C)>,
    /// What explains the other members.
    pub pattern: Option<Pattern>,
    /// The instances that are this defect, or hold it: that of the core, then those that the pattern explains.
    pub members: Vec<usize>,
}

/// What peeling came to.
#[derive(Clone, Debug)]
pub struct Harvest<C, R> {
    /// The defects, in the order in which they were found.
    pub defects: Vec<Peeled<C>>,
    /// Instances that are in none, with the reason.
    pub others: Vec<(usize, R)>,
}

/// Peels scripts that are slow. `known` are patterns of which nothing more is to be found out: they are taken out of every
/// script beforehand, and what they explain is in no defect. `found` are defects that are found out, in the order in which
/// they were.
///
/// # Errors
/// Those of `ask`.
pub fn peel<A: Ask>(
    candidates: Vec<Candidate>,
    known: &[Pattern],
    found: Vec<Found<A::Core>>,
    ask: &A,
    on_defect: &mut dyn FnMut(&Peeled<A::Core>),
) -> Result<Harvest<A::Core, A::Reason>, A::Error> {
    let mut harvest = Harvest { defects: Vec::new(), others: Vec::new() };
    let mut queue: VecDeque<Candidate> = candidates.into();
    for pattern in known {
        let explained = take_out(pattern, None, &mut queue, ask)?;
        let reason = ask.explained_by(pattern);
        harvest.others.extend(explained.into_iter().map(|index| (index, reason.clone())));
    }
    let mut patterns: Vec<Pattern> = known.to_vec();
    for found in found {
        let before = queue.len();
        queue.retain(|candidate| candidate.index != found.index);
        if queue.len() < before {
            patterns.extend(add(found, &mut harvest.defects, &mut queue, ask, on_defect)?);
        }
    }
    loop {
        queue.make_contiguous().sort_by_key(|each| (ask.size(&each.script), each.index));
        let Some(candidate) = queue.pop_front() else { break };
        let cores = harvest.defects.iter().map(|defect| ask.script(&defect.core));
        let others: Vec<&Script> = queue.iter().map(|each| &each.script).chain(cores).collect();
        match ask.core(&candidate, &patterns, &others)? {
            Reduced::Core(core, pattern) => {
                let found = Found { index: candidate.index, core, pattern: pattern.map(|pattern| *pattern) };
                patterns.extend(add(found, &mut harvest.defects, &mut queue, ask, on_defect)?);
            }
            Reduced::Not(reason) => match candidate.without.last() {
                // It is slow for what was taken out.
                Some(&defect) => harvest.defects[defect].members.push(candidate.index),
                None => harvest.others.push((candidate.index, reason)),
            },
        }
    }
    Ok(harvest)
}

/// Adds a core to the defect of its shape, or as a defect of its own, whose pattern is taken out of the queue; answers that
/// pattern.
fn add<A: Ask>(
    found: Found<A::Core>,
    defects: &mut Vec<Peeled<A::Core>>,
    queue: &mut VecDeque<Candidate>,
    ask: &A,
    on_defect: &mut dyn FnMut(&Peeled<A::Core>),
) -> Result<Option<Pattern>, A::Error> {
    let Found { index, core, pattern } = found;
    let shaped = shape(ask.script(&core));
    if let Some(defect) = defects.iter_mut().find(|defect| shape(ask.script(&defect.core)) == shaped) {
        defect.members.push(index);
        defect.twins.push((index, core));
        return Ok(None);
    }
    let mut defect = Peeled { core, twins: Vec::new(), pattern: pattern.clone(), members: vec![index] };
    if let Some(pattern) = &pattern {
        absorb(pattern, &mut defect, defects, queue, ask)?;
        let explained = take_out(pattern, Some(defects.len()), queue, ask)?;
        defect.members.extend(explained);
    }
    on_defect(&defect);
    defects.push(defect);
    Ok(pattern)
}

/// Joins earlier defects, whose cores a pattern explains, to the defect of that pattern, which is to be the last.
fn absorb<A: Ask>(
    pattern: &Pattern,
    defect: &mut Peeled<A::Core>,
    defects: &mut Vec<Peeled<A::Core>>,
    queue: &mut VecDeque<Candidate>,
    ask: &A,
) -> Result<(), A::Error> {
    let without = |(at, earlier): (usize, &Peeled<A::Core>)| {
        Some((at, pattern.neutralised(ask.script(&earlier.core), Numbers::Same)?.script))
    };
    let (places, scripts): (Vec<usize>, Vec<Script>) = defects.iter().enumerate().filter_map(without).unzip();
    let left = ask.left(&scripts)?;
    let is_explained = |place: usize| places.iter().zip(&left).any(|(&at, &left)| at == place && left == Left::Quick);
    let kept = (0..defects.len()).filter(|&place| !is_explained(place)).collect::<Vec<_>>();
    let all = std::mem::take(defects);
    for (place, earlier) in all.into_iter().enumerate() {
        if kept.contains(&place) {
            defects.push(earlier);
            continue;
        }
        defect.twins.push((earlier.members[0], earlier.core));
        defect.twins.extend(earlier.twins);
        defect.members.extend(earlier.members);
    }
    // Positions move.
    for candidate in queue {
        for position in &mut candidate.without {
            *position = kept.binary_search(position).unwrap_or(kept.len());
        }
    }
    Ok(())
}

/// Takes a pattern, of the defect with this position, out of all scripts in which it occurs; answers which of them are quick
/// then, and so explained by it.
fn take_out<A: Ask>(
    pattern: &Pattern,
    defect: Option<usize>,
    queue: &mut VecDeque<Candidate>,
    ask: &A,
) -> Result<Vec<usize>, A::Error> {
    let pattern = std::slice::from_ref(pattern);
    let without: Vec<(usize, Script)> = queue
        .iter()
        .enumerate()
        .filter_map(|(at, each)| Some((at, neutralised(&each.script, pattern, Numbers::Same)?.0)))
        .collect();
    let (places, scripts): (Vec<usize>, Vec<Script>) = without.into_iter().unzip();
    let left = ask.left(&scripts)?;
    let mut explained = Vec::new();
    for ((place, script), left) in places.into_iter().zip(scripts).zip(left) {
        let candidate = &mut queue[place];
        match left {
            Left::Quick => explained.push(candidate.index),
            Left::Slow => {
                candidate.script = script;
                candidate.without.extend(defect);
            }
            Left::Unknown => {}
        }
    }
    queue.retain(|candidate| !explained.contains(&candidate.index));
    Ok(explained)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::read;
    use crate::smtlib::dialect::Dialect;
    use crate::smtlib::parser::{ParseOptions, parse};

    /// A target that is slow where one of these patterns occurs; the earlier ones are the simpler ones.
    struct Target(Vec<Pattern>);

    fn script(assertions: &str) -> Script {
        let text = format!("(declare-const a String)(declare-const b Int){assertions}(check-sat)");
        parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script")
    }

    const SLOW: [(&str, &str); 3] = [
        ("(define-fun at ((s String) (n Int)) String (str.at s n))", "(assert (= a (str.at a b)))"),
        ("(define-fun from ((n Int)) String (str.from_int n))", "(assert (= a (str.from_int b)))"),
        ("(define-fun to ((s String)) Int (str.to_int s))", "(assert (= b (str.to_int a)))"),
    ];

    impl Target {
        fn new() -> Self {
            Target(read(&SLOW.map(|(pattern, _)| pattern).concat(), "test").expect("patterns"))
        }

        fn defects(&self, script: &Script) -> Vec<usize> {
            (0..self.0.len()).filter(|&index| self.0[index].occurs(script)).collect()
        }
    }

    impl Ask for Target {
        type Core = Script;
        type Reason = String;
        type Error = ();

        fn core(&self, candidate: &Candidate, known: &[Pattern], _: &[&Script]) -> Result<Reduced<Script, String>, ()> {
            let Some(&simplest) = self.defects(&candidate.script).first() else {
                return Ok(Reduced::Not("the target answers".into()));
            };
            let core = script(SLOW[simplest].1);
            assert!(known.iter().all(|pattern| !pattern.occurs(&core)), "what is known is out of the way");
            // Nothing is learned of the last.
            let pattern = self.0.get(simplest).filter(|_| simplest < 2).cloned();
            Ok(Reduced::Core(core, pattern.map(Box::new)))
        }

        fn script<'c>(&self, core: &'c Script) -> &'c Script {
            core
        }

        fn left(&self, scripts: &[Script]) -> Result<Vec<Left>, ()> {
            let slow = |script: &Script| !self.defects(script).is_empty();
            Ok(scripts.iter().map(|script| if slow(script) { Left::Slow } else { Left::Quick }).collect())
        }

        fn explained_by(&self, known: &Pattern) -> String {
            format!("explained by {}", known.name)
        }

        fn size(&self, script: &Script) -> u64 {
            script.tokens()
        }
    }

    fn candidates(assertions: &[&str]) -> Vec<Candidate> {
        let candidate = |(index, text): (usize, &&str)| Candidate { index, script: script(text), without: Vec::new() };
        assertions.iter().enumerate().map(candidate).collect()
    }

    #[test]
    fn a_script_with_two_defects_is_both_and_one_that_is_explained_is_not_reduced() {
        let scripts = candidates(&[
            "(assert (= (str.at a b) (str.from_int b)))",
            "(assert (= \"x\" (str.at a b)))",
            "(assert (= \"y\" (str.at (str.++ a \"z\") 1)))",
            "(assert (= a \"quick\"))",
        ]);
        let mut seen = Vec::new();
        let harvest = peel(scripts, &[], Vec::new(), &Target::new(), &mut |defect| seen.push(defect.members.clone()))
            .expect("no solver");
        let members: Vec<&[usize]> = harvest.defects.iter().map(|defect| &defect.members[..]).collect();
        assert_eq!(members, [&[1, 2][..], &[0]], "the script with both is left in the queue without the first");
        assert_eq!(seen, [vec![1, 2], vec![0]]);
        assert_eq!(harvest.others, [(3, "the target answers".to_owned())]);
    }

    #[test]
    fn cores_of_one_shape_are_one_defect_where_no_pattern_was_learned() {
        let scripts = candidates(&["(assert (= 1 (str.to_int a)))", "(assert (< b (str.to_int a)))"]);
        let harvest = peel(scripts, &[], Vec::new(), &Target::new(), &mut |_| {}).expect("no solver");
        assert_eq!(harvest.defects.len(), 1);
        assert_eq!((&harvest.defects[0].members[..], harvest.defects[0].twins.len()), (&[0, 1][..], 1));
    }

    #[test]
    fn what_a_run_has_learned_is_not_found_out_again() {
        let scripts = candidates(&["(assert (= \"x\" (str.at a b)))", "(assert (= (str.at a b) (str.from_int b)))"]);
        let learned = read(SLOW[0].0, "learned").expect("a pattern").remove(0);
        let found = vec![Found { index: 0, core: script(SLOW[0].1), pattern: Some(learned) }];
        let harvest = peel(scripts, &[], found, &Target::new(), &mut |_| {}).expect("no solver");
        let members: Vec<&[usize]> = harvest.defects.iter().map(|defect| &defect.members[..]).collect();
        assert_eq!(members, [&[0][..], &[1]]);
    }

    #[test]
    fn a_defect_that_a_later_pattern_explains_is_that_one() {
        // Nothing is learned of the first core, and what is learned of the second occurs in it.
        let general = read(SLOW[0].0, "general").expect("a pattern").remove(0);
        let first = Found { index: 1, core: script(SLOW[0].1), pattern: None };
        let mut defects = Vec::new();
        let mut queue: VecDeque<Candidate> = candidates(&["(assert (= 1 (str.to_int (str.++ a \"z\"))))"]).into();
        queue[0].without = vec![0];
        let target = Target::new();
        add(first, &mut defects, &mut queue, &target, &mut |_| {}).expect("no solver");
        let core = script("(assert (= 0 (str.len (str.at a b))))");
        let second = Found { index: 2, core, pattern: Some(general) };
        add(second, &mut defects, &mut queue, &target, &mut |_| {}).expect("no solver");
        assert_eq!(defects.len(), 1);
        assert_eq!((&defects[0].members[..], defects[0].twins[0].0), (&[2, 1][..], 1));
        assert_eq!(queue[0].without, [0], "the place of what the first is now");
    }

    #[test]
    fn what_a_user_knows_is_no_defect() {
        let known = read(SLOW[0].0, "known").expect("a pattern");
        let scripts = candidates(&["(assert (= \"x\" (str.at a b)))", "(assert (= (str.at a b) (str.from_int b)))"]);
        let harvest = peel(scripts, &known, Vec::new(), &Target::new(), &mut |_| {}).expect("no solver");
        assert_eq!(harvest.others, [(0, "explained by at".to_owned())]);
        assert_eq!(harvest.defects.len(), 1);
        assert!(harvest.defects[0].pattern.as_ref().is_some_and(|pattern| pattern.name.as_str() == "from"));
    }
}
