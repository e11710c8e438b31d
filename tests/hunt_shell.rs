//! Hunts with solvers that are a few lines of the shell: what is reported is what was asked, and shows the defect again.

mod shell_solver;

use std::fs;
use std::path::Path;
use std::process::Output;

use shell_solver::solver_that;
use tempfile::TempDir;

/// What an honest solver says of [`script`].
const SAT: &str = "echo sat\nif grep -q get-model \"$1\"; then echo '((define-fun x () (_ BitVec 8) #x00))'; fi";

/// A script of a theory that is decidable, with these own words before it and this question.
fn script(option: &str, question: &str) -> String {
    format!("{option}(set-logic QF_BV)\n(declare-fun x () (_ BitVec 8))\n(assert (bvult x #x07))\n{question}\n")
}

/// A hunt among these scripts with these solvers, each a name and what it does in the shell.
fn hunted(scripts: &[String], solvers: &[(&str, &str)], options: &[&str]) -> (Output, TempDir) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let seeds = folder.path().join("seeds");
    fs::create_dir(&seeds).expect("a folder");
    for (number, text) in (0..).zip(scripts) {
        fs::write(seeds.join(format!("{number:02}.smt2")), text).expect("a file");
    }
    let profiles: String = solvers.iter().map(|(name, does)| solver_that(folder.path(), name, does)).collect();
    let file = folder.path().join("profiles.toml");
    fs::write(&file, profiles).expect("a file");
    let mut command = assert_cmd::Command::cargo_bin("mulstringfuzz").expect("the program is built with its tests");
    command.args(["hunt", "--strategy", "none", "--seeds"]).arg(&seeds);
    command.arg("--profiles").arg(&file).arg("--out").arg(folder.path().join("out")).args(options);
    for (name, _) in solvers {
        command.args(["--solver", name]);
    }
    (command.output().expect("the program starts"), folder)
}

