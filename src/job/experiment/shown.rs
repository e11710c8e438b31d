//! What the instances of a defect show, and who is asked whether a script still shows it: a wrong answer, by the word of
//! solvers that are trusted, or a crash.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::config::{absolute, format_duration, parse_duration};
use crate::experiment::Defect;
use crate::hunt::kept::MOST_LIMITS;
use crate::job::solvers::provided;
use crate::oracle::OracleError;
use crate::oracle::correctness::Kind;
use crate::oracle::model::remove_printing;
use crate::oracle::prover::{InstalledProver, Prover};
use crate::reduce::property::{Judgement, Keeps, KeptAnswer, Meter, Opposed, Property, Rigour, RunLimit};
use crate::shell::quote;
use crate::smtlib::dialect::Dialect;
use crate::smtlib::parser::{ParseOptions, parse};
use crate::smtlib::script::Script;
use crate::solver::answer::Answer;
use crate::solver::process::Interrupt;
use crate::solver::profile::SolverSpec;
use crate::solver::provision::{Cache, known_profiles};

/// A wrong answer, or a crash. Reducers of others get it as options of `experiment shows`, and so it is those options.
#[derive(Clone, Debug, clap::Args)]
pub struct Shown {
    /// The solver that is wrong, or crashes
    #[arg(long, value_name = "SOLVER")]
    wrong: SolverSpec,
    /// A solver that is right; may be repeated: all must agree, and the wrong one must say the opposite
    #[arg(long, value_name = "SOLVER", required_unless_present = "crash")]
    right: Vec<SolverSpec>,
    /// These must say sat
    #[arg(long)]
    sat: bool,
    /// Instead, the message of a crash
    #[arg(long, value_name = "MESSAGE", conflicts_with_all = ["right", "sat"])]
    crash: Option<String>,
    /// CPU time of each run
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(super) limit: Duration,
    /// A file of further solver profiles
    #[arg(long, value_name = "FILE")]
    profiles: Option<PathBuf>,
    /// CPU time of a reducer: as much as one finding gets in a hunt.
    #[arg(skip)]
    pub(super) allowance: Duration,
}

/// The solvers that are asked.
#[derive(Debug)]
pub(super) struct Provers {
    wrong: InstalledProver,
    right: Vec<InstalledProver>,
}

