//! Fewer commands: which assertions the property needs, and what else of the script.

use rustc_hash::{FxHashMap, FxHashSet};

use super::edit::{Draft, Edit};
use super::search::{Search, Stop};
use crate::operator::declarations;
use crate::smtlib::script::{Command, Script};
use crate::smtlib::symbol::Symbol;

/// Up to so many groups each is tried alone: that costs one accepted step and many refused ones. More are halved first:
/// that costs more accepted steps, but few in all.
const TRY_EACH: usize = 32;

/// A set of commands that go together, by their indices.
type Group = Vec<usize>;

impl Search<'_> {
    /// Keeps as few assertions as the property needs: first of the groups that share no variable with each other, then
    /// one by one. Parts are kept before complements are: a defect is mostly in one place.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn narrow_assertions(&mut self) -> Result<(), Stop> {
        let groups = connected(self.best());
        if groups.len() > 1 {
            self.narrow(groups)?;
        }
        let each = declarations::assertion_indices(self.best()).into_iter().map(|index| vec![index]).collect();
        self.narrow(each)
    }

    /// Drops what other commands than assertions and declarations the property does not need; the logic too, unless
    /// `keep_logic`.
    ///
    /// # Errors
    /// [`Stop`]
    pub fn drop_commands(&mut self, keep_logic: bool) -> Result<(), Stop> {
        let draft = Draft::new(self.best());
        let droppable = |command: &Command| match command {
            Command::SetLogic(_) => !keep_logic,
            Command::Assert(_) | Command::Declare(_) => false,
            _ => true,
        };
        let commands = draft.script.commands.iter().enumerate();
        // From the end: what closes or asks goes before what opens or says.
        let edits: Vec<Edit> =
            commands.filter(|(_, command)| droppable(command)).map(|(index, _)| Edit::Drop(index)).rev().collect();
        self.make(&draft, &edits).map(|_| ())
    }

    fn narrow(&mut self, groups: Vec<Group>) -> Result<(), Stop> {
        let draft = Draft::new(self.best());
        let assertions = declarations::assertion_indices(&draft.script);
        let keeping = |kept: &[Group]| -> Script {
            let kept: FxHashSet<usize> = kept.iter().flatten().copied().collect();
            let dropped = assertions.iter().filter(|index| !kept.contains(index));
            draft.with(&dropped.map(|&index| Edit::Drop(index)).collect::<Vec<_>>())
        };
        let mut groups = groups;
        let mut parts = 2;
        while groups.len() > 1 {
            if parts == 2 && groups.len() <= TRY_EACH {
                if let Some(found) = self.first(groups.iter().map(|group| keeping(std::slice::from_ref(group))))? {
                    groups = vec![groups.swap_remove(found)];
                    continue;
                }
                if groups.len() == 2 {
                    return Ok(());
                }
            }
            let chunks: Vec<Vec<Group>> = groups.chunks(groups.len().div_ceil(parts)).map(<[Group]>::to_vec).collect();
            if groups.len() > TRY_EACH
                && let Some(found) = self.first(chunks.iter().map(|chunk| keeping(chunk)))?
            {
                groups.clone_from(&chunks[found]);
                parts = 2;
                continue;
            }
            let without = |skipped: usize| -> Vec<Group> {
                let others = chunks.iter().enumerate().filter(|(index, _)| *index != skipped);
                others.flat_map(|(_, chunk)| chunk.iter().cloned()).collect()
            };
            let complements: Vec<Vec<Group>> = (0..chunks.len()).map(without).collect();
            if let Some(found) = self.first(complements.iter().map(|kept| keeping(kept)))? {
                groups.clone_from(&complements[found]);
                parts = (parts - 1).max(2);
            } else if parts < groups.len() {
                parts = (parts * 2).min(groups.len());
            } else {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The assertions, in groups that share no declared symbol with each other.
fn connected(script: &Script) -> Vec<Group> {
    let mut owner: FxHashMap<Symbol, usize> = FxHashMap::default();
    let indices = declarations::assertion_indices(script);
    let mut parents: Vec<usize> = (0..indices.len()).collect();
    for (number, &index) in indices.iter().enumerate() {
        let Command::Assert(root) = script.commands[index] else { continue };
        #[expect(clippy::iter_over_hash_type, reason = "groups do not depend on the order in which they are joined")]
        for symbol in declarations::symbols_under(script, std::iter::once(root)) {
            let other = *owner.entry(symbol).or_insert(number);
            let (one, other) = (root_of(&mut parents, number), root_of(&mut parents, other));
            // The older one leads, so that groups stand in the order of the script.
            parents[one.max(other)] = one.min(other);
        }
    }
    let mut groups: Vec<Group> = vec![Vec::new(); indices.len()];
    for (number, &index) in indices.iter().enumerate() {
        groups[root_of(&mut parents, number)].push(index);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn root_of(parents: &mut [usize], mut number: usize) -> usize {
    while parents[number] != number {
        parents[number] = parents[parents[number]];
        number = parents[number];
    }
    number
}
