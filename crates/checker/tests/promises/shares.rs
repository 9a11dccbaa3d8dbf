//! Parts of one GPU: isolated alike, no more than there is, in a layout the card can have.

use muster_checker::Promise::{Conservation, Exclusive, Quota as QuotaPromise, WorkConservation};
use muster_engine::action::{Action, JobState, MigPlace, SharePlace, TaskPlace};
use muster_engine::command::Command;
use muster_engine::snapshot::{FreeCount, SharedCount};
use muster_model::{
    Attempt, ClusterSpec, GpuModel, GpuSet, Isolation, JobId, JobSpec, Mib, MigProfile, MilliGpu,
    Name, NodeId, QueueSpec, Quota, Share, Sharing,
};

use crate::act::{job, moved, node};
use crate::stage::{Stage, Verdict, broken, kept};

/// A node with eight H100 of 80 GiB that can share them in every way.
fn one_node() -> (Stage, NodeId) {
    let mut stage = Stage::new();
    let node = stage.join(node("n0", "z", "r").sharing(Sharing::ALL));
    (stage, node)
}

/// A job of one task with this share.
fn part(share: Share) -> JobSpec {
    let mut spec = job(1, 0);
    spec.groups[0].task.share = Some(share);
    spec
}

fn fraction(milli: u64) -> JobSpec {
    part(Share::fraction(MilliGpu(milli)))
}

/// A soft part of so many thousandths, with memory in proportion.
fn soft(milli: u64) -> SharePlace {
    let memory = Mib(Mib::gib(80).0 * milli / 1000);
    SharePlace { mode: Isolation::Soft, milli: MilliGpu(milli), memory, mig: None }
}

/// A MIG instance of an H100, by the profile's place in its list.
fn instance(profile: u8, slices: u8, start: u8, eighths: u8) -> SharePlace {
    SharePlace {
        mode: Isolation::Hard,
        milli: MilliGpu(u64::from(eighths) * 125),
        memory: Mib::gib(u64::from(eighths) * 10),
        mig: Some(MigPlace { profile, slices, start, eighths }),
    }
}

fn launch(job: JobId, node: NodeId, gpu: u32, share: Option<SharePlace>) -> Vec<Action> {
    let attempt = Attempt(1);
    let tasks = vec![TaskPlace { group: 0, rank: 0, gpus: GpuSet::one(gpu), share }];
    vec![Action::Launch { node, job, attempt, tasks }, moved(job, attempt.0, JobState::Launching)]
}

/// Jobs that each get a part of GPU 0, the last of them under test.
fn together(parts: &[(JobSpec, SharePlace)]) -> Verdict {
    let (mut stage, node) = one_node();
    let ((last, place), before) = parts.split_last().expect("some part");
    for (spec, place) in before {
        let job = stage.submit(spec.clone());
        stage.play(&Command::Tick, &launch(job, node, 0, Some(*place)));
    }
    let job = stage.submit(last.clone());
    stage.try_tick(&launch(job, node, 0, Some(*place)))
}

fn mig(profile: &str) -> JobSpec {
    part(Share::mig(profile))
}

#[test]
fn parts_that_add_up_to_a_gpu_share_it() {
    kept(together(&[(fraction(600), soft(600)), (fraction(400), soft(400))]));
}

#[test]
fn a_gpu_that_is_given_away_beyond_itself_is_seen() {
    let verdict = together(&[(fraction(600), soft(600)), (fraction(401), soft(401))]);
    broken(verdict, Exclusive, "GPU 0 of node 0 is given away to 1001 thousandths");
}

#[test]
fn mixed_isolation_is_seen() {
    let turns = SharePlace { mode: Isolation::None, ..soft(200) };
    let spec = part(Share::fraction(MilliGpu(200)).isolated(Isolation::None));
    let verdict = together(&[(fraction(200), soft(200)), (spec, turns)]);
    broken(verdict, Exclusive, "GPU 0 of node 0 mixes isolation: soft, none");
}

#[test]
fn memory_promised_beyond_the_card_is_seen() {
    let greedy = SharePlace { memory: Mib::gib(60), ..soft(400) };
    let memory = || part(Share::memory(Mib::gib(30)));
    let verdict = together(&[(memory(), greedy), (memory(), greedy)]);
    broken(verdict, Exclusive, "has 81920 MiB and 122880 are promised");
}

