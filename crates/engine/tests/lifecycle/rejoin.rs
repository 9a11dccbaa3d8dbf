//! Nodes that join again: after an agent restart, after their lease, with another declaration.

use muster_engine::snapshot::Sight;
use muster_model::Attempt;

use super::support::{error, launches, nodes, pair, stops, timeless, wide};
use crate::support::*;

fn eight(name: &str) -> NodeSpec {
    NodeSpec::new(name, "H100", 8)
}

fn joined(spec: NodeSpec, running: &[(JobId, u32)]) -> Command {
    let running = running.iter().map(|&(job, attempt)| Running { job, attempt: Attempt(attempt) });
    Command::NodeJoined { spec, running: running.collect() }
}

#[test]
fn nodes_are_numbered_in_the_order_they_first_join() {
    let mut c = cluster().build();
    for (number, name) in ["b", "a", "c"].into_iter().enumerate() {
        let actions = c.join(eight(name));
        let node = NodeId(u32::try_from(number).unwrap());
        assert_eq!(actions, [Action::NodeAccepted { node, name: name.into() }]);
    }
    let again = c.join(eight("a"));
    assert_eq!(again, [Action::NodeAccepted { node: NodeId(1), name: "a".into() }]);
}

#[test]
fn an_agent_that_restarts_with_its_tasks_running_has_lost_nothing() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    let actions = c.tell(joined(eight("n-1"), &[(job, 1)]));
    assert_eq!(actions, [Action::NodeAccepted { node: NodeId(0), name: "n-1".into() }]);
    assert_eq!((c.word(job), c.attempt(job).0), ("running", 1));
}

#[test]
fn an_agent_that_restarts_without_its_tasks_has_lost_them() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    let actions = c.tell(joined(eight("n-1"), &[]));
    assert_eq!(launches(&c, &actions, job), ["n-1"]);
    assert_eq!((c.attempt(job).0, c.record(job).requeues), (2, 1));
}

#[test]
fn joining_again_ends_a_lease_early() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(10));
    c.tell(joined(eight("n-1"), &[(job, 1)]));
    c.advance(hours(1));
    assert_eq!((c.word(job), c.attempt(job).0, c.sight("n-1")), ("running", 1, Sight::Seen));
}

#[test]
fn a_node_that_returns_after_its_lease_is_told_to_stop_what_it_still_runs() {
    let mut c = pair();
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    assert_eq!(c.attempt(job).0, 2);
    let returned = c.tell(Command::NodeReturned {
        node: c.node("n-1"),
        running: vec![Running { job, attempt: Attempt(1) }],
    });
    assert_eq!(stops(&c, &returned), [("n-1".to_owned(), job, 1)]);
    c.confirm(job);
    assert_eq!(c.nodes_of(job), ["n-2"], "the second attempt goes on");
}

#[test]
fn what_nobody_asked_a_node_to_run_is_stopped() {
    let mut c = pair();
    let over = c.run(gang(1, 4));
    c.finish(over);
    let running = c.run(gang(1, 4));
    assert_eq!(c.nodes_of(running), ["n-1"]);
    let strays = [
        ("a job that is over", over, 1),
        ("a job that runs elsewhere", running, 1),
        ("an attempt that never was", running, 7),
        ("a job that is unknown", JobId(77), 1),
    ];
    for (what, job, attempt) in strays {
        let actions = c.tell(joined(eight("n-2"), &[(job, attempt)]));
        assert_eq!(stops(&c, &actions), [("n-2".to_owned(), job, attempt)], "{what}");
    }
    assert_eq!(c.word(running), "running");
}

#[test]
fn a_node_that_is_new_to_us_is_told_to_stop_what_it_runs() {
    let mut c = cluster().build();
    let actions = c.tell(joined(eight("stranger"), &[(JobId(3), 2), (JobId(4), 1)]));
    let told = stops(&c, &actions);
    let both = [("stranger".to_owned(), JobId(3), 2), ("stranger".to_owned(), JobId(4), 1)];
    assert_eq!(told, both);
}