fn read(folder: &Path, name: &str) -> String {
    let path = folder.join("out").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn printed(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_crash_of_a_solver_that_refuses_the_options_is_reported_without_them() {
    let does = "if grep -q ':mine' \"$1\"; then echo '(error \"unknown option\")'; exit 1; fi\nkill -SEGV $$";
    let (output, folder) =
        hunted(&[script("(set-option :mine true)\n", "(check-sat)")], &[("picky", does)], &["--fail-on-defect"]);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    for name in ["findings/001/instance.smt2", "findings/001/reduced.smt2", "findings/001/finding.md"] {
        let text = read(folder.path(), name);
        assert!(!text.contains(":mine") && text.contains("(check-sat)"), "{name}: {text}");
    }
    let reduced = read(folder.path(), "findings/001/reduced.smt2");
    assert!(!reduced.contains("bvult"), "it was made small: {reduced}");
    let page = read(folder.path(), "findings/001/finding.md");
    let command = format!("{} instance.smt2\n", folder.path().join("picky").display());
    assert!(page.contains("version 1.2.3:") && page.contains(&command), "the user's program by its path: {page}");
}

#[test]
fn a_crash_on_the_question_for_a_model_is_reported_with_that_question() {
    let does = "if grep -q get-model \"$1\"; then kill -SEGV $$; fi\necho sat";
    let (output, folder) = hunted(&[script("", "(check-sat)")], &[("modest", does)], &[]);
    let (page, reduced) =
        (read(folder.path(), "findings/001/finding.md"), read(folder.path(), "findings/001/reduced.smt2"));
    assert!(page.starts_with("# modest@1.2.3 crashes, but only when it is asked for its model\n"), "{page}");
    for text in [&page, &reduced] {
        assert!(text.contains("(set-option :produce-models true)") && text.contains("(get-model)"), "{text}");
    }
    assert!(!reduced.contains("bvult"), "it was made small: {reduced}, {}", printed(&output));
}

#[test]
fn a_crash_on_the_script_itself_needs_no_question_for_a_model() {
    let (_, folder) = hunted(&[script("", "(check-sat)")], &[("fragile", "kill -SEGV $$")], &[]);
    let page = read(folder.path(), "findings/001/finding.md");
    assert!(page.starts_with("# fragile@1.2.3 crashes\n") && !page.contains("get-model"), "{page}");
}

#[test]
fn a_hunt_whose_solvers_refuse_everything_ends_in_their_own_words() {
    let refuses = "echo '(error \"no bit-vectors here\")'\nexit 1";
    let scripts = vec![script("", "(check-sat)"); 9];
    let (output, folder) = hunted(&scripts, &[("one", refuses), ("other", "echo sat")], &[]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("nothing was compared: one@1.2.3 refuses 9 of 9 scripts"), "{text}");
    assert!(text.contains("no bit-vectors here") && !text.contains("no defects"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&read(folder.path(), "hunt.json")).expect("JSON");
    assert_eq!((&json["judged"], &json["refused"]), (&0.into(), &9.into()));
    let (output, _) = hunted(&scripts, &[("one", refuses), ("two", "echo sat"), ("three", "echo unsat; echo")], &[]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "two can be compared: {text}");
    assert!(
        text.contains("warning: one@1.2.3 refuses 9 of 9 scripts: error ((error \"no bit-vectors here\"))"),
        "{text}"
    );
    assert!(text.contains("disagreement"), "{text}");
    let (output, _) = hunted(&scripts, &[("same", "echo sat"), ("other", "echo sat; echo")], &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(printed(&output).contains("no defects"), "{}", printed(&output));
}

#[test]
fn seeds_that_cannot_be_read_are_named_with_what_is_wrong() {
    let (output, _) = hunted(&[String::new(), "(assert x)".to_owned()], &[("any", "echo sat")], &[]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("00.smt2: the file is empty") && text.contains("01.smt2"), "{text}");
}

#[test]
fn a_crash_under_an_option_keeps_it_and_the_page_says_who_was_asked_without() {
    let fragile = "if grep -q ':mine' \"$1\"; then kill -SEGV $$; fi\necho sat";
    let picky = "if grep -q ':mine' \"$1\"; then echo '(error \"unknown option\")'; exit 1; fi\necho sat";
    let scripts = [script("(set-option :mine true)\n", "(check-sat)")];
    let (output, folder) = hunted(&scripts, &[("fragile", fragile), ("picky", picky)], &[]);
    let page = read(folder.path(), "findings/001/finding.md");
    assert!(page.contains("(set-option :mine true)"), "{page}\n{}", printed(&output));
    assert!(page.contains("| sat (without the script's own options, which it refuses) |"), "{page}");
}

#[test]
fn a_solver_that_somebody_told_to_end_says_nothing() {
    let ended = "echo unsat\nkill -TERM $$";
    let (output, folder) = hunted(&[script("", "(check-sat)")], &[("ended", ended), ("honest", SAT)], &[]);
    assert!(printed(&output).contains("ended@1.2.3: 1 killed"), "{}", printed(&output));
    let json: serde_json::Value = serde_json::from_str(&read(folder.path(), "hunt.json")).expect("JSON");
    assert_eq!(json["defects"], serde_json::json!([]), "neither a crash nor a wrong unsat: {json}");
}

/// What a solver does at its first run, and ever after.
fn first_only(folder: &Path, first: &str, then: &str) -> String {
    let counter = folder.join("ran");
    format!("if [ ! -e {0} ]; then : > {0}; {first}; fi\n{then}", counter.display())
}

#[test]
fn a_crash_that_does_not_come_again_is_not_laid_on_the_question_for_a_model() {
    let place = tempfile::tempdir().expect("a folder");
    let does = first_only(place.path(), "echo half a word; kill -SEGV $$", SAT);
    let (output, folder) = hunted(&[script("", "(check-sat)")], &[("seldom", &does)], &[]);
    let page = read(folder.path(), "findings/001/finding.md");
    let title = "# seldom@1.2.3 crashed once, and not when it was asked again\n";
    assert!(page.starts_with(title), "{page}\n{}", printed(&output));
    assert!(!page.contains("only when it is asked"), "{page}");
    assert!(page.contains("signal 11\nhalf a word"), "what was seen is kept: {page}");
    assert!(page.contains("| crash (once, and not when it was asked again) | - |"), "{page}");
    let again = "## Answers when all were asked again\n\n";
    assert!(page.split_once(again).is_some_and(|(_, again)| again.contains("| sat | holds |")), "{page}");
    let json: serde_json::Value = serde_json::from_str(&read(folder.path(), "hunt.json")).expect("JSON");
    assert_eq!(json["defects"][0]["once"], true, "{json}");
}

#[test]
fn a_wrong_answer_that_does_not_come_again_is_said_to_have_been_seen_once() {
    let place = tempfile::tempdir().expect("a folder");
    let does = first_only(place.path(), "echo unsat; exit", SAT);
    let (output, folder) = hunted(&[script("", "(check-sat)")], &[("seldom", &does), ("honest", SAT)], &[]);
    let page = read(folder.path(), "findings/001/finding.md");
    let title = "# seldom@1.2.3 answers unsat, but honest@1.2.3's model satisfies every assertion: seen once, and not when \
                 all were asked again\n";
    assert!(page.starts_with(title), "{page}\n{}", printed(&output));
    let (before, after) = page.split_once("## Answers when all were asked again").expect("two tables");
    assert!(before.contains("| unsat | - |") && after.contains("| sat | holds |"), "{page}");
}

#[test]
fn a_wrong_model_has_the_kind_that_its_smallest_instance_shows() {
    let wrong = "echo sat\nif grep -q get-model \"$1\"; then\n\
        if grep -q BitVec \"$1\"; then echo '((define-fun x () (_ BitVec 8) #xff))'; else echo '()'; fi\nfi";
    // It does not come to an end but on the smaller script.
    let slow = "if grep -q bvult \"$1\"; then echo timeout; else echo unsat; fi";
    let (output, folder) = hunted(&[script("", "(check-sat)")], &[("wrong", wrong), ("slow", slow)], &[]);
    let page = read(folder.path(), "findings/001/finding.md");
    assert!(page.contains("with a model that does not hold, and slow@1.2.3 answers unsat\n"), "{page}");
    assert!(page.contains("\nsolution-unsoundness: wrong@1.2.3"), "{page}");
    assert!(page.contains("On the instance as it was found it was invalid-model."), "{page}");
    assert!(printed(&output).contains("| solution-unsoundness |"), "{}", printed(&output));
    let json: serde_json::Value = serde_json::from_str(&read(folder.path(), "hunt.json")).expect("JSON");
    assert_eq!(
        (&json["defects"][0]["kind"], &json["defects"][0]["found_as"]),
        (&"solution-unsoundness".into(), &"invalid-model".into())
    );
}

#[test]
fn a_solver_that_prints_nothing_is_told_of_and_not_taken_for_undecided() {
    let scripts = vec![script("", "(check-sat)"); 9];
    let (output, _) = hunted(&scripts, &[("mute", "exit 0"), ("other", "echo sat")], &[]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(
        text.contains("nothing was compared: mute@1.2.3 refuses 9 of 9 scripts: error (printed no answer)"),
        "{text}"
    );
    let (output, _) = hunted(&scripts, &[("mute", "exit 0"), ("one", SAT), ("two", "echo sat")], &[]);
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(0), "two can be compared: {text}");
    assert!(text.contains("warning: mute@1.2.3 refuses 9 of 9 scripts: error (printed no answer)"), "{text}");
}
