//! Many configurations of a solver: of each solver one is drawn for an instance, so that a hunt covers many without asking
//! all of them about each.

use std::collections::BTreeMap;

use toml::Spanned;

use super::lists::ListError;
use super::source::Case;
use crate::random::{below, chance, mix, rng_for};
use crate::shell::words;
use crate::solver::profile::SolverSpec;

/// Sets of options by the name of a solver, as a file has them: `z3 = ["", "smt.arith.solver=2"]`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionSets(BTreeMap<String, Vec<Vec<String>>>);

impl OptionSets {
    /// Reads the text of the file with this name, for these solvers.
    ///
    /// # Errors
    /// [`ListError`]: what is no TOML, a solver that is not asked, no set at all, quotes that are not closed.
    pub fn read(text: &str, name: &str, solvers: &[SolverSpec]) -> Result<OptionSets, ListError> {
        let at = |offset, reason: &str| ListError::at(name, text, offset, reason);
        let written: BTreeMap<Spanned<String>, Spanned<Vec<Spanned<String>>>> =
            toml::from_str(text).map_err(|error| at(error.span().map_or(0, |span| span.start), error.message()))?;
        let mut sets = BTreeMap::new();
        for (solver, written) in written {
            if !solvers.iter().any(|spec| spec.name == *solver.get_ref()) {
                return Err(at(solver.span().start, &format!("no --solver is called `{}`", solver.get_ref())));
            }
            if written.get_ref().is_empty() {
                return Err(at(written.span().start, "there is no set of options here; \"\" is that of no options"));
            }
            let one = |set: &Spanned<String>| {
                words(set.get_ref()).ok_or_else(|| at(set.span().start, "a quote is not closed"))
            };
            sets.insert(solver.get_ref().clone(), written.get_ref().iter().map(one).collect::<Result<_, _>>()?);
        }
        Ok(OptionSets(sets))
    }

    /// The configurations of a solver: its own options, and those of each set.
    pub fn of(&self, solver: &SolverSpec) -> Vec<SolverSpec> {
        let Some(sets) = self.0.get(&solver.name) else { return vec![solver.clone()] };
        let with = |set: &Vec<String>| SolverSpec { options: [&solver.options[..], set].concat(), ..solver.clone() };
        sets.iter().map(with).collect()
    }
}

/// Which of some solvers are configurations of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Configurations {
    /// For each solver, by its place, the places of its configurations.
    groups: Vec<Group>,
    seed: u64,
    /// How often one with a tactic is asked, where there is one.
    share: f64,
}

/// The places of a solver's configurations, one kind or the other at least.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Group {
    plain: Vec<usize>,
    by_tactic: Vec<usize>,
}

impl Configurations {
    /// Solvers of which those with equal numbers are configurations of one; `seed` decides which are drawn.
    pub fn new(numbers: &[usize], seed: u64) -> Self {
        let all: Vec<(usize, bool)> = numbers.iter().map(|&number| (number, false)).collect();
        Self::with_tactics(&all, 0.0, seed)
    }

    /// The same of solvers of which it is said, too, whether a tactic asks them: such a configuration is drawn for this share
    /// of the instances (0 to 1).
    pub fn with_tactics(solvers: &[(usize, bool)], share: f64, seed: u64) -> Self {
        let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
        for (place, &(number, by_tactic)) in solvers.iter().enumerate() {
            let group = groups.entry(number).or_default();
            if by_tactic { group.by_tactic.push(place) } else { group.plain.push(place) }
        }
        Configurations { groups: groups.into_values().collect(), seed, share }
    }

    /// The places of those that are asked about an instance: one of each solver.
    pub fn of(&self, case: &Case) -> Vec<usize> {
        let name = case.seed.bytes().fold(0, |hash: u64, byte| mix(hash.wrapping_add(u64::from(byte) + 1)));
        let draw = |(slot, Group { plain, by_tactic }): (usize, &Group)| {
            let mut rng = rng_for(self.seed.wrapping_add(name), case.number, slot as u32);
            let is_plain = by_tactic.is_empty() || !plain.is_empty() && !chance(&mut rng, self.share);
            let places = if is_plain { plain } else { by_tactic };
            places[below(&mut rng, places.len())]
        };
        self.groups.iter().enumerate().map(draw).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::script::Script;

    fn specs(texts: &[&str]) -> Vec<SolverSpec> {
        texts.iter().map(|text| text.parse().expect("a solver")).collect()
    }

    #[test]
    fn a_solver_has_a_configuration_for_each_set_and_without_sets_its_own() {
        let solvers = specs(&["z3@5.4.1 a=1", "cvc5"]);
        let sets = OptionSets::read("z3 = [\"\", \"b=2 'c=x y'\"]\n", "o.toml", &solvers).expect("it is sound");
        let shown = |solver: &SolverSpec| sets.of(solver).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(shown(&solvers[0]), ["z3@5.4.1 a=1", "z3@5.4.1 a=1 b=2 'c=x y'"]);
        assert_eq!(shown(&solvers[1]), ["cvc5"]);
        let error = |text| OptionSets::read(text, "o.toml", &solvers).expect_err("it is wrong").to_string();
        assert_eq!(error("z3 = [\"\"]\nz4 = [\"\"]\n"), "o.toml:2:1: no --solver is called `z4`");
        assert_eq!(error("z3 = [\n  \"'a\"]\n"), "o.toml:2:3: a quote is not closed");
        assert!(error("z3 = []\n").starts_with("o.toml:1:6: there is no set"));
        assert!(error("z3 = 7\n").starts_with("o.toml:1:6: invalid type"));
    }

    #[test]
    fn each_configuration_has_its_share_and_each_solver_is_asked() {
        let configurations = Configurations::new(&[0, 0, 0, 1], 7);
        let mut times = [0; 4];
        for number in 0..600 {
            let places = configurations.of(&Case::open("seed".to_owned(), number, Script::default()));
            assert_eq!(places, configurations.of(&Case::open("seed".to_owned(), number, Script::default())));
            assert_eq!((places.len(), places[1]), (2, 3));
            times[places[0]] += 1;
        }
        assert!(times[..3].iter().all(|times| (150..250).contains(times)), "{times:?}");
    }

    #[test]
    fn tactics_have_their_share_together() {
        let solvers = [(0, false), (0, true), (0, true), (1, false), (2, true)];
        let times = |share: f64| {
            let configurations = Configurations::with_tactics(&solvers, share, 7);
            let mut times = [0; 5];
            for number in 0..600 {
                let places = configurations.of(&Case::open("seed".to_owned(), number, Script::default()));
                for place in places {
                    times[place] += 1;
                }
            }
            times
        };
        let half = times(0.5);
        assert!((250..350).contains(&half[0]) && half[1].min(half[2]) > 100, "{half:?}");
        assert_eq!((half[0] + half[1] + half[2], half[3], half[4]), (600, 600, 600));
        assert_eq!(times(0.0), [600, 0, 0, 600, 600]);
    }
}
