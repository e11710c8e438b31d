//! Bit-vectors: every operator of `QF_BV`, with operands of different widths made equal by extension or slicing.

use num_bigint::BigUint;
use rand::Rng;

use super::build::{Build, operator};
use super::nodes::Wanted;
use super::parameters::{Division, Parameters};
use super::part::Part;
use crate::random::{below, between, chance, pick};
use crate::semantics::value::{BitVector, Value};
use crate::smtlib::fragment::Fragment;
use crate::smtlib::signature::{Op, Signature, SortPattern};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{TermId, Terms};

/// How often an unequal pair is made equal by extending the smaller operand, not by slicing the larger one.
const EXTENDED: f64 = 0.5;

/// Divisions whose divisor must not be 0.
const DIVISIONS: [&str; 5] = ["bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod"];
/// Those of them that overflow where the divisor is −1.
const SIGNED: [&str; 3] = ["bvsdiv", "bvsrem", "bvsmod"];

/// The predicates of SMT-LIB 2.7, and the operators that came with them.
const NEWER: [&str; 10] =
    ["bvnego", "bvuaddo", "bvsaddo", "bvumulo", "bvsmulo", "bvusubo", "bvssubo", "bvsdivo", "bvredor", "bvredand"];

/// What an operator needs of its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// One of any width, or two of one width.
    Plain {
        operands: usize,
        predicate: bool,
    },
    /// As `Plain` of two, but for the divisor.
    Divides {
        signed: bool,
    },
    Concat,
    Extract,
    Repeat,
    Extend,
    Rotate,
    /// `ite`, whose condition is a random bit.
    Choose,
}

/// The part of a logic that has bit-vectors.
#[derive(Debug)]
pub(super) struct BitVectors {
    terms: Vec<(Op, Kind)>,
    predicates: Vec<(Op, Kind)>,
    zero_extend: Op,
    sign_extend: Op,
    extract: Op,
}

impl BitVectors {
    /// What `fragment` admits of them.
    pub(super) fn of(fragment: &Fragment, parameters: &Parameters) -> Box<dyn Part> {
        let mut terms: Vec<(Op, Kind)> = Vec::new();
        for op in fragment.operators.iter() {
            let name = op.name();
            let newer = NEWER.contains(&name) && !parameters.overflows;
            let divides = DIVISIONS.contains(&name) && parameters.division == Division::None;
            if !newer
                && !divides
                && let Some(kind) = kind_of(op.name(), op.signature())
            {
                terms.push((op, kind));
            }
        }
        let predicates = terms.iter().copied().filter(|(_, kind)| is_predicate(*kind)).collect();
        let [zero_extend, sign_extend, extract] = ["zero_extend", "sign_extend", "extract"].map(operator);
        Box::new(BitVectors { terms, predicates, zero_extend, sign_extend, extract })
    }

    /// Two random operands of one width.
    fn pair(&self, build: &mut Build<'_>) -> Option<(TermId, TermId)> {
        let one = build.draw(any())?;
        let other = build.draw(any())?;
        self.of_one_width(one, other, build)
    }

    fn of_one_width(&self, one: TermId, other: TermId, build: &mut Build<'_>) -> Option<(TermId, TermId)> {
        let (first, second) = (width(build.terms, one)?, width(build.terms, other)?);
        let target = if chance(build.rng, EXTENDED) { first.max(second) } else { first.min(second) };
        Some((self.adapted(one, target, build)?, self.adapted(other, target, build)?))
    }

    /// A term extended or sliced to a width.
    fn adapted(&self, term: TermId, target: u32, build: &mut Build<'_>) -> Option<TermId> {
        let own = width(build.terms, term)?;
        if own < target {
            let extend = if chance(build.rng, 0.5) { self.zero_extend } else { self.sign_extend };
            return build.apply(extend, &[target - own], &[term]);
        }
        if own > target {
            let low = between(build.rng, 0, own - target);
            return build.apply(self.extract, &[low + target - 1, low], &[term]);
        }
        Some(term)
    }

