//! All mutants that are one step away from a seed, by number: no chain walks past one.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::applications::{Application, Ways};
use super::opfuzz::Alternative;
use super::scope::Scope;
use super::{Chain, Way, is_mutable, may_enter};
use crate::operator::position::{Occurrences, Position};
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

/// Positions at most: a term of shared subterms may have exponentially many.
const MOST_POSITIONS: u64 = 100_000;

/// How many times larger than the seed's an arena may grow before its mutants are forgotten.
const MOST_GROWTH: usize = 8;

/// The one-step mutants of a seed. Not every number below [`OneStep::count`] is one: some change nothing, or are outside
/// what solvers accept.
#[derive(Debug)]
pub struct OneStep<'a> {
    chain: Chain<'a>,
    /// The seed, in an arena without mutants.
    seed: Script,
    groups: Vec<Group>,
    /// The number of the first mutant of each group.
    starts: Vec<u64>,
    count: u64,
}

/// Mutants at one position.
#[derive(Debug)]
struct Group {
    position: Position,
    expr: TermId,
    change: Change,
}

/// What a group puts there.
#[derive(Debug)]
enum Change {
    /// An application, with every choice of its indices and arguments.
    Application { ways: Ways, way: usize, instance: usize, arguments: Vec<Rc<[TermId]>> },
    /// Another head over the same arguments.
    Exchange(Alternative),
    /// An expression of the seed.
    Expression(TermId),
}

impl Change {
    fn count(&self) -> u64 {
        match self {
            Change::Application { ways, way, instance, arguments } => {
                let indices = ways[*way][*instance].indices.len() as u64;
                arguments.iter().fold(indices, |product, choices| product.saturating_mul(choices.len() as u64))
            }
            Change::Exchange(_) | Change::Expression(_) => 1,
        }
    }
}

impl<'a> OneStep<'a> {
    /// The mutants of the seed that a chain begins with.
    pub(super) fn of(chain: Chain<'a>) -> Self {
        let way = chain.settings.way;
        let seed = chain.script.clone();
        let mut all = OneStep { chain, seed, groups: Vec::new(), starts: Vec::new(), count: 0 };
        let ways: &[Way] = match way {
            Way::Mixed => &[Way::Opfuzz, Way::Fuzzchick, Way::Typefuzz],
            Way::Typefuzz => &[Way::Typefuzz],
            Way::Opfuzz => &[Way::Opfuzz],
            Way::Fuzzchick => &[Way::Fuzzchick],
        };
        for &way in ways {
            let script = &all.chain.script;
            let occurrences = Occurrences::new(script, |terms, term| is_mutable(terms, term, way), may_enter);
            let found: Vec<(Position, TermId)> = (0..occurrences.total().min(MOST_POSITIONS))
                .filter_map(|number| occurrences.nth(script, may_enter, number))
                .collect();
            let mut groups: Vec<Group> = Vec::new();
            for (position, expr) in found {
                let changes = all.changes(way, &position, expr);
                groups.extend(changes.into_iter().map(|change| Group { position: position.clone(), expr, change }));
            }
            // Everywhere the nearest operators first: most are what OpFuzz's classes have.
            groups.sort_by_key(|group| match &group.change {
                Change::Exchange(alternative) => Some(alternative.nearness),
                _ => None,
            });
            for group in groups {
                all.starts.push(all.count);
                all.count = all.count.saturating_add(group.change.count());
                all.groups.push(group);
            }
        }
        all
    }

    /// What may be put at a position in this way.
    fn changes(&mut self, way: Way, position: &Position, expr: TermId) -> Vec<Change> {
        let scope = self.chain.scope(position);
        let sort = self.chain.script.terms.sort(expr);
        match way {
            Way::Opfuzz => {
                let Chain { alternatives, script, fragment, .. } = &mut self.chain;
                alternatives.of(&script.terms, expr, fragment).iter().cloned().map(Change::Exchange).collect()
            }
            Way::Fuzzchick => {
                let choices = self.chain.expressions.choices(sort, &self.chain.script.terms, &scope, Some(expr));
                choices.into_iter().map(Change::Expression).collect()
            }
            Way::Typefuzz | Way::Mixed => self.applications(sort, &scope),
        }
    }

    fn applications(&mut self, sort: Sort, scope: &Scope) -> Vec<Change> {
        let Chain { applications, expressions, script, fragment, .. } = &mut self.chain;
        let ways = applications.making(sort, expressions, fragment);
        let mut choices: FxHashMap<Sort, Rc<[TermId]>> = FxHashMap::default();
        let mut changes = Vec::new();
        for (way, instances) in ways.iter().enumerate() {
            for (instance, application) in instances.iter().enumerate() {
                let mut of = |&sort: &Sort| {
                    let all = || expressions.choices(sort, &script.terms, scope, None).into();
                    choices.entry(sort).or_insert_with(all).clone()
                };
                let arguments: Vec<Rc<[TermId]>> = application.parameters.iter().map(&mut of).collect();
                if arguments.iter().all(|choices| !choices.is_empty()) {
                    changes.push(Change::Application { ways: ways.clone(), way, instance, arguments });
                }
            }
        }
        changes
    }

    /// How many numbers there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mutant of a number, from 0; `None` if it is none.
    pub fn mutant(&mut self, number: u64) -> Option<Script> {
        let group = self.starts.partition_point(|&start| start <= number).checked_sub(1)?;
        let rest = number - self.starts[group];
        let Group { position, expr, change } = &self.groups[group];
        let (position, expr) = (position.clone(), *expr);
        let replacement = match change {
            Change::Expression(term) => Some(*term),
            Change::Exchange(alternative) => {
                let Alternative { head, indices, .. } = alternative.clone();
                self.chain.exchanged(expr, head, &indices)
            }
            Change::Application { ways, way, instance, arguments } => {
                let (ways, arguments) = (ways.clone(), arguments.clone());
                let application: &Application = &ways[*way][*instance];
                let (indices, arguments) = chosen(application, &arguments, rest);
                let sort = self.chain.script.terms.sort(expr);
                self.chain.applied(application, &indices, &arguments, sort)
            }
        }?;
        let before = (self.chain.seed.clone(), self.chain.logic);
        let mutant = self.chain.put(&position, expr, replacement).then(|| self.chain.script.compacted());
        (self.chain.seed, self.chain.logic) = before;
        if self.chain.script.terms.len() > MOST_GROWTH * self.seed.terms.len() {
            // The terms of the seed come first, and keep their numbers.
            self.chain.script.terms.clone_from(&self.seed.terms);
        }
        self.chain.script.commands.clone_from(&self.chain.seed);
        mutant
    }
}

/// The indices and arguments of a number: a digit for each, the last argument changes first.
fn chosen(application: &Application, choices: &[Rc<[TermId]>], number: u64) -> (Vec<u32>, Vec<TermId>) {
    let mut rest = number;
    let mut arguments: Vec<TermId> = Vec::with_capacity(choices.len());
    for each in choices.iter().rev() {
        let count = each.len() as u64;
        arguments.push(each[(rest % count) as usize]);
        rest /= count;
    }
    arguments.reverse();
    let indices = application.indices.get(rest as usize).or(application.indices.first());
    (indices.cloned().unwrap_or_default(), arguments)
}
