//! Attributes a translation unit's blocks to source lines, the way gcov does, as linear forms over counters.
//!
//! A line that is the last of some block's location is counted by entries: the arcs that come in from blocks not on
//! the line, plus the rounds of loops within it. Any other line is the sum of its blocks. Functions that start on
//! the same line (templates, constructors: a *group*) keep lines of their own, which are summed in the end. What a
//! line is decided over the whole unit; the contributions are per function.

use hashbrown::{HashMap, HashSet};

use super::cycles::is_cyclic;
use super::gcno::{Function, Location, Notes};
use super::graph::{Form, Solved, Sum, solve};
use super::paths::lexical;

/// The counted functions of a unit. Source indices are those of [`Notes::sources`].
#[derive(Debug, Default)]
pub(crate) struct UnitLines {
    pub(crate) functions: Vec<FunctionLines>,
}

/// What one function contributes to lines.
#[derive(Debug, Default)]
pub(crate) struct FunctionLines {
    /// Its index in [`Notes::functions`].
    pub(crate) function: u32,
    /// The linear contributions. A row without terms says that the line exists.
    pub(crate) rows: Vec<LineRow>,
    /// The contributions of loops within a line.
    pub(crate) loops: Vec<LineLoop>,
}

/// Adds `form` to the count of a line.
#[derive(Debug)]
pub(crate) struct LineRow {
    pub(crate) source: u32,
    pub(crate) line: u32,
    pub(crate) form: Form,
}

/// Adds the rounds of a line's loops: see [`super::cycles::rounds`].
#[derive(Debug)]
pub(crate) struct LineLoop {
    pub(crate) source: u32,
    pub(crate) line: u32,
    pub(crate) blocks: Vec<u32>,
    /// `(from, to, count)`, ascending by `from`.
    pub(crate) arcs: Vec<(u32, u32, Form)>,
}

/// A line as gcov distinguishes them: the function for lines of a group, else [`SHARED`]; source; line.
pub(super) type Entity = (u32, u32, u32);
const SHARED: u32 = u32::MAX;

/// The blocks of one function that concern one entity.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// One entry for each mention of the line.
    mentions: Vec<u32>,
    /// One entry for each location that ends on the line, in the order of blocks.
    pub(super) ends: Vec<u32>,
}

/// Compiles a unit.
pub(crate) fn attribute(notes: &Notes) -> UnitLines {
    let functions = counted_functions(notes);
    let all = functions.iter().flat_map(|(_, entities)| entities);
    let ended: HashSet<Entity> = all.filter(|(_, blocks)| !blocks.ends.is_empty()).map(|(entity, _)| *entity).collect();
    let mut sum = Sum::default();
    let compile = |(index, entities): (usize, Vec<(Entity, Blocks)>)| {
        let solved = solve(&notes.functions[index], &mut sum);
        let mut lines = FunctionLines { function: index as u32, ..FunctionLines::default() };
        for (entity, blocks) in entities {
            let (_, source, line) = entity;
            if ended.contains(&entity) {
                let form = entries(&solved, &blocks.ends, &mut sum);
                lines.rows.push(LineRow { source, line, form });
                lines.loops.extend(line_loop(&solved, &blocks.ends, source, line));
            } else {
                for &block in &blocks.mentions {
                    let form = solved.block(block, &mut sum);
                    lines.rows.push(LineRow { source, line, form });
                }
            }
        }
        lines
    };
    UnitLines { functions: functions.into_iter().map(compile).collect() }
}

/// The functions that gcov counts, by their index in [`Notes::functions`], each with its lines.
pub(super) fn counted_functions(notes: &Notes) -> Vec<(usize, Vec<(Entity, Blocks)>)> {
    let same = same_sources(&notes.sources);
    let groups = groups(notes, &same);
    let counted =
        notes.functions.iter().enumerate().filter(|(_, function)| !function.artificial && function.counters() > 0);
    counted
        .map(|(index, function)| {
            let group = groups.contains(&(same[function.source as usize], function.start_line));
            (index, entities(function, index as u32, group, &same))
        })
        .collect()
}

/// For each source the first one whose name means the same file: `./a.h` and `a.h`.
fn same_sources(sources: &[String]) -> Vec<u32> {
    let mut first = HashMap::new();
    let index_of = |(index, name): (usize, &String)| *first.entry(lexical(name)).or_insert(index as u32);
    sources.iter().enumerate().map(index_of).collect()
}

/// The source and first line of each group.
fn groups(notes: &Notes, same: &[u32]) -> HashSet<(u32, u32)> {
    let mut seen = HashSet::new();
    let starts = notes.functions.iter().filter(|function| !function.artificial);
    starts
        .map(|function| (same[function.source as usize], function.start_line))
        .filter(|&start| !seen.insert(start))
        .collect()
}

/// The entities of a function with their blocks, in order of source and line.
fn entities(function: &Function, index: u32, group: bool, same: &[u32]) -> Vec<(Entity, Blocks)> {
    let own = same[function.source as usize];
    let mut locations: Vec<&Location> = function.locations.iter().collect();
    locations.sort_by_key(|location| location.block);
    let mut found: HashMap<Entity, Blocks> = HashMap::new();
    for of_block in locations.chunk_by(|left, right| left.block == right.block) {
        let block = of_block[0].block;
        // As in gcov, a location without lines ends where the one before it did.
        let mut last: Option<Entity> = None;
        for location in of_block {
            let source = same[location.source as usize];
            let mut lines = location.lines.clone();
            lines.sort_unstable();
            for line in lines {
                let grouped = group && source == own && (function.start_line..=function.end_line).contains(&line);
                let entity = (if grouped { index } else { SHARED }, source, line);
                found.entry(entity).or_default().mentions.push(block);
                last = Some(entity);
            }
            let inner = block != 0 && block + 1 != function.blocks;
            if let Some(entity) = last.filter(|_| inner) {
                found.entry(entity).or_default().ends.push(block);
            }
        }
    }
    let mut entities: Vec<_> = found.into_iter().collect();
    entities.sort_unstable_by_key(|(entity, _)| *entity);
    entities
}

/// How often the line of `blocks` is entered from elsewhere. A block listed twice counts twice.
fn entries(solved: &Solved<'_>, blocks: &[u32], sum: &mut Sum) -> Form {
    for &block in blocks {
        for &arc in &solved.entering[block as usize] {
            // `blocks` ascends: blocks are visited in order.
            if blocks.binary_search(&solved.from(arc)).is_err() {
                sum.add(&solved.arcs[arc as usize], 1);
            }
        }
    }
    sum.finish()
}

/// The loops among `blocks`, if there are any.
fn line_loop(solved: &Solved<'_>, blocks: &[u32], source: u32, line: u32) -> Option<LineLoop> {
    let mut distinct = blocks.to_vec();
    distinct.dedup();
    let mut inner = Vec::new();
    for &block in &distinct {
        let leaving = solved.leaving[block as usize].iter();
        inner.extend(leaving.copied().filter(|&arc| distinct.binary_search(&solved.to(arc)).is_ok()));
    }
    let ends: Vec<(u32, u32)> = inner.iter().map(|&arc| (solved.from(arc), solved.to(arc))).collect();
    if !is_cyclic(&ends) {
        return None;
    }
    let arcs = inner.iter().zip(ends).map(|(&arc, (from, to))| (from, to, solved.arcs[arc as usize].clone())).collect();
    Some(LineLoop { source, line, blocks: blocks.to_vec(), arcs })
}
