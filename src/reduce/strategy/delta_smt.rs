//! `DeltaSMT` (section 3 of its paper): a new root from the boolean layer, substitution in breadth, a new root.
//!
//! What the paper leaves open is decided here by its words. Its DAG has one root; here that is the conjunction of all
//! assertions, whose boolean children they are. A chain is skipped as a whole: only the node at its end is tried, and only if
//! it has the sort of the node that it stands for. A candidate that is no smaller (one constant for another) is not tried.

mod nodes;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::reduce::edit::{Draft, Edit};
use crate::reduce::search::{Search, Stop};
use crate::reduce::terms::{Kind, can_stand_for, levels};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{Head, TermId};
use nodes::{Node, Nodes};

impl Search<'_> {
    /// The three phases, one node and one replacement at a time, as published.
    ///
    /// # Errors
    /// [`Stop`]
    pub(super) fn by_delta_smt(&mut self) -> Result<(), Stop> {
        self.search_boolean_layer()?;
        self.substitute_in_breadth()?;
        self.find_new_root()
    }

    /// Replaces the root by one of its boolean children, while that keeps the property.
    fn search_boolean_layer(&mut self) -> Result<(), Stop> {
        loop {
            let roots: Vec<TermId> = self.best().assertions().collect();
            let children: Vec<TermId> = match roots[..] {
                [root] => boolean_children(self.best(), root),
                _ => roots,
            };
            let candidates: Vec<Script> = children.into_iter().map(|child| asserting(self.best(), child)).collect();
            if self.first(candidates)?.is_none() {
                return Ok(());
            }
        }
    }

    /// Each node in breadth: by zero, by one, by a child of its sort, by the end of a chain. Nodes that a substitution
    /// makes (those above it) go to the end of the queue; a node that was tried is not tried again.
    fn substitute_in_breadth(&mut self) -> Result<(), Stop> {
        let mut nodes = Nodes::default();
        let mut queue: VecDeque<Node> = VecDeque::new();
        let mut queued: FxHashSet<Node> = FxHashSet::default();
        loop {
            // Accepting compacts the arena, so that the nodes have new ids.
            let numbers = nodes.of(&self.best().terms);
            let reached = levels(self.best()).concat();
            queue.extend(reached.iter().map(|term| numbers[term.0 as usize]).filter(|&node| queued.insert(node)));
            let places = nodes::places(&numbers, &reached);
            loop {
                let Some(node) = queue.pop_front() else { return Ok(()) };
                // One that is gone was substituted, or stood below what was.
                let Some(&term) = places.get(&node) else { continue };
                let mut draft = Draft::new(self.best());
                let edits = substitutes(&mut draft, term);
                if self.first(edits.iter().map(|&edit| draft.with(&[edit])))?.is_some() {
                    break;
                }
            }
        }
    }

    /// Replaces the root by any boolean node that occurs deeper.
    fn find_new_root(&mut self) -> Result<(), Stop> {
        loop {
            let roots: Vec<TermId> = self.best().assertions().collect();
            let is_root = |node: &TermId| roots[..] == [*node];
            let deeper: Vec<TermId> = levels(self.best()).into_iter().flatten().filter(|node| !is_root(node)).collect();
            let boolean = deeper
                .into_iter()
                .filter(|&node| self.best().terms.sort(node) == Sort::BOOL && self.best().terms.is_closed(node));
            let candidates: Vec<Script> = boolean.map(|node| asserting(self.best(), node)).collect();
            if self.first(candidates)?.is_none() {
                return Ok(());
            }
        }
    }
}

/// What may stand for a node, in the order in which it is tried: zero and one of its sort (`false` and `true`; of a
/// bit-vector of any width 0 and 1; an array, a function and a declared sort have none), each child of its sort, and the
/// end of each chain that begins at a child.
fn substitutes(draft: &mut Draft, term: TermId) -> Vec<Edit> {
    let mut edits = Kind::Constant.edits(draft, term);
    if draft.script.terms.sort(term) == Sort::BOOL {
        // Elsewhere `true` is the simpler one: an assertion of it goes.
        edits.reverse();
    }
    edits.extend(Kind::Argument.edits(draft, term));
    let script = &draft.script;
    let ends = script.terms.arguments(term).iter().filter_map(|&child| end_of_chain(script, child));
    for end in ends.filter(|&end| can_stand_for(script, end, term)) {
        let edit = Edit::Replace(term, end);
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }
    edits
}

/// The node below all applications of one argument and all writes to an array that stand directly on one another from
/// `first` on; `None` if `first` is neither.
fn end_of_chain(script: &Script, first: TermId) -> Option<TermId> {
    let mut end = first;
    while let Some(next) = skipped(script, end) {
        end = next;
    }
    (end != first).then_some(end)
}

/// What a link of a chain is applied to: the argument of an application of one, the array that is written to.
fn skipped(script: &Script, link: TermId) -> Option<TermId> {
    let parts = script.terms.parts(link);
    match (parts.head, parts.arguments) {
        (Head::Operator(_) | Head::Function(_) | Head::Verbatim(_), &[only]) => Some(only),
        (Head::Operator(op), &[array, _, _]) if op.name() == "store" => Some(array),
        _ => None,
    }
}

fn boolean_children(script: &Script, root: TermId) -> Vec<TermId> {
    let terms = &script.terms;
    let is_boolean = |&child: &TermId| terms.sort(child) == Sort::BOOL && terms.is_closed(child);
    terms.arguments(root).iter().copied().filter(is_boolean).collect()
}

/// The script with `root` as its only assertion, in the place of the first.
fn asserting(script: &Script, root: TermId) -> Script {
    let mut script = script.clone();
    let mut first = true;
    script.commands.retain_mut(|command| {
        let Command::Assert(term) = command else { return true };
        *term = root;
        std::mem::replace(&mut first, false)
    });
    crate::operator::declarations::drop_unused(&mut script);
    script
}
