//! Properties of reading and printing, on random scripts, random text and damaged scripts.

use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse, parse_all, parse_lenient};
use mulstringfuzz::smtlib::printer::{PrintOptions, print};
use mulstringfuzz::smtlib::script::{Command, Declaration, Script};
use mulstringfuzz::smtlib::signature::{Instance, table};
use mulstringfuzz::smtlib::sort::Sort;
use mulstringfuzz::smtlib::symbol::Symbol;
use mulstringfuzz::smtlib::term::{Head, LiteralKind, Parts, TermId};
use proptest::prelude::*;

/// Decisions that a script is built from, consumed one by one; zeros when they run out.
struct Choices<'a>(std::slice::Iter<'a, u32>);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        *self.0.next().unwrap_or(&0) as usize % bound.max(1)
    }
}

const NAMES: [&str; 6] = ["x", "a b", "", "let", "-5", "str.foo"];

fn sorts() -> Vec<Sort> {
    let byte = Sort::bit_vec(8);
    let mut sorts = vec![Sort::BOOL, Sort::INT, Sort::REAL, Sort::STRING, Sort::REGLAN, byte, Sort::bit_vec(4)];
    sorts.push(Sort::array(Sort::INT, byte));
    sorts
}

/// Every variable has its own name: `x0`, `a b1`, …
fn variable(sort: usize, choice: usize) -> Symbol {
    Symbol::new(&format!("{}{}", NAMES[choice], sort))
}

fn leaf(script: &mut Script, sort: usize, bound: &[(Symbol, Sort)], choices: &mut Choices<'_>) -> TermId {
    let wanted = sorts()[sort];
    let candidates: Vec<&(Symbol, Sort)> = bound.iter().filter(|each| each.1 == wanted).collect();
    match choices.below(3) {
        0 if !candidates.is_empty() => {
            let (name, sort) = *candidates[choices.below(candidates.len())];
            script.terms.bound(name, sort)
        }
        1 if wanted == Sort::INT => script.terms.numeral(choices.below(1 << 20) as u64),
        1 if wanted == Sort::REAL => {
            let text: Vec<u32> =
                format!("{}.{}", choices.below(99), choices.below(99)).chars().map(u32::from).collect();
            script.terms.literal(LiteralKind::Decimal, Sort::REAL, &text)
        }
        1 if wanted == Sort::STRING => {
            let length = choices.below(6);
            let limit = if choices.below(2) == 0 { 0x100 } else { 0x3_0000 };
            let text: Vec<u32> = (0..length).map(|_| choices.below(limit) as u32).collect();
            script.terms.string(&text)
        }
        1 if wanted == Sort::bit_vec(8) => {
            let text: Vec<u32> = (0..2).map(|_| u32::from(b"0123456789abcdef"[choices.below(16)])).collect();
            script.terms.literal(LiteralKind::Hexadecimal, wanted, &text)
        }
        _ => script.terms.constant(variable(sort, choices.below(NAMES.len())), wanted),
    }
}

fn term(
    script: &mut Script,
    sort: usize,
    depth: usize,
    bound: &mut Vec<(Symbol, Sort)>,
    choices: &mut Choices<'_>,
) -> TermId {
    let wanted = sorts()[sort];
    match (depth, choices.below(8)) {
        (0, _) | (_, 0) => leaf(script, sort, bound, choices),
        (_, 1) => binder(script, sort, depth, bound, choices),
        _ => {
            let instances: Vec<Instance> = table().instances(wanted, &sorts());
            let instance = &instances[choices.below(instances.len())];
            let count = instance.minimum + if instance.maximum.is_none() { choices.below(2) } else { 0 };
            let mut arguments = Vec::new();
            for position in 0..count {
                let Some(sort) = sorts().iter().position(|&each| each == instance.parameter(position, count)) else {
                    return leaf(script, sort, bound, choices);
                };
                arguments.push(term(script, sort, depth - 1, bound, choices));
            }
            let indices = &instance.indices[choices.below(instance.indices.len())];
            let argument_sorts: Vec<Sort> = arguments.iter().map(|&argument| script.terms.sort(argument)).collect();
            // The table has `concat` of many widths; only what it resolves to itself is well-sorted.
            match table().resolve(instance.op.name(), indices, &argument_sorts) {
                Ok((op, result)) if op == instance.op && result == wanted => {
                    script.terms.apply_indexed(op, indices, &arguments, wanted)
                }
                _ => leaf(script, sort, bound, choices),
            }
        }
    }
}

