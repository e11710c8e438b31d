//! The batch scripts: one for the runs, as a job array, and one for the tables.
//!
//! The script of a run stays the parent of the run's process. A run that was killed, or interrupted by the cluster, is
//! put back into the queue by the script itself, so that no setting of the cluster is needed for it; a run that failed
//! is not. The warning before the time limit comes as SIGUSR1 to the script alone; where the cluster sends SIGTERM it may
//! send it to all processes or to the script alone. Either is passed on as SIGUSR1, which our process takes as a wish to
//! stop and never as a second one.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::array::compress;
use super::{Options, names};
use crate::experiment::local::Worker;
use crate::shell::quote;

/// How long before the time limit the run is told to stop: Slurm's timer is coarse, and an evaluation in flight is
/// dropped at once.
const WARNING: Duration = Duration::from_secs(180);
/// How long a run waits for an orphan of its own that still works in the run directory.
const LOCK_PATIENCE: &str = "15m";
/// Memory for the job that writes the tables.
const TABLES_MEMORY: &str = "2G";

/// What is submitted, and under which name.
pub(super) struct Batch<'a> {
    /// The folder of the experiment, absolute.
    pub(super) root: &'a Path,
    /// The name of the job.
    pub(super) name: &'a str,
    /// Its title.
    pub(super) title: &'a str,
    /// Numbers and names of the tasks, ascending.
    pub(super) tasks: &'a [(usize, String)],
    pub(super) worker: &'a Worker,
    pub(super) options: &'a Options,
}

impl Batch<'_> {
    /// The script of the runs.
    pub(super) fn array(&self) -> String {
        let Batch { root, tasks, worker, options, .. } = self;
        let indices: Vec<usize> = tasks.iter().map(|(index, _)| *index).collect();
        let warning = WARNING.min(options.time / 2).as_secs().max(1);
        let mut text = self.head(self.name, "A run of");
        let mut add = |line: &str| {
            text += line;
            text.push('\n');
        };
        add(&format!("#SBATCH --array={}%{}", compress(&indices), options.max_tasks));
        add(&format!("#SBATCH --mem={}", options.memory));
        add(&format!("#SBATCH --time={}", time(options.time)));
        add(&format!("#SBATCH --signal=B:USR1@{warning}"));
        add(&format!("#SBATCH --output={}", log(root, "%A_%a.log")));
        add("#SBATCH --requeue");
        add("set -u");
        add("");
        add("runs=(");
        for (index, name) in *tasks {
            add(&format!("    [{index}]={name}"));
        }
        add(")");
        let command = ["experiment".to_owned(), "task".to_owned(), root.display().to_string(), "--run".to_owned()];
        add(&format!("max_restarts={}", options.max_restarts));
        add("run=${runs[$SLURM_ARRAY_TASK_ID]}");
        add(&format!(
            "command=({} {} \"$run\" --wait-for-lock {LOCK_PATIENCE}{})",
            quote(&worker.program.display().to_string()),
            command.map(|word| quote(&word)).join(" "),
            worker.arguments.iter().fold(String::new(), |said, word| said + " " + &quote(word))
        ));
        text + ARRAY_BODY
    }

    /// The script that writes the tables.
    pub(super) fn tables(&self) -> String {
        let Batch { root, name, worker, .. } = self;
        let mut text = self.head(&format!("{name}-tables"), "The tables of");
        // Writing into a string cannot fail.
        let _ = write!(
            text,
            "#SBATCH --mem={TABLES_MEMORY}\n#SBATCH --time=60\n#SBATCH --output={}\n\nexec {} experiment tables {}\n",
            log(root, "tables_%j.log"),
            quote(&worker.program.display().to_string()),
            quote(&root.display().to_string()),
        );
        text
    }

    fn head(&self, name: &str, what: &str) -> String {
        let title: String = self.title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let partition = self.options.partition.as_ref();
        let partition = partition.map_or(String::new(), |name| format!("#SBATCH --partition={}\n", double_quote(name)));
        format!(
            "#!/usr/bin/env bash\n# {what} \"{title}\". Written by `mulstringfuzz experiment run --engine slurm`.\n\
             #SBATCH --job-name={name}\n#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1\n#SBATCH --open-mode=append\n\
             {partition}"
        )
    }
}

/// What the script of a run does, after the lines that say which run it is.
const ARRAY_BODY: &str = r#"job=${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}
restart=${SLURM_RESTART_COUNT:-0}

say() {
    echo "$(date '+%F %T') $run, job $job, restart $restart: $*"
}

# Whatever the cluster tells us, the run is told once more, in a way that it may have heard already.
told=
worker=
pass_on() {
    told=1
    [ -n "$worker" ] && kill -USR1 "$worker" 2>/dev/null
}
trap pass_on USR1 TERM INT

