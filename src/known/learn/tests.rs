use super::*;
use crate::known::text::read_one as pattern;
use crate::random::rng_for;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};

fn script(assertions: &str) -> Script {
    let text = format!("(declare-const a String)(declare-const b Int){assertions}(check-sat)");
    parse(&text, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script")
}

/// What is learned of a core for a target that is slow wherever one of these occurs.
fn learned(core: &str, slow: &[&str]) -> Lesson {
    learned_for(core, slow, None).0
}

/// The same, if it is to explain some of these, and how many scripts the target was asked about.
fn learned_for(core: &str, slow: &[&str], others: Option<&[&Script]>) -> (Lesson, u32) {
    let slow: Vec<Pattern> = slow.iter().map(|text| pattern(text)).collect();
    let mut asked = 0;
    let mut is_slow = |script: &Script| {
        asked += 1;
        Ok(slow.iter().any(|each| each.occurs(script)))
    };
    let fragment = (&Fragment::standard(), others);
    let lesson = learn(&script(core), "known", fragment, &mut rng_for(1, 0, 0), &mut is_slow).expect("no solver");
    (lesson, asked)
}

fn text(lesson: &Lesson) -> String {
    lesson.pattern.as_ref().map_or_else(|| "none".to_owned(), |trial| trial.pattern.to_string())
}

#[test]
fn what_does_not_matter_in_the_application_becomes_a_place() {
    let substr = "(define-fun slow ((s String) (from Int) (n Int)) String (str.substr s (! from :not-literal) n))";
    let lesson = learned("(assert (= \"a\" (str.substr a b 1)))", &[substr]);
    assert_eq!(
        text(&lesson),
        "(define-fun known ((p0 String) (p1 Int) (p2 Int)) String (str.substr p0 (! p1 :not-literal) p2))"
    );
    assert!(lesson.refused.is_empty());
}

#[test]
fn of_two_arguments_of_which_one_is_no_literal_each_may_be_one() {
    let slow = [
        "(define-fun one ((s String) (t String)) Bool (str.prefixof \"a\" (str.++ (! s :not-literal) t)))",
        "(define-fun two ((s String) (t String)) Bool (str.prefixof \"a\" (str.++ s (! t :not-literal))))",
    ];
    let lesson = learned("(assert (str.prefixof \"a\" (str.++ a \"b\")))", &slow);
    assert!(text(&lesson).ends_with("(str.prefixof \"a\" (str.++ p0 p1)))"), "{}", text(&lesson));
}

#[test]
fn what_would_explain_nothing_is_not_tried() {
    let at = "(define-fun slow ((s String) (n Int)) String (str.at s (! n :not-literal)))";
    let core = "(assert (= \"a\" (str.at a b)))";
    let (none, without, with) =
        (script("(assert (< b 1))"), script("(assert (= \"a\" (str.at a 1)))"), script("(assert (= a (str.at a b)))"));
    assert_eq!(learned_for(core, &[at], Some(&[&none])).1, 1, "what it needs is nowhere else");
    let (lesson, asked) = learned_for(core, &[at], Some(&[&without]));
    assert!(lesson.pattern.is_none() && lesson.refused.is_empty() && asked < 10, "neither is tried: {asked}");
    assert!(learned_for(core, &[at], Some(&[&none, &with])).0.pattern.is_some());
}

#[test]
fn an_argument_that_matters_stays_and_its_own_arguments_are_asked_about() {
    let nested = "(define-fun slow ((n Int) (s String)) Bool (str.prefixof (str.from_int n) (str.++ \"x\" s)))";
    let lesson = learned("(assert (str.prefixof (str.from_int b) (str.++ \"x\" a)))", &[nested]);
    assert_eq!(
        text(&lesson),
        "(define-fun known ((p0 Int) (p1 String)) Bool (str.prefixof (str.from_int p0) (str.++ \"x\" p1)))"
    );
    // Neither is slow by itself.
    let refused: Vec<String> = lesson.refused.iter().map(|trial| trial.pattern.to_string()).collect();
    assert_eq!(refused.len(), 2, "{refused:?}");
}

#[test]
fn a_variable_that_stands_twice_is_one_place_only_where_that_matters() {
    let twice = "(define-fun slow ((s String)) Bool (str.< s s))";
    let lesson = learned("(assert (str.< a a))", &[twice]);
    assert_eq!(text(&lesson), "(define-fun known ((p0 String)) Bool (str.< p0 p0))");
    let any = "(define-fun slow ((s String) (t String)) Bool (str.< (! s :not-literal) (! t :not-literal)))";
    let lesson = learned("(assert (str.< a a))", &[any]);
    assert!(text(&lesson).contains("(str.< (! p0 :not-literal) (! p1 :not-literal))"), "{}", text(&lesson));
}

#[test]
fn a_pattern_that_is_slow_on_few_scripts_that_contain_it_is_refused_and_the_next_larger_one_tried() {
    let at = "(define-fun slow ((s String) (n Int)) Bool (= \"a\" (str.at s n)))";
    let lesson = learned("(assert (= \"a\" (str.at a b)))", &[at]);
    assert!(lesson.refused[0].pattern.to_string().ends_with("(str.at p0 p1))"), "{}", lesson.refused[0].pattern);
    assert!(2 * lesson.refused[0].slow < lesson.refused[0].tried);
    assert!(text(&lesson).ends_with("(= \"a\" (str.at p0 p1)))"), "{}", text(&lesson));
}

#[test]
fn the_pattern_occurs_in_its_own_core() {
    // Slow with a variable, and with this literal, but with few others.
    let slow = [
        "(define-fun slow ((s String) (t String)) Bool (str.< (str.replace (! s :not-literal) t s) \"\"))",
        "(define-fun also ((t String) (s String)) Bool (str.< (str.replace \"a\" t s) \"\"))",
        "(define-fun more ((s String) (t String) (u String)) Bool (str.< (str.replace (! s :not-literal) t u) \"\"))",
    ];
    let core = "(assert (str.< (str.replace \"a\" a a) \"\"))";
    let lesson = learned(core, &slow);
    let trial = lesson.pattern.as_ref().expect("a pattern");
    assert!(trial.pattern.occurs(&script(core)), "{}", trial.pattern);
}

#[test]
fn an_over_general_pattern_of_a_user_is_found_out() {
    let general = pattern("(define-fun all ((s String) (n Int)) String (str.at s n))");
    let slow = pattern("(define-fun slow ((s String)) String (str.at s (! 0 :named zero)))");
    let mut is_slow = |script: &Script| Ok(slow.occurs(script));
    let trial = try_out(&general, &Fragment::standard(), &mut rng_for(1, 0, 0), &mut is_slow).expect("no solver");
    assert!(!trial.is_passed() && trial.tried > SAMPLES / 2, "{trial:?}");
}

#[test]
fn patterns_are_printed_as_they_are_read() {
    let text = "(define-fun one ((s String) (n Int)) Bool (= \"a\" (str.at (! s :not-literal) (! n :literal))))\n\
        (define-fun two ((s String)) Bool (str.in_re s (re.* (str.to_re \"b\"))))\n";
    let read = crate::known::read(text, "test").expect("patterns");
    assert_eq!(crate::known::write(&read.iter().collect::<Vec<_>>()), text);
}

#[test]
fn a_pattern_that_is_slow_when_it_is_wider_says_so() {
    let learned = |slow: &str| {
        let slow = pattern(slow);
        let mut is_slow = |script: &Script| Ok(slow.occurs(script));
        let core = "(set-logic QF_BV)(declare-const a (_ BitVec 9))(assert (= a (bvmul a a)))(check-sat)";
        let core = parse(core, "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) }).expect("a sound script");
        let fragment = (&Fragment::standard(), None);
        text(&learn(&core, "known", fragment, &mut rng_for(1, 0, 0), &mut is_slow).expect("no solver"))
    };
    let from_8 = "(define-fun slow ((x (_ BitVec 8)) (y (_ BitVec 8))) (_ BitVec 8) (! (bvmul x y) :or-wider))";
    assert!(learned(from_8).ends_with("(! (bvmul p0 p1) :or-wider))"), "{}", learned(from_8));
    let at_9 = "(define-fun slow ((x (_ BitVec 9)) (y (_ BitVec 9))) (_ BitVec 9) (bvmul x y))";
    assert!(learned(at_9).ends_with("(bvmul p0 p1))"), "{}", learned(at_9));
}

const BOTH: &str = "(define-fun slow ((s String) (n Int)) Bool \
    (! (and (> (str.to_int s) n) (str.contains s \"a\")) :assertions))";

#[test]
fn what_is_slow_together_is_learned_where_nothing_is_slow_alone() {
    let core = "(assert (> (str.to_int a) 0))(assert (< b 7))(assert (str.contains a \"a\"))";
    let lesson = learned(core, &[BOTH]);
    assert_eq!(
        text(&lesson),
        "(define-fun known ((p0 String) (p1 Int)) Bool \
         (! (and (> (str.to_int p0) p1) (str.contains p0 \"a\")) :assertions))"
    );
    assert!(!lesson.refused.is_empty(), "each alone was tried");
}

#[test]
fn assertions_that_would_explain_nothing_are_not_asked_about() {
    let core = "(assert (> (str.to_int a) 0))(assert (str.contains a \"a\"))";
    let other = script("(assert (> b 0))");
    let (lesson, asked) = learned_for(core, &[BOTH], Some(&[&other]));
    assert!(lesson.pattern.is_none() && asked < 8, "{asked}");
    let alike = script("(assert (str.contains a \"a\"))(assert (= b 1))(assert (> (str.to_int a) b))");
    assert!(learned_for(core, &[BOTH], Some(&[&alike])).0.pattern.is_some());
}

#[test]
fn assertions_between_declarations_are_learned_together() {
    let core = "(assert (> (str.to_int a) 0))(declare-const c String)(assert (str.contains a c))";
    let slow =
        "(define-fun slow ((s String) (t String)) Bool (! (and (> (str.to_int s) 0) (str.contains s t)) :assertions))";
    // A target that refuses what is not declared is quick.
    let pattern = pattern(slow);
    let mut is_slow = |script: &Script| {
        let text =
            crate::smtlib::printer::print(script, Dialect::SmtLib26, &crate::smtlib::printer::PrintOptions::default());
        let read = parse(&text.expect("it prints"), "test", &ParseOptions { dialect: Some(Dialect::SmtLib26) });
        Ok(read.is_ok_and(|script| pattern.occurs(&script)))
    };
    let fragment = (&Fragment::standard(), None);
    let lesson = learn(&script(core), "known", fragment, &mut rng_for(1, 0, 0), &mut is_slow).expect("no solver");
    assert!(text(&lesson).contains("(and (> (str.to_int p0) 0) (str.contains p0 p1))"), "{}", text(&lesson));
}

#[test]
fn a_core_with_several_questions_is_not_learned_as_a_whole() {
    let core = "(assert (> (str.to_int a) 0))(push 1)(assert (str.contains a \"a\"))";
    assert!(learned(core, &[BOTH]).pattern.is_none());
}