#[test]
fn a_part_beside_a_whole_gpu_task_is_seen() {
    let (mut stage, node) = one_node();
    let (whole, shared) = (stage.submit(job(1, 1)), stage.submit(fraction(250)));
    stage.start(whole, &[(node, &[(0, 1)])]);
    let verdict = stage.try_tick(&launch(shared, node, 0, Some(soft(250))));
    broken(verdict, Exclusive, "hold GPU 0 of node 0");
}

#[test]
fn a_part_is_neither_smaller_nor_larger_than_what_was_asked_for() {
    let range = || part(Share::between(MilliGpu(250), MilliGpu(500)));
    kept(together(&[(range(), soft(250))]));
    kept(together(&[(range(), soft(500))]));
    broken(together(&[(range(), soft(249))]), Exclusive, "given 0.249 of a GPU and asks");
    broken(together(&[(range(), soft(501))]), Exclusive, "given 0.501 of a GPU and asks");
    let memory = part(Share::memory(Mib::gib(20)));
    let less = SharePlace { memory: Mib::gib(19), ..soft(250) };
    broken(together(&[(memory, less)]), Exclusive, "given 19456 MiB and asks for 20480");
}

#[test]
fn another_isolation_or_profile_than_was_asked_for_is_seen() {
    let turns = SharePlace { mode: Isolation::None, ..soft(250) };
    let verdict = together(&[(fraction(250), turns)]);
    broken(verdict, Exclusive, "given isolation none and asks for soft");
    let verdict = together(&[(mig("2g.20gb"), instance(0, 1, 0, 1))]);
    broken(verdict, Exclusive, "given another profile and asks for 2g.20gb");
}

#[test]
fn whole_gpus_are_not_given_in_parts_and_parts_not_whole() {
    let (mut stage, node) = one_node();
    let whole = stage.submit(job(1, 1));
    let verdict = stage.try_tick(&launch(whole, node, 0, Some(soft(1000))));
    broken(verdict, Exclusive, "given part of a GPU and asks for whole ones");
    let (mut stage, node) = one_node();
    let shared = stage.submit(fraction(250));
    let verdict = stage.try_tick(&launch(shared, node, 0, None));
    broken(verdict, Exclusive, "given whole GPUs and asks for a share");
}

#[test]
fn a_node_that_cannot_share_so_is_not_asked_to() {
    let mut stage = Stage::new();
    let plain = stage.join(node("n0", "z", "r").sharing(Sharing::NEVER));
    let shared = stage.submit(fraction(250));
    let verdict = stage.try_tick(&launch(shared, plain, 0, Some(soft(250))));
    broken(verdict, Exclusive, "is on node 0, which cannot isolate soft");
}

#[test]
fn layouts_a_card_can_have_are_fine() {
    kept(together(&[
        (mig("4g.40gb"), instance(4, 4, 0, 4)),
        (mig("2g.20gb"), instance(2, 2, 4, 2)),
        (mig("1g.10gb"), instance(0, 1, 6, 1)),
    ]));
    kept(together(&[
        (mig("3g.40gb"), instance(3, 3, 4, 4)),
        (mig("3g.40gb"), instance(3, 3, 0, 4)),
    ]));
}

#[test]
fn layouts_a_card_cannot_have_are_seen() {
    let half = || (mig("3g.40gb"), instance(3, 3, 0, 4));
    let cases = [
        (vec![half(), half()], "parts on top of each other"),
        (vec![(mig("4g.40gb"), instance(4, 4, 4, 4))], "cannot have 4g.40gb at 4 of 4"),
        (vec![(mig("2g.20gb"), instance(2, 2, 6, 2))], "cannot have 2g.20gb at 6 of 2"),
        (vec![(mig("2g.20gb"), instance(2, 2, 1, 2))], "cannot have 2g.20gb at 1 of 2"),
        (vec![(mig("2g.20gb"), instance(2, 1, 0, 2))], "cannot have 2g.20gb at 0 of 2"),
        (vec![(mig("1g.10gb"), instance(0, 1, 7, 1))], "cannot have 1g.10gb at 7 of 1"),
    ];
    for (parts, detail) in cases {
        broken(together(&parts), Exclusive, detail);
    }
}

