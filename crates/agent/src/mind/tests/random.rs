//! Whatever is lost, doubled or late, and whenever the agent restarts: in the end the node has what
//! the server wants, every attempt was told to have ended, and no rule was broken on the way.

use muster_api::Runs;
use muster_engine::command::Exit;
use proptest::prelude::*;

use super::world::World;

/// One thing that happens.
#[derive(Clone, Debug)]
enum Step {
    Want(u64, u32, Runs),
    Stop(u64, u64),
    Resize(u64, u32),
    Deliver(usize),
    DeliverAll,
    Launch(bool),
    Tell,
    End(usize, i32),
    Pass(u64),
    Report(usize, bool),
    Announce,
    Restart(bool),
}

fn runs() -> impl Strategy<Value = Runs> {
    prop_oneof![Just(Runs::Everywhere), Just(Runs::First), Just(Runs::Nowhere)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..3u64, 1..4u32, runs()).prop_map(|(job, tasks, runs)| Step::Want(job, tasks, runs)),
        2 => (0..3u64, 0..3_000u64).prop_map(|(job, grace_ms)| Step::Stop(job, grace_ms)),
        2 => (0..3u64, 0..4u32).prop_map(|(job, tasks)| Step::Resize(job, tasks)),
        6 => (0..64usize).prop_map(Step::Deliver),
        2 => Just(Step::DeliverAll),
        8 => prop::bool::weighted(0.9).prop_map(Step::Launch),
        8 => Just(Step::Tell),
        3 => (0..8usize, 0..2i32).prop_map(|(which, code)| Step::End(which, code)),
        4 => (0..20_000u64).prop_map(Step::Pass),
        4 => (0..4usize, prop::bool::ANY).prop_map(|(most, is)| Step::Report(most, is)),
        1 => Just(Step::Announce),
        2 => prop::bool::ANY.prop_map(Step::Restart),
    ]
}

fn play(steps: Vec<Step>) -> World {
    let mut world = World::new();
    for step in steps {
        match step {
            Step::Want(job, tasks, runs) => world.want(job, tasks, runs),
            Step::Stop(job, grace_ms) => world.stop_newest(job, grace_ms),
            Step::Resize(job, tasks) => world.resize(job, tasks),
            Step::Deliver(which) => world.deliver(which),
            Step::DeliverAll => world.deliver_all(),
            Step::Launch(works) => world.launch(works),
            Step::Tell => world.tell(),
            Step::End(which, code) => world.end(which, Exit::Code(code)),
            Step::Pass(ms) => world.pass(ms),
            Step::Report(most, is_answered) => world.report(most, is_answered),
            Step::Announce => world.announce(),
            Step::Restart(works) => world.restart(works),
        }
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_sides_come_to_agree_whatever_happens(
        steps in prop::collection::vec(step(), 0..120)
    ) {
        let mut world = play(steps);
        world.settle();
        let running: Vec<_> = world.alive().collect();
        prop_assert_eq!(running, world.missing());
        let is_wanted = |of| world.wanted().iter().any(|(wanted, _)| *wanted == of);
        let silent: Vec<_> = world
            .asked
            .iter()
            .filter(|of| !world.heard_ends.contains(of) && !is_wanted(**of))
            .collect();
        prop_assert!(silent.is_empty(), "never told to have ended: {:?}", silent);
    }
}
