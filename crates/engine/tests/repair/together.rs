//! A lost rack is one event: one step, one pass, every gang on it lost once.

use super::support::{lose_from, repaired};
use crate::support::*;

#[test]
fn nodes_lost_together_end_their_leases_in_one_step() {
    let mut c = racks("r1: 8 8 8 8; r2: 8 8 8 8 8").build();
    let job = c.run(gang(4, 8).require("rack"));
    assert_eq!(c.nodes_of(job)[0], "r1-1");
    c.lose_together(&["r1-1", "r1-2", "r1-3"], minutes(5));
    assert_eq!(c.word(job), "running", "unknown is not dead");
    c.now = c.now() + minutes(5);
    let actions = c.step(Command::Tick);
    let stops = actions.iter().filter(|action| matches!(action, Action::Stop { .. })).count();
    assert_eq!(stops, 1, "only the node that is left is told: {actions:?}");
    let wake = c.engine.next_wake();
    assert!(wake.is_none_or(|wake| wake > c.now()), "nothing is left for another step");
    c.stopped(job);
    assert_eq!((c.record(job).requeues, c.attempt(job).0), (1, 2), "lost once");
    assert_eq!(c.nodes_of(job), ["r2-1", "r2-2", "r2-3", "r2-4"]);
}

#[test]
fn a_rack_larger_than_one_steps_timers_is_still_one_event() {
    let mut c = cluster().nodes("n", 100, "H100x8").build();
    let names: Vec<String> = (1..=90).map(|node| format!("n-{node}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let job = c.run(gang(95, 8));
    c.lose_together(&names, minutes(1));
    c.now = c.now() + minutes(1);
    c.step(Command::Tick);
    assert_eq!(c.word(job), "stopping");
    let gone = names.iter().filter(|node| c.sight(node) == muster_engine::snapshot::Sight::Gone);
    assert_eq!(gone.count(), 90);
    assert_eq!(c.record(job).requeues, 1);
}

#[test]
fn many_gangs_of_one_rack_are_each_lost_once() {
    let mut c = racks("r1: 8 8 8 8; r2: 8 8 8 8; r3: 8 8").build();
    // Each gang has a node in either rack.
    let pair = |number: u32| gang(2, 8).only_on(nodes_where(&format!("@r1-{number},r2-{number}")));
    let jobs: Vec<JobId> = (1..=4).map(|number| c.run(pair(number))).collect();
    let actions = c.lose_together(&["r1-1", "r1-2", "r1-3", "r1-4"], Millis::ZERO);
    let stopping = actions
        .iter()
        .filter(|action| matches!(action, Action::Moved { state: JobState::Stopping, .. }));
    assert_eq!(stopping.count(), 4);
    assert!(jobs.iter().all(|job| c.record(*job).requeues == 1));
}

#[test]
fn losing_one_by_one_or_together_comes_to_the_same_for_the_gang() {
    let lose: [fn(&mut World); 2] = [
        |c| {
            c.lose_together(&["n-1", "n-2"], minutes(5));
        },
        |c| {
            c.lose("n-1", minutes(5));
            c.lose("n-2", minutes(5));
        },
    ];
    let places = lose.map(|lose| {
        let mut c = cluster().nodes("n", 6, "H100x8").build();
        let job = c.run(gang(4, 8));
        lose(&mut c);
        c.advance(minutes(5));
        c.stopped(job);
        assert_eq!((c.record(job).requeues, repaired(&c, job)), (1, Some((2, 2))));
        c.node_of_each_task(job)
    });
    assert_eq!(places[0], places[1]);
}

#[test]
fn a_node_that_returns_in_time_leaves_the_others_to_their_leases() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let (one, two) = (c.run(gang(1, 8)), c.run(gang(1, 8)));
    c.lose_together(&["n-1", "n-2"], minutes(5));
    c.advance(minutes(4));
    c.find_again("n-1", &[one]);
    c.advance(minutes(1));
    assert_eq!((c.word(one), c.attempt(one).0), ("running", 1));
    assert_eq!(c.attempt(two).0, 2);
}

#[test]
fn hearing_of_a_loss_again_makes_no_lease_shorter() {
    let mut c = cluster().nodes("n", 3, "H100x8").build();
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(30));
    c.lose_together(&["n-1", "n-2"], minutes(5));
    c.advance(minutes(29));
    assert_eq!(c.word(job), "running");
    c.lose_together(&["n-1", "n-2"], minutes(30));
    c.advance(minutes(29));
    assert_eq!(c.word(job), "running", "but it may get longer");
    c.advance(minutes(1));
    assert_eq!(c.attempt(job).0, 2);
}

#[test]
fn a_loss_without_nodes_and_one_of_unknown_nodes_change_nothing() {
    let mut c = cluster().nodes("n", 2, "H100x8").build();
    let job = c.run(gang(1, 8));
    let (known, now) = (c.node("n-1"), c.now());
    for (nodes, field) in [(vec![], "nodes"), (vec![known, NodeId(77)], "node")] {
        let actions = c.step(Command::NodesLost { nodes, lease_ends: now });
        let [Action::Rejected { errors }] = &actions[..] else { panic!("{actions:?}") };
        assert_eq!(errors[0].field.as_str(), field);
        assert_eq!(c.sight("n-1"), muster_engine::snapshot::Sight::Seen);
    }
    assert_eq!(c.word(job), "running");
}

#[test]
fn a_node_named_twice_is_lost_once() {
    let mut c = cluster().nodes("n", 4, "H100x8").build();
    let job = c.run(gang(2, 8));
    c.lose_together(&["n-1", "n-1"], Millis::ZERO);
    assert_eq!(c.node_record("n-1").hazard.level, 65_536);
    c.stopped(job);
    assert_eq!(c.decision(job).repair.unwrap().lost.len(), 1);
}

#[test]
fn a_second_node_lost_while_the_first_is_repaired_is_replaced_too() {
    let mut c = cluster().nodes("n", 6, "H100x8").build();
    let job = c.run(gang(3, 8));
    c.lose("n-1", Millis::ZERO);
    c.end_on(job, "n-2", Exit::Stopped);
    c.lose("n-3", Millis::ZERO);
    assert_eq!(c.node_of_each_task(job), ["n-4", "n-2", "n-5"]);
    assert_eq!((c.record(job).requeues, repaired(&c, job)), (1, Some((1, 2))));
    // And again from its new place.
    c.confirm(job);
    lose_from(&mut c, job, "n-2");
    assert_eq!(c.node_of_each_task(job), ["n-4", "n-6", "n-5"]);
    assert_eq!(c.record(job).requeues, 2);
}
