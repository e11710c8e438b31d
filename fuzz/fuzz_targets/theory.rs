//! Theory files: any text is read or refused with its place, and what was read can be applied to arguments.
#![no_main]

use libfuzzer_sys::fuzz_target;
use mulstringfuzz::smtlib::signature::table;
use mulstringfuzz::smtlib::sort::Sort;

fuzz_target!(|text: &str| {
    let extended = match table().extended(text, "fuzz") {
        Ok(extended) => extended,
        Err(error) => {
            assert!(error.line <= text.lines().count() + 1, "{error}");
            return;
        }
    };
    let sorts = [Sort::BOOL, Sort::INT, Sort::STRING, Sort::bit_vec(8)];
    let more = extended.operators().skip(table().operators().len());
    for name in more.map(|op| extended.name(op)) {
        for indices in [&[][..], &[1], &[3, 1]] {
            for &sort in &sorts {
                for count in 0..4 {
                    drop(extended.resolve(name, indices, &vec![sort; count]));
                }
            }
        }
    }
    for sort in sorts {
        drop(extended.instances(sort, &sorts));
    }
});