impl Shown {
    /// What instances of this defect show. Of a crash, the file `instance` says which, and how long a run may take: a few
    /// seconds more than the crash does. One that does not come again is shown by no script.
    pub(super) fn of(
        defect: &Defect,
        instance: &Path,
        limit: Duration,
        profiles: Option<&Path>,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Self> {
        let mut shown = Shown {
            wrong: defect.solver.clone(),
            right: defect.trusted.clone(),
            sat: false,
            crash: None,
            limit,
            profiles: profiles.map(absolute),
            allowance: limit.mul_f64(MOST_LIMITS),
        };
        if defect.kind == Kind::Crash {
            shown.right = Vec::new();
            let (prover, meter) = (shown.prover(&defect.solver, interrupt)?, Meter::default());
            let script = read(instance, prover.dialect())?;
            let solvers = (&prover as &dyn Prover, None);
            let kept = KeptAnswer::of(&script, Keeps::Crash, solvers, RunLimit::AboveCrash, &meter, interrupt)?;
            let message = match kept.as_ref().map(KeptAnswer::answer) {
                Ok(Answer::Crash(message)) => message.clone(),
                _ => String::new(),
            };
            shown.limit = kept.map_or(limit, |kept| kept.limit());
            shown.crash = Some(message);
        } else if shown.right.is_empty() {
            shown.right = vec![defect.second_solver.clone().context("the defect has no second solver")?];
            shown.sat = true;
        }
        Ok(shown)
    }

    /// Fails if the file's script does not show it.
    ///
    /// # Errors
    /// Why it does not; also a file that cannot be read, and a solver that cannot be run.
    pub fn check(&self, file: &Path, interrupt: &Interrupt) -> anyhow::Result<()> {
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let (provers, meter) = (self.provers(interrupt)?, Meter::default());
        match self.asked(&provers, &meter).objection(&text, interrupt)? {
            Some(objection) => bail!(objection),
            None => Ok(()),
        }
    }

    fn prover(&self, spec: &SolverSpec, interrupt: &Interrupt) -> anyhow::Result<InstalledProver> {
        let profiles = known_profiles(self.profiles.as_deref(), &Cache::locate()?)?;
        Ok(InstalledProver::new(provided(spec, &profiles, interrupt)?))
    }

    /// Its solvers, on this machine.
    pub(super) fn provers(&self, interrupt: &Interrupt) -> anyhow::Result<Provers> {
        let right = self.right.iter().map(|spec| self.prover(spec, interrupt)).collect::<anyhow::Result<_>>()?;
        Ok(Provers { wrong: self.prover(&self.wrong, interrupt)?, right })
    }

    /// Who is asked about scripts.
    pub(super) fn asked<'a>(&self, provers: &'a Provers, meter: &'a Meter) -> Asked<'a> {
        let wrong: &dyn Prover = &provers.wrong;
        let shows = if let Some(message) = &self.crash {
            Shows::Crash(KeptAnswer::crash(wrong, message.clone(), self.limit, meter))
        } else {
            let right = provers.right.iter().map(|prover| prover as &dyn Prover).collect();
            let status = self.sat.then_some(Answer::Sat);
            Shows::Wrong(Opposed::new(wrong, right, self.limit, meter).with_status(status))
        };
        Asked { dialect: wrong.dialect(), shows }
    }

    /// The shell script that asks whether its argument shows it.
    pub(super) fn test(&self, program: &Path) -> String {
        let Shown { wrong, right, sat, crash, limit, profiles, .. } = self;
        let mut words = vec![program.display().to_string(), "experiment".into(), "shows".into()];
        words.extend(["--wrong".into(), wrong.to_string()]);
        words.extend(right.iter().flat_map(|right| ["--right".into(), right.to_string()]));
        words.extend(sat.then(|| "--sat".into()));
        words.extend(crash.iter().map(|message| format!("--crash={message}")));
        words.extend(["--limit".into(), format_duration(*limit)]);
        words.extend(profiles.iter().flat_map(|file| ["--profiles".into(), file.display().to_string()]));
        let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
        format!("#!/bin/sh\nexec {} \"$1\"\n", words.join(" "))
    }
}

/// The script in a file of this dialect, without requests to print: a model, say, that the solvers which are right do not
/// have.
///
/// # Errors
/// A file that cannot be read, or is no script.
pub(super) fn read(path: &Path, dialect: Dialect) -> anyhow::Result<Script> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut script = parse(&text, &path.display().to_string(), &ParseOptions { dialect: Some(dialect) })?;
    remove_printing(&mut script);
    Ok(script)
}

/// Who is asked whether a script shows it.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    /// The dialect of scripts.
    pub(super) dialect: Dialect,
    shows: Shows<'a>,
}

