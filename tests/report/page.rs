//! What is on the page and beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use mulstringfuzz::record::names;
use mulstringfuzz::report::ReportError;

use super::recorded::{experiment, make_run, make_sized_run, measure_result_set, report, unfinish};

/// Every plot, with the titles of its axes.
const FIGURES: [(&str, &[&str]); 15] = [
    ("pareto-space", &["t-score [normalised]", "lines covered [normalised]", "simplicity [1 = least complex]"]),
    ("pareto-time-lines", &["t-score [s]", "lines covered [lines]"]),
    ("pareto-time-complexity", &["t-score [s]", "complexity [nodes and assertions]"]),
    ("pareto-lines-complexity", &["lines covered [lines]", "complexity [nodes and assertions]"]),
    ("cdf", &["CPU time of the target [s]", "share of the result set solved [1]", "limit 10 s"]),
    ("cactus", &["instances solved [count]", "CPU time per instance [s]"]),
    ("convergence-t-score", &["mean t-score [s]", "solver CPU time charged to the search [s]"]),
    ("convergence-lines", &["lines covered by the run [lines]", "solver CPU time charged to the search [s]"]),
    ("convergence-hypervolume", &["hypervolume [1000 lines]", "solver CPU time charged to the search [s]"]),
    ("convergence-timeouts", &["members that time out [count]", "solver CPU time charged to the search [s]"]),
    ("convergence-generations", &["mean t-score [s]", "generation [count]"]),
    ("scatter", &["CPU time of the target, z3str3 [s]", "CPU time of the reference, cvc4 [s]", "100\u{d7}"]),
    ("operators", &["of offspring [%]", "beat its parents"]),
    ("solver-time", &["share of solver CPU time [%]"]),
    ("evaluations", &["evaluations [count]", "solver CPU time charged to the search [s]"]),
];

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(contents(&path));
        } else {
            files.insert(path.display().to_string(), fs::read(&path).expect("a file"));
        }
    }
    files
}

#[test]
fn an_experiment_is_reported_with_every_plot_and_nothing_is_loaded() {
    let folder = experiment();
    let (written, page) = report(&[folder.path()], &folder.path().join("report"));
    assert_eq!((written.arms, written.runs, written.unfinished), (2, 4, 0));
    assert_eq!(written.missing, []);
    for (name, titles) in FIGURES {
        assert!(page.contains(&format!("<figure id=\"{name}\"")), "{name} is on the page");
        let svg = fs::read_to_string(written.plots.join(format!("{name}.svg"))).expect("the drawing");
        let drawing = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{name}: {error}"));
        let texts: Vec<&str> = drawing.descendants().filter_map(|node| node.text()).collect();
        for title in titles {
            assert!(texts.contains(title), "{name} says {title:?}: {texts:?}");
        }
        let picture = fs::read(written.plots.join(format!("{name}.png"))).expect("the picture");
        assert!(picture.starts_with(b"\x89PNG") && picture.len() > 5000, "{name}: {} bytes", picture.len());
        let data = fs::read_to_string(written.plots.join(format!("{name}.csv"))).expect("the data");
        assert!(data.starts_with("arm,") && data.lines().count() > 2, "{name}: {data:.200}");
    }
    assert_eq!(written.drawn.len(), FIGURES.len());
    for load in ["http://", "https://", "src=", "@import", "url(", "<link", "<iframe"] {
        assert!(!page.contains(load), "the page loads nothing: {load}");
    }
    assert!(page.contains("title = &#39;&lt;b&gt;two arms&lt;/b&gt;&#39;"), "text from files is escaped");
    assert!(page.contains("<h1>&lt;b&gt;two arms"), "the plan's title is the page's");
    for table in ["<h3>&lt;b&gt;two arms&lt;/b&gt;</h3>", "<summary>Num_timeout against default</summary>", "A12"] {
        assert!(page.contains(table), "{table}");
    }
    let place = |name: &str| page.find(&format!("<td>{name}</td>")).unwrap_or_else(|| panic!("{name}"));
    assert!(place("stringfuzz") < place("default"), "arms come in the order of the plan");
    assert!(page.contains("href=\"../runs/stringfuzz/002/evaluations.csv\""), "raw files are linked");
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

#[test]
fn a_result_set_counts_when_all_of_it_was_measured_and_a_stopped_run_is_not_finished() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    make_run(&root, "default", 1);
    measure_result_set(&root);
    let table = fs::read_to_string(root.join(names::RESULT_SET)).unwrap();
    let some: Vec<&str> = table.lines().take(4).collect();
    fs::write(root.join(names::RESULT_SET), some.join("\n") + "\n").unwrap();
    let summary = fs::read_to_string(root.join(names::SUMMARY)).unwrap();
    fs::write(root.join(names::SUMMARY), summary.replace("\"generations\",\n", "\"interrupted\",\n")).unwrap();
    let (written, page) = report(&[&root], &root.join("report"));
    assert_eq!((written.runs, written.unfinished), (1, 1));
    assert!(page.contains("its times are those of the search: run."), "half a result set is no result set");
    assert!(page.contains("/12</b><span>timeouts in result sets"), "all twelve members count");
    assert!(page.contains("Interrupted or failed before their budget was used: run."));
}

