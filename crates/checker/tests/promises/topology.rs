//! Tasks sit where their job requires.

use muster_checker::Promise::Topology;
use muster_engine::action::{Action, JobState};
use muster_model::{Attempt, Expression, JobId, JobSpec, Level, Name, NodeId, Segment};

use crate::act::{ALL, group, job, moved, node, place};
use crate::stage::{Places, Stage, Verdict, broken, kept, number};

/// Zones `a` and `b`, each with racks 1 and 2 of two nodes: a1-0, a1-1, a2-0, …, b2-1.
fn cluster() -> (Stage, Vec<NodeId>) {
    let mut stage = Stage::new();
    let mut nodes = Vec::new();
    for zone in ["a", "b"] {
        for rack in ["1", "2"] {
            for number in ["0", "1"] {
                let name = format!("{zone}{rack}-{number}");
                nodes.push(stage.join(node(&name, zone, rack)));
            }
        }
    }
    (stage, nodes)
}

fn placed(spec: JobSpec, nodes: &[usize]) -> Verdict {
    let (mut stage, known) = cluster();
    let job = stage.submit(spec);
    let tasks: Vec<(u32, u64)> = (0..number(nodes.len())).map(|rank| (rank, ALL)).collect();
    let places: Vec<Places<'_>> = nodes
        .iter()
        .zip(&tasks)
        .map(|(index, task)| (known[*index], std::slice::from_ref(task)))
        .collect();
    let actions = stage.start_of(job, &places);
    stage.try_tick(&actions)
}

fn level(name: &str) -> Level {
    Level::Named(Name::from(name))
}

fn requiring(level: Level, tasks: u32) -> JobSpec {
    let mut spec = job(tasks, 8);
    spec.topology.require = Some(level);
    spec
}

#[test]
fn a_gang_inside_one_rack_is_inside_its_rack_and_its_zone() {
    kept(placed(requiring(level("rack"), 2), &[2, 3]));
    kept(placed(requiring(level("zone"), 3), &[4, 5, 7]));
}

#[test]
fn a_gang_in_two_racks_that_requires_one_is_seen() {
    broken(
        placed(requiring(level("rack"), 2), &[1, 2]),
        Topology,
        "job 1 is in a/1 and a/2 and must be in one rack",
    );
}

#[test]
fn racks_of_the_same_name_in_two_zones_are_two_racks() {
    broken(placed(requiring(level("rack"), 2), &[0, 4]), Topology, "job 1 is in a/1 and b/1");
}

#[test]
fn a_gang_in_two_zones_that_requires_one_is_seen() {
    broken(placed(requiring(level("zone"), 2), &[0, 7]), Topology, "job 1 is in a and b");
}

#[test]
fn a_gang_on_two_nodes_that_requires_one_is_seen() {
    broken(placed(requiring(Level::Node, 2), &[0, 1]), Topology, "job 1 is in a1-0 and a1-1");
}

#[test]
fn a_required_level_binds_all_groups_together() {
    let (mut stage, nodes) = cluster();
    let mut spec = requiring(level("rack"), 1);
    spec.groups.push(group("actor", 1, 8));
    let job = stage.submit(spec);
    let launch = |node, group| Action::Launch {
        node,
        job,
        attempt: Attempt(1),
        tasks: vec![place(group, 0, ALL)],
    };
    let actions = [launch(nodes[0], 0), launch(nodes[2], 1), moved(job, 1, JobState::Launching)];
    broken(stage.try_tick(&actions), Topology, "job 1 is in a/1 and a/2");
}

#[test]
fn a_level_the_cluster_does_not_have_is_seen() {
    broken(placed(requiring(level("row"), 1), &[0]), Topology, "is on a node without a row");
}

#[test]
fn a_preferred_level_binds_nobody() {
    let mut spec = job(2, 8);
    spec.topology.prefer = Some(level("rack"));
    kept(placed(spec, &[0, 7]));
}

fn in_pairs() -> JobSpec {
    let mut spec = job(4, 8);
    spec.topology.segment = Some(Segment { tasks: 2, level: level("rack") });
    spec
}

#[test]
fn segments_may_sit_in_different_racks() {
    kept(placed(in_pairs(), &[0, 1, 6, 7]));
}

