//! Solves a function's flow graph: the count of every arc and block as a linear form over the function's counters.

use super::gcno::Function;

/// A sparse linear form: `(counter, coefficient)`, ascending by counter, no coefficient zero.
/// Counters are numbered within the function.
pub(crate) type Form = Vec<(u32, i32)>;

/// A function's flow graph with the form of each arc.
#[derive(Debug)]
pub(crate) struct Solved<'a> {
    function: &'a Function,
    /// The form of each arc of `function.arcs`.
    pub(crate) arcs: Vec<Form>,
    /// Indices of arcs that leave each block, in the order in which gcov follows them.
    pub(crate) leaving: Vec<Vec<u32>>,
    /// Indices of arcs that enter each block.
    pub(crate) entering: Vec<Vec<u32>>,
}

/// Sums forms. Holds its scratch memory between uses.
#[derive(Debug, Default)]
pub(crate) struct Sum {
    coefficients: Vec<i32>,
    touched: Vec<u32>,
}

impl Sum {
    /// Adds `factor` times `form`.
    pub(crate) fn add(&mut self, form: &Form, factor: i32) {
        for &(counter, coefficient) in form {
            let index = counter as usize;
            if index >= self.coefficients.len() {
                self.coefficients.resize(index + 1, 0);
            }
            if self.coefficients[index] == 0 {
                self.touched.push(counter);
            }
            self.coefficients[index] = self.coefficients[index].wrapping_add(factor.wrapping_mul(coefficient));
        }
    }

    /// The sum since the last call.
    pub(crate) fn finish(&mut self) -> Form {
        self.touched.sort_unstable();
        self.touched.dedup();
        let mut form = Form::with_capacity(self.touched.len());
        for &counter in &self.touched {
            let coefficient = std::mem::take(&mut self.coefficients[counter as usize]);
            if coefficient != 0 {
                form.push((counter, coefficient));
            }
        }
        self.touched.clear();
        form
    }
}

/// Solves the graph of `function`, whose arcs ascend by source block.
///
/// Arcs off the spanning tree are counters, numbered in that order. Every block except entry and exit
/// is left as often as it is entered; with the arcs of the tree unknown, some block always has one
/// unknown arc only, until all are solved. The solution is unique, so it is gcov's, whatever the order.
/// An arc that cannot be solved (in a damaged file) keeps the empty form, as gcov leaves it 0.
pub(crate) fn solve<'a>(function: &'a Function, sum: &mut Sum) -> Solved<'a> {
    let blocks = function.blocks as usize;
    let mut solved = Solved {
        function,
        arcs: Vec::with_capacity(function.arcs.len()),
        leaving: vec![Vec::new(); blocks],
        entering: vec![Vec::new(); blocks],
    };
    let mut unknown = vec![0u32; blocks];
    let mut known = Vec::with_capacity(function.arcs.len());
    let mut counter = 0;
    for (index, arc) in function.arcs.iter().enumerate() {
        solved.leaving[arc.from as usize].push(index as u32);
        solved.entering[arc.to as usize].push(index as u32);
        known.push(!arc.on_tree);
        if arc.on_tree {
            unknown[arc.from as usize] += 1;
            unknown[arc.to as usize] += 1;
            solved.arcs.push(Form::new());
        } else {
            solved.arcs.push(vec![(counter, 1)]);
            counter += 1;
        }
    }
    let mut ready: Vec<u32> = (2..function.blocks).filter(|&block| unknown[block as usize] == 1).collect();
    while let Some(block) = ready.pop() {
        let Some((arc, form)) = solved.only_unknown(block, &known, sum) else { continue };
        solved.arcs[arc as usize] = form;
        known[arc as usize] = true;
        let ends = function.arcs[arc as usize];
        for end in [ends.from, ends.to] {
            unknown[end as usize] -= 1;
            if end >= 2 && unknown[end as usize] == 1 {
                ready.push(end);
            }
        }
    }
    for leaving in &mut solved.leaving {
        leaving.sort_by_key(|&arc| function.arcs[arc as usize].to); // stable, as gcov's own sort is
    }
    solved
}