#[test]
fn population_sizes_are_compared_where_they_differ() {
    let folder = tempfile::tempdir().unwrap();
    for (population, repeat) in [(6, 1), (6, 2), (12, 1), (12, 2)] {
        let arm = folder.path().join(format!("runs/population-{population}"));
        fs::create_dir_all(&arm).unwrap();
        make_sized_run(&arm.join(format!("{repeat:03}")), population, repeat);
    }
    let (written, page) = report(&[folder.path()], &folder.path().join("report"));
    for (name, axis) in [
        ("population-timeouts", "timeouts, relative [1]"),
        ("population-convergence", "convergence time, relative [1]"),
    ] {
        assert!(written.drawn.contains(&name), "{name}: {:?}", written.missing);
        let svg = fs::read_to_string(written.plots.join(format!("{name}.svg"))).unwrap();
        assert!(svg.contains(axis) && svg.contains("population [individuals]"), "{name}");
        let data = fs::read_to_string(written.plots.join(format!("{name}.csv"))).unwrap();
        assert_eq!(data.lines().count(), 5, "{data}");
    }
    assert!(page.contains("relative to population-12"), "no plan: the first arm by name is the baseline");
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let folder = experiment();
    let out = folder.path().join("report");
    report(&[folder.path()], &out);
    let before = contents(&out);
    report(&[folder.path()], &out);
    assert!(contents(&out) == before, "an earlier report is replaced by the same");
}

#[test]
fn a_run_that_is_not_finished_is_reported_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    make_run(&one, "default", 1);
    make_run(&other, "random", 2);
    measure_result_set(&one);
    unfinish(&other);
    let (written, page) = report(&[&one, &other], &folder.path().join("out"));
    assert_eq!((written.arms, written.runs, written.unfinished), (2, 2, 1));
    assert!(page.contains("Not finished; shown as far as recorded: other."), "the warning names it");
    assert_eq!(written.missing, [], "the last checkpoint's population stands in for the final one");
    let times = fs::read_to_string(written.plots.join("cdf.csv")).unwrap();
    assert!(times.lines().any(|line| line.starts_with("default,") && line.contains(",10,timeout,10,")), "{times}");
    assert!(times.lines().any(|line| line.starts_with("random,") && line.contains(",5,")), "{times}");
}

#[test]
fn plots_without_data_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    make_run(&root, "default", 1);
    unfinish(&root);
    let header = fs::read_to_string(root.join(names::EVALUATIONS)).unwrap().lines().next().unwrap().to_owned() + "\n";
    fs::write(root.join(names::EVALUATIONS), header).unwrap();
    fs::remove_file(root.join(names::GENERATIONS)).unwrap();
    fs::remove_file(root.join(names::CHECKPOINT)).unwrap();
    let (written, page) = report(&[&root], &root.join("report"));
    assert_eq!((written.drawn.len(), written.missing.len()), (0, FIGURES.len()));
    for (_, reason) in &written.missing {
        assert!(page.contains(&reason.replace('\'', "&#39;")), "{reason}");
    }
    assert!(!page.contains("plots/cdf.svg"), "what is not there is not linked");
}

