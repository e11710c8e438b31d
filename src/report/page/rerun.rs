//! Everything that is needed to run it again: commands, configurations, versions, seeds, and where the raw files are.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use super::defects::copyable;
use crate::record::names;
use crate::report::escape::{escape, link};
use crate::report::study::{Experiment, Study};
use crate::shell::quote;

/// Files of a run that a reader may want.
const FILES: [&str; 13] = [
    names::CONFIG,
    names::ENVIRONMENT,
    names::EVALUATIONS,
    names::GENERATIONS,
    names::FRONT,
    names::RESULT_SET,
    names::SUMMARY,
    names::COVERAGE,
    names::TRACEFILE,
    names::POPULATION,
    names::DEFECTS,
    names::CANDIDATES,
    names::LOG,
];

/// Writes the section's content. `page` is the folder of the page, to which links are relative.
pub(super) fn write(out: &mut String, study: &Study, page: &Path) {
    for Experiment { path, text, .. } in &study.experiments {
        let _ = writeln!(out, "<h3>{}</h3>", escape(&path.display().to_string()));
        copyable(out, "toml", &escape(text));
    }
    for run in study.runs() {
        let state = run.summary.as_ref().map_or("not finished", |summary| summary.stop_reason.as_str());
        let _ = writeln!(
            out,
            "<details class=\"fold\"><summary><b>{}</b>: {}, seed {}, stopped by: {}</summary>",
            escape(&run.label),
            run.config.variant.name(),
            run.config.seed,
            escape(state)
        );
        let root = relative(page, &run.root);
        out.push_str("<p>Files: ");
        for name in FILES.iter().filter(|name| run.root.join(name).exists()) {
            let target = link(&root.join(name).display().to_string());
            let _ = write!(out, "<a href=\"{target}\">{name}</a> ");
        }
        out.push_str("</p><p>Command line:</p>");
        if let Some(environment) = &run.environment {
            let words: Vec<String> = environment.command.iter().map(|word| quote(word)).collect();
            copyable(out, "shell", &escape(&words.join(" ")));
            let json = serde_json::to_string_pretty(environment).unwrap_or_default();
            out.push_str("<p>Versions and machine (environment.json):</p>");
            copyable(out, "json", &escape(&json));
        } else {
            out.push_str(
                "<p class=\"missing\">It was not recorded: the run was killed before it wrote environment.json.</p>",
            );
        }
        out.push_str("<p>Configuration (config.toml); <code>mulstringfuzz fuzz --config config.toml --out NEW</code> runs it again:</p>");
        copyable(out, "toml", &escape(&run.config_text));
        out.push_str("</details>\n");
    }
}

/// The path from one folder to another; both are made absolute first. If that fails, the other as it is.
fn relative(from: &Path, to: &Path) -> PathBuf {
    let (Ok(from), Ok(to)) = (from.canonicalize(), to.canonicalize()) else { return to.to_owned() };
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_go_up_to_the_shared_folder_and_down_again() {
        let folder = tempfile::tempdir().unwrap();
        let (page, run) = (folder.path().join("out/page"), folder.path().join("runs/a b/001"));
        std::fs::create_dir_all(&page).unwrap();
        std::fs::create_dir_all(&run).unwrap();
        assert_eq!(relative(&page, &run), Path::new("../../runs/a b/001"));
        assert_eq!(relative(&run.join("."), &run), Path::new(""));
    }
}
