//! Reductions under properties that need no solver.

use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;

use super::edit::{Draft, Edit};
use super::property::{Judgement, Property, Rigour};
use super::strategy::{Freedom, Strategy};
use super::terms::{Kind, levels};
use super::*;
use crate::generator::{Generator, Parameters, StringGenerator};
use crate::random::rng_for;
use crate::smtlib::fragment::Fragment;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::printer::{PrintOptions, print};

/// Holds for scripts whose text has all these words; a look may ask for fewer.
struct Words {
    looked_for: Vec<&'static str>,
    needed: Vec<&'static str>,
    judged: AtomicU64,
    /// How many were judged by more than a look.
    wholly: AtomicU64,
    interrupt_after: u64,
}

impl Words {
    fn new(needed: &[&'static str]) -> Self {
        Words {
            looked_for: needed.to_vec(),
            needed: needed.to_vec(),
            judged: AtomicU64::new(0),
            wholly: AtomicU64::new(0),
            interrupt_after: u64::MAX,
        }
    }
}

impl Property for Words {
    fn judge(&self, script: &Script, rigour: Rigour, _: &Interrupt) -> Result<Judgement, OracleError> {
        if self.judged.fetch_add(1, Ordering::Relaxed) >= self.interrupt_after {
            return Err(OracleError::Interrupted);
        }
        self.wholly.fetch_add(u64::from(rigour != Rigour::Look), Ordering::Relaxed);
        let text = text_of(script);
        let words = if rigour == Rigour::Look { &self.looked_for } else { &self.needed };
        let holds = words.iter().all(|word| text.contains(word));
        Ok(if holds { Judgement::Holds } else { Judgement::TargetAnswers })
    }

    fn is_provisional(&self) -> bool {
        self.looked_for != self.needed
    }
}

fn text_of(script: &Script) -> String {
    print(script, Dialect::SmtLib25, &PrintOptions::default()).expect("the dialect spells the script")
}

fn script_of(text: &str) -> Script {
    parse(text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib25) })
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn reduced(script: &Script, property: &Words, strategy: Strategy, jobs: usize) -> Option<Reduction> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().expect("threads");
    let plan = Plan {
        strategy,
        freedom: Freedom::default(),
        dialect: Dialect::SmtLib25,
        seed: 1,
        most_tests: u64::MAX,
        trusting: false,
        enough: &|| false,
        pool: &pool,
    };
    reduce(script, property, &plan, &|_, _, _| {}, &Interrupt::new()).expect("no solver is asked")
}

const MIXED: &str = "(set-info :status sat)\n(set-logic QF_S)\n(declare-fun first () String)\n\
    (declare-fun second () String)\n(declare-fun third () Int)\n(declare-fun other () String)\n\
    (define-fun twice ((x String)) String (str.++ x x))\n\
    (assert (= (str.len (twice other)) 4))\n\
    (assert (and (= other \"abcd\") (let ((l (str.len first))) (> (str.indexof (str.++ first \"needle\" second) \
    second third) (+ l (* 2 l))))))\n(assert (str.in.re other (re.* (str.to.re \"ab\"))))\n(check-sat)\n(exit)\n";

#[test]
fn what_the_property_does_not_need_goes() {
    let reduction =
        reduced(&script_of(MIXED), &Words::new(&["str.indexof"]), Strategy::Levels, 1).expect("the input has it");
    assert_eq!(reduction.ended, Ended::Fixpoint);
    let text = text_of(&reduction.script);
    assert_eq!(reduction.script.assertions().count(), 1, "{text}");
    assert_eq!(reduction.script.declarations().count(), 0, "{text}");
    assert!(!text.contains("set-logic") && !text.contains("exit") && !text.contains("needle"), "{text}");
    assert!(reduction.after < reduction.before);
}

#[test]
fn what_is_to_be_kept_is_kept() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
    let freedom = Freedom { keep_logic: true, keep_names: true };
    let plan = Plan {
        strategy: Strategy::Levels,
        freedom,
        dialect: Dialect::SmtLib25,
        seed: 1,
        most_tests: u64::MAX,
        trusting: false,
        enough: &|| false,
        pool: &pool,
    };
    let property = Words::new(&["str.indexof", "third"]);
    let reduction = reduce(&script_of(MIXED), &property, &plan, &|_, _, _| {}, &Interrupt::new());
    let text = text_of(&reduction.expect("no solver").expect("the input has it").script);
    assert!(text.contains("(set-logic QF_S)") && text.contains("third"), "{text}");
}