    /// A random operator applied; a predicate stays one.
    fn made(&self, (op, kind): (Op, Kind), build: &mut Build<'_>) -> Option<TermId> {
        let most = build.parameters.max_width;
        match kind {
            Kind::Plain { operands: 1, .. } => {
                let term = build.draw(any())?;
                build.apply(op, &[], &[term])
            }
            Kind::Plain { .. } => {
                let (one, other) = self.pair(build)?;
                build.apply(op, &[], &[one, other])
            }
            Kind::Divides { signed } => {
                let (one, divisor) = self.pair(build)?;
                if build.parameters.division == Division::Guarded {
                    Self::guard(divisor, signed, build)?;
                }
                build.apply(op, &[], &[one, divisor])
            }
            Kind::Concat => {
                let (one, other) = (build.draw(any())?, build.draw(any())?);
                let (first, second) = (width(build.terms, one)?, width(build.terms, other)?);
                if first + second <= most {
                    return build.apply(op, &[], &[one, other]);
                }
                if most < 2 {
                    return None;
                }
                // Slices of both, so that the result is not too wide.
                let left = between(build.rng, 1, first.min(most - 1));
                let right = second.min(most - left);
                let (one, other) = (self.adapted(one, left, build)?, self.adapted(other, right, build)?);
                build.apply(op, &[], &[one, other])
            }
            Kind::Extract => {
                let term = build.draw(any())?;
                let own = width(build.terms, term)?;
                let high = below(build.rng, own as usize) as u32;
                let low = between(build.rng, 0, high);
                build.apply(op, &[high, low], &[term])
            }
            Kind::Repeat => {
                let term = build.draw(any())?;
                let own = width(build.terms, term)?;
                let times = between(build.rng, 1, (most / own).max(1));
                build.apply(op, &[times], &[term])
            }
            Kind::Extend => {
                let term = build.draw(any())?;
                let own = width(build.terms, term)?;
                let by = between(build.rng, 0, most.saturating_sub(own));
                build.apply(op, &[by], &[term])
            }
            Kind::Rotate => {
                let term = build.draw(any())?;
                let own = width(build.terms, term)?;
                let by = below(build.rng, own as usize) as u32;
                build.apply(op, &[by], &[term])
            }
            Kind::Choose => {
                let condition = build.draw(any())?;
                let bit = self.adapted(condition, 1, build)?;
                let one = bits(build.terms, 1, 1);
                let condition = build.named("=", &[bit, one])?;
                let (one, other) = self.pair(build)?;
                build.apply(op, &[], &[condition, one, other])
            }
        }
    }

    /// Notes that a divisor is not 0, nor −1 for a signed division; `None` if it is that literally.
    fn guard(divisor: TermId, signed: bool, build: &mut Build<'_>) -> Option<()> {
        let width = width(build.terms, divisor)?;
        let zero = bits(build.terms, width, 0);
        let mut excluded = vec![zero];
        if signed {
            let all = (BigUint::from(1_u32) << width) - 1_u32;
            excluded.push(Value::BitVector(BitVector::new(width, all)).term(build.terms));
        }
        if excluded.contains(&divisor) {
            return None;
        }
        for value in excluded {
            let guard = build.named("distinct", &[divisor, value])?;
            if !build.guards.contains(&guard) {
                build.guards.push(guard);
            }
        }
        Some(())
    }
}

impl Part for BitVectors {
    fn inputs(&self, build: &mut Build<'_>) {
        for _ in 0..build.parameters.draw_variables(build.rng) {
            let width = build.parameters.draw_width(build.rng);
            build.add_variable(&format!("v{width}"), Sort::bit_vec(width));
        }
        self.constants(build);
    }

    fn constants(&self, build: &mut Build<'_>) {
        for _ in 0..build.parameters.draw_constants(build.rng) {
            let width = build.parameters.draw_width(build.rng);
            if let Some(literal) = self.literal(Sort::bit_vec(width), build) {
                build.add(literal);
            }
        }
    }