#[test]
fn more_compute_slices_than_the_card_has_are_seen() {
    let profile = |name: &str, slices, most| MigProfile {
        name: Name::from(name),
        slices,
        memory: Mib::gib(10),
        most,
    };
    let mig_of_card = vec![profile("3g.10gb", 3, 2), profile("1g.10gb", 1, 6)];
    let model = GpuModel { name: Name::from("H100"), memory: Mib::gib(80), mig: mig_of_card };
    let cluster = ClusterSpec { gpu_models: vec![model], ..ClusterSpec::default() };
    let mut stage = Stage::with(cluster);
    let node = stage.join(node("n0", "z", "r").sharing(Sharing::ALL));
    for start in 0..2 {
        let job = stage.submit(mig("3g.10gb"));
        stage.play(&Command::Tick, &launch(job, node, 0, Some(instance(0, 3, start, 1))));
    }
    let last = stage.submit(mig("1g.10gb"));
    let verdict = stage.try_tick(&launch(last, node, 0, Some(instance(1, 1, 2, 1))));
    broken(verdict, Exclusive, "has 6 compute slices and 7 are given");
}

#[test]
fn a_hard_part_that_is_no_instance_is_seen() {
    let bare = SharePlace { mode: Isolation::Hard, ..soft(250) };
    let verdict =
        together(&[(part(Share::fraction(MilliGpu(250)).isolated(Isolation::Hard)), bare)]);
    broken(verdict, Exclusive, "has a hard part that is no MIG instance");
}

#[test]
fn parts_count_against_limits_as_what_they_are() {
    let limit = Quota { gpus: Some(MilliGpu(500)), ..Quota::default() };
    let cluster = ClusterSpec::default().queues([QueueSpec::new("default").limit(limit)]);
    let mut stage = Stage::with(cluster);
    let node = stage.join(node("n0", "z", "r").sharing(Sharing::ALL));
    let (first, second) = (stage.submit(fraction(250)), stage.submit(fraction(251)));
    stage.play(&Command::Tick, &launch(first, node, 0, Some(soft(250))));
    let verdict = stage.try_tick(&launch(second, node, 0, Some(soft(251))));
    broken(verdict, QuotaPromise, "0.501 of 0.500 GPUs");
}

/// What is left of GPU 0 by an index, with seven GPUs free.
fn counts(shared: &[SharedCount]) -> Vec<FreeCount> {
    let domains: [&[&str]; 3] = [&[], &["z"], &["z", "r"]];
    let count = |domain: &[&str]| FreeCount {
        domain: domain.iter().map(|name| Name::from(*name)).collect(),
        model: Some(Name::from("H100")),
        nodes: vec![0, 0, 0, 0, 0, 0, 0, 1],
        shared: shared.to_vec(),
    };
    domains.map(count).to_vec()
}

#[test]
fn the_index_of_pieces_is_counted_anew() {
    let left = |milli, eighths: usize| {
        let mut nodes = vec![0; eighths];
        nodes.push(1);
        SharedCount { mode: Isolation::Soft, milli, nodes }
    };
    let judged = |shared: &[SharedCount]| {
        let (mut stage, node) = one_node();
        let job = stage.submit(fraction(600));
        stage.play(&Command::Tick, &launch(job, node, 0, Some(soft(600))));
        stage.checker.compare(&stage.snapshot, &counts(shared), None)
    };
    kept(judged(&[left(400, 3)]));
    for wrong in [vec![], vec![left(401, 3)], vec![left(400, 2)], vec![left(400, 3), left(1, 0)]] {
        broken(judged(&wrong), Conservation, "what shared GPUs have left");
    }
}

#[test]
fn a_share_that_waits_beside_its_room_is_seen() {
    let (mut stage, _) = one_node();
    stage.submit(fraction(250));
    broken(stage.try_compare(), WorkConservation, "job 1 waits and would fit on H100");
}

#[test]
fn a_share_may_wait_where_nothing_is_left_or_shared_otherwise() {
    let left = |milli: u64, mode| SharedCount { mode, milli, nodes: vec![0, 0, 1] };
    for isolation in [Isolation::Soft, Isolation::None] {
        let (mut stage, node) = one_node();
        let rest = stage.submit(job(1, 7));
        let first = stage.submit(fraction(700));
        stage.start(rest, &[(node, &[(0, 0b1111_1110)])]);
        stage.play(&Command::Tick, &launch(first, node, 0, Some(soft(700))));
        let wanted = if isolation == Isolation::Soft { 301 } else { 100 };
        stage.submit(part(Share::fraction(MilliGpu(wanted)).isolated(isolation)));
        let mut counts = counts(&[left(300, Isolation::Soft)]);
        counts.iter_mut().for_each(|count| count.nodes = vec![1]);
        kept(stage.checker.compare(&stage.snapshot, &counts, None));
    }
}