#[derive(Debug)]
enum Shows<'a> {
    Wrong(Opposed<'a>),
    Crash(KeptAnswer<'a>),
}

#[cfg(test)]
impl<'a> Asked<'a> {
    /// Whether one solver says `unsat` where another says `sat`.
    pub(super) fn wrong_unsat(wrong: &'a dyn Prover, right: &'a dyn Prover, limit: Duration, meter: &'a Meter) -> Self {
        let opposed = Opposed::new(wrong, vec![right], limit, meter).with_status(Some(Answer::Sat));
        Asked { dialect: wrong.dialect(), shows: Shows::Wrong(opposed) }
    }
}

impl Asked<'_> {
    /// The same as a property of scripts.
    pub(super) fn property(&self) -> &dyn Property {
        match &self.shows {
            Shows::Wrong(opposed) => opposed,
            Shows::Crash(crash) => crash,
        }
    }

    /// Why the script of this text does not show it; `None` if it does. An `Err` says neither.
    pub(super) fn objection(&self, text: &str, interrupt: &Interrupt) -> Result<Option<String>, OracleError> {
        let mut script = match parse(text, "candidate", &ParseOptions { dialect: Some(self.dialect) }) {
            Ok(script) => script,
            Err(error) => return Ok(Some(error.to_string())),
        };
        remove_printing(&mut script);
        Ok(match &self.shows {
            Shows::Wrong(opposed) => opposed.truth(&script, interrupt)?.err(),
            Shows::Crash(crash) => match crash.judge(&script, Rigour::Look, interrupt)? {
                Judgement::Holds => None,
                _ => Some("it does not crash so".to_owned()),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::scripted::Scripted;

    fn shown(right: &[&str], crash: Option<&str>) -> Shown {
        let spec = |text: &str| SolverSpec::parse(text).unwrap();
        Shown {
            wrong: spec("z3@4.8.10 smt.string_solver=seq"),
            right: right.iter().map(|text| spec(text)).collect(),
            sat: right.len() == 1,
            crash: crash.map(str::to_owned),
            limit: Duration::from_millis(1500),
            profiles: Some("my profiles.toml".into()),
            allowance: Duration::ZERO,
        }
    }

    #[test]
    fn the_test_asks_all_solvers_about_its_argument() {
        let program = Path::new("/opt/mulstringfuzz");
        insta::assert_snapshot!(shown(&["z3@5.4.1"], None).test(program), @r##"
        #!/bin/sh
        exec /opt/mulstringfuzz experiment shows --wrong 'z3@4.8.10 smt.string_solver=seq' --right z3@5.4.1 --sat --limit 1s500ms --profiles 'my profiles.toml' "$1"
        "##);
        let three = shown(&["z3@5.4.1", "yices", "cvc5"], None).test(program);
        assert!(three.contains("--right z3@5.4.1 --right yices --right cvc5 --limit"), "{three}");
        let crash = shown(&[], Some("-x: it's gone")).test(program);
        assert!(crash.contains(r"'--crash=-x: it'\''s gone' --limit"), "{crash}");
    }

    #[test]
    fn a_script_shows_a_crash_if_it_crashes_so() {
        const FRAGILE: Scripted = Scripted::new("fragile", |text| match text {
            _ if text.contains("(distinct") => Answer::Crash("signal 6".to_owned()),
            _ if text.contains("(= ") => Answer::Crash("signal 11".to_owned()),
            _ => Answer::Sat,
        });
        let meter = Meter::default();
        let crash = KeptAnswer::crash(&FRAGILE, "signal 11".to_owned(), Duration::from_secs(1), &meter);
        let asked = Asked { dialect: FRAGILE.dialect(), shows: Shows::Crash(crash) };
        let objection = |text: &str| asked.objection(text, &Interrupt::new()).unwrap();
        assert_eq!(objection("(assert (= 1 2))(check-sat)"), None);
        for other in ["(assert (distinct 1 2))(check-sat)", "(assert true)(check-sat)"] {
            assert_eq!(objection(other).as_deref(), Some("it does not crash so"));
        }
        assert!(objection("(assert").is_some());
    }

    #[test]
    fn requests_to_print_are_not_passed_on() {
        const WRONG: Scripted = Scripted::new("wrong", |_| Answer::Unsat);
        const STRICT: Scripted = Scripted::new("strict", |text| match text {
            _ if text.contains("get-model") => Answer::Rejected("the context is unsatisfiable".to_owned()),
            _ => Answer::Sat,
        });
        let meter = Meter::default();
        let asked = Asked::wrong_unsat(&WRONG, &STRICT, Duration::from_secs(1), &meter);
        let text = "(set-option :produce-models true)(assert true)(check-sat)(get-model)";
        assert_eq!(asked.objection(text, &Interrupt::new()).unwrap(), None);
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let commands = read(file.path(), Dialect::SmtLib26).unwrap().commands.len();
        assert_eq!(commands, 2, "the assertion and the question");
    }
}
