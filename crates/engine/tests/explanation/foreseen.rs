//! The outlook over random clusters: it is complete, it contradicts neither the floor's promise nor
//! itself, nothing follows from looking, and what it says of the next moment comes true.

use std::collections::BTreeSet;

use muster_engine::Engine;
use muster_engine::explain::{Coming, Outlook};
use muster_engine::snapshot::NodeReport;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::random::{copy, launched, queued, scenes, tell};
use crate::support::*;

/// More than any scene has jobs.
const ALL: usize = 100;

/// The same scenes in every run: what fails once fails until it is mended.
fn always_the_same() -> ProptestConfig {
    ProptestConfig {
        cases: 160,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The jobs of an outlook in its order.
fn jobs(outlook: &Outlook) -> Vec<JobId> {
    outlook.next.iter().map(|coming| coming.job).collect()
}

/// A job that runs ends everywhere; what follows at that moment.
fn end(engine: &mut Engine, now: Time, job: JobId) -> Vec<Action> {
    let record = engine.job(job).expect("it is known").clone();
    let parts = record.run.expect("it holds something").nodes.into_iter();
    let mut actions = Vec::new();
    for part in parts.filter(|part| part.report != NodeReport::Ended) {
        let (node, attempt, exit) = (part.node, record.attempt, Exit::Code(0));
        actions.extend(tell(engine, now, Command::Ended { node, job, attempt, exit }));
    }
    actions
}

/// Nodes that have as much free as an empty cluster had.
fn gpus_of(world: &World, nodes: &[NodeId]) -> u32 {
    let spec = |node: &NodeId| world.engine.node_spec(*node).expect("it is known").gpus;
    nodes.iter().map(spec).sum()
}

proptest! {
    #![proptest_config(always_the_same())]

    /// Everyone who waits for room is in it once; everyone who holds something has an end.
    #[test]
    fn everyone_who_waits_for_room_is_in_it_once(scene in scenes()) {
        let mut c = scene.play();
        let outlook = c.engine.outlook(ALL);
        let all: BTreeSet<JobId> = queued(&c).into_iter().collect();
        let found: BTreeSet<JobId> = jobs(&outlook).into_iter().collect();
        prop_assert_eq!(found.len(), outlook.next.len(), "nobody twice");
        prop_assert_eq!(&found, &all);
        prop_assert_eq!(outlook.more, 0);
        let holds = |job: &&muster_engine::snapshot::JobRecord| job.run.is_some();
        let snapshot = c.snapshot();
        let running = snapshot.jobs.iter().filter(holds).map(|job| job.id);
        let running: BTreeSet<JobId> = running.collect();
        let ends: BTreeSet<JobId> = outlook.ends.iter().map(|end| end.job).collect();
        prop_assert_eq!(ends, running);
    }

    /// Fewer are the same ones: who is asked for the first few is not told another order.
    #[test]
    fn the_first_few_are_the_first_of_all(scene in scenes()) {
        let mut c = scene.play();
        let all = jobs(&c.engine.outlook(ALL));
        for most in 0..all.len() {
            let outlook = c.engine.outlook(most);
            prop_assert_eq!(&jobs(&outlook)[..most], &all[..most]);
            prop_assert_eq!(outlook.next.len() + outlook.more, all.len());
        }
    }

    /// Looking ahead changes nothing, and looking twice shows the same.
    #[test]
    fn nothing_follows_from_looking(scene in scenes()) {
        let mut c = scene.play();
        let before = (c.snapshot(), c.engine.free_counts(), c.engine.next_wake());
        let outlook = c.engine.outlook(ALL);
        let after = (c.snapshot(), c.engine.free_counts(), c.engine.next_wake());
        prop_assert_eq!(before, after);
        prop_assert_eq!(c.engine.outlook(ALL), outlook);
    }

    /// No start is foreseen for the past or after the floor's promise, none for a job that no
    /// node could ever hold, and where one is foreseen there are enough GPUs.
    #[test]
    fn starts_are_possible_ones(scene in scenes()) {
        let mut c = scene.play();
        for coming in c.engine.outlook(ALL).next {
            let why = c.why(coming.job);
            let is_impossible =
                why.reasons.iter().any(|reason| matches!(reason, Reason::Impossible { .. }));
            let Coming { expected, latest, nodes, .. } = &coming;
            prop_assert!(!(is_impossible && expected.is_some()), "{coming:?}");
            if let Some(expected) = expected {
                prop_assert!(*expected >= c.now(), "{coming:?}");
                prop_assert!(latest.is_none_or(|latest| *expected <= latest), "{coming:?}");
            }
            let spec = c.record(coming.job).spec;
            let needed = spec.groups[0].tasks.min * spec.groups[0].task.gpus;
            prop_assert!(nodes.is_empty() || gpus_of(&c, nodes) >= needed, "{coming:?}");
        }
    }

    /// What is foreseen for the first end comes true when that job ends: whoever is to start then
    /// starts, and nobody who is foreseen for later does.
    #[test]
    fn what_is_foreseen_for_the_next_end_comes_true(scene in scenes()) {
        let mut c = scene.play();
        let outlook = c.engine.outlook(ALL);
        let Some(first) = outlook.ends.iter().min_by_key(|end| (end.expected, end.job)) else {
            return Ok(());
        };
        let then = outlook.ends.iter().filter(|end| end.expected == first.expected);
        let is_alone = then.count() == 1;
        // A limit that is near, a begin that comes or a floor that is due change more than the end.
        let mut engine = copy(&c);
        if !is_alone || engine.next_wake().is_some_and(|wake| wake <= first.expected) {
            return Ok(());
        }
        let actions = end(&mut engine, first.expected, first.job);
        for coming in &outlook.next {
            let is_foreseen = coming.expected == Some(first.expected);
            let starts = launched(&actions, coming.job);
            prop_assert_eq!(starts, is_foreseen, "{:?} after {:?}", coming, first);
        }
    }
}
