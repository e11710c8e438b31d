//! A solver ready to run: a profile at one version, found on this machine.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::os::fd::{OwnedFd, RawFd};
use std::path::{Path, PathBuf};

use super::answer::Answer;
use super::process::{Command, Interrupt, Limits, ProcessError, Run, Scratch, Stopped, run};
use super::profile::{CounterSource, Profile, SolverSpec, Version};
use super::provision::Installed;
use super::tactic;

/// The number under which a solver finds its trace pipe.
pub const TRACE_DESCRIPTOR: RawFd = 9;
/// The script's name in the scratch folder: short and fixed, because some solvers print it in their messages.
const INSTANCE: &str = "instance.smt2";

/// Whether two paths are one program: the same file, or files of the same content. Of scripts the content says little: what
/// they run may depend on where they are.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    if let (Ok(one), Ok(other)) = (fs::canonicalize(one), fs::canonicalize(other))
        && one == other
    {
        return true;
    }
    let length = |path: &Path| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|it| it.len());
    length(one).is_some() && length(one) == length(other) && has_same_content(one, other).unwrap_or(false)
}

fn has_same_content(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
    if one.fill_buf()?.starts_with(b"#!") {
        return Ok(false);
    }
    loop {
        let (ours, theirs) = (one.fill_buf()?, other.fill_buf()?);
        let length = ours.len().min(theirs.len());
        if length == 0 {
            return Ok(ours.is_empty() && theirs.is_empty());
        }
        if ours[..length] != theirs[..length] {
            return Ok(false);
        }
        one.consume(length);
        other.consume(length);
    }
}

/// A solver of known version, ready to run.
#[derive(Clone, Debug)]
pub struct Solver {
    /// What the user asked for.
    pub spec: SolverSpec,
    /// Its profile, as it is for this version.
    pub profile: Profile,
    /// The version that the executable told us.
    pub version: Version,
    /// The executable.
    pub executable: PathBuf,
    /// Folders of the shared libraries that it needs, besides the system's.
    libraries: Vec<PathBuf>,
}

/// How one run differs from the plain one.
#[derive(Debug, Default)]
pub struct RunOptions {
    /// The random seed; the solver's default if `None`.
    pub seed: Option<u32>,
    /// Whether the solver checks its own models.
    pub check_model: bool,
    /// Whether the script asks for a model.
    pub model: bool,
    /// Whether the script asks several times, or pushes and pops.
    pub incremental: bool,
    /// The solver's own deterministic limit, in its own units; none if `None`.
    pub soft_limit: Option<u64>,
    /// Receives the trace, under the number [`TRACE_DESCRIPTOR`].
    pub trace: Option<OwnedFd>,
    /// Further descriptors, each with its number in the solver, such as the coverage counters' memory.
    pub inherited: Vec<(RawFd, OwnedFd)>,
    /// Further variables.
    pub environment: Vec<(OsString, OsString)>,
    /// How a limit ends the run, if not by `SIGKILL` at once ([`Command::graceful`]).
    pub graceful: Option<(super::process::Signal, std::time::Duration)>,
}

impl RunOptions {
    /// The same for a second run; none if the first uses up descriptors.
    fn again(&self) -> Option<Self> {
        // All by name, so that a new one is not forgotten.
        let Self { seed, check_model, model, incremental, soft_limit, trace, inherited, environment, graceful } = self;
        (trace.is_none() && inherited.is_empty()).then(|| RunOptions {
            seed: *seed,
            check_model: *check_model,
            model: *model,
            incremental: *incremental,
            soft_limit: *soft_limit,
            trace: None,
            inherited: Vec::new(),
            environment: environment.clone(),
            graceful: *graceful,
        })
    }
}

impl Solver {
    /// A solver from what is known of it.
    pub(super) fn new(spec: SolverSpec, profile: Profile, installed: Installed) -> Self {
        let Installed { executable, version, libraries } = installed;
        Solver { spec, profile, version, executable, libraries }
    }

