//! A strategy of ours on the instance of a hunt, judged by the test that reducers of others get.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;

use super::shown::{Asked, Shown, read};
use crate::campaign::own_cpu_seconds;
use crate::exit::NotWritten;
use crate::experiment::{External, HuntRun};
use crate::hunt::outcome::names;
use crate::record::write_atomically;
use crate::reduce::property::Meter;
use crate::reduce::strategy::{Freedom, Strategy};
use crate::reduce::{Ended, Plan, reduce as reduced};
use crate::smtlib::printer::{PrintOptions, print};
use crate::solver::process::Interrupt;

/// Reduces the file `instance`, and records in `run` what came of it. `false` after an interrupt, which leaves no record.
pub(super) fn reduce(
    strategy: Strategy,
    instance: &Path,
    run: &HuntRun,
    shown: &Shown,
    interrupt: &Interrupt,
) -> anyhow::Result<bool> {
    let (provers, meter) = (shown.provers(interrupt)?, Meter::default());
    let asked = shown.asked(&provers, &meter);
    let folder = run.external();
    fs::create_dir_all(&folder).map_err(|source| NotWritten { path: folder.clone(), source })?;
    let Some(record) = recorded(strategy, instance, &folder, &asked, (&meter, shown.allowance), interrupt)? else {
        return Ok(false);
    };
    write_atomically(&run.external_record(), serde_json::to_string_pretty(&record)?.as_bytes())?;
    Ok(true)
}

/// Writes what the strategy leaves to `folder`, and gives the record; `None` after an interrupt.
fn recorded(
    strategy: Strategy,
    instance: &Path,
    folder: &Path,
    asked: &Asked<'_>,
    (meter, allowance): (&Meter, Duration),
    interrupt: &Interrupt,
) -> anyhow::Result<Option<External>> {
    let script = read(instance, asked.dialect)?;
    let bytes = fs::metadata(instance).with_context(|| format!("cannot read {}", instance.display()))?.len();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().context("cannot start threads")?;
    let before = own_cpu_seconds();
    let seconds = || meter.spent().solver_seconds + own_cpu_seconds() - before;
    let plan = Plan {
        strategy,
        freedom: Freedom::default(),
        dialect: asked.dialect,
        seed: 0,
        most_tests: u64::MAX,
        trusting: false,
        enough: &|| seconds() >= allowance.as_secs_f64(),
        pool: &pool,
    };
    let reduction = reduced(&script, asked.property(), &plan, &|_, _, _| {}, interrupt)?;
    let (cpu_seconds, said) = (seconds(), String::new());
    let Some(reduction) = reduction.filter(|_| !interrupt.is_set()) else {
        let ended = "the solvers did not show it again".to_owned();
        let record = External { succeeded: false, ended, cpu_seconds, candidates: None, said };
        return Ok(Some(record).filter(|_| !interrupt.is_set()));
    };
    let text = print(&reduction.script, asked.dialect, &PrintOptions::default()).unwrap_or_default();
    write_atomically(&folder.join(names::REDUCED), text.as_bytes())?;
    let ended = if reduction.ended == Ended::Fixpoint { "fixpoint" } else { "limits" };
    let succeeded = !text.is_empty() && (text.len() as u64) < bytes;
    let candidates = Some(reduction.tally.judged);
    Ok(Some(External { succeeded, ended: ended.to_owned(), cpu_seconds, candidates, said }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::scripted::Scripted;
    use crate::solver::answer::Answer;

    const INSTANCE: &str =
        "(declare-fun x () (_ BitVec 4))\n(assert (bvult (bvnot x) #x3))\n(assert (= (bvmul x x) #x4))\n(check-sat)\n";
    /// Is wrong about products.
    const WRONG: Scripted =
        Scripted::new("wrong", |text| if text.contains("bvmul") { Answer::Unsat } else { Answer::Sat });
    const RIGHT: Scripted = Scripted::new("right", |_| Answer::Sat);

    fn record(wrong: &Scripted, allowance: Duration, interrupt: &Interrupt) -> (Option<External>, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let instance = folder.path().join("instance.smt2");
        fs::write(&instance, INSTANCE).unwrap();
        let (meter, limit) = (Meter::default(), Duration::from_secs(1));
        let asked = Asked::wrong_unsat(wrong, &RIGHT, limit, &meter);
        let record = recorded(Strategy::DeltaSmt, &instance, folder.path(), &asked, (&meter, allowance), interrupt);
        (record.unwrap(), fs::read_to_string(folder.path().join(names::REDUCED)).ok())
    }

    #[test]
    fn what_a_strategy_leaves_is_recorded_as_what_others_leave() {
        let (record, text) = record(&WRONG, Duration::from_hours(10), &Interrupt::new());
        let record = record.unwrap();
        assert_eq!((record.succeeded, record.ended.as_str()), (true, "fixpoint"));
        assert!(record.candidates.is_some_and(|candidates| candidates > 0) && record.cpu_seconds > 0.0, "{record:?}");
        assert_eq!(text.unwrap(), "(assert (= (bvmul #x0 #x0) #x4))\n(check-sat)\n");
    }

    #[test]
    fn a_time_that_is_used_up_ends_it_and_what_does_not_come_again_is_not_reduced() {
        const HONEST: Scripted = Scripted::new("honest", |_| Answer::Sat);
        // Two runs of 0.1 s for each candidate.
        let (short, _) = record(&WRONG, Duration::from_millis(500), &Interrupt::new());
        assert_eq!(short.unwrap().ended, "limits");
        let (gone, text) = record(&HONEST, Duration::from_hours(10), &Interrupt::new());
        assert_eq!((gone.unwrap().succeeded, text), (false, None));
        let interrupt = Interrupt::new();
        interrupt.set();
        assert_eq!(record(&HONEST, Duration::from_hours(10), &interrupt).0, None);
    }
}
