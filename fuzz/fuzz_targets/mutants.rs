//! Type-aware mutants of any script: each is read again as what it is. Rules of exchange: any text is read, or refused with
//! its place.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::operator::type_aware::classes::Classes;
use mulstringfuzz::operator::type_aware::{Seed, Settings, Way};
use mulstringfuzz::random::rng_for;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::printer::{PrintOptions, print};

/// Steps of each chain: a mutant grows with each.
const STEPS: u32 = 4;

fuzz_target!(|text: &str| {
    if let Err(error) = Classes::read(text, "fuzz") {
        assert!(error.line <= text.lines().count(), "{error}");
    }
    let options = ParseOptions { dialect: Some(Dialect::SmtLib26) };
    let Ok(script) = parse(text, "fuzz", &options) else { return };
    let Ok(seed) = Seed::of(&script, &Fragment::standard().in_logic("ALL")) else { return };
    for (way, random) in [Way::Typefuzz, Way::Opfuzz, Way::Fuzzchick].into_iter().zip(0..) {
        let mut settings = Settings::new(way);
        settings.neighbours = true;
        settings.more_arguments = true;
        let mut chain = seed.chain(&settings);
        for step in 0..STEPS {
            if !chain.step(&mut rng_for(random, 0, step)) {
                break;
            }
            let printed =
                print(chain.script(), Dialect::SmtLib26, &PrintOptions::default()).expect("this spells everything");
            let again = parse(&printed, "mutant", &options).unwrap_or_else(|error| panic!("{error}\n{printed}"));
            assert_eq!(&again, chain.script(), "{printed}");
        }
    }
});
