//! How fast fresh scripts are made, with StringFuzz's parameters (`random-ast`) and with ours, and StringFuzz's kinds.

use divan::Bencher;
use divan::counter::ItemsCount;

use mulstringfuzz::generator::stringfuzz::recipes;
use mulstringfuzz::generator::{Generator, Parameters, StringGenerator};
use mulstringfuzz::random::rng_for;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::printer::{PrintOptions, print_into};
use mulstringfuzz::smtlib::script::Script;

fn main() {
    divan::main();
}

/// Scripts per iteration, so that one iteration is well above the clock's resolution.
const BATCH: usize = 1000;

fn parameters(name: &str) -> Parameters {
    if name == "random-ast" { Parameters::random_ast() } else { Parameters::default() }
}

#[divan::bench(args = ["random-ast", "default"])]
fn terms(bencher: Bencher, name: &str) {
    let generator = StringGenerator::new(parameters(name), &Fragment::paper());
    let (mut script, mut rng) = (Script::new(), rng_for(1, 0, 0));
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        for _ in 0..BATCH {
            generator.generate_into(&mut script, &mut rng);
        }
        script.terms.len()
    });
}

#[divan::bench(args = ["random-ast", "default"])]
fn texts(bencher: Bencher, name: &str) {
    texts_of(bencher, &StringGenerator::new(parameters(name), &Fragment::paper()));
}

#[divan::bench(args = recipes().map(|recipe| recipe.name()))]
fn stringfuzz_texts(bencher: Bencher, name: &str) {
    let recipe = recipes().into_iter().find(|recipe| recipe.name() == name).expect("a name of the table");
    texts_of(bencher, &*recipe.prepare(&Fragment::paper()).expect("StringFuzz's parameters"));
}

/// Makes scripts and prints them.
fn texts_of(bencher: Bencher, generator: &(impl Generator + ?Sized)) {
    let (mut script, mut rng) = (Script::new(), rng_for(1, 0, 0));
    let (mut text, options) = (String::new(), PrintOptions::default());
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        for _ in 0..BATCH {
            generator.generate_into(&mut script, &mut rng);
            text.clear();
            print_into(&mut text, &script, Dialect::SmtLib25, &options).expect("the fragment is printable");
        }
        text.len()
    });
}
