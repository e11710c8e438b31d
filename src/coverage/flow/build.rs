//! Compiles the functions and branches of a build's notes.

use std::path::Path;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::{ELSEWHERE, FlowMap};
use crate::coverage::branches::flow;
use crate::coverage::compiled::Compiled;
use crate::coverage::counts::LineSlot;
use crate::coverage::error::CoverageError;
use crate::coverage::functions::{notes_of, shown};
use crate::coverage::gcno;
use crate::coverage::graph::Form;
use crate::coverage::map::{CoverageMap, Unit};

/// A function of a unit, in a build's numbering.
struct UnitFunction {
    /// Its index in the coverage map; `None` if no counters of it reach us.
    index: Option<u32>,
    /// The file that it stands in, if that is one of the map, and its name.
    identity: Option<(u32, String)>,
    entry: Form,
    branches: Vec<ListedBranch>,
}

/// A branch of a line of the map.
struct ListedBranch {
    slot: LineSlot,
    position: u32,
    form: Form,
}

/// Reads and compiles the notes of all units of `map`.
pub(super) fn build(folder: &Path, map: &CoverageMap) -> Result<FlowMap, CoverageError> {
    let files: HashMap<&str, u32> = map.file_names().iter().map(String::as_str).zip(0..).collect();
    let compile = |unit: &Unit| functions_of(folder, map, unit, &files);
    let units: Vec<Vec<UnitFunction>> = map.units().par_iter().map(compile).collect::<Result<_, _>>()?;
    Ok(assemble(units, map))
}

/// The functions of one unit.
fn functions_of(
    folder: &Path,
    map: &CoverageMap,
    unit: &Unit,
    files: &HashMap<&str, u32>,
) -> Result<Vec<UnitFunction>, CoverageError> {
    let notes = notes_of(folder, unit, gcno::read)?;
    let file_of_source: Vec<Option<u32>> =
        notes.sources.iter().map(|name| files.get(shown(map, &notes.working_folder, name).as_str()).copied()).collect();
    let of_map = |flow: crate::coverage::branches::FunctionFlow| {
        let function = &notes.functions[flow.function as usize];
        let listed = flow.branches.into_iter().filter_map(|branch| {
            let slot = map.slot_in(file_of_source[branch.source as usize]?, branch.line)?;
            Some(ListedBranch { slot, position: branch.position, form: branch.form })
        });
        UnitFunction {
            index: map.function_of(unit, function.ident),
            identity: file_of_source[function.source as usize].map(|file| (file, function.name.clone())),
            entry: flow.entry,
            branches: listed.collect(),
        }
    };
    Ok(flow(&notes).into_iter().map(of_map).collect())
}

/// Numbers functions and branches, and puts everything into flat arrays.
fn assemble(units: Vec<Vec<UnitFunction>>, map: &CoverageMap) -> FlowMap {
    let mut lengths = vec![0u32; map.slots()];
    for branch in units.iter().flatten().flat_map(|function| &function.branches) {
        let length = &mut lengths[branch.slot.index()];
        *length = (*length).max(branch.position + 1);
    }
    let mut branch_start = vec![0];
    let mut branches = 0;
    for length in lengths {
        branches += length;
        branch_start.push(branches);
    }
    let mut numbers: HashMap<(u32, String), u32> = HashMap::new();
    let mut number_of_function = vec![ELSEWHERE; map.function_count()];
    let mut of_index: Vec<Option<UnitFunction>> = Vec::new();
    of_index.resize_with(map.function_count(), || None);
    for mut function in units.into_iter().flatten() {
        let next = numbers.len() as u32;
        let number = function.identity.take().map(|identity| *numbers.entry(identity).or_insert(next));
        // An ident that occurs twice means the last one, as for the map.
        if let Some(index) = function.index {
            number_of_function[index as usize] = number.unwrap_or(ELSEWHERE);
            of_index[index as usize] = Some(function);
        }
    }
    let functions = numbers.len() as u32;
    let mut compiled = Compiled { slots: branches + functions, ..Compiled::new() };
    for ((function, &number), index) in of_index.into_iter().zip(&number_of_function).zip(0..) {
        if let Some(UnitFunction { entry, branches: listed, .. }) = function {
            for ListedBranch { slot, position, form } in &listed {
                compiled.push_row(branch_start[slot.index()] + position, form);
            }
            if number != ELSEWHERE {
                compiled.push_row(branches + number, &entry);
            }
        }
        compiled.finish_function(map.counters_of(index) as u32);
    }
    FlowMap { fingerprint: map.fingerprint(), branch_start, number_of_function, functions, compiled }
}
