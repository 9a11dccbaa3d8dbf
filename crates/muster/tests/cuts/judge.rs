//! What must hold after every step.

use std::collections::BTreeMap;

use muster_model::JobId;

use crate::node::Node;

/// How long a launcher may take to end its task once the lease has ended.
pub(crate) const ENDING_MS: u64 = 200;

/// One attempt of a job at a time anywhere, one task per GPU, none past the end of the lease.
pub(crate) fn judge(now_ms: u64, nodes: &[Node]) -> Result<(), String> {
    let mut attempts: BTreeMap<JobId, u32> = BTreeMap::new();
    for node in nodes {
        for task in node.live_steps() {
            let (job, attempt) = (task.of.job, task.of.attempt.0);
            if *attempts.entry(job).or_insert(attempt) != attempt {
                return Err(format!("at {now_ms} a step of an old attempt of job {} runs", job.0));
            }
            if now_ms > node.lease_ms + ENDING_MS {
                return Err(format!("at {now_ms} a step of job {} runs past its lease", job.0));
            }
        }
        let mut used: BTreeMap<u32, JobId> = BTreeMap::new();
        for (of, task) in node.alive() {
            // A place that is held is nothing but a word, which nobody goes by after the lease.
            if task.is_held && now_ms > node.lease_ms {
                continue;
            }
            let attempt = of.attempt.0;
            if *attempts.entry(of.job).or_insert(attempt) != attempt {
                return Err(format!("at {now_ms} two attempts of job {} run", of.job.0));
            }
            for gpu in task.place.gpus.iter() {
                if let Some(other) = used.insert(gpu, of.job) {
                    let (one, two, name) = (other.0, of.job.0, &node.name);
                    return Err(format!(
                        "at {now_ms} jobs {one} and {two} have GPU {gpu} of {name}"
                    ));
                }
            }
            if now_ms > node.lease_ms + ENDING_MS {
                let (job, name) = (of.job.0, &node.name);
                return Err(format!("at {now_ms} job {job} runs on {name} past its lease"));
            }
        }
    }
    Ok(())
}