#[test]
fn every_strategy_keeps_the_property_and_never_grows() {
    for strategy in [Strategy::Levels, Strategy::Ddmin, Strategy::DeltaSmt, Strategy::Storm] {
        let property = Words::new(&["str.indexof", "needle"]);
        let reduction = reduced(&script_of(MIXED), &property, strategy, 1).expect("the input has it");
        let text = text_of(&reduction.script);
        assert!(text.contains("str.indexof") && text.contains("needle"), "{strategy:?}: {text}");
        assert!(reduction.after < reduction.before, "{strategy:?}: {text}");
        assert_eq!(reduction.script.assertions().count(), 1, "{strategy:?}: {text}");
    }
}

#[test]
fn a_reduction_stops_when_it_is_enough_with_what_it_has() {
    let property = Words::new(&["str.indexof"]);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
    let enough = || property.judged.load(Ordering::Relaxed) >= 5;
    let plan = Plan {
        strategy: Strategy::Levels,
        freedom: Freedom::default(),
        dialect: Dialect::SmtLib25,
        seed: 1,
        most_tests: u64::MAX,
        trusting: false,
        enough: &enough,
        pool: &pool,
    };
    let reduction = reduce(&script_of(MIXED), &property, &plan, &|_, _, _| {}, &Interrupt::new());
    let reduction = reduction.expect("no solver").expect("the input has it");
    assert_eq!(reduction.ended, Ended::Limits);
    assert!(reduction.after < reduction.before && text_of(&reduction.script).contains("str.indexof"));
}

#[test]
fn what_could_not_be_made_smaller_than_its_normal_form_stays_as_it_is() {
    let text = "(declare-fun x () String)\n(define-fun twice ((y String)) String (str.++ y \"ab\" y))\n\
        (assert (= (str.indexof (twice (twice x)) (twice (twice x)) 0) 1))\n(check-sat)\n";
    let script = script_of(text);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
    let plan = Plan {
        strategy: Strategy::Levels,
        freedom: Freedom::default(),
        dialect: Dialect::SmtLib25,
        seed: 1,
        most_tests: 0,
        trusting: false,
        enough: &|| false,
        pool: &pool,
    };
    let property = Words::new(&["str.indexof"]);
    let reduction = reduce(&script, &property, &plan, &|_, _, _| {}, &Interrupt::new());
    let reduction = reduction.expect("no solver").expect("the input has it");
    assert!(reduction.after.complexity <= reduction.before.complexity, "{}", text_of(&reduction.script));
    assert_eq!(reduction.script, script);
}

/// Holds while the first literal is the second with the third, one letter or more, replaced by the fourth.
struct TrueReplacement;

impl Property for TrueReplacement {
    fn judge(&self, script: &Script, _: Rigour, _: &Interrupt) -> Result<Judgement, OracleError> {
        let text = text_of(script);
        let literals: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        let holds = matches!(literals[..], [whole, inside, part, by]
            if !part.is_empty() && inside.contains(part) && whole == inside.replace(part, by));
        Ok(if holds { Judgement::Holds } else { Judgement::Fails })
    }
}

