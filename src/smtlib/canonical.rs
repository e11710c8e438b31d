//! A script's fingerprint: equal for scripts that differ only in variable names and in the order of their assertions.
//!
//! Colour refinement separates the declared symbols by how they are used, individualisation breaks the ties that are
//! left, and then the script is hashed with each symbol's number in place of its name. The last step alone decides the
//! result, so different scripts collide only by chance (2⁻¹²⁸): imperfect tie-breaking can at worst give two equal
//! scripts two fingerprints. Arguments of commutative operators keep their order: a solver sees it too.

mod lanes;

use rustc_hash::FxHashMap;

use super::script::{Command, Declaration, Definition, Script};
use super::sort::Sort;
use super::symbol::Symbol;
use super::term::{Head, TermId};
use lanes::{Lanes, mix};

/// How many symbols are individualised one by one; ties beyond are broken by the order of declaration. Scripts with
/// more interchangeable symbols than this are large seeds, which campaigns do not duplicate.
const MAXIMUM_INDIVIDUALISATIONS: usize = 64;

/// How many members of a tied class are tried, to find the one that a renamed script would choose too.
const MAXIMUM_CANDIDATES: usize = 8;

/// Marks a node that is no occurrence of a declared symbol.
const NO_SYMBOL: u32 = u32::MAX;

/// The fingerprint of `script`: equal for scripts that are the same up to renaming of declared symbols and up to the
/// order of assertions between the same commands; different for all others, but for a chance of 2⁻¹²⁸. The same in
/// every process with the same theories loaded.
pub fn canonical_hash(script: &Script) -> u128 {
    let mut labelling = Labelling::new(script);
    let colours = labelling.discrete();
    labelling.fingerprint(&colours)
}

/// What refinement works on: the script with names taken out.
struct Labelling<'a> {
    script: &'a Script,
    declarations: Vec<&'a Declaration>,
    /// Per node of the arena: its hash without arguments and without the name of a declared symbol.
    shapes: Vec<u64>,
    /// Per node: the declared symbol at its head, or [`NO_SYMBOL`].
    symbols: Vec<u32>,
    /// The terms of commands, each with what tells its place; assertions between the same commands have the same.
    roots: Vec<(TermId, u64)>,
    /// The commands without names and terms, in order.
    skeleton: Lanes,
    /// Reused by every round: hashes of subterms, and hashes of the contexts they stand in.
    up: Vec<u64>,
    down: Vec<u64>,
}

impl<'a> Labelling<'a> {
    fn new(script: &'a Script) -> Self {
        let declarations: Vec<&Declaration> = script.declarations().collect();
        let numbers: FxHashMap<Symbol, u32> =
            declarations.iter().enumerate().map(|(number, each)| (each.name, number as u32)).collect();
        let terms = &script.terms;
        let mut shapes = Vec::with_capacity(terms.len());
        let mut symbols = Vec::with_capacity(terms.len());
        for node in 0..terms.len() as u32 {
            let (shape, symbol) = shape_of(script, TermId(node), &numbers);
            shapes.push(shape);
            symbols.push(symbol);
        }
        let mut labelling = Labelling {
            script,
            declarations,
            shapes,
            symbols,
            roots: Vec::new(),
            skeleton: Lanes::new(),
            up: vec![0; terms.len()],
            down: vec![0; terms.len()],
        };
        labelling.read_commands();
        labelling
    }

    /// Splits the commands into places (`skeleton`) and terms at those places (`roots`).
    fn read_commands(&mut self) {
        let script = self.script;
        // Assertions commute as long as no other command stands between them.
        let mut segment = 0_u64;
        for command in &script.commands {
            match command {
                Command::Assert(term) => {
                    self.roots.push((*term, mix(segment)));
                    continue;
                }
                Command::Declare(_) => continue,
                Command::SetLogic(logic) => self.skeleton.absorb(mix(1) ^ text_hash(logic.as_str())),
                Command::Define(definition) => self.define(definition, 2),
                Command::DefineRecursive(list) => list.iter().for_each(|each| self.define(each, 3)),
                Command::CheckSat => self.skeleton.absorb(mix(4)),
                Command::CheckSatAssuming(list) => self.list(list, 5),
                Command::Push(levels) => self.skeleton.absorb(mix(6) ^ u64::from(*levels)),
                Command::Pop(levels) => self.skeleton.absorb(mix(7) ^ u64::from(*levels)),
                Command::GetValue(list) => self.list(list, 8),
                Command::Other(text) => self.skeleton.absorb(mix(9) ^ text_hash(text.as_str())),
            }
            segment += 1;
        }
    }