    fn counts(&self, sort: Sort) -> bool {
        sort.expression().name == name()
    }

    fn term(&self, build: &mut Build<'_>) -> Option<TermId> {
        let operator = *pick(build.rng, &self.terms)?;
        let term = self.made(operator, build)?;
        if is_predicate(operator.1) { as_bit(term, build) } else { Some(term) }
    }

    fn predicate(&self, build: &mut Build<'_>) -> Option<TermId> {
        let operator = *pick(build.rng, &self.predicates)?;
        self.made(operator, build)
    }

    fn argument(&self, sort: Sort, build: &mut Build<'_>) -> Option<TermId> {
        let target = sort.width()?;
        match build.draw(any()) {
            Some(term) => self.adapted(term, target, build),
            None => self.literal(sort, build),
        }
    }

    fn literal(&self, sort: Sort, build: &mut Build<'_>) -> Option<TermId> {
        let width = sort.width()?;
        // The ends of the range as often as all other values together.
        let number = match below(build.rng, 8) {
            0 => BigUint::ZERO,
            1 => BigUint::from(1_u32),
            2 => (BigUint::from(1_u32) << width) - 1_u32,
            3 => BigUint::from(1_u32) << (width - 1),
            _ => (0..width.div_ceil(64)).fold(BigUint::ZERO, |sum, _| (sum << 64) + build.rng.next_u64()),
        };
        Some(Value::BitVector(BitVector::new(width, number)).term(build.terms))
    }

    fn some_sort(&self, build: &mut Build<'_>) -> Option<Sort> {
        Some(Sort::bit_vec(build.parameters.draw_width(build.rng)))
    }
}

/// A predicate as a vector of one bit: `(ite p #b1 #b0)`.
pub(super) fn as_bit(predicate: TermId, build: &mut Build<'_>) -> Option<TermId> {
    let (one, zero) = (bits(build.terms, 1, 1), bits(build.terms, 1, 0));
    build.named("ite", &[predicate, one, zero])
}

/// The name of the sorts of bit-vectors.
fn name() -> Symbol {
    Sort::bit_vec(1).expression().name
}

/// Any bit-vector.
fn any() -> Wanted {
    Wanted::Named(name())
}

fn bits(terms: &mut Terms, width: u32, value: u64) -> TermId {
    Value::bits(width, value).term(terms)
}

fn width(terms: &Terms, term: TermId) -> Option<u32> {
    terms.sort(term).width()
}

fn is_predicate(kind: Kind) -> bool {
    matches!(kind, Kind::Plain { predicate: true, .. })
}

/// How an operator is applied; `None` of one that takes or gives no bit-vectors.
fn kind_of(op: &str, signature: &Signature) -> Option<Kind> {
    let is_bits = |pattern: &SortPattern| match pattern {
        SortPattern::Application { name: own, .. } => *own == name(),
        SortPattern::Sort(sort) => sort.expression().name == name(),
        SortPattern::Variable(_) => false,
    };
    let predicate = signature.result.ground() == Some(Sort::BOOL);
    Some(match op {
        "=" | "distinct" => Kind::Plain { operands: 2, predicate: true },
        "ite" => Kind::Choose,
        _ if !signature.parameters.iter().all(is_bits) || signature.parameters.is_empty() => return None,
        "concat" => Kind::Concat,
        "extract" => Kind::Extract,
        "repeat" => Kind::Repeat,
        "zero_extend" | "sign_extend" => Kind::Extend,
        "rotate_left" | "rotate_right" => Kind::Rotate,
        _ if !signature.indices.is_empty() || !(predicate || is_bits(&signature.result)) => return None,
        _ if DIVISIONS.contains(&op) => Kind::Divides { signed: SIGNED.contains(&op) },
        _ => Kind::Plain { operands: signature.parameters.len(), predicate },
    })
}
