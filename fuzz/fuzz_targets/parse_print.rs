//! Reads any text as a script; what was read can be printed, and reads back as the same.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::smtlib::canonical::canonical_hash;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse, parse_all, parse_lenient};
use mulstringfuzz::smtlib::printer::{PrintOptions, print};
use mulstringfuzz::smtlib::script::{Command, Script};
use mulstringfuzz::smtlib::term::{Head, TermId};

/// How to read a script.
type Reader = fn(&str, &str, &ParseOptions) -> Result<Script, mulstringfuzz::smtlib::parser::ParseError>;

/// Whether text that is kept as it is written has string literals: another dialect spells them in another way.
fn keeps_literals(script: &Script) -> bool {
    let is_literal = |command: &Command| matches!(command, Command::Other(text) if text.as_str().contains('"'));
    if script.commands.iter().any(is_literal) {
        return true;
    }
    let mut open: Vec<TermId> = script.commands.iter().flat_map(Command::terms).collect();
    let mut seen: HashSet<TermId> = open.iter().copied().collect();
    while let Some(term) = open.pop() {
        match script.terms.head(term) {
            Head::Annotation(text) | Head::Verbatim(text) if text.as_str().contains('"') => return true,
            _ => open.extend(script.terms.arguments(term).iter().filter(|&&argument| seen.insert(argument))),
        }
    }
    false
}

/// The script in each dialect that can say it is the same script when it is read again, and so well-sorted.
fn reads_back(script: &Script, read: Reader) {
    for dialect in Dialect::ALL {
        let Ok(printed) = print(script, dialect, &PrintOptions::default()) else { continue };
        match read(&printed, "printed", &ParseOptions { dialect: Some(dialect) }) {
            Ok(again) => {
                assert_eq!(print(&again, dialect, &PrintOptions::default()), Ok(printed.clone()), "{dialect}");
                if !keeps_literals(script) {
                    assert!(again == *script, "{dialect}:\n{printed}");
                    assert_eq!(canonical_hash(&again), canonical_hash(script), "{dialect}:\n{printed}");
                }
            }
            Err(error) => panic!("{dialect}: {error}\n{printed}"),
        }
    }
}

fuzz_target!(|text: &str| {
    let options = ParseOptions::default();
    let lenient = parse_lenient(text, "fuzz", &options);
    if let Ok(script) = &lenient {
        reads_back(script, parse_lenient);
    }
    let (script, errors) = parse_all(text, "fuzz", &options, 20);
    match parse(text, "fuzz", &options) {
        Ok(whole) => {
            assert!(errors.is_empty() && script == whole, "two ways to read it differ");
            assert!(lenient.is_ok_and(|lenient| lenient == whole), "the lenient way to read it differs");
            reads_back(&whole, parse);
        }
        Err(error) => assert_eq!(errors.first(), Some(&error)),
    }
});
