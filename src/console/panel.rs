//! What the status of a run says, in words: a panel of short lines for a terminal, one line for a file or a pipe.

use std::time::Duration;

use crate::campaign::Progress;
use crate::config::format_duration;
use crate::number::counted;

/// Columns of a line of the panel: a narrow terminal has 80, and the first line begins with a sign that turns.
pub(super) const WIDTH: usize = 78;

/// The time before which a rate would say nothing.
const LEAST_RATED: Duration = Duration::from_secs(1);

/// What is shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    /// Where the run stood when an evaluation or a generation ended last.
    pub(super) progress: Progress,
    /// How long ago that was.
    pub(super) age: Duration,
    /// The highest t-score of an evaluation so far, also of the dead.
    pub(super) best_t_score: f64,
    /// The last generation's mean t-score.
    pub(super) mean_t_score: Option<f64>,
    /// How long ago the last new candidate was found.
    pub(super) last_find: Option<Duration>,
    /// What is done now.
    pub(super) activity: Activity,
}

/// What a run does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Activity {
    /// It breeds, or records.
    #[default]
    Between,
    /// It evaluates so many scripts at once, the longest for so long.
    Evaluating { scripts: usize, longest: Duration },
    /// It confirms a candidate, and so many of its runs have ended, of so many if that is known.
    Confirming { candidate: u32, ended: u32, of: Option<u32> },
    /// A candidate is reduced, and its pattern learned.
    Learning {
        /// Its number.
        candidate: u32,
    },
}

/// The lines of the panel, each within [`WIDTH`]: what does not fit is left out, the least important first.
pub(super) fn panel(shown: &Shown) -> [String; 4] {
    let Progress { evaluations, timeouts, invalid, .. } = shown.progress;
    let progress = &shown.progress;
    let first = [time(progress, shown.age), generation(progress), evaluated(evaluations, progress.elapsed)];
    let mut second = vec![found(progress)];
    second.extend(shown.last_find.map(|ago| format!("last new candidate {} ago", seconds(ago))));
    let mut third = vec![counted(timeouts as usize, "timeout"), format!("{invalid} invalid")];
    third.extend(scores(shown));
    [within(WIDTH, &first), within(WIDTH, &second), within(WIDTH, &third), activity(shown.activity)]
}

/// The same in one line, without what changes by itself.
pub(super) fn plain_line(shown: &Shown) -> String {
    let progress = &shown.progress;
    let mut parts = vec![generation(progress), evaluated(progress.evaluations, progress.elapsed), found(progress)];
    parts.extend((progress.invalid > 0).then(|| format!("{} invalid", progress.invalid)));
    parts.extend(scores(shown));
    parts.push(time(progress, Duration::ZERO));
    parts.join(", ")
}

/// The time left, or so far; `age` has passed since.
fn time(progress: &Progress, age: Duration) -> String {
    match (progress.left, progress.solver_left) {
        (Some(left), _) => format!("{} left", seconds(left.saturating_sub(age))),
        (None, Some(left)) => format!("{} of solver time left", seconds(left)),
        (None, None) => format!("{} so far", seconds(progress.elapsed + age)),
    }
}

fn generation(progress: &Progress) -> String {
    match progress.generations {
        Some(generations) => format!("generation {}/{generations}", progress.generation),
        None => format!("generation {}", progress.generation),
    }
}

fn evaluated(evaluations: u64, elapsed: Duration) -> String {
    let evaluated = counted(evaluations as usize, "evaluation");
    if elapsed < LEAST_RATED {
        return evaluated;
    }
    format!("{evaluated} ({:.0}/min)", evaluations as f64 * 60.0 / elapsed.as_secs_f64())
}

fn found(progress: &Progress) -> String {
    let all = progress.defects + progress.candidates;
    let candidates = counted(all as usize, "candidate");
    match progress.distinct {
        Some(distinct) => {
            let distinct = counted(distinct.max(progress.defects) as usize, "distinct defect");
            format!("{distinct} ({} confirmed) in {candidates}", progress.defects)
        }
        None => format!("{} confirmed of {candidates}", counted(progress.defects as usize, "defect")),
    }
}

/// Lines, where something counts them, and t-scores.
fn scores(shown: &Shown) -> impl Iterator<Item = String> {
    let lines = shown.progress.lines.map(|lines| counted(lines as usize, "line"));
    let best = format!("best t-score {:.2}", shown.best_t_score);
    let mean = shown.mean_t_score.map(|mean| format!("mean {mean:.2}"));
    lines.into_iter().chain([best]).chain(mean)
}

fn activity(activity: Activity) -> String {
    match activity {
        Activity::Between => "between generations".to_owned(),
        Activity::Evaluating { scripts: 1, longest } => format!("evaluating 1 script for {}", seconds(longest)),
        Activity::Evaluating { scripts, longest } => {
            format!("evaluating {scripts} scripts, the longest for {}", seconds(longest))
        }
        Activity::Learning { candidate } => format!("learning what is slow in candidate {candidate:03}"),
        Activity::Confirming { candidate, ended, of } => {
            let run = ended + 1;
            match of {
                Some(of) if run <= of => format!("confirming candidate {candidate:03}: run {run} of {of}"),
                _ => format!("confirming candidate {candidate:03}: run {run}"),
            }
        }
    }
}

