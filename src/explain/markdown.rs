//! Both answers as sections of a defect's report, in Markdown.

use std::fmt::Write;

use super::fit::{Fit, Form, Law};
use super::growth::{Along, Growth, Measured, NOISE_SECONDS};
use super::hot::{Hot, RunTotals};
use super::rank::{HotFunction, Ranking};
use super::{Explanation, WhereTime};
use crate::markdown::cell;

impl Explanation {
    /// The two sections.
    pub fn markdown(&self) -> String {
        format!("{}\n{}", where_time_goes(&self.where_time_goes), how_it_grows(&self.growth))
    }
}

/// The section "Where the time goes".
pub fn where_time_goes(place: &WhereTime) -> String {
    let mut out = String::from("## Where the time goes\n\n");
    // A string cannot fail to be written to; so below.
    let _ = match place {
        WhereTime::Counted(hot) => write_hot(&mut out, hot),
        WhereTime::NotCounted { reason } => writeln!(out, "{reason}"),
    };
    out
}

fn write_hot(out: &mut String, hot: &Hot) -> std::fmt::Result {
    let totals = |run: &RunTotals| format!("{} line executions in {:.2} s", count(run.executions), run.cpu_seconds);
    write!(out, "{}, {} s of CPU time each: {}", hot.instrumented, hot.limit_seconds, totals(&hot.slow))?;
    match &hot.fast {
        Some(fast) => writeln!(out, "; the fast relative, {}.", totals(fast))?,
        None => writeln!(out, "; there is no fast relative to compare with.")?,
    }
    writeln!(
        out,
        "Counts are exact, callees apart; ranked by growth, the count minus that of the fast relative. {:.0} % of all growth \
         is in generic code, listed last: what stands in a `util` folder, or also runs with nothing asserted.\n",
        100.0 * hot.ranking.generic_share
    )?;
    let Ranking { functions, lines, generic, .. } = &hot.ranking;
    if functions.is_empty() && lines.is_empty() && generic.is_empty() {
        return writeln!(out, "Nothing grew: no line ran more often on the slow script than on its relative.");
    }
    write_functions(out, "Function", functions)?;
    writeln!(out, "\n| Line | in | slow | fast | ratio | of growth |\n| --- | --- | ---: | ---: | ---: | ---: |")?;
    for line in lines {
        let place = format!("{}:{}", line.file, line.line);
        write!(out, "| {} | `{}` ", cell(&place), cell(&line.function))?;
        write_counts(out, line.slow, line.fast, line.ratio, line.share)?;
    }
    writeln!(out)?;
    write_functions(out, "Generic function", generic)
}

fn write_functions(out: &mut String, title: &str, functions: &[HotFunction]) -> std::fmt::Result {
    writeln!(out, "| {title} | defined at | slow | fast | ratio | of growth |")?;
    writeln!(out, "| --- | --- | ---: | ---: | ---: | ---: |")?;
    for each in functions {
        write!(out, "| `{}` | {}:{} ", cell(&each.name), cell(&each.file), each.line)?;
        write_counts(out, each.slow, each.fast, each.ratio, each.share)?;
    }
    Ok(())
}

fn write_counts(out: &mut String, slow: u64, fast: u64, ratio: Option<f64>, share: f64) -> std::fmt::Result {
    let ratio = ratio.map_or_else(|| "new".to_owned(), |ratio| format!("{ratio:.1}"));
    writeln!(out, "| {} | {} | {ratio} | {:.1} % |", count(slow), count(fast), 100.0 * share)
}

/// The section "How it grows".
pub fn how_it_grows(growth: &Growth) -> String {
    let mut out = String::from("## How it grows\n\n");
    let Growth { target, reference, limit_seconds, trivial_seconds, dimensions } = growth;
    let _ = writeln!(
        out,
        "{target} and {reference} on scaled copies of the instance, {limit_seconds} s of CPU time each; > marks lower bounds. With \
         nothing asserted {target} takes {trivial_seconds:.3} s, which laws leave out."
    );
    if dimensions.is_empty() {
        out.push_str("\nThe instance has nothing that can be scaled.\n");
    }
    for along in dimensions {
        let _ = write_along(&mut out, along, growth);
    }
    out
}

fn write_along(out: &mut String, along: &Along, growth: &Growth) -> std::fmt::Result {
    let title = along.dimension.title();
    writeln!(out, "\n### By {title}\n\n{}\n", law_in_words(&along.law, title, growth.limit_seconds))?;
    writeln!(out, "| {title} | factor | target | seconds | reference | seconds |")?;
    writeln!(out, "| ---: | ---: | --- | ---: | --- | ---: |")?;
    for point in &along.points {
        let (target, reference) = (&point.target, &point.reference);
        write!(out, "| {} | {} ", point.size, point.factor)?;
        writeln!(out, "| {} | {} | {} | {} |", target.result, seconds(target), reference.result, seconds(reference))?;
    }
    if along.budget_ended {
        writeln!(out, "\nThe budget ended before larger sizes could be measured.")?;
    }
    Ok(())
}

/// A sentence or two about a law.
fn law_in_words(law: &Law, title: &str, limit: f64) -> String {
    match law {
        Law::SlowAtEverySize => format!("**Slow at every size**: nothing is answered within {limit} s."),
        Law::FastAtEverySize => "**Fast at every size**: never measurably slower than the trivial script.".to_owned(),
        Law::TooFewPoints { usable } => format!(
            "**Too few points** for a law: {usable} of the four sizes that it takes have an answer that took {NOISE_SECONDS} s or \
             more of work."
        ),
        Law::Fitted(fit) => fitted_in_words(fit, title),
    }
}

fn fitted_in_words(fit: &Fit, title: &str) -> String {
    let Fit { rate, low, high, r_squared, r_squared_of_other, points, .. } = fit;
    let (form, other) = match fit.form {
        Form::Polynomial => ("Polynomial", "exponential"),
        Form::Exponential => ("Exponential", "polynomial"),
    };
    let of = if fit.form == Form::Polynomial { "degree" } else { "base per unit" };
    let mut words = format!(
        "**{form}** in the number of units ({title}): {of} {rate:.2} (95 % confidence: {low:.2} to {high:.2}), R² {r_squared:.3} \
         over {points} points; R² of the {other} law {r_squared_of_other:.3}."
    );
    if !fit.exceeded_at.is_empty() {
        let sizes: Vec<String> = fit.exceeded_at.iter().map(ToString::to_string).collect();
        let _ = write!(
            words,
            " Time ran out at {}, where this law predicts less: it grows faster there.",
            sizes.join(", ")
        );
    }
    words
}

fn seconds(measured: &Measured) -> String {
    format!("{}{:.3}", if measured.ran_out { "> " } else { "" }, measured.seconds)
}

/// A count with its digits in groups of three.
fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests;