    fn define(&mut self, definition: &Definition, kind: u64) {
        self.skeleton.absorb(mix(kind) ^ text_hash(definition.name.as_str()));
        for (name, sort) in &definition.parameters {
            self.skeleton.absorb(text_hash(name.as_str()) ^ mix(sort_hash(*sort)));
        }
        self.skeleton.absorb(sort_hash(definition.sort));
        self.roots.push((definition.body, mix(self.skeleton.first())));
    }

    fn list(&mut self, terms: &[TermId], kind: u64) {
        self.skeleton.absorb(mix(kind) ^ terms.len() as u64);
        for &term in terms {
            self.skeleton.absorb(kind);
            self.roots.push((term, mix(self.skeleton.first())));
        }
    }

    /// One colour for each declared symbol, all different, that do not depend on names.
    fn discrete(&mut self) -> Vec<u64> {
        let mut colours: Vec<u64> = self.declarations.iter().map(|each| declaration_hash(each)).collect();
        self.refine(&mut colours);
        for step in 0..MAXIMUM_INDIVIDUALISATIONS.min(colours.len()) {
            let Some(class) = self.smallest_tied_class(&colours) else { break };
            let best = class
                .iter()
                .take(MAXIMUM_CANDIDATES)
                .map(|&member| {
                    let mut tried = colours.clone();
                    tried[member] = mix(tried[member] ^ mix(step as u64));
                    self.refine(&mut tried);
                    (colour_multiset(&tried), tried)
                })
                .min_by_key(|(key, _)| *key);
            let Some((_, next)) = best else { break };
            colours = next;
        }
        colours
    }

    /// The members of the tied class with the smallest colour, in order of declaration; `None` if no two symbols tie.
    /// Symbols that no command uses may tie: exchanging them changes nothing.
    fn smallest_tied_class(&self, colours: &[u64]) -> Option<Vec<usize>> {
        let mut used = vec![false; colours.len()];
        for (node, &symbol) in self.symbols.iter().enumerate() {
            if symbol != NO_SYMBOL && self.down[node] != 0 {
                used[symbol as usize] = true;
            }
        }
        let mut sorted: Vec<u64> = colours.iter().zip(&used).filter(|(_, used)| **used).map(|(&c, _)| c).collect();
        sorted.sort_unstable();
        let tied = sorted.windows(2).find(|pair| pair[0] == pair[1])?[0];
        Some((0..colours.len()).filter(|&member| used[member] && colours[member] == tied).collect())
    }

    /// Splits the colour classes by the contexts that the symbols occur in, until no class splits any more.
    fn refine(&mut self, colours: &mut [u64]) {
        let mut classes = class_count(colours);
        loop {
            self.hash_subterms(colours);
            self.hash_contexts();
            let mut next: Vec<u64> = colours.iter().map(|&colour| mix(colour)).collect();
            for (node, &symbol) in self.symbols.iter().enumerate() {
                // A term that no command reaches is left over from an earlier version of the script.
                if symbol != NO_SYMBOL && self.down[node] != 0 {
                    let colour = &mut next[symbol as usize];
                    *colour = colour.wrapping_add(mix(self.down[node]));
                }
            }
            colours.copy_from_slice(&next);
            let refined = class_count(colours);
            if refined <= classes {
                return;
            }
            classes = refined;
        }
    }

    /// Arguments precede their terms in the arena, so one pass in order sees them first.
    fn hash_subterms(&mut self, colours: &[u64]) {
        for node in 0..self.shapes.len() {
            let mut hash = self.shapes[node];
            if self.symbols[node] != NO_SYMBOL {
                hash ^= colours[self.symbols[node] as usize];
            }
            for argument in self.script.terms.arguments(TermId(node as u32)) {
                hash = mix(hash.rotate_left(23) ^ self.up[argument.0 as usize]);
            }
            self.up[node] = mix(hash);
        }
    }

    /// A context is the sum over a term's occurrences, so that it does not depend on their order.
    fn hash_contexts(&mut self) {
        self.down.fill(0);
        for &(root, place) in &self.roots {
            let context = &mut self.down[root.0 as usize];
            *context = context.wrapping_add(mix(place ^ self.up[root.0 as usize]));
        }
        for node in (0..self.shapes.len()).rev() {
            // What no command reaches has no context, and gives none.
            if self.down[node] == 0 {
                continue;
            }
            let here = mix(self.down[node] ^ self.up[node].rotate_left(32));
            for (position, argument) in self.script.terms.arguments(TermId(node as u32)).iter().enumerate() {
                let context = &mut self.down[argument.0 as usize];
                *context = context.wrapping_add(mix(here.wrapping_add(position as u64 + 1)));
            }
        }
    }

