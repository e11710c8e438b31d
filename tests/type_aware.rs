//! What holds for every type-aware mutant, whatever its seed binds.

use proptest::prelude::*;

use mulstringfuzz::operator::type_aware::{Seed, Settings, Way};
use mulstringfuzz::random::rng_for;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::fragment::Fragment;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::smtlib::printer::{PrintOptions, print};
use mulstringfuzz::smtlib::script::Script;

const DECLARED: &str = "(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))\n(declare-fun i () Int)\n\
    (declare-fun b () Bool)\n(declare-fun s () String)\n(declare-fun l () L)\n(declare-fun v () (_ BitVec 8))\n\
    (declare-fun a () (Array Int String))\n(declare-fun f (Int Bool) Int)\n(declare-fun x () Real)\n";

/// The names that binders draw from; few, and declared ones among them, so that they shadow one another.
const NAMES: [&str; 4] = ["y", "z", "i", "b"];

fn printed(script: &Script) -> String {
    print(script, Dialect::SmtLib26, &PrintOptions::default()).expect("the dialect spells everything")
}

fn parsed(text: &str) -> Script {
    parse(text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) })
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A Boolean term over what is declared, and over variables of binders around it: text, which only the parser checks.
fn formula() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("b".to_owned()),
        Just("(< i (f 3 b))".to_owned()),
        Just("(= s (select a i))".to_owned()),
        Just("(str.in_re s (re.* (str.to_re \"ab\")))".to_owned()),
        Just("(bvult v #x0f)".to_owned()),
        Just("(< x 1.5 (to_real i))".to_owned()),
        Just("((_ is cons) l)".to_owned()),
        Just("(= ((_ extract 3 0) v) #b0101)".to_owned()),
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let name = prop::sample::select(&NAMES[..]);
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("(and {one} {other})")),
            inner.clone().prop_map(|inner| format!("(not {inner})")),
            (name.clone(), inner.clone()).prop_map(|(name, inner)| format!(
                "(forall (({name} Int)) (or (< {name} 3) {inner_b}))",
                inner_b = closed(&inner, name)
            )),
            (name.clone(), inner.clone()).prop_map(|(name, inner)| format!(
                "(exists (({name} Bool) (w String)) (=> {name} (= w s) {}))",
                closed(&inner, name)
            )),
            (name.clone(), inner.clone(), inner.clone()).prop_map(|(name, value, inner)| format!(
                "(let (({name} {value})) (xor {name} {}))",
                closed(&inner, name)
            )),
            (name, inner).prop_map(|(name, inner)| format!(
                "(match l ((nil {}) ((cons {name} t) (and (= t l) (< {name} i)))))",
                closed(&inner, "none")
            )),
        ]
    })
}

/// A formula below a binder of `name`, which hides a declared variable of that name and perhaps of another sort.
fn closed(inner: &str, name: &str) -> String {
    let hides = ["i", "b"].contains(&name);
    if hides && inner.split(['(', ')', ' ']).any(|word| word == name) { "true".to_owned() } else { inner.to_owned() }
}

fn ways() -> impl Strategy<Value = Way> {
    prop::sample::select(vec![Way::Typefuzz, Way::Opfuzz, Way::Fuzzchick, Way::Mixed])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn every_mutant_of_a_chain_is_well_sorted_and_another_one(
        formulas in prop::collection::vec(formula(), 1..3),
        way in ways(),
        further in any::<bool>(),
        random in any::<u64>(),
    ) {
        let asserted: Vec<String> = formulas.iter().map(|formula| format!("(assert {formula})")).collect();
        let text = format!("(set-logic ALL)\n{DECLARED}{}\n(check-sat)\n", asserted.join("\n"));
        let seed = Seed::of(&parsed(&text), &Fragment::standard().in_logic("ALL")).expect("a seed");
        let mut settings = Settings::new(way);
        settings.more_arguments = further;
        settings.neighbours = further;
        settings.new_assertions = if further { 0.1 } else { 0.0 };
        let mut chain = seed.chain(&settings);
        let (own, mut before) = (printed(seed.script()), printed(seed.script()));
        for step in 0..12 {
            if !chain.step(&mut rng_for(random, 0, step)) {
                // OpFuzz may find nothing to exchange; the script is as it was then.
                prop_assert_eq!(printed(chain.script()), before.clone());
                continue;
            }
            let mutant = printed(chain.script());
            prop_assert_ne!(&mutant, &own);
            prop_assert_ne!(&mutant, &before);
            // Reading checks every sort and every scope.
            prop_assert_eq!(&parsed(&mutant), chain.script(), "{}", mutant);
            before = mutant;
        }
    }
}
