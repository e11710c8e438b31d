//! TypeFuzz: an expression gives way to a new one, an operator over expressions of the seed (Algorithm 2).

use super::Chain;
use super::applications::Application;
use super::scope::Scope;
use crate::random::{FuzzRng, pick, repeats};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Parts, TermId};

/// The chance of each further argument where an operator takes any number of them, and the user allows it.
const FURTHER: f64 = 0.3;
/// Most of them: one term in 10¹⁶ would have more.
const MOST_FURTHER: usize = 30;

impl Chain<'_> {
    /// `GetReplacee`: an operator drawn uniformly from those that make `sort`, with arguments drawn uniformly from the
    /// expressions of the seed that are locally compatible. `None` where there are none, or where the solvers would not
    /// accept it.
    ///
    /// Line 14 of Algorithm 2 keeps the replaced expression out of its own replacement, yet Example 3.4 of the same paper
    /// wraps it into one: Figure 3b could not be made otherwise. The example is followed.
    pub(super) fn generated(&mut self, sort: Sort, scope: &Scope, rng: &mut FuzzRng) -> Option<TermId> {
        let ways = self.applications.making(sort, &self.expressions, self.fragment);
        let instances = pick(rng, &ways)?;
        let application = pick(rng, instances)?;
        let mut arguments = Vec::with_capacity(application.parameters.len());
        for &parameter in &application.parameters {
            arguments.push(self.argument(parameter, scope, rng)?);
        }
        if let (Some(further), true) = (application.further, self.settings.more_arguments) {
            for _ in 0..repeats(rng, FURTHER, MOST_FURTHER) {
                let before_last = arguments.len() - 1;
                arguments.insert(before_last, self.argument(further, scope, rng)?);
            }
        }
        let indices = pick(rng, &application.indices)?;
        self.applied(application, indices, &arguments, sort)
    }

    fn argument(&self, sort: Sort, scope: &Scope, rng: &mut FuzzRng) -> Option<TermId> {
        self.expressions.draw(sort, &self.script.terms, scope, None, rng)
    }

    /// The application as a term, if the solvers accept it.
    pub(super) fn applied(
        &mut self,
        application: &Application,
        indices: &[u32],
        arguments: &[TermId],
        sort: Sort,
    ) -> Option<TermId> {
        self.accepted(Parts { head: application.head, sort, arguments, words: indices, binders: &[] })
    }
}
