//! Counts how often the loops that lie within one line go round.
//!
//! A line such as `while (*p++);` is entered once and executed often. gcov counts it as entries plus
//! rounds, where rounds are taken off the elementary cycles of the line's blocks, one cycle after the
//! other, in the order of the search of K. A. Hawick and H. A. James, "Enumerating Circuits and Loops in
//! Graphs with Self-Arcs and Multiple-Arcs". The result depends on that order, so the search follows it.

/// An arc between two blocks of one line, and how often it may still be taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineArc {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) count: i64,
}

/// Deepest path that is followed; a chain of blocks on one line is far shorter.
const DEPTH_LIMIT: usize = 10_000;

struct Search<'a> {
    arcs: &'a mut [LineArc],
    start: u32,
    path: Vec<usize>,
    /// Blocked blocks, each with the blocks to unblock along with it.
    blocked: Vec<(u32, Vec<u32>)>,
    total: i64,
}

/// Total rounds of the cycles among `arcs`, searched from each of `blocks` in turn. `arcs` must ascend by
/// `from` and list the arcs of a block in the order in which gcov follows them; counts are used up.
pub(crate) fn rounds(blocks: &[u32], arcs: &mut [LineArc]) -> i64 {
    let mut total = 0i64;
    for &start in blocks {
        let mut search = Search { arcs: &mut *arcs, start, path: Vec::new(), blocked: Vec::new(), total: 0 };
        search.circuit(start);
        total = total.wrapping_add(search.total);
    }
    total
}

impl Search<'_> {
    fn leaving(&self, block: u32) -> std::ops::Range<usize> {
        let first = self.arcs.partition_point(|arc| arc.from < block);
        first..first + self.arcs[first..].partition_point(|arc| arc.from == block)
    }

    fn usable(&self, arc: usize) -> bool {
        self.arcs[arc].to >= self.start && self.arcs[arc].count > 0
    }

    fn position(&self, block: u32) -> Option<usize> {
        self.blocked.iter().position(|(blocked, _)| *blocked == block)
    }

    /// Follows every path from `block`; true when one closes a cycle at the start.
    fn circuit(&mut self, block: u32) -> bool {
        let mut found = false;
        self.blocked.push((block, Vec::new()));
        for arc in self.leaving(block) {
            if !self.usable(arc) {
                continue;
            }
            let to = self.arcs[arc].to;
            self.path.push(arc);
            if to == self.start {
                self.take_cycle();
                found = true;
            } else if self.path.len() < DEPTH_LIMIT
                && self.path.iter().all(|&arc| self.arcs[arc].count > 0)
                && self.position(to).is_none()
            {
                found |= self.circuit(to);
            }
            self.path.pop();
        }
        if found {
            self.unblock(block);
        } else {
            self.block_behind(block);
        }
        found
    }

    /// Takes the cycle on the path as often as its rarest arc allows.
    fn take_cycle(&mut self) {
        let times = self.path.iter().map(|&arc| self.arcs[arc].count).min().unwrap_or(0).max(0);
        self.total = self.total.wrapping_add(times);
        for &arc in &self.path {
            self.arcs[arc].count -= times;
        }
    }

    fn unblock(&mut self, block: u32) {
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            if let Some(position) = self.position(block) {
                let (_, behind) = self.blocked.remove(position);
                pending.extend(behind.into_iter().rev());
            }
        }
    }

    /// `block` led nowhere: it stays blocked until one of its successors is unblocked.
    fn block_behind(&mut self, block: u32) {
        for arc in self.leaving(block) {
            if !self.usable(arc) {
                continue;
            }
            if let Some(position) = self.position(self.arcs[arc].to) {
                let behind = &mut self.blocked[position].1;
                if !behind.contains(&block) {
                    behind.push(block);
                }
            }
        }
    }
}

/// Whether the arcs, given as `(from, to)`, close a cycle.
pub(crate) fn is_cyclic(arcs: &[(u32, u32)]) -> bool {
    let mut left: Vec<(u32, u32)> = arcs.to_vec();
    loop {
        // An arc into a block that nothing leaves is on no cycle.
        let sources: std::collections::BTreeSet<u32> = left.iter().map(|arc| arc.0).collect();
        let before = left.len();
        left.retain(|arc| sources.contains(&arc.1));
        if left.is_empty() || left.len() == before {
            return !left.is_empty();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc(from: u32, to: u32, count: i64) -> LineArc {
        LineArc { from, to, count }
    }

    #[test]
    fn a_self_loop_goes_round() {
        assert_eq!(rounds(&[2], &mut [arc(2, 2, 9)]), 9);
    }

    #[test]
    fn two_loops_through_one_block() {
        // 2 → 3 → 2 five times, 2 → 4 → 2 three times.
        let mut arcs = [arc(2, 3, 5), arc(2, 4, 3), arc(3, 2, 5), arc(4, 2, 3)];
        assert_eq!(rounds(&[2, 3, 4], &mut arcs), 8);
    }

    #[test]
    fn a_block_met_twice_is_searched_once_in_effect() {
        assert_eq!(rounds(&[2, 2], &mut [arc(2, 2, 4)]), 4);
    }

    #[test]
    fn cyclicity() {
        assert!(is_cyclic(&[(2, 3), (3, 4), (4, 2)]));
        assert!(is_cyclic(&[(5, 5)]));
        assert!(!is_cyclic(&[(2, 3), (2, 4), (3, 4)]));
        assert!(!is_cyclic(&[]));
    }
}
