//! Crossover: two parents exchange assertions (section III.E of the paper).

use rustc_hash::{FxHashMap, FxHashSet};

use super::declarations::{
    assertion_indices, assertion_point, fresh_name, renamed_words, symbols_under, tidy, used_symbols,
};
use super::seed::{declares, insert_declarations, separate_bound_names};
use crate::random::{FuzzRng, choose_front};
use crate::smtlib::script::{Command, Declaration, Definition, Script};
use crate::smtlib::sort::Sort;
use crate::smtlib::symbol::Symbol;
use crate::smtlib::term::{Head, Parts, TermId, Terms};

/// The share of both parents' assertions together that each gives away.
const EXCHANGED_SHARE: f64 = 0.2;

/// How many assertions each parent gives: 20 % of both parents' together, rounded, at least one; one if either parent
/// has fewer.
pub fn exchange_count(mother: usize, father: usize) -> usize {
    let count = ((EXCHANGED_SHARE * (mother + father) as f64).round() as usize).max(1);
    if mother.min(father) < count { 1 } else { count }
}

/// The parents' children: each is one parent with `exchange_count` randomly chosen assertions given away and as many
/// of the other parent's received. Declarations and definitions travel with the assertions that need them; where the
/// child has the name for something else already, they get another. Assertions that need declared sorts stay at home
/// unless both parents declare the same. The children are well-sorted, and declare only what they use.
pub fn cross(mother: &Script, father: &Script, rng: &mut FuzzRng) -> (Script, Script) {
    let same_sorts = sort_declarations(mother).eq(sort_declarations(father));
    let mut of_mother = travellers(mother, same_sorts);
    let mut of_father = travellers(father, same_sorts);
    let (all_of_mother, all_of_father) = (mother.assertions().count(), father.assertions().count());
    let count = exchange_count(all_of_mother, all_of_father).min(of_mother.len()).min(of_father.len());
    choose_front(rng, &mut of_mother, count);
    choose_front(rng, &mut of_father, count);
    let (of_mother, of_father) = (&of_mother[..count], &of_father[..count]);
    (child(mother, of_mother, father, of_father), child(father, of_father, mother, of_mother))
}

/// The commands that declare sorts and datatypes, which are kept as text.
fn sort_declarations(script: &Script) -> impl Iterator<Item = Symbol> + '_ {
    script.commands.iter().filter_map(|command| match command {
        Command::Other(text) if declares(*text) => Some(*text),
        _ => None,
    })
}

/// The indices of the assertions that may be given away.
fn travellers(script: &Script, same_sorts: bool) -> Vec<usize> {
    let mut indices = assertion_indices(script);
    if !same_sorts {
        let offered: FxHashSet<Symbol> = meanings(script).into_iter().map(|(name, _)| name).collect();
        indices.retain(|&index| match script.commands[index] {
            Command::Assert(root) => has_built_in_sorts(script, &offered, root),
            _ => false,
        });
    }
    indices
}

/// Whether every subterm has a sort that every script knows, and every symbol a declaration that can be given away.
fn has_built_in_sorts(script: &Script, offered: &FxHashSet<Symbol>, root: TermId) -> bool {
    script.terms.subterms(std::iter::once(root)).all(|term| {
        let is_known = match script.terms.head(term) {
            Head::Verbatim(_) => false,
            Head::Constant(name) | Head::Function(name) => offered.contains(&name),
            _ => true,
        };
        is_known && is_built_in(script.terms.sort(term))
    })
}

fn is_built_in(sort: Sort) -> bool {
    let expression = sort.expression();
    let declared = crate::smtlib::signature::table().sort(expression.name, &expression.indices, &expression.arguments);
    declared.is_ok() && expression.arguments.iter().all(|&argument| is_built_in(argument))
}

/// `home` without its assertions `given`, with `guest`'s assertions `taken`.
fn child(home: &Script, given: &[usize], guest: &Script, taken: &[usize]) -> Script {
    let mut child = home.clone();
    let mut given = given.to_vec();
    given.sort_unstable();
    for &index in given.iter().rev() {
        child.commands.remove(index);
    }
    let roots: Vec<TermId> = taken
        .iter()
        .filter_map(|&index| match guest.commands.get(index) {
            Some(Command::Assert(root)) => Some(*root),
            _ => None,
        })
        .collect();
    let names = receive_declarations(&mut child, guest, &roots);
    for root in roots {
        let copy = import_renamed(&mut child.terms, &guest.terms, root, &names);
        let at = assertion_point(&child);
        child.commands.insert(at, Command::Assert(copy));
    }
    separate_bound_names(&mut child);
    tidy(&mut child);
    child.compacted()
}

