//! Promise: no attempt outstays its time.
//!
//! An attempt that has run as long as it may, by its own limit, its class's or the cluster's, is
//! not running when all that is due has been done. One whose nodes had as long as they may to
//! confirm it is not launching any more, unless one of them is out of sight.

use muster_engine::action::JobState;

use super::unknown;
use crate::shadow::Shadow;
use crate::violation::{Findings, Promise};

/// Judges the jobs that are busy when the engine has nothing left to do.
pub(crate) fn at_rest(shadow: &Shadow, found: &mut Findings) {
    for job in shadow.jobs.values().filter(|job| shadow.is_out_of_time(job)) {
        let id = job.id;
        match job.state {
            Some(JobState::Running) => {
                let limit = shadow.limit_of(&job.spec).0;
                found.add(Promise::Limit, format!("job {id} runs beyond its limit of {limit} ms"));
            }
            Some(JobState::Launching) if !unknown::is_concerned(shadow, job) => {
                let most = shadow.cluster.policy.launch_timeout.0;
                found.add(Promise::Limit, format!("job {id} launches for more than {most} ms"));
            }
            _ => {}
        }
    }
}
