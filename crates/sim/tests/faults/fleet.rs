//! Fleets: like nodes in a few racks, gangs that need several of them for hours, and nodes that
//! break, alone and by the rack. Here gangs get their places back all the time.

use muster_model::{JobSpec, Name, NodeSpec, Requeue, TaskCount, TaskGroup, TaskShape};
use muster_sim::Faults;
use proptest::prelude::*;

use crate::scenario::{Scenario, Submission};
use crate::{cluster, jobs};

/// Scenarios of one model and a dozen gangs.
pub(crate) fn scenarios(seed: u64) -> impl Strategy<Value = Scenario> {
    cluster::clusters().prop_flat_map(move |cluster| {
        let queues = cluster::leaves(&cluster);
        let levels = cluster.levels.clone();
        let submissions = (jobs::submissions(queues, levels.clone()), groups()).prop_map(wide);
        (nodes(levels.len()), prop::collection::vec(submissions, 4..20)).prop_map(
            move |(nodes, jobs)| Scenario {
                cluster: cluster.clone(),
                nodes,
                jobs,
                faults: Faults::BREAKING,
                seed,
            },
        )
    })
}

/// A submission as a gang of several nodes that is not given up when it is lost.
fn wide((submission, groups): (Submission, Vec<TaskGroup>)) -> Submission {
    let requeue = Requeue { when_lost: true, most: 64, ..submission.spec.requeue };
    let spec = JobSpec { groups, requeue, array: None, ..submission.spec };
    Submission { spec, ..submission }
}

fn groups() -> impl Strategy<Value = Vec<TaskGroup>> {
    let group = (2..6u32, prop_oneof![Just(2u32), Just(4), Just(8)], prop::bool::weighted(0.1));
    prop_oneof![4 => prop::collection::vec(group.clone(), 1), 1 => prop::collection::vec(group, 2)]
        .prop_map(|groups| {
            let named = groups.into_iter().enumerate();
            let group = |(index, (tasks, gpus, exclusive))| TaskGroup {
                name: Name::from(format!("g{index}").as_str()),
                tasks: TaskCount::exactly(tasks),
                task: TaskShape { exclusive, ..TaskShape::gpus(gpus) },
            };
            named.map(group).collect()
        })
}

/// Eight to sixteen nodes, dealt out to two or three racks.
fn nodes(levels: usize) -> impl Strategy<Value = Vec<NodeSpec>> {
    (8..=16u32, 2..=3u32).prop_map(move |(count, racks)| {
        let node = |index: u32| {
            let rack = format!("d{}", index % racks);
            let above = std::iter::repeat_n("d0", levels - 1);
            let name = format!("n{index}");
            NodeSpec::new(&name, "H100", 8).domains(above.chain([rack.as_str()]))
        };
        (0..count).map(node).collect()
    })
}