#[test]
fn literals_that_must_match_are_shrunk_together() {
    let text = "(assert (= \"LAbZALAbZA\" (str.replace_all \"LL\" \"L\" \"LAbZA\")))\n(check-sat)\n";
    let script = parse(text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a script");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
    let dialect = Dialect::SmtLib26;
    let plan = Plan {
        strategy: Strategy::Levels,
        freedom: Freedom::default(),
        dialect,
        seed: 1,
        most_tests: u64::MAX,
        trusting: false,
        enough: &|| false,
        pool: &pool,
    };
    let reduction = reduce(&script, &TrueReplacement, &plan, &|_, _, _| {}, &Interrupt::new());
    let script = reduction.expect("no solver").expect("the input has it").script;
    let text = print(&script, dialect, &PrintOptions::default()).expect("the dialect spells the script");
    assert_eq!(text, "(assert (= \"a\" (str.replace \"a\" \"a\" \"a\")))\n");
}

#[test]
fn a_script_without_the_property_is_told() {
    assert!(reduced(&script_of(MIXED), &Words::new(&["str.replace"]), Strategy::Levels, 1).is_none());
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let run = |jobs| {
        let property = Words::new(&["str.indexof", "str.len", "needle"]);
        text_of(&reduced(&script_of(MIXED), &property, Strategy::Levels, jobs).expect("the input has it").script)
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn a_milestone_takes_back_what_looks_let_through() {
    let property = Words { looked_for: vec!["str.indexof"], ..Words::new(&["str.indexof", "str.len", "needle"]) };
    let reduction = reduced(&script_of(MIXED), &property, Strategy::Levels, 1).expect("the input has it");
    let text = text_of(&reduction.script);
    assert!(text.contains("str.len") && text.contains("needle"), "{text}");
    assert!(reduction.tally.refuted > 0);
}

#[test]
fn trusted_looks_are_made_sure_of_once_and_what_was_wrong_is_taken_back() {
    let trusting = |needed: &[&'static str], looked_for: &[&'static str]| {
        let property = Words { looked_for: looked_for.to_vec(), ..Words::new(needed) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("threads");
        let plan = Plan {
            strategy: Strategy::Levels,
            freedom: Freedom::default(),
            dialect: Dialect::SmtLib25,
            seed: 1,
            most_tests: u64::MAX,
            trusting: true,
            enough: &|| false,
            pool: &pool,
        };
        let reduction = reduce(&script_of(MIXED), &property, &plan, &|_, _, _| {}, &Interrupt::new());
        (reduction.expect("no solver"), property.wholly.load(Ordering::Relaxed))
    };
    // Here looks ask for less, and are right all the same.
    let (right, wholly) = trusting(&["str.indexof", "assert"], &["str.indexof"]);
    let right = right.expect("the input has it");
    assert_eq!((right.ended, wholly, right.tally.refuted), (Ended::Fixpoint, 1, 0));
    let (wrong, _) = trusting(&["str.indexof", "needle"], &["str.indexof"]);
    let wrong = wrong.expect("the input has it");
    let text = text_of(&wrong.script);
    assert!(text.contains("needle") && text.contains("str.indexof") && wrong.tally.refuted > 0, "{text}");
    assert!(wrong.after < wrong.before && wrong.script.assertions().count() == 1, "{text}");
    let (none, _) = trusting(&["nosuch"], &["str.indexof"]);
    assert!(none.is_none(), "only looks say that the input has it");
}

#[test]
fn an_interrupted_reduction_still_has_the_property() {
    let mut unsure_ones = 0;
    for interrupt_after in [1, 2, 5, 11, 23, 40] {
        let property = Words {
            looked_for: vec!["str.indexof"],
            interrupt_after,
            ..Words::new(&["str.indexof", "str.len", "needle"])
        };
        let reduction = reduced(&script_of(MIXED), &property, Strategy::Levels, 1).expect("the input has it");
        assert_eq!(reduction.ended, Ended::Interrupted, "after {interrupt_after}");
        let text = text_of(&reduction.script);
        assert!(["str.indexof", "str.len", "needle"].iter().all(|word| text.contains(word)), "{text}");
        if let Some((unsure, size)) = &reduction.unsure {
            assert!(text_of(unsure).contains("str.indexof") && *size < reduction.after, "{}", text_of(unsure));
        }
        unsure_ones += usize::from(reduction.unsure.is_some());
    }
    assert!(unsure_ones > 0, "what was accepted since the last milestone is not lost");
}

/// 500 assertions over variables of their own, two of which the property needs.
fn large() -> Script {
    use std::fmt::Write;
    let mut text = String::from("(set-logic QF_S)\n");
    for number in 0..500 {
        writeln!(text, "(declare-fun v{number} () String)").expect("to a string");
    }
    for number in 0..500 {
        let word = match number {
            137 => "first",
            411 => "second",
            _ => "other",
        };
        writeln!(text, "(assert (= (str.++ v{number} \"{word}\") (str.replace v{number} \"a\" \"b\")))")
            .expect("to a string");
    }
    script_of(&(text + "(check-sat)\n"))
}

#[test]
fn five_hundred_assertions_take_few_candidates() {
    let one = reduced(&large(), &Words::new(&["\"first\""]), Strategy::Levels, 1).expect("the input has it");
    assert!(one.tally.judged < 200, "{:?}", one.tally);
    assert!(one.tally.accepted < 20, "{:?}", one.tally);
    let two = reduced(&large(), &Words::new(&["\"first\"", "\"second\""]), Strategy::Levels, 1).expect("it has it");
    assert!(two.tally.judged < 1000, "{:?}", two.tally);
    assert_eq!(two.script.assertions().count(), 2);
}

#[test]
fn lets_and_definitions_are_expanded_unless_that_explodes() {
    let open = opened(&script_of(MIXED), &OPENINGS).expect("it is small");
    let text = text_of(&open);
    assert!(!text.contains("let") && !text.contains("define-fun") && !text.contains("twice"), "{text}");
    assert!(text.contains("(str.++ other other)"), "{text}");
    assert_eq!(open.assertions().count(), 4);
    let shadowed =
        "(declare-fun x () Int)\n(assert (let ((x (+ x 1))) (let ((x (+ x 2)) (y x)) (= x y))))\n(check-sat)\n";
    let text = text_of(&opened(&script_of(shadowed), &OPENINGS).expect("it is small"));
    assert!(text.contains("(assert (= (+ (+ x 1) 2) (+ x 1)))"), "{text}");
}

#[test]
fn what_a_let_shares_is_not_written_out_for_ever() {
    let mut text = String::from("(declare-fun x () String)\n(assert (let ((a0 (str.++ x x)))");
    for level in 1..60 {
        text += &[" (let ((a", &level.to_string(), " (str.++ a", &(level - 1).to_string(), " \"y\" a"].concat();
        text += &[&(level - 1).to_string(), ")))"].concat();
    }
    text += &[" (= a59 \"needle\"", &")".repeat(61), ")\n(check-sat)\n"].concat();
    let script = script_of(&text);
    assert!(opened(&script, &OPENINGS).is_none());
    let reduction = reduced(&script, &Words::new(&["needle"]), Strategy::Levels, 1).expect("the input has it");
    assert!(reduction.after < reduction.before && text_of(&reduction.script).contains("needle"));
}

#[test]
fn an_interrupt_keeps_every_step_that_is_certain() {
    let property = Words { interrupt_after: 8, ..Words::new(&["\"first\""]) };
    let reduction = reduced(&large(), &property, Strategy::Ddmin, 1).expect("the input has it");
    assert_eq!(reduction.ended, Ended::Interrupted);
    assert!(reduction.script.assertions().count() < 200, "{}", reduction.script.assertions().count());
}

#[test]
fn a_definition_stays_while_a_term_that_it_names_is_used() {
    let named = "(declare-fun a () Bool)\n(declare-fun b () Bool)\n(define-fun f () Bool (! a :named foo))\n\
        (define-fun g () Bool (! b :named bar))\n(assert (and foo bar))\n(set-info :status sat)\n(check-sat)\n";
    // The annotations are needed, so that the definitions cannot be expanded.
    let property = Words::new(&[":named foo", "(assert", "foo"]);
    let text = text_of(&reduced(&script_of(named), &property, Strategy::Levels, 1).expect("the input has it").script);
    assert!(text.contains("(define-fun f () Bool (! a :named foo))\n(assert foo)"), "{text}");
    assert!(!text.contains("bar") && !text.contains("status"), "{text}");
}

proptest! {
    /// Every edit of a sound script gives one: its text is read back, sort-checked, to the same script.
    #[test]
    fn every_candidate_sort_checks(seed in 0_u64..400) {
        let fragment = Fragment::paper();
        let generator = StringGenerator::new(Parameters::default(), &fragment);
        let script = generator.generate(&mut rng_for(seed, 0, 0));
        let mut draft = Draft::new(&script);
        let mut edits: Vec<Edit> = Vec::new();
        for term in levels(&script).concat() {
            for kind in Kind::ALL {
                edits.extend(kind.edits(&mut draft, term));
            }
        }
        for chunk in edits.chunks(3) {
            let candidate = draft.with(chunk);
            let text = text_of(&candidate);
            prop_assert_eq!(script_of(&text), candidate, "{}", text);
        }
    }
}
