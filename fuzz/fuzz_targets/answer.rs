//! What a solver printed is an answer, whatever it is; a list of values in it is asserted as these values, no more.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::oracle::model::Model;
use mulstringfuzz::smtlib::dialect::Dialect;
use mulstringfuzz::smtlib::parser::{ParseOptions, parse};
use mulstringfuzz::solver::answer::{Answer, check_sat_answers};
use mulstringfuzz::solver::process::{Exit, Run};
use mulstringfuzz::solver::profile::{SolverSpec, Version};
use mulstringfuzz_fuzz::byte_parts;

const SCRIPT: &str = "(declare-fun x () Int)(declare-fun s () String)(assert (= (str.len s) x))(check-sat)";
/// Bytes of a message that an answer may hold.
const MESSAGE: usize = 300;

fuzz_target!(|bytes: &[u8]| {
    let (stdout, stderr) = byte_parts(bytes);
    for exit in [Exit::Code(0), Exit::Code(1), Exit::Signal(11)] {
        let run = Run {
            stdout: stdout.to_vec(),
            stderr: stderr.to_vec(),
            stdout_bytes: stdout.len() as u64,
            truncated: false,
            exit,
            stopped: None,
            cpu_seconds: 0.0,
            wall_seconds: 0.0,
            peak_memory_bytes: 0,
            preemptions: 0,
        };
        let answer = Answer::of(&run);
        assert!(answer.detail().len() <= MESSAGE);
        let json = serde_json::to_string(&answer).expect("writable");
        assert_eq!(serde_json::from_str::<Answer>(&json).expect("own JSON"), answer);
        drop(check_sat_answers(&run));
    }
    let output = String::from_utf8_lossy(stdout);
    if let Some(version) = Version::find_in(&output) {
        assert_eq!(version.to_string().parse(), Ok(version));
    }
    if let Ok(spec) = SolverSpec::parse(&output) {
        assert_eq!(SolverSpec::parse(&spec.to_string()), Ok(spec));
    }
    let Some(model) = Model::read(&output) else { return };
    let script = parse(SCRIPT, "script", &ParseOptions::default()).expect("a script");
    for dialect in Dialect::ALL {
        if let Ok(asserted) = model.asserted(&script, dialect) {
            assert_eq!(asserted.assertions().count(), 1 + model.values.len(), "{model:?}");
        }
    }
});
