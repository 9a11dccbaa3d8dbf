//! What sessions and leases promise, also after a restart.

use muster_model::{Millis, NodeId, Time};

use super::{ENDING, LeaseTerms, Links, Recovered};

fn terms(lease: u64) -> LeaseTerms {
    LeaseTerms { lease: Millis::seconds(lease), renew: Millis::seconds(1) }
}

/// A start at 0 after a server that granted leases of a minute; one node is out of sight already.
fn restarted(lease: u64) -> Links {
    let lost = (NodeId(3), "agent".to_owned(), Some(Time(30_000)));
    let nodes = vec![(NodeId(1), "agent".to_owned(), None), lost];
    Links::new(terms(lease), Time(0), Recovered { lease: Millis::seconds(60), nodes })
}

#[test]
fn a_node_that_fell_silent_is_given_its_lease_and_the_time_to_end_its_tasks() {
    let links = Links::new(terms(10), Time(0), Recovered::default());
    let session = links.announced(NodeId(1), "agent", Time(0));
    assert!(links.heard(session, Time(2_000)).is_some());
    assert_eq!(links.silent(Time(4_999)), []);
    let lost = links.silent(Time(5_000));
    assert_eq!(lost.len(), 1);
    let (node, ends) = lost[0];
    assert_eq!(node, NodeId(1));
    // It was heard at 2 s, so its launchers begin to end its tasks at 12 s at the latest.
    assert!(ends >= Time(12_000) + ENDING, "{ends:?}");
    assert_eq!(links.silent(Time(60_000)), [], "it was told already");
    assert_eq!(links.heard(session, Time(6_000)), None, "it must announce itself again");
}

#[test]
fn node_from_before_a_restart_is_given_the_longest_lease_that_was_granted() {
    let links = restarted(10);
    assert_eq!(links.silent(Time(59_999)), [], "its tasks may run for a minute");
    let lost = links.silent(Time(60_000));
    assert_eq!(lost.len(), 1);
    assert!(lost[0].1 >= Time(60_000) + ENDING, "{lost:?}");
    assert!(links.longer_leases().is_some_and(|wait| wait >= Millis::seconds(60)));
    assert_eq!(restarted(60).longer_leases(), None, "no lease is longer than the terms");
}

#[test]
fn agent_that_comes_back_keeps_the_longer_lease_it_has() {
    let links = restarted(10);
    links.announced(NodeId(1), "agent", Time(1_000));
    let lost = links.silent(Time(4_000));
    assert_eq!(lost.len(), 1);
    assert!(lost[0].1 >= Time(60_000) + ENDING, "{lost:?}");
}

#[test]
fn after_a_restart_a_node_is_its_agents_own_until_its_lease_has_ended() {
    let links = restarted(60);
    let taken = links.may_announce(NodeId(1), "other", Time(1_000)).expect_err("it may live");
    assert!(taken.ends >= Time(60_000) + ENDING, "{taken:?}");
    assert!(links.may_announce(NodeId(1), "other", taken.ends).is_ok(), "nothing is left of it");
    assert!(links.may_announce(NodeId(1), "agent", Time(1_000)).is_ok(), "it is its own");
    assert!(links.may_announce(NodeId(3), "other", Time(29_999)).is_err(), "so may the lost one");
    assert!(links.may_announce(NodeId(3), "other", Time(30_000)).is_ok());
    assert!(links.may_announce(NodeId(2), "other", Time(1_000)).is_ok(), "nobody had that");
}
