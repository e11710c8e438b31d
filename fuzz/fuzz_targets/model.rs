//! The reader of models never panics; what it read can be asked for the value of any assertion, and written as a model
//! that says the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::semantics::evaluate::{Evaluator, Limits};
use mulstringfuzz::semantics::{evidence, model};
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};

/// A symbol of each kind.
const SCRIPT: &str = "(declare-sort A 0)(declare-fun a () A)(declare-fun f (Int) Int)(declare-fun x () Int)
(declare-fun r () Real)(declare-fun m () (Array Int Int))(declare-fun v () (_ BitVec 8))(declare-fun s () String)
(declare-fun q () (Seq Int))
(assert (and (= a a) (< (f x) (div x 0)) (= (/ r 0.0) r) (= (select m x) 1) (bvult v #x05) (= s \"a\")))
(assert (forall ((i Int)) (=> (< 0 i x) (exists ((e A)) (= m (store m i 2))))))";

fuzz_target!(|text: &str| {
    let Ok(script) = parse(SCRIPT, "script", &ParseOptions::default()) else { return };
    let declarations: Vec<_> = script.declarations().cloned().collect();
    for dialect in Dialect::ALL {
        let Ok(interpretation) = model::read(text, "model", &script, dialect) else { continue };
        let limits = Limits { steps: 20_000, calls: 200, assignments: 64 };
        let mut evaluator = Evaluator::with_limits(&script, &interpretation, limits);
        for assertion in script.assertions() {
            drop(evaluator.value(assertion));
            drop(evidence::evidence(&mut evaluator, assertion, 10));
        }
        let written = model::write(&interpretation, &declarations);
        let again = match model::read(&written, "written", &script, Dialect::SmtLib26) {
            Ok(again) => again,
            Err(error) => panic!("{error}\n{written}"),
        };
        for declaration in &declarations {
            let name = declaration.name;
            if let Some(value) = interpretation.value(name) {
                assert_eq!(again.value(name), Some(value), "{written}");
            }
        }
    }
});