    /// The name with version and options, as records and tables show it: `z3@4.8.10 rewriter.flat=false`.
    pub fn label(&self) -> String {
        SolverSpec { version: Some(self.version.clone()), ..self.spec.clone() }.to_string()
    }

    /// The same solver without the tactic by which it is asked, if it has one.
    #[must_use]
    pub fn without_tactic(&self) -> Solver {
        let options = self.spec.options.iter().filter(|option| !tactic::is_tactic(option)).cloned().collect();
        Solver { spec: SolverSpec { options, ..self.spec.clone() }, ..self.clone() }
    }

    /// Whether this is the same program with the same arguments, whatever the two are called.
    pub fn is_same_as(&self, other: &Solver) -> bool {
        let arguments = |solver: &Solver| solver.command(Path::new(INSTANCE), None).arguments;
        self.spec.tactic() == other.spec.tactic()
            && arguments(self) == arguments(other)
            && is_same_file(&self.executable, &other.executable)
    }

    /// The folder of the `.gcno` files, if this solver is instrumented.
    pub fn notes(&self) -> Option<PathBuf> {
        let notes = &self.profile.instrumented.as_ref()?.notes;
        Some(self.executable.parent().unwrap_or(Path::new("")).join(notes))
    }

    /// The instrumented build that goes with this solver, by name: `z3str3@4.8.10` has `z3str3-gcov@4.8.10`.
    pub fn instrumented_twin(&self) -> SolverSpec {
        let name = format!("{}-gcov", self.spec.name);
        SolverSpec { name, version: Some(self.version.clone()), options: self.spec.options.clone() }
    }

    /// How the counters of this solver's runs reach us, if it is instrumented.
    pub fn counter_source(&self) -> Option<CounterSource> {
        self.profile.instrumented.as_ref().map(|instrumented| instrumented.counters)
    }

    /// The logic that this solver knows under the script's `logic`.
    pub fn logic<'a>(&'a self, logic: &'a str) -> &'a str {
        self.profile.logics.get(logic).map_or(logic, String::as_str)
    }

    /// The command that solves the script in the file `instance`, with a random `seed` or the solver's default.
    pub fn command(&self, instance: &Path, seed: Option<u32>) -> Command {
        self.command_with(instance, RunOptions { seed, ..RunOptions::default() })
    }

    /// The command that solves the script in the file `instance`. The solver sees none of our environment variables,
    /// so that runs do not differ by user.
    pub fn command_with(&self, instance: &Path, options: RunOptions) -> Command {
        let RunOptions { seed, check_model, model, incremental, soft_limit, trace, inherited, environment, graceful } =
            options;
        let Profile { arguments, seed: seeding, check_model: checking, soft_limit: limiting, trace: tracing, .. } =
            &self.profile;

        let mut command = Command::new(&self.executable).args(arguments);
        if let Some(seed) = seed {
            command = command.args(filled(seeding, "{seed}", &seed.to_string()));
        }
        if check_model {
            command = command.args(checking);
        }
        if model {
            command = command.args(&self.profile.model.arguments);
        }
        if incremental {
            command = command.args(&self.profile.incremental);
        }
        if let Some(limit) = soft_limit {
            command = command.args(filled(limiting, "{limit}", &limit.to_string()));
        }
        if let Some(trace) = trace {
            command =
                command.args(filled(tracing, "{fd}", &TRACE_DESCRIPTOR.to_string())).inherit(TRACE_DESCRIPTOR, trace);
        }
        command = command.args(self.spec.arguments()).arg(instance);
        command.inherited.extend(inherited);
        command.clear_environment = true;
        command.graceful = graceful;
        command = command.env("LC_ALL", "C");
        if !self.libraries.is_empty() {
            command = command.env("LD_LIBRARY_PATH", super::provision::join(&self.libraries));
        }
        command.environment.extend(environment);
        command
    }