/// What a name stands for.
#[derive(Clone, PartialEq)]
enum Meaning<'a> {
    Declared(&'a Declaration),
    Defined(&'a Definition),
    /// One of several definitions that name one another.
    Recursive(&'a [Definition]),
}

/// The meanings of the names that a script declares or defines, in order.
fn meanings(script: &Script) -> Vec<(Symbol, Meaning<'_>)> {
    let mut meanings = Vec::new();
    for command in &script.commands {
        match command {
            Command::Declare(declaration) => meanings.push((declaration.name, Meaning::Declared(declaration))),
            Command::Define(definition) => meanings.push((definition.name, Meaning::Defined(definition))),
            Command::DefineRecursive(list) => {
                meanings.extend(list.iter().map(|each| (each.name, Meaning::Recursive(list))));
            }
            _ => {}
        }
    }
    meanings
}

/// Adds to `child` what the assertions `roots` of `guest` need, and gives the names that changed.
fn receive_declarations(child: &mut Script, guest: &Script, roots: &[TermId]) -> FxHashMap<Symbol, Symbol> {
    let offered = meanings(guest);
    let needed = needed_names(guest, &offered, roots);
    let mut renamed: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    let mut received: Vec<(Symbol, Meaning<'_>)> = Vec::new();
    let taken_by_guest = used_symbols(guest);
    for (name, meaning) in offered.iter().filter(|(name, _)| needed.contains(name)) {
        let own = meanings(child).into_iter().find(|(each, _)| each == name).map(|(_, own)| own);
        let is_shared = match (&own, meaning) {
            (Some(Meaning::Declared(own)), Meaning::Declared(other)) => own == other,
            _ => false,
        };
        if is_shared {
            continue;
        }
        // A definition is received under another name even if the child has an equal one: comparing bodies across
        // arenas is not worth it for a duplicate that later crossovers prune.
        if own.is_some() || is_bound_name(child, *name) {
            let taken = |candidate: Symbol| {
                taken_by_guest.contains(&candidate)
                    || offered.iter().any(|(each, _)| *each == candidate)
                    || renamed.values().any(|each| *each == candidate)
            };
            let new = fresh_name(child, taken);
            renamed.insert(*name, new);
        }
        received.push((*name, meaning.clone()));
    }
    add_received(child, guest, &received, &renamed);
    renamed
}

/// The declared and defined names that assertions use, directly or through definitions.
fn needed_names(guest: &Script, offered: &[(Symbol, Meaning<'_>)], roots: &[TermId]) -> Vec<Symbol> {
    let mut bodies = roots.to_vec();
    let mut needed: Vec<Symbol> = Vec::new();
    loop {
        let symbols = symbols_under(guest, bodies.iter().copied());
        let fresh: Vec<&(Symbol, Meaning<'_>)> =
            offered.iter().filter(|(name, _)| symbols.contains(name) && !needed.contains(name)).collect();
        if fresh.is_empty() {
            return needed;
        }
        for (name, meaning) in fresh {
            needed.push(*name);
            match meaning {
                Meaning::Declared(_) => {}
                Meaning::Defined(definition) => bodies.push(definition.body),
                Meaning::Recursive(list) => {
                    bodies.extend(list.iter().map(|each| each.body));
                    needed.extend(list.iter().map(|each| each.name));
                }
            }
        }
        needed.sort_unstable();
        needed.dedup();
    }
}

/// Whether a binder of the script introduces the name.
fn is_bound_name(script: &Script, name: Symbol) -> bool {
    let binds = |index: u32| script.terms.parts(TermId(index)).binders.iter().any(|(bound, _)| *bound == name);
    (0..script.terms.len() as u32).any(binds)
}

/// Adds declarations and definitions of `guest` to `child`, in order, under their new names.
fn add_received(
    child: &mut Script,
    guest: &Script,
    received: &[(Symbol, Meaning<'_>)],
    renamed: &FxHashMap<Symbol, Symbol>,
) {
    let new_name = |name: Symbol| renamed.get(&name).copied().unwrap_or(name);
    let mut commands: Vec<Command> = Vec::new();
    let mut done: Vec<Symbol> = Vec::new();
    for (name, meaning) in received {
        let mut copy = |definition: &Definition| Definition {
            name: new_name(definition.name),
            body: import_renamed(&mut child.terms, &guest.terms, definition.body, renamed),
            ..definition.clone()
        };
        match meaning {
            Meaning::Declared(declaration) => {
                commands.push(Command::Declare(Declaration { name: new_name(*name), ..(*declaration).clone() }));
            }
            Meaning::Defined(definition) => commands.push(Command::Define(copy(definition))),
            Meaning::Recursive(list) if !done.contains(name) => {
                commands.push(Command::DefineRecursive(list.iter().map(copy).collect()));
                done.extend(list.iter().map(|each| each.name));
            }
            Meaning::Recursive(_) => {}
        }
    }
    insert_declarations(child, commands);
}

/// Copies a term between arenas, with other names for some declared symbols.
fn import_renamed(terms: &mut Terms, from: &Terms, root: TermId, names: &FxHashMap<Symbol, Symbol>) -> TermId {
    if names.is_empty() {
        return terms.import(from, root);
    }
    let mut used = vec![false; root.0 as usize + 1];
    from.mark_used(std::iter::once(root), &mut used);
    let mut copies: Vec<TermId> = vec![root; used.len()];
    for index in (0..used.len()).filter(|&index| used[index]) {
        let parts = from.parts(TermId(index as u32));
        let renamed = |name: Symbol| names.get(&name).copied().unwrap_or(name);
        let head = match parts.head {
            Head::Constant(name) => Head::Constant(renamed(name)),
            Head::Function(name) => Head::Function(renamed(name)),
            Head::Verbatim(text) => Head::Verbatim(renamed_words(text, names)),
            head => head,
        };
        let arguments: Vec<TermId> = parts.arguments.iter().map(|argument| copies[argument.0 as usize]).collect();
        copies[index] = terms.intern(Parts { head, arguments: &arguments, ..parts });
    }
    copies[root.0 as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_of_both_parents_is_exchanged() {
        assert_eq!(exchange_count(5, 5), 2);
        assert_eq!(exchange_count(1, 1), 1);
        assert_eq!(exchange_count(10, 10), 4);
        assert_eq!(exchange_count(20, 3), 1);
        assert_eq!(exchange_count(3, 5), 2);
    }
}
