//! All problems are reported at once, and no job makes validation panic.

use proptest::prelude::*;

use super::{cluster, gang};
use crate::dependency::DependencyKind;
use crate::id::JobId;
use crate::job::JobSpec;
use crate::name::Name;
use crate::task::{TaskCount, TaskShape};
use crate::topology::Level;
use crate::unit::{Mib, MilliCpu, Millis, Time};

/// One way to spoil a job.
type Spoil = fn(JobSpec) -> JobSpec;

/// Ways to spoil a job that do not touch each other, with the field that is then reported.
const SPOILS: [(&str, Spoil); 10] = [
    ("user", |job| job.user("a b")),
    ("team", |job| job.team("nobody")),
    ("class", |job| job.class("none")),
    ("queue", |job| job.queue("none")),
    ("groups[0].task.models[0]", |job| job.models(["none"])),
    ("topology.require", |job| job.require("none")),
    ("array.indexes", |job| job.array([])),
    ("after[0].job", |job| job.after(JobId(0), DependencyKind::After)),
    ("timing.limit", |job| job.limit(Millis(0))),
    ("weight", |job| job.weight(9)),
];

prop_compose! {
    fn shapes()(
        gpus in prop_oneof![0..10_u32, any::<u32>()],
        cpus in any::<u64>(),
        memory in any::<u64>(),
        models in prop::collection::vec("[HA]?100|.{0,3}", 0..3),
        nvlink in any::<bool>(),
    ) -> TaskShape {
        TaskShape {
            gpus,
            cpus: MilliCpu(cpus),
            memory: Mib(memory),
            models: models.iter().map(|model| Name::from(model.as_str())).collect(),
            nvlink,
            ..TaskShape::default()
        }
    }
}

prop_compose! {
    /// Jobs of which most are bad in several ways.
    fn jobs()(
        names in prop::collection::vec(".{0,4}|default|standard", 4),
        groups in prop::collection::vec((any::<u32>(), 0..9_u32, shapes()), 0..4),
        segment in (any::<u32>(), "rack|node|.{0,3}"),
        times in prop::collection::vec(any::<u64>(), 6),
    ) -> JobSpec {
        let job = JobSpec::new(&names[0], &names[1], &names[2]).class(&names[3]);
        let job = groups.into_iter().fold(job, |job, (min, max, shape)| {
            job.group("main", TaskCount { min, max }, shape)
        });
        job.segment(segment.0, Level::from(segment.1.as_str()))
            .limit(Millis(times[0]))
            .estimate(Millis(times[1]), Millis(times[2]))
            .begin(Time(times[3]))
            .deadline(Time(times[4]))
            .warning(9, Millis(times[5]))
    }
}

proptest! {
    #[test]
    fn every_problem_is_reported_at_once(
        chosen in prop::sample::subsequence(SPOILS.to_vec(), 0..=SPOILS.len())
    ) {
        let job = chosen.iter().fold(gang(), |job, (_, spoil)| spoil(job));
        let found = job.validate(&cluster()).err().unwrap_or_default();
        let mut fields: Vec<_> = found.iter().map(|problem| problem.field.as_str()).collect();
        let mut expected: Vec<_> = chosen.iter().map(|(field, _)| *field).collect();
        fields.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(fields, expected);
    }

    #[test]
    fn any_job_is_accepted_or_refused_with_whole_sentences(job in jobs()) {
        if let Err(found) = job.validate(&cluster()) {
            prop_assert!(!found.is_empty());
            for problem in found {
                prop_assert!(!problem.field.is_empty());
                prop_assert!(!problem.value.is_empty());
                let is_clause = problem.allowed.starts_with("expected ")
                    || problem.allowed.starts_with("this cluster has no ");
                prop_assert!(is_clause, "{}", problem.allowed);
            }
        }
    }
}
