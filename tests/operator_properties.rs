//! What holds for every script that is generated, mutated or crossed.

use proptest::prelude::*;

use mulstringfuzz::generator::{Generator, Parameters, StringGenerator};
use mulstringfuzz::operator::Context;
use mulstringfuzz::operator::crossover::cross;
use mulstringfuzz::operator::mutation::{MUTATORS, Mutator, mutate_once};
use mulstringfuzz::operator::offspring::{Variation, offspring};
use mulstringfuzz::operator::seed::normalise_seed;
use mulstringfuzz::operator::stringfuzz::{Options, Reverse, WITH_TRANSFORMERS, transformers};
use mulstringfuzz::random::{FuzzRng, choose_front, rng_for};
use mulstringfuzz::smtlib::canonical::canonical_hash;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::printer::{PrintOptions, print};
use mulstringfuzz::smtlib::script::{Command, Script};
use mulstringfuzz::smtlib::symbol::Symbol;

fn printed(script: &Script, dialect: Dialect) -> String {
    print(script, dialect, &PrintOptions::default()).expect("the dialect spells the fragment")
}

fn parsed(text: &str, dialect: Dialect) -> Script {
    parse(text, "test", &ParseOptions { dialect: Some(dialect) }).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A script is what the tool may hand to solvers: in the fragment, with a question in it, declaring what it uses and
/// no more, and the same after printing and reading in the dialects.
fn assert_sound(script: &Script, fragment: &Fragment, dialects: &[Dialect]) {
    assert_eq!(fragment.admits(script), Ok(()), "{}", printed(script, dialects[0]));
    assert!(script.assertions().next().is_some());
    for &dialect in dialects {
        let text = printed(script, dialect);
        let back = parsed(&text, dialect);
        assert_eq!(&back, script, "{text}");
        let used = mulstringfuzz::operator::declarations::used_symbols(&back);
        assert!(back.declarations().all(|each| used.contains(&each.name)), "{text}");
    }
}

fn paper() -> (Fragment, Vec<Dialect>) {
    (Fragment::paper(), vec![Dialect::SmtLib25, Dialect::SmtLib26])
}

fn standard() -> (Fragment, Vec<Dialect>) {
    (Fragment::standard(), vec![Dialect::SmtLib26])
}

fn some_parameters() -> impl Strategy<Value = Parameters> {
    (0_u32..4, 1_u32..8, 1_u32..5, 0.0..=1.0_f64, 0_u32..12).prop_map(
        |(variables, assertions, depth, literal_probability, string_length)| Parameters {
            variables,
            assertions,
            depth,
            literal_probability,
            string_length,
            ..Parameters::default()
        },
    )
}

/// A fresh script after so many mutations, each of which changes it and leaves it sound.
fn mutated_soundly(
    mutators: &[&dyn Mutator],
    rounds: usize,
    seed: u64,
    context: &Context<'_>,
    dialects: &[Dialect],
) -> Result<Script, TestCaseError> {
    let mut rng = rng_for(seed, 0, 0);
    let mut script = context.grammar.generate(&mut rng);
    for _ in 0..rounds {
        let before = script.clone();
        let name = mutate_once(&mut script, mutators, &mut rng, context);
        prop_assert!(name.is_some());
        prop_assert_ne!(&before, &script, "{:?}", name);
        assert_sound(&script, context.fragment, dialects);
    }
    Ok(script)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn generated_scripts_are_sound(parameters in some_parameters(), seed in any::<u64>(), of_paper in any::<bool>()) {
        let (fragment, dialects) = if of_paper { paper() } else { standard() };
        let generator = StringGenerator::new(parameters.clone(), &fragment);
        let script = generator.generate(&mut rng_for(seed, 0, 0));
        assert_sound(&script, &fragment, &dialects);
        prop_assert_eq!(script.assertions().count(), parameters.assertions as usize);
        prop_assert!(parameters.variables == 0 || script.declarations().next().is_some());
        prop_assert_eq!(printed(&script, dialects[0]),
            printed(&generator.generate(&mut rng_for(seed, 0, 0)), dialects[0]));
    }

    #[test]
    fn mutated_scripts_are_sound(parameters in some_parameters(), seed in any::<u64>(), of_paper in any::<bool>()) {
        let (fragment, dialects) = if of_paper { paper() } else { standard() };
        let generator = StringGenerator::new(parameters, &fragment);
        let context = Context { fragment: &fragment, grammar: &generator };
        mutated_soundly(&MUTATORS, 10, seed, &context, &dialects)?;
    }

    #[test]
    fn scripts_mutated_with_the_transformers_are_sound_and_do_not_explode(
        parameters in some_parameters(), seed in any::<u64>(), of_paper in any::<bool>(),
    ) {
        let (fragment, dialects) = if of_paper { paper() } else { standard() };
        let generator = StringGenerator::new(parameters, &fragment);
        let context = Context { fragment: &fragment, grammar: &generator };
        let script = mutated_soundly(&WITH_TRANSFORMERS, 20, seed, &context, &dialects)?;
        prop_assert!(printed(&script, dialects[0]).len() < 100_000);
    }

    #[test]
    fn transformed_scripts_are_sound(
        parameters in some_parameters(), seed in any::<u64>(), of_paper in any::<bool>(), all in any::<bool>(),
    ) {
        let (fragment, dialects) = if of_paper { paper() } else { standard() };
        let generator = StringGenerator::new(parameters, &fragment);
        let context = Context { fragment: &fragment, grammar: &generator };
        let original = generator.generate(&mut rng_for(seed, 0, 0));
        let options = Options { factor: 3, integers: all, re_range: all, str_to_re: all };
        let mut pipeline = original.clone();
        for transformer in &transformers(&options) {
            let transformer: &[&dyn Mutator] = &[transformer.as_ref()];
            let transform = |from: &Script| {
                let (mut script, mut again) = (from.clone(), from.clone());
                let name = mutate_once(&mut script, transformer, &mut rng_for(seed, 1, 0), &context);
                assert_eq!(name, mutate_once(&mut again, transformer, &mut rng_for(seed, 1, 0), &context));
                assert_eq!(printed(&script, dialects[0]), printed(&again, dialects[0]));
                assert_sound(&script, &fragment, &dialects);
                script
            };
            transform(&original);
            pipeline = transform(&pipeline);
        }
    }

    #[test]
    fn a_script_reversed_twice_is_the_same(parameters in some_parameters(), seed in any::<u64>()) {
        let fragment = Fragment::standard();
        let generator = StringGenerator::new(parameters, &fragment);
        let context = Context { fragment: &fragment, grammar: &generator };
        let mut rng = rng_for(seed, 0, 0);
        let original = generator.generate(&mut rng);
        let mut script = original.clone();
        Reverse.mutate(&mut script, &mut rng, &context);
        Reverse.mutate(&mut script, &mut rng, &context);
        prop_assert_eq!(original, script);
    }

    #[test]
    fn crossed_scripts_are_sound(one in some_parameters(), other in some_parameters(), seed in any::<u64>()) {
        let (fragment, dialects) = paper();
        let mut rng = rng_for(seed, 0, 0);
        let mother = StringGenerator::new(one, &fragment).generate(&mut rng);
        let father = StringGenerator::new(other, &fragment).generate(&mut rng);
        let (daughter, son) = cross(&mother, &father, &mut rng);
        for child in [&daughter, &son] {
            assert_sound(child, &fragment, &dialects);
        }
        prop_assert_eq!(mother.assertions().count(), daughter.assertions().count());
        prop_assert_eq!(father.assertions().count(), son.assertions().count());
    }

    #[test]
    fn the_fingerprint_ignores_names_and_the_order_of_assertions(
        parameters in some_parameters(), seed in any::<u64>(),
    ) {
        let fragment = Fragment::paper();
        let generator = StringGenerator::new(parameters, &fragment);
        let mut rng = rng_for(seed, 0, 0);
        let mut script = generator.generate(&mut rng);
        prop_assert_eq!(canonical_hash(&script), canonical_hash(&disguised(&script, &mut rng)));
        let context = Context { fragment: &fragment, grammar: &generator };
        let before = canonical_hash(&script);
        let old = script.clone();
        mutate_once(&mut script, &MUTATORS, &mut rng, &context);
        if size(&old) != size(&script) {
            prop_assert_ne!(before, canonical_hash(&script));
        }
        prop_assert_eq!(canonical_hash(&script), canonical_hash(&disguised(&script, &mut rng)));
        prop_assert_eq!(canonical_hash(&script), canonical_hash(&script.compacted()));
    }

    #[test]
    fn offspring_are_sound_and_new(seed in any::<u64>(), generation in 1_u32..100) {
        let (fragment, dialects) = paper();
        let generator = StringGenerator::new(Parameters::default(), &fragment);
        let context = Context { fragment: &fragment, grammar: &generator };
        let parents: Vec<Script> = (0..5).map(|slot| generator.generate(&mut rng_for(seed, 0, slot))).collect();
        let known: Vec<u128> = parents.iter().map(canonical_hash).collect();
        let parents: Vec<&Script> = parents.iter().collect();
        let variation =
            Variation { crossover_probability: 0.75, mutation_probability: 0.25, mutators: &MUTATORS, fresh: &generator };
        let seen = |hash: u128| known.contains(&hash);
        let make = || offspring(&parents, &variation, seed, generation, &context, &seen);
        let (children, again) = (make(), make());
        prop_assert_eq!(children.len(), parents.len());
        for (child, same) in children.iter().zip(&again) {
            assert_sound(&child.script, &fragment, &dialects);
            prop_assert!(!child.duplicate && !known.contains(&child.fingerprint));
            prop_assert_eq!(child.fingerprint, canonical_hash(&child.script));
            prop_assert_eq!(printed(&child.script, dialects[0]), printed(&same.script, dialects[0]));
        }
    }
}

/// How many nodes of each assertion's graph, and how many assertions: what a renaming cannot change.
fn size(script: &Script) -> (usize, usize) {
    (script.compacted().terms.len(), script.assertions().count())
}

/// The same script with other variable names and its assertions in another order.
fn disguised(script: &Script, rng: &mut FuzzRng) -> Script {
    let mut text = String::new();
    let mut names: Vec<u32> = (0..script.declarations().count() as u32).collect();
    let all = names.len();
    choose_front(rng, &mut names, all);
    let original = printed(script, Dialect::SmtLib26);
    let mut assertions: Vec<String> = Vec::new();
    for line in original.lines() {
        let mut line = line.to_owned();
        for (number, declaration) in script.declarations().enumerate() {
            // A name that no literal holds, because literals are of at most 12 characters.
            line = replace_word(&line, declaration.name.as_str(), &format!("disguise-{:09}", names[number]));
        }
        if line.starts_with("(assert") {
            assertions.push(line);
        } else if line.starts_with("(check-sat") {
            let all = assertions.len();
            choose_front(rng, &mut assertions, all);
            text.push_str(&assertions.join("\n"));
            text.push('\n');
            text.push_str(&line);
        } else {
            text.push_str(&line);
            text.push('\n');
        }
    }
    parsed(&text, Dialect::SmtLib26)
}

/// Replaces a word outside of string literals.
fn replace_word(line: &str, word: &str, by: &str) -> String {
    let pieces: Vec<String> = line
        .split('"')
        .enumerate()
        .map(|(number, piece)| {
            if number % 2 == 1 {
                return piece.to_owned();
            }
            let mut out = String::new();
            let mut current = String::new();
            for character in piece.chars().chain(['\0']) {
                if character.is_whitespace() || "()\0".contains(character) {
                    out.push_str(if current == word { by } else { &current });
                    current.clear();
                    if character != '\0' {
                        out.push(character);
                    }
                } else {
                    current.push(character);
                }
            }
            out
        })
        .collect();
    pieces.join("\"")
}

#[test]
fn seeds_with_binders_and_definitions_stay_well_sorted() {
    let text = r#"
(set-logic ALL)
(set-info :status unsat)
(set-option :produce-models true)
(declare-datatypes ((Pair 0)) (((pair (first Int) (second String)))))
(declare-const p Pair)
(declare-const x Int)
(declare-const s String)
(declare-const t String)
(define-fun twice ((x Int)) Int (+ x x x))
(assert (! (forall ((x Int) (y String)) (=> (< x (str.len y)) (= (twice x) (str.len (str.++ y s))))) :named a))
(assert (let ((x (str.len s)) (z t)) (and (< x 3) (str.prefixof z "abc"))))
(assert (= (first p) x))
(push 1)
(assert (exists ((s String)) (str.contains s t)))
(check-sat)
(get-model)
(pop 1)
(assert false)
(check-sat)
"#;
    let seed = normalise_seed(&parsed(text, Dialect::SmtLib26)).expect("a usable seed");
    assert_eq!(seed.assertions().count(), 4);
    assert!(!printed(&seed, Dialect::SmtLib26).contains(":status"));
    bred_soundly(&seed, 300);
}

/// Mutates a seed, and crosses what comes of it with the seed, so many times; all of it is sound.
fn bred_soundly(seed: &Script, rounds: usize) {
    let fragment = Fragment::standard().in_logic("ALL").admitting(seed);
    let generator = StringGenerator::new(Parameters::default(), &fragment);
    let context = Context { fragment: &fragment, grammar: &generator };
    let mut rng = rng_for(1, 0, 0);
    let mut other = seed.clone();
    for round in 0..rounds {
        let mut script = if round % 3 == 0 { seed.clone() } else { other.clone() };
        mutate_once(&mut script, &MUTATORS, &mut rng, &context).expect("something applies");
        assert_sound(&script, &fragment, &[Dialect::SmtLib26]);
        let (daughter, son) = cross(&script, seed, &mut rng);
        assert_sound(&daughter, &fragment, &[Dialect::SmtLib26]);
        assert_sound(&son, &fragment, &[Dialect::SmtLib26]);
        other = daughter;
    }
}

#[test]
fn seeds_with_what_few_solvers_read_stay_well_sorted() {
    let of_functions = r"
(set-logic ALL)
(declare-const g (-> Int Int))
(declare-const h (-> Int Int))
(declare-fun next (Int) Int)
(declare-fun even (Int) Bool)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const items (Seq Int))
(declare-const x Int)
(declare-const y Int)
(define-fun add ((total Int) (item Int)) Int (+ total item))
(assert (= (seq.foldl add 0 items) (g x)))
(assert (= (seq.map next items) (seq.map h items)))
(assert (= (a x) (select b (h (+ x 1)))))
(assert (= (seq.map (lambda ((i Int)) (+ i x)) items) (seq.unit y)))
(assert (= ((lambda ((i Int)) (* 2 i)) y) (g (h x))))
(assert (= (_ as-array next) a))
(assert (forall ((f (-> Int Int))) (= (f x) (g y))))
(check-sat)
";
    let unknown = r"
(set-logic ALL)
(declare-unheard thing 1)
(declare-const x Int)
(declare-const y Int)
(declare-const s String)
(declare-const t String)
(declare-const set (Set Int))
(assert (> (unheard.of x) (+ (unheard.of y) 1)))
(assert (str.prefixof (str.unheard_of s) t))
(assert (let ((z (unheard.of s))) (and (unheard.test z x) (= z z))))
(assert (= (str.++ s t) (str.at (unheard.of s) x)))
(assert (set.member x (set.union set (set.singleton y))))
(assert ((_ partial-order 0) x y))
(assert (= (thing x) (thing y)))
(check-sat)
";
    for text in [of_functions, unknown] {
        let seed = normalise_seed(&parsed(text, Dialect::SmtLib26)).expect("a usable seed");
        assert_eq!(seed.assertions().count(), 7);
        bred_soundly(&seed, 300);
        // What is not known is in no fragment of what solvers have in common.
        assert!(Fragment::standard().in_logic("ALL").admits(&seed).is_err());
    }
}

#[test]
fn a_clash_of_names_renames() {
    let mother = parsed("(declare-fun a () Int)(assert (= a 1))(check-sat)", Dialect::SmtLib25);
    let father = parsed("(declare-fun a () String)(assert (= a \"1\"))(check-sat)", Dialect::SmtLib25);
    let (daughter, son) = cross(&mother, &father, &mut rng_for(1, 0, 0));
    assert_eq!(canonical_hash(&daughter), canonical_hash(&father));
    assert_eq!(canonical_hash(&son), canonical_hash(&mother));
    let two = parsed("(declare-fun a () Int)(assert (= a 1))(assert (= a 2))(check-sat)", Dialect::SmtLib25);
    let (both, _) = cross(&two, &father, &mut rng_for(1, 0, 0));
    let sorts: Vec<String> = both.declarations().map(|each| each.sort.to_string()).collect();
    assert_eq!(sorts, ["Int", "String"]);
    let names: Vec<Symbol> = both.declarations().map(|each| each.name).collect();
    assert_ne!(names[0], names[1]);
    assert!(both.commands.iter().any(|command| matches!(command, Command::CheckSat)));
}
