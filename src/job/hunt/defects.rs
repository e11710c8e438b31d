//! The defects of a hunt in the order in which they were found, and by what a finding is told to be one of them.

use std::collections::HashMap;

use crate::hunt::Found;
use crate::hunt::likeness::Likeness;
use crate::hunt::outcome::{Defect, Seen};
use crate::hunt::plainest::options;
use crate::oracle::correctness::{Kind, programs};

/// What makes a defect another one before it is made small: the kind, the solvers without their options, the place of a
/// crash, and the seed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    kind: Kind,
    solvers: Vec<String>,
    place: String,
    seed: String,
}

impl Key {
    /// By what a finding is told before it is made small.
    pub(super) fn of(found: &Found) -> Key {
        let (kind, solvers, place) = found.key();
        Key { kind, solvers, place, seed: found.case.seed.clone() }
    }
}

/// The defects.
#[derive(Debug, Default)]
pub(super) struct Defects {
    list: Vec<Defect>,
    /// What is known to show which, and the same in the order in which it was learned.
    known: HashMap<Key, usize>,
    order: Vec<(Key, usize)>,
    shapes: HashMap<(Kind, Vec<String>, String), usize>,
    alike: HashMap<Likeness, String>,
    /// On which instance each was shown last.
    shown: HashMap<usize, (String, u32)>,
    unsettled: Unsettled,
}

/// What was done since all was counted last.
#[derive(Debug, Default)]
struct Unsettled {
    /// Of the list and of the order: where what is new begins.
    defects: usize,
    keys: usize,
    /// Which defects were met again, each as often as it was.
    repeated: Vec<usize>,
}

impl Defects {
    /// Those of an earlier hunt that it has counted.
    pub(super) fn new(list: &[Defect], seen: &[Seen]) -> Self {
        let mut defects = Defects::default();
        for defect in list.iter().filter(|defect| !defect.unfinished) {
            defects.put(defect.clone());
        }
        for Seen { defect, kind, place, seed } in seen {
            let Some(index) = defects.list.iter().position(|each| each.number == *defect) else { continue };
            let solvers = programs(&defects.list[index].solvers);
            defects.remember(Key { kind: *kind, solvers, place: place.clone(), seed: seed.clone() }, index);
        }
        defects.settle();
        defects
    }

    /// All of them.
    pub(super) fn list(&self) -> &[Defect] {
        &self.list
    }

    /// What is known to show them.
    pub(super) fn seen(&self) -> Vec<Seen> {
        let seen = |(key, index): &(Key, usize)| Seen {
            defect: self.list[*index].number.clone(),
            kind: key.kind,
            place: key.place.clone(),
            seed: key.seed.clone(),
        };
        self.order.iter().map(seen).collect()
    }

    /// The defect that is known to show by this.
    pub(super) fn known(&self, key: &Key) -> Option<usize> {
        self.known.get(key).copied()
    }

    /// The last defect whose smallest instance has the shape that this finding's has.
    pub(super) fn of_shape(&self, found: &Found, shape: &str) -> Option<usize> {
        let finding = &found.finding;
        self.shapes.get(&(family(finding.kind), finding.programs(), shape.to_owned())).copied()
    }

    /// Whether a finding that is known to show a defect is a repetition and no more: not if the defect was seen once only, nor
    /// if it needs more options than the finding does.
    pub(super) fn is_repeated(&self, index: usize, found: &Found) -> bool {
        let needed = found.finding.solvers.first().map_or(0, |solver| options(solver));
        !self.list[index].once && self.list[index].options <= needed
    }

    /// The first defect that is probably the same.
    pub(super) fn like(&self, likeness: Option<&Likeness>) -> Option<String> {
        self.alike.get(likeness?).cloned()
    }

    /// Counts a defect that was met again; several configurations that show it on one instance are met once.
    pub(super) fn repeat(&mut self, index: usize, found: &Found) {
        if self.shown.insert(index, place(found)) != Some(place(found)) {
            self.list[index].times += 1;
            self.unsettled.repeated.push(index);
        }
    }

    /// From now on, this is known to show a defect.
    pub(super) fn remember(&mut self, key: Key, index: usize) {
        self.order.push((key.clone(), index));
        self.known.insert(key, index);
    }

    /// A new defect, and what shows it.
    pub(super) fn add(&mut self, key: Key, defect: Defect, found: &Found) {
        self.shown.insert(self.list.len(), place(found));
        self.remember(key, self.list.len());
        self.put(defect);
    }

    fn put(&mut self, defect: Defect) {
        let kind = family(defect.found_as.unwrap_or(defect.kind));
        self.shapes.insert((kind, programs(&defect.solvers), defect.shape.clone()), self.list.len());
        if let Some(likeness) = defect.likeness.clone() {
            self.alike.entry(likeness).or_insert_with(|| defect.number.clone());
        }
        self.list.push(defect);
    }

    /// All is counted. Answers whether there was a new defect.
    pub(super) fn settle(&mut self) -> bool {
        let is_new = self.list.len() > self.unsettled.defects;
        self.unsettled = Unsettled { defects: self.list.len(), keys: self.order.len(), repeated: Vec::new() };
        is_new
    }

    /// Takes back what is not counted, but for defects that nobody should lose: they are marked.
    pub(super) fn take_back(&mut self) {
        for index in std::mem::take(&mut self.unsettled.repeated) {
            self.list[index].times -= 1;
        }
        self.order.truncate(self.unsettled.keys);
        for defect in &mut self.list[self.unsettled.defects..] {
            defect.unfinished = true;
            defect.times = 1;
        }
    }
}

/// The seed and the number of an instance.
fn place(found: &Found) -> (String, u32) {
    (found.case.seed.clone(), found.case.number)
}

/// The kind without what may change as an instance shrinks: whether another solver says `unsat` where a model is wrong.
fn family(kind: Kind) -> Kind {
    if kind == Kind::SolutionUnsoundness { Kind::InvalidModel } else { kind }
}
