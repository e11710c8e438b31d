//! Reads any text as a script; what was read can be printed, and reads back as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::smtlib::canonical::canonical_hash;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse, parse_all, parse_lenient};
use mulstringfuzz::smtlib::printer::{PrintOptions, print};
use mulstringfuzz::smtlib::script::Script;

/// How to read a script.
type Reader = fn(&str, &str, &ParseOptions) -> Result<Script, mulstringfuzz::smtlib::parser::ParseError>;

/// The script in each dialect that can say it is the same script when it is read again, and so well-sorted.
fn reads_back(script: &Script, read: Reader) {
    for dialect in Dialect::ALL {
        let Ok(printed) = print(script, dialect, &PrintOptions::default()) else { continue };
        match read(&printed, "printed", &ParseOptions { dialect: Some(dialect) }) {
            Ok(again) => {
                assert!(again == *script, "{dialect}:\n{printed}");
                assert_eq!(canonical_hash(&again), canonical_hash(script), "{dialect}:\n{printed}");
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