#[test]
fn hostile_text_in_a_record_stays_text() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    make_run(&root, "default", 1);
    let hostile = "</pre><script>alert(1)</script>";
    for entry in fs::read_dir(root.join(names::CANDIDATES)).unwrap() {
        fs::write(entry.unwrap().path().join("instance.smt2"), hostile).unwrap();
    }
    let environment = fs::read_to_string(root.join(names::ENVIRONMENT)).unwrap();
    let environment = environment.replacen("\"test\"", "\"<img src=x onerror=alert(2)>\"", 1);
    fs::write(root.join(names::ENVIRONMENT), environment).unwrap();
    let (_, page) = report(&[&root], &root.join("report"));
    assert!(page.contains("&lt;/pre&gt;&lt;script&gt;alert"), "a candidate is shown");
    assert!(page.contains("&lt;img src=x"), "the version is shown");
    assert!(!page.contains("<script>alert") && !page.contains("<img"));
}

#[test]
fn what_a_hunt_found_is_shown_with_its_instance_and_a_run_without_a_hunt_says_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    make_run(&root, "default", 1);
    assert!(!report(&[&root], &root.join("report")).1.contains("Wrong answers"));
    let defect = serde_json::json!({
        "number": "001", "kind": "refutation-unsoundness", "solvers": ["slow"], "because": "slow answers <unsat>",
        "evidence": ["(= a b) is true"], "seed": "suspects/000001.smt2", "instance": 1, "times": 3, "bytes": 42,
        "lines": 3, "bytes_before": 99,
    });
    let hunt = serde_json::json!({ "complete": true, "instances": 4, "defects": [defect] });
    let finding = root.join(names::HUNT).join("findings/001");
    fs::create_dir_all(&finding).unwrap();
    fs::write(root.join(names::HUNT).join("hunt.json"), hunt.to_string()).unwrap();
    fs::write(finding.join("reduced.smt2"), "(assert (str.< \"needle\" \"\"))\n").unwrap();
    let (_, page) = report(&[&root], &root.join("report"));
    assert!(page.contains("Wrong answers, wrong models and crashes"));
    assert!(page.contains("slow answers &lt;unsat&gt;") && page.contains("needle") && page.contains("(= a b) is true"));
    fs::remove_file(finding.join("reduced.smt2")).unwrap();
    let (_, page) = report(&[&root], &root.join("report"));
    assert!(!page.contains("needle") && page.contains("Its file is not there any more.") && page.contains("(= a b)"));
}

/// A triage of one run: a confirmed defect of two instances, and one that is probably the same.
fn add_triage(root: &Path) {
    let defect = |number: u32, confirmed: bool, like: serde_json::Value, members: &[&str]| {
        let members: Vec<_> = members.iter().map(|name| serde_json::json!({ "name": name })).collect();
        let severity = serde_json::json!({ "class": if confirmed { 3 } else { 0 }, "ratio": if confirmed { 412.0 } else { 0.0 },
                                "complexity": 5 });
        serde_json::json!({
            "number": number, "severity": severity, "instance": format!("(assert (= \"small{number}\" (str.substr a 0 b)))\n"),
            "members": members, "like": like, "confirmed": confirmed.then_some(serde_json::json!({ "answer": "sat" })),
        })
    };
    let like = serde_json::json!({ "number": 1, "because": "the same operators: `str.substr`" });
    let defects = [defect(1, true, serde_json::Value::Null, &["001", "004"]), defect(2, false, like, &["007"])];
    let triage = serde_json::json!({ "instances": 3, "defects": defects, "dropped": [], "stopped": "budget" });
    for number in ["001", "002"] {
        let folder = root.join("triage/clusters").join(number);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("instance.smt2"), format!("(assert (= \"large{number}\" a))\n")).unwrap();
    }
    fs::write(root.join("triage/triage.json"), triage.to_string()).unwrap();
}

