//! `DeltaSMT` (section 3 of its paper): a new root from the boolean layer, substitution in breadth, a new root.

use std::collections::VecDeque;

use crate::reduce::edit::{Draft, Edit};
use crate::reduce::search::{Search, Stop};
use crate::reduce::terms::{Kind, levels};
use crate::smtlib::script::{Command, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::term::TermId;

impl Search<'_> {
    /// The three phases, one node and one replacement at a time, as published. The root is the conjunction of all
    /// assertions, so that its children come first.
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

    /// Each node in breadth: by zero, by one, by a child of its sort, by the end of a chain. What is new is queued.
    fn substitute_in_breadth(&mut self) -> Result<(), Stop> {
        let mut queue: VecDeque<TermId> = levels(self.best()).concat().into();
        while let Some(node) = queue.pop_front() {
            let mut draft = Draft::new(self.best());
            let mut edits = Kind::Constant.edits(&mut draft, node);
            edits.extend(Kind::Argument.edits(&mut draft, node));
            edits.extend(Kind::Descendant.edits(&mut draft, node).into_iter().last());
            if self.first(edits.iter().map(|&edit: &Edit| draft.with(&[edit])))?.is_some() {
                // Accepting compacts the arena, so that the nodes have new ids: the queue begins again, and what was
                // refused before is known.
                queue = levels(self.best()).concat().into();
            }
        }
        Ok(())
    }

    /// Replaces the root by any boolean node that occurs deeper.
    fn find_new_root(&mut self) -> Result<(), Stop> {
        loop {
            let deeper: Vec<TermId> = levels(self.best()).into_iter().skip(1).flatten().collect();
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
