//! What `StringFuzz`'s genetic search, `stringbreak`, begins with, and what it adds to scripts.

use super::RandomAst;
use crate::generator::{Generator, Grammar, Scope, StringGenerator};
use crate::random::FuzzRng;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::script::Script;
use crate::smtlib::sort::Sort;
use crate::smtlib::term::{TermId, Terms};

/// How deep the script nests operators with which `stringbreak` begins.
const PROGENITOR_DEPTH: u32 = 3;

/// How deep an assertion nests operators that it adds.
const ASSERTION_DEPTH: u32 = 5;

/// Scripts and assertions as `stringbreak` has them: `random-ast` over one variable of each sort, half of the leaves
/// literals, strings of 10 characters, numerals up to 30; five assertions of depth 3 to begin with, and others of depth 5.
#[derive(Debug)]
pub struct Stringbreak {
    progenitors: StringGenerator,
    assertions: StringGenerator,
}

impl Stringbreak {
    /// For the scripts of a fragment, which is about strings.
    pub fn new(fragment: &Fragment) -> Self {
        let progenitors = RandomAst {
            variables: 1,
            assertions: 5,
            depth: PROGENITOR_DEPTH,
            // With one argument at most, `random-ast` draws what StringFuzz's draws.
            max_terms: 1,
            max_string: 10,
            max_int: 30,
            literal_chance: 0.5,
            meaningful: true,
        };
        let assertions = RandomAst { depth: ASSERTION_DEPTH, ..progenitors.clone() };
        Stringbreak { progenitors: progenitors.generator(fragment), assertions: assertions.generator(fragment) }
    }
}

impl Generator for Stringbreak {
    fn generate_into(&self, script: &mut Script, rng: &mut FuzzRng) {
        self.progenitors.generate_into(script, rng);
    }
}

impl Grammar for Stringbreak {
    fn variable_sort(&self, scope: &Scope, rng: &mut FuzzRng) -> Option<Sort> {
        self.assertions.variable_sort(scope, rng)
    }

    fn assertion(&self, terms: &mut Terms, scope: &Scope, rng: &mut FuzzRng) -> TermId {
        self.assertions.assertion(terms, scope, rng)
    }

    fn assertion_using(&self, terms: &mut Terms, scope: &Scope, variable: TermId, rng: &mut FuzzRng) -> Option<TermId> {
        self.assertions.assertion_using(terms, scope, variable, rng)
    }

    fn term(&self, terms: &mut Terms, scope: &Scope, sort: Sort, depth: u32, rng: &mut FuzzRng) -> Option<TermId> {
        self.assertions.term(terms, scope, sort, depth, rng)
    }

    fn largest_numeral(&self) -> u32 {
        self.assertions.largest_numeral()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng_for;
    use crate::smtlib::script::Command;

    #[test]
    fn a_progenitor_has_five_assertions_over_at_most_one_variable_of_each_sort() {
        let stringbreak = Stringbreak::new(&Fragment::paper());
        for slot in 0..50 {
            let script = stringbreak.generate(&mut rng_for(1, 0, slot));
            assert_eq!(script.assertions().count(), 5);
            let declared = script.commands.iter().filter(|command| matches!(command, Command::Declare(_))).count();
            assert!((1..=3).contains(&declared), "{declared} variables");
        }
    }
}