    /// The hash of the whole script with numbers for names: the order of the colours numbers the symbols.
    fn fingerprint(&self, colours: &[u64]) -> u128 {
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_by_key(|&symbol| (declaration_hash(self.declarations[symbol]), colours[symbol]));
        let mut numbers = vec![0_u64; colours.len()];
        let mut whole = self.skeleton;
        for (number, &symbol) in order.iter().enumerate() {
            numbers[symbol] = number as u64 + 1;
            whole.absorb(declaration_hash(self.declarations[symbol]));
        }
        let mut hashes: Vec<Lanes> = Vec::with_capacity(self.shapes.len());
        for node in 0..self.shapes.len() {
            let mut hash = Lanes::new();
            hash.absorb(self.shapes[node]);
            if self.symbols[node] != NO_SYMBOL {
                hash.absorb(numbers[self.symbols[node] as usize]);
            }
            for argument in self.script.terms.arguments(TermId(node as u32)) {
                hash.absorb_lanes(hashes[argument.0 as usize]);
            }
            hashes.push(hash);
        }
        let mut roots: Vec<(u64, u128)> =
            self.roots.iter().map(|&(term, place)| (place, hashes[term.0 as usize].finish())).collect();
        roots.sort_unstable();
        for (place, hash) in roots {
            whole.absorb(place);
            whole.absorb(hash as u64);
            whole.absorb((hash >> 64) as u64);
        }
        whole.finish()
    }
}

/// A node's hash without its arguments and without a declared name, and the declared symbol at its head.
fn shape_of(script: &Script, term: TermId, numbers: &FxHashMap<Symbol, u32>) -> (u64, u32) {
    let parts = script.terms.parts(term);
    let mut symbol = NO_SYMBOL;
    let mut named = |kind: u64, name: Symbol| match numbers.get(&name) {
        Some(&number) => {
            symbol = number;
            mix(kind)
        }
        None => mix(kind) ^ text_hash(name.as_str()),
    };
    let head = match parts.head {
        Head::Literal(kind) => mix(10 + kind as u64),
        Head::Operator(op) => mix(0x100 + u64::from(op.0)),
        Head::Constant(name) => named(20, name),
        Head::Function(name) => named(21, name),
        Head::Bound(name) => mix(22) ^ text_hash(name.as_str()),
        Head::Verbatim(name) => mix(23) ^ text_hash(name.as_str()),
        Head::Annotation(text) => mix(24) ^ text_hash(text.as_str()),
        Head::Let => mix(25),
        Head::Forall => mix(26),
        Head::Exists => mix(27),
        Head::Match => mix(28),
        Head::Binder(name) => mix(29) ^ text_hash(name.as_str()),
        Head::Application => mix(30),
    };
    let mut shape = mix(head ^ sort_hash(parts.sort)).wrapping_add(parts.arguments.len() as u64);
    for &word in parts.words {
        shape = mix(shape ^ (u64::from(word) + 1));
    }
    for (name, sort) in parts.binders {
        shape = mix(shape ^ text_hash(name.as_str())) ^ sort_hash(*sort);
    }
    (shape, symbol)
}

fn declaration_hash(declaration: &Declaration) -> u64 {
    let parameters = declaration.parameters.iter().fold(1, |hash, &sort| mix(hash ^ sort_hash(sort)));
    mix(parameters ^ sort_hash(declaration.sort).rotate_left(17))
}

/// Built from the sort's text, because handles depend on the order of interning.
fn sort_hash(sort: Sort) -> u64 {
    match sort {
        Sort::BOOL => 0x51,
        Sort::INT => 0x52,
        Sort::REAL => 0x53,
        Sort::STRING => 0x54,
        Sort::REGLAN => 0x55,
        Sort::UNKNOWN => 0x56,
        other => {
            let expression = other.expression();
            let named = expression
                .indices
                .iter()
                .fold(text_hash(expression.name.as_str()), |hash, &index| mix(hash ^ (u64::from(index) + 1)));
            expression.arguments.iter().fold(named, |hash, &argument| mix(hash.rotate_left(9) ^ sort_hash(argument)))
        }
    }
}

fn text_hash(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| mix(hash ^ (u64::from(byte) << 8)))
}

fn class_count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

fn colour_multiset(colours: &[u64]) -> u64 {
    colours.iter().fold(0, |sum: u64, &colour| sum.wrapping_add(mix(colour)))
}

#[cfg(test)]
mod tests;