fn binder(
    script: &mut Script,
    sort: usize,
    depth: usize,
    bound: &mut Vec<(Symbol, Sort)>,
    choices: &mut Choices<'_>,
) -> TermId {
    let inner = choices.below(sorts().len());
    // The name may be an enclosing binder's, which it then hides; declared constants have names of their own, because
    // a binder would capture them.
    let binders = [(variable(sorts().len() + choices.below(2), choices.below(NAMES.len())), sorts()[inner])];
    let quantifier = sorts()[sort] == Sort::BOOL && choices.below(2) == 0;
    let value = if quantifier { None } else { Some(term(script, inner, depth - 1, bound, choices)) };
    let hidden: Vec<(Symbol, Sort)> = bound.clone();
    bound.retain(|(name, _)| *name != binders[0].0);
    bound.push(binders[0]);
    let body = term(script, sort, depth - 1, bound, choices);
    *bound = hidden;
    let arguments: Vec<TermId> = value.into_iter().chain([body]).collect();
    let head = if quantifier { Head::Forall } else { Head::Let };
    script.terms.intern(Parts { head, sort: sorts()[sort], arguments: &arguments, words: &[], binders: &binders })
}

fn script_from(choices: &[u32]) -> Script {
    let mut script = Script::new();
    for (position, &sort) in sorts().iter().enumerate() {
        for choice in 0..NAMES.len() {
            let declaration = Declaration { name: variable(position, choice), parameters: vec![], sort };
            script.commands.push(Command::Declare(declaration));
        }
    }
    let mut choices = Choices(choices.iter());
    for _ in 0..3 {
        let assertion = term(&mut script, 0, 4, &mut Vec::new(), &mut choices);
        script.commands.push(Command::Assert(assertion));
    }
    script.commands.push(Command::CheckSat);
    script
}

/// What the terms of [`unusual`] name.
const UNUSUAL: &str = "(declare-fun f (Int) Int)(declare-const g (-> Int Int))(declare-const a (Array Int Int))\
    (declare-const x Int)(declare-const s (Seq Int))(declare-unheard p)";

/// A term that is an integer, or of unknown sort, made of what few solvers read.
fn unusual(choices: &mut Choices<'_>, depth: u32) -> String {
    const SHAPES: [&str; 14] = [
        "(+ ? ?)",
        "(f ?)",
        "(g ?)",
        "(a ?)",
        "(unheard.of ? ?)",
        "((_ unheard 1 two) ?)",
        "(p ?)",
        "((lambda ((v Int)) (+ v x)) ?)",
        "(let ((v ?)) v)",
        "(select (lambda ((v Int)) (f v)) ?)",
        "(seq.foldl (lambda ((v Int) (w Int)) (- v w)) ? s)",
        "(select (_ as-array f) ?)",
        "(ite (eqrange a a ? ?) ? ?)",
        "(choice ((v Int)) (> v ?))",
    ];
    if depth == 0 || choices.below(5) == 0 {
        return ["x", "-5", "p", "unheard.constant", "(_ unheard x)"][choices.below(5)].to_owned();
    }
    let pieces: Vec<&str> = SHAPES[choices.below(SHAPES.len())].split('?').collect();
    let mut text = pieces[0].to_owned();
    for piece in &pieces[1..] {
        text.push_str(&unusual(choices, depth - 1));
        text.push_str(piece);
    }
    text
}

fn never_panics(text: &str) {
    for dialect in [None, Some(Dialect::SmtLib20), Some(Dialect::SmtLib25)] {
        let options = ParseOptions { dialect };
        let (script, errors) = parse_all(text, "random", &options, 10);
        assert_eq!(parse(text, "random", &options).is_err(), !errors.is_empty());
        let lenient = parse_lenient(text, "random", &options);
        for script in [Some(script), lenient.ok()].into_iter().flatten() {
            for dialect in Dialect::ALL {
                drop(print(&script, dialect, &PrintOptions::default()));
            }
        }
    }
}

