//! Which scripts share a fingerprint.

use super::*;

/// A script over `Int` variables with one binary relation per pair, asserted through an uninterpreted function.
fn relation(names: &[&str], pairs: &[(usize, usize)]) -> Script {
    let mut script = Script::new();
    let edge = Symbol::new("edge");
    let declare = |name, parameters, sort| Command::Declare(Declaration { name, parameters, sort });
    script.commands.push(declare(edge, vec![Sort::INT, Sort::INT], Sort::BOOL));
    for name in names {
        script.commands.push(declare(Symbol::new(name), vec![], Sort::INT));
    }
    for &(from, to) in pairs {
        let arguments = [from, to].map(|end| script.terms.constant(Symbol::new(names[end]), Sort::INT));
        let parts = super::super::term::Parts {
            head: Head::Function(edge),
            sort: Sort::BOOL,
            arguments: &arguments,
            words: &[],
            binders: &[],
        };
        let term = script.terms.intern(parts);
        script.commands.push(Command::Assert(term));
    }
    script.commands.push(Command::CheckSat);
    script
}

#[test]
fn renaming_and_reordering_keep_the_hash() {
    let one = relation(&["a", "b", "c"], &[(0, 1), (1, 2)]);
    let other = relation(&["z", "y", "x"], &[(1, 0), (2, 1)]);
    assert_eq!(canonical_hash(&one), canonical_hash(&other));
}

#[test]
fn structure_changes_the_hash() {
    let path = canonical_hash(&relation(&["a", "b", "c"], &[(0, 1), (1, 2)]));
    for different in [&[(0, 1), (0, 2)][..], &[(0, 1), (2, 1)], &[(0, 1)], &[(0, 1), (1, 1)], &[(0, 1), (1, 0)]] {
        assert_ne!(path, canonical_hash(&relation(&["a", "b", "c"], different)));
    }
}

#[test]
fn a_cycle_of_six_is_not_two_cycles_of_three() {
    // Refinement alone cannot tell these two apart; the final numbering does.
    let names = ["a", "b", "c", "d", "e", "f"];
    let six = relation(&names, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]);
    let three = relation(&names, &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
    assert_ne!(canonical_hash(&six), canonical_hash(&three));
    let turned = relation(&names, &[(3, 5), (5, 1), (1, 0), (0, 2), (2, 4), (4, 3)]);
    assert_eq!(canonical_hash(&six), canonical_hash(&turned));
}

#[test]
fn assertions_do_not_move_across_other_commands() {
    let mut one = relation(&["a", "b"], &[(0, 1), (1, 1)]);
    let mut other = one.clone();
    let barrier = Command::Push(1);
    one.commands.insert(4, barrier.clone());
    other.commands.insert(4, barrier);
    assert_eq!(canonical_hash(&one), canonical_hash(&other));
    other.commands.swap(3, 5);
    assert_ne!(canonical_hash(&one), canonical_hash(&other));
}

#[test]
fn terms_that_no_command_uses_do_not_count() {
    let one = relation(&["a", "b"], &[(0, 1)]);
    let mut other = one.clone();
    other.terms.numeral(5);
    assert_eq!(canonical_hash(&one), canonical_hash(&other));
}
