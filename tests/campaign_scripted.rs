//! Whole campaigns on a scripted evaluator: what an evaluation shows follows from the script's fingerprint alone.

#[path = "campaign/damage.rs"]
mod damage;
#[path = "campaign/determinism.rs"]
mod determinism;
#[path = "campaign/disk.rs"]
mod disk;
mod faults;
#[path = "campaign/faults.rs"]
mod faults_at;
#[path = "campaign/learning.rs"]
mod learning;
#[path = "campaign/replay.rs"]
mod replay;
#[path = "campaign/resume.rs"]
mod resume;
#[path = "campaign/scripted.rs"]
mod scripted;
#[path = "campaign/stopping.rs"]
mod stopping;