#[test]
fn a_segment_over_two_racks_is_seen() {
    broken(placed(in_pairs(), &[0, 2, 1, 3]), Topology, "segment 0 of group 0 of job 1 is in a/1");
    broken(placed(in_pairs(), &[0, 1, 3, 4]), Topology, "segment 1 of group 0 of job 1 is in a/2");
}

#[test]
fn a_last_segment_that_is_smaller_still_sits_together() {
    let mut spec = job(3, 8);
    spec.topology.segment = Some(Segment { tasks: 2, level: level("rack") });
    kept(placed(spec, &[0, 1, 7]));
}

fn one_task(change: impl Fn(&mut JobSpec), gpus: u64) -> Verdict {
    let (mut stage, nodes) = cluster();
    let mut spec = job(1, gpus.count_ones());
    change(&mut spec);
    let job = stage.submit(spec);
    let actions = stage.start_of(job, &[(nodes[0], &[(0, gpus)])]);
    stage.try_tick(&actions)
}

#[test]
fn gpus_that_must_be_linked_are_of_one_nvlink_group() {
    let nvlink = |spec: &mut JobSpec| spec.groups[0].task.nvlink = true;
    kept(one_task(nvlink, 0b0011));
    kept(one_task(nvlink, 0b1_0000));
    broken(one_task(nvlink, 0b1_1000), Topology, "several NVLink groups");
    kept(one_task(|_| {}, 0b1_1000));
}

#[test]
fn a_model_the_task_does_not_accept_is_seen() {
    let wants = |models: &'static [&'static str]| {
        move |spec: &mut JobSpec| {
            spec.groups[0].task.models = models.iter().map(|name| Name::from(*name)).collect();
        }
    };
    kept(one_task(wants(&["A100", "H100"]), 1));
    broken(one_task(wants(&["A100"]), 1), Topology, "is on H100 and accepts");
}

#[test]
fn a_group_on_two_models_is_seen() {
    let (mut stage, nodes) = cluster();
    let mut other = node("a1-9", "a", "1");
    other.gpu_model = Some(Name::from("A100"));
    let other = stage.join(other);
    let pair = stage.submit(job(2, 8));
    let actions = stage.start_of(pair, &[(nodes[0], &[(0, ALL)]), (other, &[(1, ALL)])]);
    broken(stage.try_tick(&actions), Topology, "group worker of job 1 is on");
}

#[test]
fn two_groups_may_be_on_two_models() {
    let (mut stage, nodes) = cluster();
    let mut other = node("a1-9", "a", "1");
    other.gpu_model = Some(Name::from("A100"));
    let other = stage.join(other);
    let mut spec = job(1, 1);
    spec.groups.push(group("actor", 1, 1));
    let job: JobId = stage.submit(spec);
    let launch = |node, group| Action::Launch {
        node,
        job,
        attempt: Attempt(1),
        tasks: vec![place(group, 0, 1)],
    };
    let actions = [launch(nodes[0], 0), launch(other, 1), moved(job, 1, JobState::Launching)];
    kept(stage.try_tick(&actions));
}

#[test]
fn every_form_of_requirement_on_nodes_is_understood() {
    use Expression::{And, Has, Is, Node, Not, Or};
    let name = |text: &str| Name::from(text);
    let fast = || Is(name("disk"), vec![name("slow"), name("fast")]);
    let slow = || Is(name("disk"), vec![name("slow")]);
    let (here, there) = (|| Node(vec![name("a1-0")]), || Node(vec![name("b2-1")]));
    let matching = [
        Has(name("disk")),
        fast(),
        here(),
        And(vec![fast(), here()]),
        Or(vec![slow(), here()]),
        Not(Box::new(there())),
        And(Vec::new()),
    ];
    let others = [
        Has(name("gpu-direct")),
        slow(),
        there(),
        And(vec![fast(), there()]),
        Or(vec![slow(), there()]),
        Not(Box::new(fast())),
        Or(Vec::new()),
    ];
    for expression in matching {
        kept(one_task(|spec| spec.constraint.require = Some(Box::new(expression.clone())), 1));
    }
    for expression in others {
        let verdict =
            one_task(|spec| spec.constraint.require = Some(Box::new(expression.clone())), 1);
        broken(verdict, Topology, "is on node a1-0, which does not match");
    }
}