    /// Solves the script `text`, which is in this solver's dialect.
    ///
    /// # Errors
    /// When the solver cannot be run; all that it does when run is an [`Answer`].
    pub fn solve(&self, text: &str, limits: &Limits, interrupt: &Interrupt) -> Result<(Answer, Run), ProcessError> {
        self.solve_with(text, limits, interrupt, RunOptions::default())
    }

    /// Solves the script `text`, which is in this solver's dialect, with `options`. A run that somebody else killed says
    /// nothing, so that it is made once more, and the second counts; not so one with descriptors, which are used up.
    ///
    /// # Errors
    /// When the solver cannot be run; all that it does when run is an [`Answer`].
    pub fn solve_with(
        &self,
        text: &str,
        limits: &Limits,
        interrupt: &Interrupt,
        options: RunOptions,
    ) -> Result<(Answer, Run), ProcessError> {
        let again = options.again();
        let first = self.solve_once(text, limits, interrupt, options)?;
        match again.filter(|_| first.0 == Answer::Killed && !interrupt.is_set()) {
            Some(options) => {
                tracing::warn!(solver = self.label(), "somebody killed the solver: it runs once more");
                self.solve_once(text, limits, interrupt, options)
            }
            None => Ok(first),
        }
    }

    /// One run, whatever becomes of it.
    fn solve_once(
        &self,
        text: &str,
        limits: &Limits,
        interrupt: &Interrupt,
        options: RunOptions,
    ) -> Result<(Answer, Run), ProcessError> {
        let mut scratch = Scratch::new()?;
        let text = &*tactic::asked(text, self.spec.tactic());
        scratch.write(INSTANCE, with_epilogue(text, &self.profile.epilogue).as_bytes())?;
        let mut command = self.command_with(Path::new(INSTANCE), options).in_folder(scratch.path());
        if self.profile.instrumented.is_some() {
            // Where the compiler's own coverage runtime writes, should it be linked in; before the options' variables,
            // which may say otherwise.
            command.environment.insert(0, ("GCOV_PREFIX".into(), scratch.path().into()));
        }
        let run = run(command, limits, interrupt)?;
        let answer = match self.ignored_in(&run) {
            Some(text) if run.stopped != Some(Stopped::Interrupted) => Answer::Ignored(text.clone()),
            _ => Answer::with_crashes(&run, &self.profile.crashes),
        };
        Ok((if asks(text) { answer } else { answer.to_no_question() }, run))
    }
}

impl Solver {
    /// The text in what was printed because of which it is to be ignored, if there is one.
    fn ignored_in(&self, run: &Run) -> Option<&String> {
        if self.profile.ignores.is_empty() {
            return None;
        }
        let printed = [run.stdout_text(), run.stderr_text()];
        self.profile.ignores.iter().find(|text| printed.iter().any(|printed| printed.contains(text.as_str())))
    }
}

/// Whether a script asks anything before it ends.
fn asks(text: &str) -> bool {
    text.split("(exit)").next().is_some_and(|text| text.contains("check-sat"))
}

/// The arguments with `placeholder` filled in.
fn filled(arguments: &[String], placeholder: &str, value: &str) -> Vec<String> {
    arguments.iter().map(|argument| argument.replace(placeholder, value)).collect()
}