#[test]
fn distinct_defects_come_first_reduced_and_what_was_found_is_folded() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    make_run(&root, "default", 1);
    let before = report(&[&root], &root.join("report")).1;
    assert!(!before.contains("istinct defect") && !before.contains("All candidates and defects"));
    add_triage(&root);
    let (_, page) = report(&[&root], &root.join("report"));
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(page.contains("<b>2</b><span>distinct defects</span><small>1 confirmed</small>"));
    assert!(
        page.contains("2 distinct defects, 1 confirmed")
            && page.contains("The triage was stopped before its end: run.")
    );
    let order =
        ["<h3>Distinct defects</h3>", "small1", "large001", "small2", "All candidates and defects as they were found"];
    assert!(order.windows(2).all(|pair| place(pair[0]) < place(pair[1])), "the reduced instance comes first");
    assert!(page.contains("Found as 001, 004.") && page.contains("Probably the same as 001: the same operators"));
    assert!(page.contains("stable") && page.contains("not tried"));
    let triage = fs::read_to_string(root.join("triage/triage.json")).unwrap();
    let list: serde_json::Value = serde_json::from_str(&triage).unwrap();
    fs::write(root.join("triage/triage.json"), list["defects"].to_string()).unwrap();
    assert!(
        report(&[&root], &root.join("report")).1.contains("2 distinct defects, 1 confirmed"),
        "as it once was written"
    );
}

#[test]
fn a_cluster_whose_folder_was_cleared_away_is_named_and_the_others_are_reported_on() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    make_run(&root, "default", 1);
    add_triage(&root);
    fs::remove_dir_all(root.join("triage/clusters/001")).unwrap();
    let mut program = assert_cmd::Command::cargo_bin("mulstringfuzz").unwrap();
    let said = program.arg("report").arg(&root).assert().success().get_output().stderr.clone();
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("triage/clusters/001 is reported on without its instance.smt2"), "{said}");
    let page = fs::read_to_string(root.join("report/report.html")).unwrap();
    assert!(page.contains("small1") && page.contains("large002") && page.contains("Its file is not there any more."));
}

#[test]
fn solver_time_is_that_of_the_whole_run_and_lines_are_told_where_they_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    make_run(&root, "default", 1);
    let path = root.join(names::SUMMARY);
    let mut summary: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    summary["solver_core_seconds"] = 359_700.0.into();
    fs::write(&path, summary.to_string()).unwrap();
    let (_, page) = report(&[&root], &root.join("report"));
    assert!(page.contains("<b>99.9 h</b><span>solver CPU time</span><small>of which "), "all of it");
    assert!(page.contains("lines of the target covered") && page.contains("plots/convergence-lines.svg"));
    let mut rows: Vec<String> =
        fs::read_to_string(root.join(names::GENERATIONS)).unwrap().lines().map(str::to_owned).collect();
    let column = rows[0].split(',').position(|name| name == "total_lines").expect("the column");
    for row in &mut rows[1..] {
        let mut cells: Vec<&str> = row.split(',').collect();
        cells[column] = "0";
        *row = cells.join(",");
    }
    fs::write(root.join(names::GENERATIONS), rows.join("\n") + "\n").unwrap();
    summary["total_lines"] = 0.into();
    fs::write(&path, summary.to_string()).unwrap();
    let (_, page) = report(&[&root], &root.join("report"));
    assert!(
        !page.contains("lines of the target covered") && !page.contains("convergence-lines"),
        "nothing counted them"
    );
}

#[test]
fn damage_is_named_and_other_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    let refused =
        |path: &Path| mulstringfuzz::report::write(&[path.to_owned()], &folder.path().join("out")).unwrap_err();
    assert!(matches!(refused(folder.path()), ReportError::NotResults { .. }));
    make_run(&root, "default", 1);
    let rows = fs::read_to_string(root.join(names::GENERATIONS)).unwrap();
    fs::write(root.join(names::GENERATIONS), rows.replacen("\n0,", "\nzero,", 1)).unwrap();
    let message = refused(&root).to_string();
    assert!(message.contains("generations.csv is damaged"), "{message}");
    fs::write(root.join(names::CONFIG), "population = \"many\"\n").unwrap();
    assert!(refused(&root).to_string().contains("config.toml"));
}

#[test]
fn the_verb_says_where_the_report_is() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    make_run(&one, "default", 1);
    make_run(&other, "default", 2);
    let program = || Command::cargo_bin("mulstringfuzz").expect("the program is built with its tests");
    let output = program().args(["report", "--json"]).arg(&one).output().unwrap();
    let row: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(row["report"], one.join("report/report.html").display().to_string());
    assert_eq!((output.status.code(), row["runs"].as_u64()), (Some(0), Some(1)));
    let output = program().arg("report").args([&one, &other]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--out"), "{output:?}");
    let output = program().arg("report").args([&one, &other]).arg("--out").arg("/dev/null/no").output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{output:?}");
}
