//! The entries and branches of a unit's functions, the way gcov lists them, as linear forms over counters.
//!
//! gcov lists the branches of a line: those out of every block of which some location ends there, function after
//! function and block after block. A block that ends on a line twice is listed twice. The functions of a group keep lists
//! of their own, as they keep lines of their own.

use hashbrown::HashMap;

use super::gcno::Notes;
use super::graph::{Form, Sum, solve};
use super::lines::{Entity, counted_functions};

/// What of one function may be executed, or not.
#[derive(Debug)]
pub(crate) struct FunctionFlow {
    /// Its index in [`Notes::functions`].
    pub(crate) function: u32,
    /// How often it is entered.
    pub(crate) entry: Form,
    pub(crate) branches: Vec<Branch>,
}

/// A branch as gcov lists it.
#[derive(Debug)]
pub(crate) struct Branch {
    /// Index in [`Notes::sources`].
    pub(crate) source: u32,
    pub(crate) line: u32,
    /// Where it stands in the line's list, from 0.
    pub(crate) position: u32,
    /// How often it is taken.
    pub(crate) form: Form,
}

/// The functions of a unit that gcov counts, in the order of the notes.
pub(crate) fn flow(notes: &Notes) -> Vec<FunctionFlow> {
    let mut listed: HashMap<Entity, u32> = HashMap::new();
    let mut sum = Sum::default();
    let of_function = |(index, entities): (usize, Vec<(Entity, super::lines::Blocks)>)| {
        let solved = solve(&notes.functions[index], &mut sum);
        let mut branches = Vec::new();
        for (entity, blocks) in entities {
            let (_, source, line) = entity;
            let next = listed.entry(entity).or_default();
            for form in blocks.ends.iter().flat_map(|&block| solved.branches(block)) {
                branches.push(Branch { source, line, position: *next, form: form.clone() });
                *next += 1;
            }
        }
        FunctionFlow { function: index as u32, entry: solved.block(0, &mut sum), branches }
    };
    counted_functions(notes).into_iter().map(of_function).collect()
}