fn corpus() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|each| each.path()).collect();
    files.sort();
    files.into_iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_read_back(choices in prop::collection::vec(any::<u32>(), 0..200)) {
        let script = script_from(&choices);
        for dialect in Dialect::ALL {
            let Ok(text) = print(&script, dialect, &PrintOptions::default()) else { continue };
            match parse(&text, "random", &ParseOptions { dialect: Some(dialect) }) {
                Ok(again) => prop_assert!(again == script, "{dialect}:\n{text}"),
                Err(error) => prop_assert!(false, "{error}\n{text}"),
            }
        }
        prop_assert!(print(&script, Dialect::SmtLib26, &PrintOptions::default()).is_ok());
    }

    #[test]
    fn what_few_solvers_read_is_read_back(choices in prop::collection::vec(any::<u32>(), 0..40)) {
        let text = format!("{UNUSUAL}(assert (= {} x))", unusual(&mut Choices(choices.iter()), 6));
        let script = parse(&text, "random", &ParseOptions::default());
        let script = script.unwrap_or_else(|error| panic!("{error}\n{text}"));
        prop_assert!(parse_lenient(&text, "random", &ParseOptions::default()).as_ref() == Ok(&script), "{text}");
        let printed = print(&script, Dialect::SmtLib26, &PrintOptions::default()).expect("2.6 spells all");
        prop_assert!(parse(&printed, "random", &ParseOptions::default()) == Ok(script), "{text}\n{printed}");
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,80}") {
        never_panics(&text);
    }

    #[test]
    fn random_tokens_never_panic(words in prop::collection::vec(prop::sample::select(vec![
        "(", ")", "(", ")", "(assert", "(let ((", "(forall ((x Int))", "x", "1", "\"a\\", "\"", "|", "(_ ", "(as ", "!",
        ":named", "match", "declare-datatypes", "((_ re.loop 1", "#x", "(push", "(pop 1)", "(define-fun f ((x Int)) Int",
        "is", "(declare-const x Int)", "String", "str.len", ";", "\n", "(define-sort S (T) (Array T T))", "par", "-5",
        "(lambda ((x Int))", "((", "3/8", "unheard.of", "(_ as-array", "(_ map", "(declare-fun f (Int) Int)", "f", "(->",
        "(declare-unheard p", "(_ FiniteField 7)", "seq.map", "(set-logic HO_ALL)",
    ]), 0..60)) {
        never_panics(&words.join(" "));
    }

    #[test]
    fn damaged_scripts_never_panic(
        file in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_usize..20), 1..8),
    ) {
        let files = corpus();
        let mut bytes = file.get(&files).clone().into_bytes();
        for (position, byte, removed) in edits {
            if bytes.is_empty() {
                break;
            }
            let position = position.index(bytes.len());
            if removed == 0 {
                bytes[position] = byte;
            } else {
                bytes.drain(position..(position + removed).min(bytes.len()));
            }
        }
        never_panics(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn nesting_of_100_000_levels_is_read_checked_and_printed() {
    let depth = 100_000;
    let nots = format!("(declare-const p Bool)(assert {}p{})", "(not ".repeat(depth), ")".repeat(depth));
    let lets = format!("(assert {}true{})", "(let ((x 1)) ".repeat(depth), ")".repeat(depth));
    let values = format!("(assert {}true{})", "(let ((x ".repeat(depth), ")) x)".repeat(depth));
    let alls = format!("(assert {}true{})", "(forall ((x Int)) ".repeat(depth), ")".repeat(depth));
    let marks = format!("(assert {}true{})", "(! ".repeat(depth), " :a b)".repeat(depth));
    for text in [nots, lets, values, alls, marks] {
        let script = parse(&text, "deep", &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let printed = print(&script, Dialect::SmtLib26, &PrintOptions::default()).unwrap_or_default();
        let again = parse(&printed, "deep", &ParseOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(again == script);
    }
    never_panics(&"(".repeat(depth));
    never_panics(&format!("(set-info :x {}{})", "(".repeat(depth), ")".repeat(depth)));
    never_panics(&format!("(declare-const x {}Int{})", "(Array Int ".repeat(depth), ")".repeat(depth)));
}

#[test]
fn definitions_that_double_a_sort_are_stopped() {
    let mut text = String::from("(define-sort S0 () Int)");
    for level in 1..100 {
        let below = level - 1;
        text.extend([format!("(define-sort S{level} () (Array S{below} S{below}))")]);
    }
    assert!(parse(&text, "sorts", &ParseOptions::default()).is_err());
    never_panics(&text);
}
