//! How a job scales: what it may say of its speed, and what is refused.

use super::{check, gang};
use crate::cluster::ClusterSpec;
use crate::job::JobSpec;
use crate::task::{TaskCount, TaskShape};
use crate::unit::Millis;

fn elastic() -> JobSpec {
    gang().elastic(2, 8)
}

#[test]
fn speeds_at_sizes_a_job_can_have_are_accepted() {
    let jobs = [
        elastic(),
        elastic().speeds([(2, 100)]),
        elastic().speeds([(2, 100), (4, 190), (8, 350)]),
        elastic().speeds([(2, 350), (8, 100)]),
        elastic().resize(Millis::ZERO),
        gang().resize(Millis::minutes(5)),
    ];
    for job in jobs {
        assert_eq!(job.validate(&ClusterSpec::default()), Ok(()), "{:?}", job.scaling);
    }
}

#[test]
fn the_elastic_group_is_the_first_with_a_range_of_gpu_tasks() {
    let none = gang();
    assert_eq!(none.elastic_group(), None);
    assert_eq!(elastic().elastic_group(), Some(0));
    let range = TaskCount { min: 1, max: 4 };
    let hosts = JobSpec::new("play", "user-a", "default")
        .group("hosts", range, TaskShape::gpus(0))
        .group("actors", range, TaskShape::gpus(1))
        .group("more", range, TaskShape::gpus(1));
    assert_eq!(hosts.elastic_group(), Some(1), "tasks without GPUs keep their fewest");
}

#[test]
fn what_makes_no_sense_is_refused_with_what_would() {
    check([
        (
            gang().speeds([(4, 1)]),
            "scaling.speeds: 1 speeds is not allowed; expected none: no group of GPU tasks has a \
             range of tasks",
        ),
        (elastic().speeds([(1, 5)]), "scaling.speeds[0].tasks: 1 is not allowed; expected 2 to 8"),
        (
            elastic().speeds([(2, 5), (9, 6)]),
            "scaling.speeds[1].tasks: 9 is not allowed; expected 2 to 8",
        ),
        (
            elastic().speeds([(2, 0)]),
            "scaling.speeds[0].speed: 0 is not allowed; expected 1 to 4294967295",
        ),
        (
            elastic().speeds([(4, 5), (3, 6)]),
            "scaling.speeds[1].tasks: 3 after 4 is not allowed; expected ascending sizes without \
             repeats",
        ),
        (
            elastic().speeds([(4, 5); 33]),
            "scaling.speeds: 33 speeds is not allowed; expected at most 32",
        ),
        (
            elastic().resize(Millis::days(3651)),
            "scaling.resize: 3651d is not allowed; expected 0s to 3650d",
        ),
    ]);
}
