//! The assertions of any script have values under small limits within a second, and no other values under larger ones.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::semantics::evaluate::{Evaluator, Limits};
use mulstringfuzz::semantics::evidence;
use mulstringfuzz::semantics::interpretation::Interpretation;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse_lenient};

fuzz_target!(|text: &str| {
    let Ok(script) = parse_lenient(text, "fuzz", &ParseOptions::default()) else { return };
    let silent = Interpretation::new();
    let mut whole = Interpretation::new();
    whole.complete(&script);
    for interpretation in [&silent, &whole] {
        let mut evaluator = Evaluator::with_limits(&script, interpretation, Limits::SMALL);
        let mut less =
            Evaluator::with_limits(&script, interpretation, Limits { steps: 500, calls: 20, assignments: 8 });
        for assertion in script.assertions() {
            let value = evaluator.value(assertion);
            // What is decided within narrow limits is decided in the same way within wider ones.
            if let (Ok(early), Ok(value)) = (less.value(assertion), &value) {
                assert_eq!(early, *value);
            }
            drop(evidence::evidence(&mut evaluator, assertion, 10));
        }
    }
});
