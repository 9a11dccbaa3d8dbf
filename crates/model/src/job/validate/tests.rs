//! Bad jobs and what is said about them, field by field.

mod groups;
mod owner;
mod scaling;
mod several;
mod timing;
mod topology;

use crate::cluster::ClusterSpec;
use crate::job::JobSpec;
use crate::name::{Name, QueueName};
use crate::people::Team;
use crate::queue::QueueSpec;

/// A cluster with something of every kind that a job may refer to.
fn cluster() -> ClusterSpec {
    let team = Team {
        name: Name::from("vision"),
        queue: QueueName::from("research/vision"),
        members: Vec::new(),
    };
    let queues = ["default", "research", "research/vision", "research/speech"];
    ClusterSpec { teams: vec![team], ..ClusterSpec::default() }
        .levels(["zone", "block", "rack"])
        .queues(queues.map(QueueSpec::new))
}

/// Everything said about a job.
fn problems(job: &JobSpec) -> Vec<String> {
    let found = job.validate(&cluster()).expect_err("a bad job");
    found.iter().map(ToString::to_string).collect()
}

/// Each job has exactly one problem, with these words.
#[track_caller]
fn check(table: impl IntoIterator<Item = (JobSpec, &'static str)>) {
    for (job, expected) in table {
        assert_eq!(problems(&job), [expected]);
    }
}

fn gang() -> JobSpec {
    JobSpec::gang("train", 4, 8)
}
