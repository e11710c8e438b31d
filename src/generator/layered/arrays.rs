//! Arrays of bit-vectors: reads and writes that the main layers interleave with, and equalities of arrays.

use super::bit_vectors::as_bit;
use super::build::{Build, operator};
use super::nodes::Wanted;
use super::parameters::Parameters;
use super::part::Part;
use crate::random::{below, between};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::signature::Op;
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::TermId;

/// The part of a logic that has arrays.
#[derive(Debug)]
pub(super) struct Arrays {
    select: Op,
    store: Op,
}

impl Arrays {
    /// Arrays, whose only operators every solver of them has.
    pub(super) fn of(_: &Fragment, _: &Parameters) -> Box<dyn Part> {
        let [select, store] = ["select", "store"].map(operator);
        Box::new(Arrays { select, store })
    }

    fn sort(build: &mut Build<'_>) -> Sort {
        let (index, element) = (build.parameters.draw_width(build.rng), build.parameters.draw_width(build.rng));
        Sort::array(Sort::bit_vec(index), Sort::bit_vec(element))
    }

    /// `write(a, i, e)` of random terms.
    fn write(&self, build: &mut Build<'_>) -> Option<TermId> {
        let array = build.draw(any())?;
        let (index, element) = sides(build.terms.sort(array))?;
        let (index, element) = (build.argument(index)?, build.argument(element)?);
        build.apply(self.store, &[], &[array, index, element])
    }

    /// `read(a, i)` of random terms.
    fn read(&self, build: &mut Build<'_>) -> Option<TermId> {
        let array = build.draw(any())?;
        let (index, _) = sides(build.terms.sort(array))?;
        let index = build.argument(index)?;
        build.apply(self.select, &[], &[array, index])
    }

    /// An equality of two arrays of one sort, or its negation.
    fn equality(build: &mut Build<'_>) -> Option<TermId> {
        let one = build.draw(any())?;
        let other = build.draw(Wanted::Sort(build.terms.sort(one)))?;
        let name = if below(build.rng, 2) == 0 { "=" } else { "distinct" };
        build.named(name, &[one, other])
    }
}

impl Part for Arrays {
    fn inputs(&self, build: &mut Build<'_>) {
        for _ in 0..between(build.rng, build.parameters.min_arrays, build.parameters.max_arrays) {
            let sort = Arrays::sort(build);
            build.add_variable(&stem(sort), sort);
        }
        let Parameters { min_reads, max_reads, min_writes, max_writes, .. } = *build.parameters;
        let Parameters { min_array_equalities, max_array_equalities, .. } = *build.parameters;
        build.due.reads = between(build.rng, min_reads, max_reads);
        build.due.writes = between(build.rng, min_writes, max_writes);
        // One half are used as bits, the other as predicates.
        let equalities = between(build.rng, min_array_equalities, max_array_equalities);
        build.due.equalities = equalities.div_ceil(2);
        build.due.late_equalities = equalities / 2;
    }

    fn constants(&self, build: &mut Build<'_>) {
        build.due.reads = between(build.rng, 1, 2);
        build.due.writes = between(build.rng, 0, 2);
    }

    fn counts(&self, _: Sort) -> bool {
        false
    }

    fn term(&self, _: &mut Build<'_>) -> Option<TermId> {
        None
    }

    fn predicate(&self, _: &mut Build<'_>) -> Option<TermId> {
        None
    }

    fn argument(&self, sort: Sort, build: &mut Build<'_>) -> Option<TermId> {
        sides(sort)?;
        build.draw(Wanted::Sort(sort))
    }

    fn literal(&self, _: Sort, _: &mut Build<'_>) -> Option<TermId> {
        None
    }

    fn some_sort(&self, build: &mut Build<'_>) -> Option<Sort> {
        Some(Arrays::sort(build))
    }

    fn has_values(&self) -> bool {
        false
    }

    fn interleaves(&self) -> bool {
        true
    }

    /// Half of what is due: writes, then the equalities that become bits, then reads, so that reads occur in the indices
    /// and elements of writes and the other way round.
    fn between(&self, build: &mut Build<'_>) -> bool {
        let half = |due: u32| due.div_ceil(2);
        let due = build.due;
        let as_bits = half(due.equalities);
        for _ in 0..half(due.writes) {
            if let Some(term) = self.write(build) {
                build.add(term);
            }
        }
        for _ in 0..as_bits {
            if let Some(term) = Arrays::equality(build).and_then(|equality| as_bit(equality, build)) {
                build.add(term);
            }
        }
        for _ in 0..half(due.reads) {
            if let Some(term) = self.read(build) {
                build.add(term);
            }
        }
        build.due.writes -= half(due.writes);
        build.due.reads -= half(due.reads);
        build.due.equalities -= as_bits;
        build.due.writes + build.due.reads + build.due.equalities > 0
    }

    fn last_predicates(&self, build: &mut Build<'_>) {
        for _ in 0..build.due.late_equalities {
            let equality = Arrays::equality(build);
            build.predicates.extend(equality);
        }
    }
}

/// The names of variables of a sort of arrays: `a8_4`.
fn stem(sort: Sort) -> String {
    let width = |sort: Sort| sort.expression().indices.first().copied().unwrap_or_default();
    sides(sort).map_or_else(String::new, |(index, element)| format!("a{}_{}", width(index), width(element)))
}

/// Any array.
fn any() -> Wanted {
    Wanted::Named(Symbol::new("Array"))
}

/// The sorts of indices and elements.
fn sides(sort: Sort) -> Option<(Sort, Sort)> {
    let expression = sort.expression();
    match expression.arguments[..] {
        [index, element] if expression.name.as_str() == "Array" => Some((index, element)),
        _ => None,
    }
}
