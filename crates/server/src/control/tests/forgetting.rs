//! Nodes that are gone: how long they are paid for, and how they are forgotten.

use super::*;
use crate::control::Census;

const DAY_MS: u64 = 86_400_000;

/// GPUs that are paid for, by what a node that is gone for a day counts as.
fn paid(scene: &Scene, now: Time) -> u64 {
    let mut census = Census::default();
    for node in scene.control.node_ids() {
        scene.control.count_node(node, (now, DAY_MS), &mut census);
    }
    census.gpus.get("H100").map_or(0, |count| count.paid)
}

fn forget(scene: &mut Scene, node: u32) -> Answer {
    scene.tell(Entry::Forgotten { node: NodeId(node), by: "ada".to_owned() })
}

fn refused(answer: Answer, why: &str) {
    let Answer::Rejected(errors) = answer else { panic!("it should be refused: {answer:?}") };
    assert!(errors[0].to_string().contains(why), "{errors:?}");
}

/// A node is lost, and its lease has ended.
fn lose(scene: &mut Scene, node: u32) {
    let lease_ends = scene.now + Millis::seconds(5);
    scene.tell(Entry::Told(Command::NodeLost { node: NodeId(node), lease_ends }));
    refused(forget(scene, node), "the lease of this one has not ended yet");
    scene.now = lease_ends + Millis(1);
    scene.tell(Entry::Told(Command::Tick));
}

#[test]
fn node_is_forgotten_once_it_is_gone_and_comes_back_as_any_other() {
    let mut scene = Scene::new(2);
    refused(forget(&mut scene, 0), "this one can be seen");
    lose(&mut scene, 0);
    assert_eq!(paid(&scene, scene.now), 16, "it may come back");
    assert_eq!(forget(&mut scene, 0), Answer::Done);
    let names = |control: &Control| -> Vec<String> {
        control.node_names().map(|(name, _)| name.to_string()).collect()
    };
    assert_eq!((names(&scene.control), paid(&scene, scene.now)), (vec!["n2".to_owned()], 8));
    assert!(scene.control.ill_nodes().is_empty());
    refused(forget(&mut scene, 0), "expected a node that is known");
    let again = Control::restore(scene.control.snapshot()).expect("it is whole");
    assert_eq!(names(&again), ["n2"], "nor does a restart bring it back");
    assert_eq!(again.snapshot().parts_unlike(&scene.control.snapshot()), Vec::<&str>::new());
    let spec = Box::new(NodeSpec::new("n1", "H100", 8));
    let answer = scene.announce(spec, "10.0.0.1".to_owned(), (2, Vec::new()));
    assert_eq!(answer, Answer::Node(NodeId(0)));
    assert_eq!((names(&scene.control).len(), paid(&scene, scene.now)), (2, 16));
    scene.submit(JobSpec::gang("train", 2, 8), None);
    assert_eq!(scene.duties(0, None).2.len(), 1, "it has work as before");
}

#[test]
fn node_that_is_gone_is_paid_for_as_long_as_the_accounts_say() {
    let mut scene = Scene::new(2);
    lose(&mut scene, 0);
    let gone = scene.now;
    assert_eq!(paid(&scene, Time(gone.0 + DAY_MS - 1)), 16);
    assert_eq!(paid(&scene, Time(gone.0 + DAY_MS)), 8);
    let snapshot = scene.control.snapshot();
    scene.control = Control::restore(snapshot).expect("it is whole");
    assert_eq!(paid(&scene, Time(gone.0 + DAY_MS)), 8, "also after a restart");
}