/// The script with `epilogue` after its last command, before an `(exit)` that would hide it.
fn with_epilogue(text: &str, epilogue: &str) -> String {
    if epilogue.is_empty() {
        return text.to_owned();
    }
    let body = text.trim_end();
    match body.strip_suffix("(exit)") {
        Some(body) => format!("{body}\n{epilogue}\n(exit)\n"),
        None => format!("{body}\n{epilogue}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::profile::Profiles;

    fn solver(text: &str) -> Solver {
        let spec = SolverSpec::parse(text).expect("spec");
        let (profile, version) = Profiles::built_in().get(&spec).expect("profile");
        Solver::new(spec, profile, Installed { executable: "/s/z3".into(), version, libraries: Vec::new() })
    }

    #[test]
    fn a_command_holds_profile_seed_limit_and_options_before_the_instance() {
        let options = RunOptions { seed: Some(7), soft_limit: Some(1000), ..RunOptions::default() };
        let command = solver("z3str3@4.8.10 rewriter.flat=false").command_with(Path::new("a.smt2"), options);
        let expected = [
            "smt.string_solver=z3str3",
            "smt.random_seed=7",
            "sat.random_seed=7",
            "rlimit=1000",
            "rewriter.flat=false",
            "a.smt2",
        ];
        assert_eq!(command.arguments, expected.map(OsString::from));
        assert!(command.clear_environment);
    }

    #[test]
    fn a_script_asks_with_any_form_of_the_question_before_its_end() {
        for text in ["(check-sat)", "(check-sat-using smt)(exit)", "( check-sat )"] {
            assert!(asks(text), "{text}");
        }
        for text in ["", "(assert true)", "(exit)\n(check-sat)"] {
            assert!(!asks(text), "{text}");
        }
    }

    #[test]
    fn a_second_run_asks_what_the_first_asked() {
        let options =
            RunOptions { seed: Some(7), check_model: true, model: true, incremental: true, ..Default::default() };
        let again = options.again().expect("no descriptor is used up");
        let yices = solver("yices");
        let command = |options| yices.command_with(Path::new("a.smt2"), options).arguments;
        assert_eq!(command(again), command(options));
        let (_reader, writer) = std::io::pipe().expect("pipe");
        assert!(RunOptions { trace: Some(writer.into()), ..Default::default() }.again().is_none());
    }

    #[test]
    fn copies_of_a_program_are_one_program_and_copies_of_a_script_may_be_two() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).expect("a file");
            path
        };
        let (program, copy, other) = (file("a", "\x7fELF 1"), file("b", "\x7fELF 1"), file("c", "\x7fELF 2"));
        assert!(is_same_file(&program, &copy) && !is_same_file(&program, &other));
        let (script, copy) = (file("d", "#!/bin/sh\nexec ./z3"), file("e", "#!/bin/sh\nexec ./z3"));
        assert!(is_same_file(&script, &script) && !is_same_file(&script, &copy));
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&script, &link).expect("a link");
        assert!(is_same_file(&script, &link));
        assert!(!is_same_file(&folder.path().join("nowhere"), &folder.path().join("nowhere else")));
    }

    #[test]
    fn a_label_always_has_the_version() {
        assert_eq!(solver("z3str3").label(), "z3str3@4.8.10");
        assert_eq!(solver("z3@5.4.1 rewriter.flat=false").label(), "z3@5.4.1 rewriter.flat=false");
    }

    #[test]
    fn a_trace_is_inherited_under_its_number() {
        let (_reader, writer) = std::io::pipe().expect("pipe");
        let options = RunOptions { trace: Some(writer.into()), ..RunOptions::default() };
        let command = solver("z3str3").command_with(Path::new("a.smt2"), options);
        assert!(command.arguments.contains(&"trace_file_name=/dev/fd/9".into()));
        assert_eq!(command.inherited[0].0, TRACE_DESCRIPTOR);
    }

    #[test]
    fn logics_and_notes_come_from_the_profile() {
        assert_eq!(solver("cvc4@1.8").logic("QF_S"), "QF_SLIA");
        assert_eq!(solver("cvc4").logic("QF_S"), "QF_S");
        assert_eq!(solver("z3str3-gcov").notes(), Some(PathBuf::from("/s/notes")));
        assert_eq!(solver("z3str3").notes(), None);
    }

    #[test]
    fn an_epilogue_comes_before_a_final_exit() {
        assert_eq!(with_epilogue("(check-sat)\n(exit)\n", "(e)"), "(check-sat)\n\n(e)\n(exit)\n");
        assert_eq!(with_epilogue("(check-sat)", "(e)"), "(check-sat)\n(e)\n");
        assert_eq!(with_epilogue("(check-sat)", ""), "(check-sat)");
    }
}