/// So many a second, behind the number; nothing while that would say nothing.
pub(super) fn rate_per_second(number: u64, elapsed: Duration) -> String {
    if elapsed < LEAST_RATED {
        return String::new();
    }
    format!(" ({:.1}/s)", number as f64 / elapsed.as_secs_f64())
}

/// As many of the parts, from the first on, as fit into a line of this width.
pub(super) fn within(width: usize, parts: &[String]) -> String {
    let mut line = String::new();
    for part in parts {
        let comma = if line.is_empty() { "" } else { ", " };
        if line.chars().count() + comma.len() + part.chars().count() > width {
            break;
        }
        line.push_str(comma);
        line.push_str(part);
    }
    line
}

pub(super) fn seconds(duration: Duration) -> String {
    format_duration(Duration::from_secs(duration.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown() -> Shown {
        let progress = Progress {
            generation: 3,
            evaluations: 120,
            defects: 1,
            candidates: 4,
            timeouts: 17,
            invalid: 1,
            lines: Some(15_000),
            elapsed: Duration::from_secs(120),
            left: Some(Duration::from_millis(480_400)),
            ..Progress::default()
        };
        Shown { progress, best_t_score: 9.98, mean_t_score: Some(4.5), ..Shown::default() }
    }

    #[test]
    fn the_panel_says_what_a_user_wants_to_know_time_first() {
        let evaluating = Activity::Evaluating { scripts: 2, longest: Duration::from_secs(4) };
        let (age, last_find) = (Duration::from_secs(3), Some(Duration::from_secs(61)));
        insta::assert_snapshot!(panel(&Shown { age, last_find, activity: evaluating, ..shown() }).join("\n"), @"
        7m57s left, generation 3, 120 evaluations (60/min)
        1 defect confirmed of 5 candidates, last new candidate 1m1s ago
        17 timeouts, 1 invalid, 15000 lines, best t-score 9.98, mean 4.50
        evaluating 2 scripts, the longest for 4s
        ");
    }

    #[test]
    fn large_numbers_stay_within_80_columns() {
        let day = Duration::from_secs(100 * 86_400 - 1);
        let progress = Progress {
            generation: 123_456,
            generations: Some(999_999),
            evaluations: 12_345_678,
            defects: 12_345,
            candidates: 123_456,
            timeouts: 1_234_567,
            invalid: 1_234_567,
            lines: Some(1_234_567),
            elapsed: day,
            left: None,
            solver_left: Some(day),
            ..Progress::default()
        };
        let activity = Activity::Confirming { candidate: 123_456, ended: 122, of: Some(999) };
        let shown = Shown {
            progress,
            best_t_score: 4799.98,
            mean_t_score: Some(4799.98),
            last_find: Some(day),
            activity,
            ..Shown::default()
        };
        let lines = panel(&shown);
        assert!(lines.iter().all(|line| !line.is_empty() && line.len() <= WIDTH), "{lines:#?}");
        insta::assert_snapshot!(lines.join("\n"), @"
        99d23h59m59s of solver time left, generation 123456/999999
        12345 defects confirmed of 135801 candidates
        1234567 timeouts, 1234567 invalid, 1234567 lines, best t-score 4799.98
        confirming candidate 123456: run 123 of 999
        ");
    }

    #[test]
    fn the_numbers_stay_while_a_candidate_is_confirmed() {
        let confirming = |ended, of| {
            let activity = Activity::Confirming { candidate: 1, ended, of };
            let lines = panel(&Shown { activity, ..shown() });
            assert_eq!(lines[..3], panel(&shown())[..3]);
            lines[3].clone()
        };
        assert_eq!(confirming(2, Some(17)), "confirming candidate 001: run 3 of 17");
        assert_eq!(confirming(17, Some(17)), "confirming candidate 001: run 18");
        assert_eq!(confirming(0, None), "confirming candidate 001: run 1");
    }

    #[test]
    fn one_line_leaves_out_what_is_not_known() {
        insta::assert_snapshot!(plain_line(&shown()), @"generation 3, 120 evaluations (60/min), 1 defect confirmed of 5 candidates, 1 invalid, 15000 lines, best t-score 9.98, mean 4.50, 8m left");
        let progress = Progress { left: None, lines: None, invalid: 0, ..shown().progress };
        let shown = Shown { progress, mean_t_score: None, ..shown() };
        insta::assert_snapshot!(plain_line(&shown), @"generation 3, 120 evaluations (60/min), 1 defect confirmed of 5 candidates, best t-score 9.98, 2m so far");
        let learning = Progress { distinct: Some(2), ..progress };
        let line = plain_line(&Shown { progress: learning, ..shown });
        assert!(line.contains(", 2 distinct defects (1 confirmed) in 5 candidates, "), "{line}");
        let by_cpu = Progress { solver_left: Some(Duration::from_secs(90)), ..progress };
        assert!(plain_line(&Shown { progress: by_cpu, ..shown }).ends_with("9.98, 1m30s of solver time left"));
    }
}
