//! Reads any text, and where that succeeds, prints it and reads it back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse, parse_lenient};
use mulstringfuzz::smtlib::printer::{PrintOptions, print};

fuzz_target!(|text: &str| {
    drop(parse_lenient(text, "fuzz", &ParseOptions::default()));
    let Ok(script) = parse(text, "fuzz", &ParseOptions::default()) else { return };
    for dialect in Dialect::ALL {
        let Ok(printed) = print(&script, dialect, &PrintOptions::default()) else { continue };
        match parse(&printed, "printed", &ParseOptions { dialect: Some(dialect) }) {
            Ok(again) => assert!(again == script, "{dialect}:\n{printed}"),
            Err(error) => panic!("{error}\n{printed}"),
        }
    }
});
