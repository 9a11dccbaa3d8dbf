//! A change is told and applied.

use muster_model::Time;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use super::*;

#[test]
fn lists_are_told_apart_by_what_is_new_changed_and_gone() {
    let (old, now) = ([(1, 'a'), (2, 'b'), (4, 'd')], [(2, 'B'), (3, 'c'), (4, 'd')]);
    let found = changed(&now, &old, |(key, _)| *key);
    assert_eq!(found.new, [&(2, 'B'), &(3, 'c')]);
    assert_eq!(found.gone, [&(1, 'a')]);
    assert!(changed(&now, &now, |(key, _)| *key).is_empty());
}

fn nodes() -> impl Strategy<Value = Vec<MapNode>> {
    let held = vec((0..8_u32, 1..5_u64, proptest::option::of(0..1000_u32)), 0..3);
    let one = (any::<bool>(), held);
    btree_map(0..12_u32, one, 0..8).prop_map(|nodes| {
        let mut drawn: Vec<MapNode> = nodes
            .into_iter()
            .map(|(number, (drained, held))| MapNode {
                // Not in the order of their numbers: n10 comes before n2.
                name: format!("n{number}"),
                domains: vec![format!("r{}", number / 4)],
                state: NodeState::Up,
                drained,
                model: Some("H100".to_owned()),
                gpus: 8,
                unhealthy: Vec::new(),
                held: held
                    .into_iter()
                    .map(|(gpu, job, busy)| HeldGpu { gpu, job, milli: 1000, busy })
                    .collect(),
            })
            .collect();
        drawn.sort_by(|one, other| one.name.cmp(&other.name));
        drawn
    })
}

fn jobs() -> impl Strategy<Value = Vec<MapJob>> {
    btree_map(0..12_u64, 1..5_u64, 0..8).prop_map(|jobs| {
        let one = |(id, gpus): (u64, u64)| MapJob {
            id,
            name: "train".to_owned(),
            user: "user-a".to_owned(),
            team: None,
            queue: "default".to_owned(),
            class: "standard".to_owned(),
            state: JobState::Running,
            gpus_milli: gpus * 1000,
            started: None,
            is_idle: false,
        };
        jobs.into_iter().map(one).collect()
    })
}

prop_compose! {
    fn picture()(
        nodes in nodes(),
        jobs in jobs(),
        pending in 0..3_u64,
        free in 0..3_u64,
        levels in vec(prop_oneof!["rack", "block"], 0..2),
        at in any::<u32>(),
    ) -> MapView {
        let (at, sequence) = (Moment(Time(at.into())), at.into());
        let cluster = ClusterView {
            nodes: 1, nodes_unseen: 0, gpus: 8, gpus_used_milli: 0, pending, active: 0, ended: 0,
            sequence,
        };
        let whole = LargestGang {
            level: "cluster".to_owned(), domain: Vec::new(), gpus: free, model: None,
        };
        MapView { sequence, at, cluster, levels, nodes, jobs, largest: vec![whole] }
    }
}

proptest! {
    #[test]
    fn what_changed_applied_to_the_earlier_picture_gives_the_later_one(
        earlier in picture(),
        later in picture(),
    ) {
        let mut view = earlier.clone();
        match later.since(&earlier) {
            Some(change) => {
                view.apply(change);
                prop_assert_eq!(view, later);
            }
            None => {
                // Nothing but the moment may differ then.
                let counts = ClusterView { sequence: 0, ..view.cluster };
                prop_assert_eq!(counts, ClusterView { sequence: 0, ..later.cluster });
                prop_assert_eq!((view.nodes, view.jobs), (later.nodes, later.jobs));
                prop_assert_eq!((view.levels, view.largest), (later.levels, later.largest));
            }
        }
    }
}