say "starts on ${SLURMD_NODENAME:-$(hostname)}"
"${command[@]}" &
worker=$!
while :; do
    told=
    wait "$worker"
    code=$?
    # A signal ends `wait` before the run: only a wait that none has ended tells the exit code.
    [ -z "$told" ] && break
done

case $code in
0)
    say "finished"
    exit 0
    ;;
129 | 130 | 137 | 138 | 143)
    # Stopped, or killed: what is recorded is safe. Not if the job was cancelled, or is being put back already.
    # By array and task: the number of one task is the array's, and stands for all of it.
    state=$(scontrol --oneliner show job "$job" 2>/dev/null)
    [ -n "$state" ] || { sleep 30; state=$(scontrol --oneliner show job "$job" 2>/dev/null); }
    case $state in
    *" JobState=RUNNING "*) ;;
    *)
        say "stopped with exit code $code"
        exit "$code"
        ;;
    esac
    if [ "$restart" -ge "$max_restarts" ]; then
        say "stopped with exit code $code after $restart restarts, the most that are allowed"
        exit "$code"
    fi
    say "stopped with exit code $code; back into the queue"
    scontrol requeue "$job" && exit "$code"
    say "could not be put back into the queue"
    exit "$code"
    ;;
*)
    say "failed with exit code $code"
    exit "$code"
    ;;
esac
"#;

/// The place of a log file, as the head of a script takes it.
fn log(root: &Path, name: &str) -> String {
    let folder = root.join(names::SLURM).join(names::LOG).display().to_string().replace('%', "%%");
    double_quote(&format!("{folder}/{name}"))
}

/// `D-HH:MM:SS`, Slurm's way to write a duration; seconds are rounded up to a minute by Slurm.
fn time(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    format!("{days}-{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// A word in a `#SBATCH` line, which knows quotes and backslashes.
fn double_quote(word: &str) -> String {
    format!("\"{}\"", word.replace('\\', r"\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts(options: &Options) -> (String, String) {
        let worker = Worker {
            program: "/opt/my tools/mulstringfuzz".into(),
            arguments: vec!["--quiet".into(), "--profiles".into(), "/home/o'neil/own.toml".into()],
        };
        let tasks = [(0, "a/001".to_owned()), (2, "a/002".to_owned()), (3, "b/002".to_owned())];
        let root = Path::new("/data/100% sure/table1");
        let batch = Batch {
            root,
            name: "table1-0a1b2c3d-1",
            title: "Two ways\nto search",
            tasks: &tasks,
            worker: &worker,
            options,
        };
        (batch.array(), batch.tables())
    }

    #[test]
    fn the_scripts_say_everything_that_a_job_needs() {
        let options = Options { partition: Some("long".into()), ..Options::default() };
        let (array, tables) = scripts(&options);
        insta::assert_snapshot!(array.strip_suffix(ARRAY_BODY).unwrap_or(&array), @r#"
        #!/usr/bin/env bash
        # A run of "Two ways to search". Written by `mulstringfuzz experiment run --engine slurm`.
        #SBATCH --job-name=table1-0a1b2c3d-1
        #SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1
        #SBATCH --open-mode=append
        #SBATCH --partition="long"
        #SBATCH --array=0,2-3%100
        #SBATCH --mem=9G
        #SBATCH --time=1-00:00:00
        #SBATCH --signal=B:USR1@180
        #SBATCH --output="/data/100%% sure/table1/slurm/log/%A_%a.log"
        #SBATCH --requeue
        set -u

        runs=(
            [0]=a/001
            [2]=a/002
            [3]=b/002
        )
        max_restarts=20
        run=${runs[$SLURM_ARRAY_TASK_ID]}
        command=('/opt/my tools/mulstringfuzz' experiment task '/data/100% sure/table1' --run "$run" --wait-for-lock 15m --quiet --profiles '/home/o'\''neil/own.toml')
        "#);
        insta::assert_snapshot!(tables, @r#"
        #!/usr/bin/env bash
        # The tables of "Two ways to search". Written by `mulstringfuzz experiment run --engine slurm`.
        #SBATCH --job-name=table1-0a1b2c3d-1-tables
        #SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1
        #SBATCH --open-mode=append
        #SBATCH --partition="long"
        #SBATCH --mem=2G
        #SBATCH --time=60
        #SBATCH --output="/data/100%% sure/table1/slurm/log/tables_%j.log"

        exec '/opt/my tools/mulstringfuzz' experiment tables '/data/100% sure/table1'
        "#);
    }

    #[test]
    fn a_short_time_limit_leaves_half_of_it_to_the_run() {
        let (array, _) = scripts(&Options { time: Duration::from_secs(120), ..Options::default() });
        assert!(array.contains("#SBATCH --time=0-00:02:00\n#SBATCH --signal=B:USR1@60\n"), "{array}");
        assert_eq!(time(Duration::from_secs(90_061)), "1-01:01:01");
    }
}