impl Solved<'_> {
    /// The one arc at `block` that is not known yet, and its form by the balance of the block.
    fn only_unknown(&self, block: u32, known: &[bool], sum: &mut Sum) -> Option<(u32, Form)> {
        let leaving = &self.leaving[block as usize];
        let entering = &self.entering[block as usize];
        let mut open = leaving.iter().chain(entering).filter(|&&arc| !known[arc as usize]);
        let (&arc, None) = (open.next()?, open.next()) else { return None };
        let leaves = self.function.arcs[arc as usize].from == block;
        for &other in leaving {
            sum.add(&self.arcs[other as usize], if leaves { -1 } else { 1 });
        }
        for &other in entering {
            sum.add(&self.arcs[other as usize], if leaves { 1 } else { -1 });
        }
        Some((arc, sum.finish()))
    }

    /// The form of how often `block` is executed.
    pub(crate) fn block(&self, block: u32, sum: &mut Sum) -> Form {
        let leaving = &self.leaving[block as usize];
        let side = if leaving.is_empty() { &self.entering[block as usize] } else { leaving };
        for &arc in side {
            sum.add(&self.arcs[arc as usize], 1);
        }
        sum.finish()
    }

    /// The branches out of `block`, as gcov has them: its arcs, if there are two or more that are not fake, in the order
    /// in which gcov lists them. The fake arc of a call that may not return is none, but the arc along which a call throws
    /// is one.
    pub(crate) fn branches(&self, block: u32) -> impl Iterator<Item = &Form> {
        let leaving = self.leaving[block as usize].iter().map(|&arc| arc as usize);
        let real = leaving.filter(|&arc| !self.function.arcs[arc].fake);
        let branches = real.clone().nth(1).is_some();
        real.filter(move |_| branches).map(|arc| &self.arcs[arc])
    }

    /// The block that `arc` comes from.
    pub(crate) fn from(&self, arc: u32) -> u32 {
        self.function.arcs[arc as usize].from
    }

    /// The block that `arc` goes to.
    pub(crate) fn to(&self, arc: u32) -> u32 {
        self.function.arcs[arc as usize].to
    }
}

#[cfg(test)]
mod tests {
    use super::super::gcno::Arc;
    use super::*;

    fn arc(from: u32, to: u32, on_tree: bool) -> Arc {
        Arc { from, to, on_tree, fake: false }
    }

    /// entry → 2; 2 → 3 (counter 0) or 2 → 4; 3 → 4; 4 → exit (counter 1).
    #[test]
    fn a_branch_is_solved() {
        let arcs = vec![arc(0, 2, true), arc(2, 3, false), arc(2, 4, true), arc(3, 4, true), arc(4, 1, false)];
        let function = Function { blocks: 5, arcs, ..Function::default() };
        let mut sum = Sum::default();
        let solved = solve(&function, &mut sum);
        assert_eq!(solved.arcs[3], vec![(0, 1)]);
        assert_eq!(solved.arcs[2], vec![(0, -1), (1, 1)]);
        assert_eq!(solved.arcs[0], vec![(1, 1)]);
        assert_eq!(solved.block(2, &mut sum), vec![(1, 1)]);
        assert_eq!(solved.block(3, &mut sum), vec![(0, 1)]);
        assert_eq!(solved.block(1, &mut sum), vec![(1, 1)]);
        let branches: Vec<&Form> = solved.branches(2).collect();
        assert_eq!(branches, [&vec![(0, 1)], &vec![(0, -1), (1, 1)]]);
        assert_eq!(solved.branches(3).count(), 0);
    }

    /// 2 is a call: it returns to 3, or not at all; 3 is a call that throws to 4 besides.
    #[test]
    fn a_call_that_may_throw_branches_and_one_that_may_not_return_does_not() {
        let fake = |from| Arc { fake: true, ..arc(from, 1, false) };
        let arcs = vec![
            arc(0, 2, true),
            fake(2),
            arc(2, 3, true),
            fake(3),
            arc(3, 4, false),
            arc(3, 5, true),
            arc(4, 5, true),
            arc(5, 1, false),
        ];
        let function = Function { blocks: 6, arcs, ..Function::default() };
        let solved = solve(&function, &mut Sum::default());
        assert_eq!([2, 3, 4].map(|block| solved.branches(block).count()), [0, 2, 0]);
    }
}
