//! What Slurm says of jobs: `scontrol show job`, which also knows jobs that ended a while ago.

use super::array::expand;

/// What a task is to the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It waits.
    Pending,
    /// It waits after it was interrupted or killed.
    Requeued,
    /// It runs, or is about to begin or to end.
    Running,
    /// It is in the queue no more.
    Over,
}

impl Stage {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Pending => "pending",
            Stage::Requeued => "requeued",
            Stage::Running => "running",
            Stage::Over => "over",
        }
    }
}

/// States of jobs that will never go on.
const OVER: [&str; 10] = [
    "COMPLETED",
    "CANCELLED",
    "FAILED",
    "TIMEOUT",
    "NODE_FAIL",
    "PREEMPTED",
    "BOOT_FAIL",
    "DEADLINE",
    "OUT_OF_MEMORY",
    "REVOKED",
];
/// States of jobs that wait.
const WAITING: [&str; 5] = ["PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT"];

/// One job, or one task of an array, or those tasks of it that wait together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// The number of the array, or of a job that is none.
    pub(super) id: u64,
    /// The tasks; none of a job that is no array.
    pub(super) tasks: Vec<usize>,
    pub(super) name: String,
    pub(super) state: String,
    /// Why it waits or has failed.
    pub(super) reason: Option<String>,
    /// How often it was started again.
    pub(super) restarts: u32,
    /// Exit code and signal.
    pub(super) exit: (u32, u32),
}

impl Job {
    /// What it is to the queue. A state that we do not know is taken to go on, so that nothing is submitted twice.
    pub(super) fn stage(&self) -> Stage {
        let state = self.state.as_str();
        if OVER.contains(&state) {
            Stage::Over
        } else if !WAITING.contains(&state) {
            Stage::Running
        } else if self.restarts > 0 || state != "PENDING" {
            Stage::Requeued
        } else {
            Stage::Pending
        }
    }

    /// The exit code with which it failed, if it failed so.
    pub(super) fn code(&self) -> Option<i32> {
        i32::try_from(self.exit.0).ok().filter(|&code| code != 0)
    }

    /// State, reason and exit code in a few words: `FAILED (NonZeroExitCode), exit code 3`.
    pub(super) fn words(&self) -> String {
        let reason = self.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        let exit = match self.exit {
            (0, 0) => String::new(),
            (code, 0) => format!(", exit code {code}"),
            (_, signal) => format!(", signal {signal}"),
        };
        format!("{}{reason}{exit}", self.state)
    }
}

/// Reads what `scontrol --oneliner show job` prints. Lines that are no job are left out.
pub(super) fn parse(printed: &str) -> Vec<Job> {
    printed.lines().filter_map(job).collect()
}

fn job(line: &str) -> Option<Job> {
    let field = |name: &str| {
        // Before the first path of a line, no value holds a space.
        line.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    };
    let id = field("ArrayJobId").or_else(|| field("JobId"))?.parse().ok()?;
    let exit = field("ExitCode").and_then(|exit| {
        let (code, signal) = exit.split_once(':')?;
        Some((code.parse().ok()?, signal.parse().ok()?))
    });
    Some(Job {
        id,
        tasks: field("ArrayTaskId").map(expand).unwrap_or_default(),
        name: field("JobName")?.to_owned(),
        state: field("JobState")?.to_owned(),
        reason: field("Reason").filter(|reason| *reason != "None").map(str::to_owned),
        restarts: field("Restarts").and_then(|count| count.parse().ok()).unwrap_or(0),
        exit: exit.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Slurm 22.05 printed them, less what stands behind the fields that are read.
    const PRINTED: &str = "\
JobId=1 ArrayJobId=1 ArrayTaskId=3,5-6 ArrayTaskThrottle=2 JobName=t-1 UserId=root(0) JobState=PENDING Reason=JobArrayTaskLimit Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0 RunTime=00:00:00
JobId=3 ArrayJobId=1 ArrayTaskId=2 ArrayTaskThrottle=2 JobName=t-1 UserId=root(0) JobState=RUNNING Reason=None Dependency=(null) Requeue=1 Restarts=1 BatchFlag=1 Reboot=0 ExitCode=0:0 RunTime=00:00:02
JobId=4 ArrayJobId=1 ArrayTaskId=1 JobName=t-1 UserId=root(0) JobState=PENDING Reason=BeginTime Dependency=(null) Requeue=1 Restarts=1 BatchFlag=1 Reboot=0 ExitCode=0:0
JobId=2 ArrayJobId=1 ArrayTaskId=0 JobName=t-1 UserId=root(0) JobState=FAILED Reason=NonZeroExitCode Dependency=(null) Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=3:0 Command=/a b/Reason=x
JobId=7 JobName=t-1-tables UserId=root(0) JobState=PENDING Reason=Dependency Dependency=afterany:1_*(unfulfilled) Requeue=1 Restarts=0 ExitCode=0:0

slurm_load_jobs error: something
";

    #[test]
    fn jobs_are_read_with_their_tasks() {
        let jobs = parse(PRINTED);
        let told = |job: &Job| (job.id, job.tasks.clone(), job.stage(), job.words());
        let told: Vec<_> = jobs.iter().map(told).collect();
        assert_eq!(
            told,
            [
                (1, vec![3, 5, 6], Stage::Pending, "PENDING (JobArrayTaskLimit)".to_owned()),
                (1, vec![2], Stage::Running, "RUNNING".to_owned()),
                (1, vec![1], Stage::Requeued, "PENDING (BeginTime)".to_owned()),
                (1, vec![0], Stage::Over, "FAILED (NonZeroExitCode), exit code 3".to_owned()),
                (7, vec![], Stage::Pending, "PENDING (Dependency)".to_owned()),
            ]
        );
    }

    #[test]
    fn a_state_that_we_do_not_know_is_taken_to_go_on() {
        let stage = |state: &str| parse(&PRINTED.replace("JobState=RUNNING", &format!("JobState={state}")))[1].stage();
        for state in ["COMPLETING", "CONFIGURING", "SUSPENDED", "STAGE_OUT", "SOMETHING_NEW"] {
            assert_eq!(stage(state), Stage::Running, "{state}");
        }
        for state in ["REQUEUE_HOLD", "SPECIAL_EXIT", "PENDING"] {
            assert_eq!(stage(state), Stage::Requeued, "{state}");
        }
        for state in OVER {
            assert_eq!(stage(state), Stage::Over, "{state}");
        }
    }
}
