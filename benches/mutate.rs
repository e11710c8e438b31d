//! How fast scripts of some 400 bytes are mutated: read, changed and printed, and changed alone.

use divan::Bencher;
use divan::counter::ItemsCount;

use mulstringfuzz::generator::{Generator, Parameters, StringGenerator};
use mulstringfuzz::hunt::source::{INSTANCES_A_ROUND, Source, Storm, StormSettings};
use mulstringfuzz::operator::Context;
use mulstringfuzz::operator::mutation::{FuzzLiterals, MUTATORS, Mutator, mutate_once};
use mulstringfuzz::operator::storm::Bounds;
use mulstringfuzz::operator::stringfuzz::{NAMES, Options, transformers};
use mulstringfuzz::operator::type_aware::{Seed, Settings, Way};
use mulstringfuzz::random::rng_for;
use mulstringfuzz::smtlib::canonical::canonical_hash;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::printer::{PrintOptions, print, print_into};
use mulstringfuzz::smtlib::script::Script;

fn main() {
    divan::main();
}

/// Scripts per iteration.
const BATCH: usize = 200;

/// Twenty scripts like those that StringFuzz was measured on: two variables per sort, four assertions.
fn inputs(fragment: &Fragment) -> Vec<Script> {
    let parameters = Parameters { variables: 2, assertions: 4, ..Parameters::random_ast() };
    let generator = StringGenerator::new(parameters, fragment);
    (0..20).map(|slot| generator.generate(&mut rng_for(1, 0, slot))).collect()
}

fn texts(fragment: &Fragment) -> Vec<String> {
    let print = |script: &Script| print(script, Dialect::SmtLib25, &PrintOptions::default());
    inputs(fragment).iter().map(|script| print(script).expect("the fragment is printable")).collect()
}

fn parsed(text: &str) -> Script {
    parse(text, "bench", &ParseOptions { dialect: Some(Dialect::SmtLib25) }).expect("a printed script")
}

/// Reads, mutates and prints, as a filter does.
fn filter(bencher: Bencher, mutators: &[&dyn Mutator]) {
    let fragment = Fragment::paper();
    let generator = StringGenerator::new(Parameters::default(), &fragment);
    let context = Context { fragment: &fragment, grammar: &generator };
    let (texts, options) = (texts(&fragment), PrintOptions::default());
    let (mut out, mut rng) = (String::new(), rng_for(1, 0, 0));
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        for text in texts.iter().cycle().take(BATCH) {
            let mut script = parsed(text);
            mutate_once(&mut script, mutators, &mut rng, &context);
            out.clear();
            print_into(&mut out, &script, Dialect::SmtLib25, &options).expect("the fragment is printable");
        }
        out.len()
    });
}

#[divan::bench]
fn read_fuzz_print(bencher: Bencher) {
    filter(bencher, &[&FuzzLiterals]);
}

#[divan::bench]
fn read_mutate_print(bencher: Bencher) {
    filter(bencher, &MUTATORS);
}

/// Reads, transforms and prints, as StringFuzz's transformers do.
#[divan::bench(args = NAMES)]
fn read_transform_print(bencher: Bencher, name: &str) {
    let table = transformers(&Options::default());
    let named = table.iter().find(|each| each.name() == name).expect("a name of the table");
    filter(bencher, &[named.as_ref()]);
}

#[divan::bench]
fn read(bencher: Bencher) {
    let texts = texts(&Fragment::paper());
    bencher
        .counter(ItemsCount::new(BATCH))
        .bench_local(|| texts.iter().cycle().take(BATCH).map(|text| parsed(text).terms.len()).sum::<usize>());
}

/// One copy of a script, and one operator on it.
#[divan::bench(args = ["all", "new-variable", "delete-variable", "add-assertion", "delete-assertion", "fuzz-literals",
    "replace-operator", "exchange-subterms"])]
fn mutate(bencher: Bencher, name: &str) {
    let fragment = Fragment::paper();
    let generator = StringGenerator::new(Parameters::default(), &fragment);
    let context = Context { fragment: &fragment, grammar: &generator };
    let mutators: Vec<&dyn Mutator> =
        MUTATORS.into_iter().filter(|mutator| name == "all" || mutator.name() == name).collect();
    let (scripts, mut script, mut rng) = (inputs(&fragment), Script::new(), rng_for(1, 0, 0));
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        for input in scripts.iter().cycle().take(BATCH) {
            script.clone_from(input);
            mutate_once(&mut script, &mutators, &mut rng, &context);
        }
        script.terms.len()
    });
}

#[divan::bench]
fn fingerprint(bencher: Bencher) {
    let scripts = inputs(&Fragment::paper());
    bencher
        .counter(ItemsCount::new(BATCH))
        .bench_local(|| scripts.iter().cycle().take(BATCH).fold(0, |sum, script| sum ^ canonical_hash(script)));
}

/// STORM's instances of one script, with the checks that they are satisfied: an assignment and its pools for each ten.
/// STORM itself takes some 20 ms of CPU time an instance.
#[divan::bench]
fn storm_and_print(bencher: Bencher) {
    let seeds: Vec<(String, Script)> =
        inputs(&Fragment::paper()).into_iter().enumerate().map(|(number, it)| (number.to_string(), it)).collect();
    let settings = StormSettings {
        bounds: Bounds { depth: 20, assertions: 20 },
        incremental: 0.5,
        instances: Some(u32::MAX),
        seed: 1,
    };
    let storm = Storm::new(&seeds, settings);
    let (mut out, options, mut round) = (String::new(), PrintOptions::default(), 0);
    bencher.counter(ItemsCount::new(INSTANCES_A_ROUND as usize * storm.seeds())).bench_local(|| {
        round += 1;
        for seed in 0..storm.seeds() {
            for case in storm.cases(seed, round).ok().flatten().into_iter().flatten() {
                out.clear();
                print_into(&mut out, &case.script, Dialect::SmtLib25, &options).expect("the fragment is printable");
            }
        }
        out.len()
    });
}

/// Chains of 30 type-aware mutations of one script, each mutant printed. TypeFuzz's own tool takes some 0.4 ms of CPU time
/// a mutant, OpFuzz's 0.05 ms, without solvers.
#[divan::bench(args = ["typefuzz", "opfuzz", "fuzzchick"])]
fn chain_and_print(bencher: Bencher, name: &str) {
    const STEPS: usize = 30;
    let way = match name {
        "typefuzz" => Way::Typefuzz,
        "opfuzz" => Way::Opfuzz,
        _ => Way::Fuzzchick,
    };
    let (fragment, settings) = (Fragment::standard().in_logic("ALL"), Settings::new(way));
    let seeds: Vec<Seed> =
        inputs(&Fragment::standard()).iter().map(|script| Seed::of(script, &fragment).expect("a seed")).collect();
    let (mut out, options, mut rng) = (String::new(), PrintOptions::default(), rng_for(1, 0, 0));
    bencher.counter(ItemsCount::new(STEPS * seeds.len())).bench_local(|| {
        for seed in &seeds {
            let mut chain = seed.chain(&settings);
            for _ in 0..STEPS {
                chain.step(&mut rng);
                out.clear();
                print_into(&mut out, chain.script(), Dialect::SmtLib26, &options)
                    .expect("the dialect spells everything");
            }
        }
        out.len()
    });
}