#[test]
fn a_node_that_was_gone_takes_work_again_when_it_joins() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 8));
    c.lose("n-1", minutes(1));
    c.advance(minutes(5));
    assert_eq!((c.sight("n-1"), c.word(job)), (Sight::Gone, "queued"));
    let actions = c.tell(joined(eight("n-1"), &[]));
    assert_eq!(launches(&c, &actions, job), ["n-1"]);
    assert_eq!((c.attempt(job).0, c.sight("n-1")), (2, Sight::Seen));
}

#[test]
fn a_node_may_declare_something_new_while_nothing_runs_on_it() {
    let mut c = nodes(1);
    let wants_more = c.submit(gang(1, 16));
    assert_eq!(c.codes(wants_more), ["impossible"]);
    let actions = c.tell(joined(NodeSpec::new("n-1", "A100", 16), &[]));
    assert_eq!(launches(&c, &actions, wants_more), ["n-1"]);
    assert_eq!(c.node_record("n-1").id, NodeId(0), "it is still the same node");
}

#[test]
fn a_node_that_comes_back_smaller_holds_less() {
    let mut c = nodes(1);
    c.lose("n-1", minutes(1));
    c.advance(minutes(1));
    c.tell(joined(NodeSpec::new("n-1", "H100", 4), &[]));
    let big = c.submit(gang(1, 8));
    let small = c.submit(gang(1, 4));
    assert_eq!(c.codes(big), ["impossible"]);
    assert_eq!((c.word(small), c.free_total()), ("launching", 0));
}

#[test]
fn labels_that_change_with_a_new_declaration_count_at_once() {
    let mut c = nodes(1);
    let job = c.submit(gang(1, 1).only_on(nodes_where("disk=fast")));
    assert_eq!(c.codes(job), ["impossible"]);
    c.join(eight("n-1").label("disk", "fast"));
    assert_eq!(c.nodes_of(job), ["n-1"]);
}

#[test]
fn a_node_may_not_declare_something_new_while_something_runs_on_it() {
    let mut c = nodes(1);
    let job = c.run(gang(1, 4));
    let before = timeless(c.snapshot());
    let actions = c.tell(joined(NodeSpec::new("n-1", "H100", 4), &[(job, 1)]));
    let error = error(&actions);
    assert_eq!((error.field.as_str(), error.value.as_str()), ("node", "n-1"));
    assert!(error.allowed.contains("only while nothing runs on it"), "{}", error.allowed);
    assert_eq!(timeless(c.snapshot()), before);
}

#[test]
fn a_node_may_not_move_to_another_place() {
    let mut c = cluster().levels(["rack"]).nodes("r1", 1, "H100x8").build();
    let before = timeless(c.snapshot());
    let actions = c.tell(joined(eight("r1-1").domains(["r2"]), &[]));
    assert!(error(&actions).allowed.contains("let it join by another name"));
    assert_eq!(timeless(c.snapshot()), before);
}

#[test]
fn a_node_that_declares_nonsense_is_rejected_field_by_field() {
    let mut c = cluster().levels(["rack"]).build();
    let nonsense = NodeSpec::new("n-1", "H1000", 8).domains(["r1", "z1"]);
    let actions = c.tell(joined(nonsense, &[]));
    let [Action::Rejected { errors }] = actions.as_slice() else { panic!("{actions:?}") };
    let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["gpu_model", "domains"]);
    assert!(c.snapshot().nodes.is_empty());
}

#[test]
fn a_restarted_agent_does_not_undo_what_operators_and_refusals_said() {
    let mut c = nodes(2);
    c.drain("n-1");
    c.break_gpu("n-1", 3);
    let job = c.submit(gang(1, 8));
    c.refuse(job, "n-2");
    for name in ["n-1", "n-2"] {
        c.tell(joined(eight(name), &[]));
    }
    let (one, other) = (c.node_record("n-1"), c.node_record("n-2"));
    assert!(one.drained);
    assert_eq!(one.unhealthy, GpuSet::one(3));
    assert_eq!(other.rests_until, Time(10_000));
    assert_eq!(c.word(job), "queued");
}

#[test]
fn a_gang_on_a_restarted_agent_goes_on_where_all_of_it_is_still_there() {
    let mut c = nodes(2);
    let job = c.submit(wide(2));
    c.confirm_on(job, "n-1");
    c.tell(joined(eight("n-2"), &[(job, 1)]));
    assert_eq!(c.word(job), "running", "a node that runs it has confirmed it");
}
