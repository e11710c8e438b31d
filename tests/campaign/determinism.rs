//! The same seed and the same evaluations are the same run, whatever the number of jobs.

use super::scripted::{Options, assert_same_results, config, read, run};
use mulstringfuzz::search::{Strategy, Variant};
use std::time::Duration;

#[test]
fn one_job_and_four_write_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let config = config("population = 10\ngenerations = 4\nseed = 3");
    let pause = Duration::from_millis(3);
    let (one, four) = (folder.path().join("one"), folder.path().join("four"));
    let first = run(&one, &config, &Options { jobs: 1, ..Options::default() }).unwrap();
    let second = run(&four, &config, &Options { jobs: 4, pause, ..Options::default() }).unwrap();
    assert_same_results(&one, &four);
    assert_eq!(first.summary.hypervolume.map(f64::to_bits), second.summary.hypervolume.map(f64::to_bits));
    insta::assert_snapshot!("generations", read(&one, "generations.csv"));
    insta::assert_snapshot!("front", read(&one, "front.csv"));
}

#[test]
fn every_variant_runs_and_keeps_the_population_full() {
    let folder = tempfile::tempdir().unwrap();
    // An archive of elites is as large as it has cells.
    for variant in Variant::ALL.into_iter().filter(|variant| variant.strategy() != Strategy::Elites) {
        let root = folder.path().join(variant.name());
        let config = config(&format!("population = 8\ngenerations = 3\nvariant = '{variant}'"));
        let report = run(&root, &config, &Options::default()).unwrap();
        assert_eq!(report.summary.population, 8, "{variant}");
        assert_eq!(report.summary.generations, 3, "{variant}");
        assert!(report.summary.total_lines > Some(0) && report.summary.hypervolume > Some(0.0), "{variant}");
        assert_eq!(std::fs::read_dir(root.join("population")).unwrap().count(), 8, "{variant}");
        let evaluations = read(&root, "evaluations.csv");
        assert_eq!(evaluations.lines().count() as u64, report.summary.evaluations + 1, "{variant}");
        let crossed = evaluations.contains(",crossover");
        assert_eq!(
            crossed,
            !matches!(variant.name(), "random" | "stringfuzz" | "stringfuzz-runtime-difference"),
            "{variant}"
        );
    }
}

#[test]
fn an_archive_of_elites_grows_by_cells_and_has_a_bound() {
    let folder = tempfile::tempdir().unwrap();
    let sizes = |population: u32, generations: u32| -> Vec<u64> {
        let root = folder.path().join(format!("{population}-{generations}"));
        let config =
            config(&format!("population = {population}\ngenerations = {generations}\nvariant = 'diverse'\nseed = 2"));
        let report = run(&root, &config, &Options::default()).unwrap();
        let written = std::fs::read_dir(root.join("population")).unwrap().count() as u64;
        assert_eq!(report.summary.population, written);
        let rows = read(&root, "generations.csv");
        let mut reader = csv::Reader::from_reader(rows.as_bytes());
        let column = reader.headers().unwrap().iter().position(|header| header == "population").unwrap();
        reader.records().map(|row| row.unwrap()[column].parse().unwrap()).collect()
    };
    let few = sizes(20, 6);
    assert!(few.is_sorted() && few[0] <= 20 && few[6] > 40, "{few:?}");
    assert_eq!(sizes(4, 25).last(), Some(&20), "five cells for each offspring of a generation");
}

#[test]
fn transformers_mutate_in_our_own_variants_alone() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, expected) in [("default", false), ("swarm", true), ("diverse", true)] {
        let root = folder.path().join(variant);
        let config = config(&format!("population = 20\ngenerations = 8\nmutation = 1.0\nvariant = '{variant}'"));
        run(&root, &config, &Options::default()).unwrap();
        let evaluations = read(&root, "evaluations.csv");
        let transformed = [",multiply,", ",reverse,", ",graft,", ",fuzz,", ",rotate,", ",translate,"]
            .into_iter()
            .filter(|name| evaluations.contains(name))
            .count();
        assert_eq!(transformed > 2, expected, "{variant}: {transformed}");
    }
}

#[test]
fn a_quarter_of_each_generation_of_our_own_variants_is_fresh_and_of_no_other() {
    let folder = tempfile::tempdir().unwrap();
    for (variant, immigrants) in [("swarm", 5), ("diverse", 5), ("default", 0)] {
        let root = folder.path().join(variant);
        let config = config(&format!("population = 20\ngenerations = 3\nvariant = '{variant}'"));
        run(&root, &config, &Options::default()).unwrap();
        let evaluations = read(&root, "evaluations.csv");
        for generation in 1..=3 {
            let fresh: Vec<u32> = evaluations
                .lines()
                .map(|row| row.split(',').collect::<Vec<_>>())
                .filter(|row| row[1] == generation.to_string() && row[3] == "generated")
                .map(|row| row[2].parse().unwrap())
                .collect();
            // The last slots are theirs; a child of which nothing new could be made is fresh too, but rare.
            assert_eq!(fresh, (20 - immigrants..20).collect::<Vec<u32>>(), "{variant}, generation {generation}");
        }
    }
}

#[test]
fn the_columns_begin_as_the_contract_says_and_ranks_are_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("run");
    run(&root, &config("population = 6\ngenerations = 2"), &Options::default()).unwrap();
    let evaluations = read(&root, "evaluations.csv");
    assert!(evaluations.starts_with(
        "id,generation,slot,origin,operator,parents,target_result,target_seconds,reference_result,reference_seconds,\
         t_score,coverage_score,lines_covered,complexity,bytes,trace_lines,rank,crowding"
    ));
    let mut reader = csv::Reader::from_reader(evaluations.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let mut fingerprints = std::collections::BTreeSet::new();
    for row in reader.records() {
        let row = row.unwrap();
        assert_eq!(row[column("rank")].is_empty(), &row[column("valid")] == "false", "{row:?}");
        assert!(fingerprints.insert(row[column("fingerprint")].to_owned()), "evaluated twice: {row:?}");
        if &row[column("valid")] == "false" {
            assert_eq!(&row[column("survives")], "false");
        }
    }
}

#[test]
fn paper_coverage_and_scores_at_birth_are_other_searches() {
    let folder = tempfile::tempdir().unwrap();
    let settings = ["", "[coverage]\nmode = 'paper'", "[coverage]\nrescore = 'at-birth'"];
    let generations: Vec<String> = settings
        .into_iter()
        .enumerate()
        .map(|(place, coverage)| {
            let root = folder.path().join(place.to_string());
            run(&root, &config(&format!("population = 10\ngenerations = 4\n{coverage}")), &Options::default()).unwrap();
            read(&root, "front.csv")
        })
        .collect();
    assert_ne!(generations[0], generations[1]);
    assert_ne!(generations[0], generations[2]);
}
