//! The rules on a few nodes, and the experiment on small lists.

use muster_trace::{Cluster, Format, ReadOptions, Trace};

use super::node::{Node, WHOLE};
use super::typical::Typical;
use super::{Experiment, Figures, Filled, Pod, Policy, rule};

const HEADER: &str = "name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";

fn pods(rows: &[(u64, u32, u32)]) -> Trace {
    let mut text = HEADER.to_owned();
    for (number, (cpus, gpus, milli)) in rows.iter().enumerate() {
        text += &format!("pod-{number},{cpus},1024,{gpus},{milli}\n");
    }
    let options = ReadOptions { format: Some(Format::Alibaba2023), ..ReadOptions::default() };
    Trace::read("pods", text.as_bytes(), &options).unwrap()
}

fn cluster(line: &str) -> Cluster {
    Cluster::find(line, std::path::Path::new("none")).unwrap()
}

fn experiment(rows: &[(u64, u32, u32)], line: &str, percent: Option<u32>) -> Experiment {
    Experiment::new(&pods(rows), &cluster(line), percent).unwrap()
}

/// Puts the pods of a list one after the other on nodes that have so much left on each GPU.
fn put(policy: Policy, rows: &[(u64, u32, u32)], left: &[&[u32]]) -> Vec<Node> {
    let line = format!("{}x8:V100/cpus=64", left.len());
    let experiment = experiment(rows, &line, None);
    let mut nodes: Vec<Node> = (0..left.len()).map(|index| experiment.node(index)).collect();
    for (node, left) in nodes.iter_mut().zip(left) {
        node.left = left.to_vec();
    }
    let order: Vec<usize> = (0..rows.len()).collect();
    let rng = rand::SeedableRng::seed_from_u64(1);
    rule::fill(&experiment, policy, &order, &mut nodes, rng);
    nodes
}

#[test]
fn best_fit_takes_the_node_that_is_left_with_least() {
    let nodes = put(Policy::BestFit, &[(1000, 1, 500)], &[&[1000, 1000], &[600, 1000], &[1000]]);
    assert_eq!(nodes[2].left, [500]);
}

#[test]
fn a_dot_product_avoids_nodes_with_much_left() {
    let nodes = put(Policy::DotProduct, &[(8000, 1, 1000)], &[&[1000; 8], &[1000; 2]]);
    assert_eq!((nodes[0].milli_left(), nodes[1].milli_left()), (8000, 1000));
}

#[test]
fn clustering_puts_pods_beside_their_kind() {
    let rows = [(1000, 2, 1000), (1000, 1, 500), (1000, 1, 500), (1000, 2, 1000)];
    let nodes = put(Policy::GpuClustering, &rows, &[&[1000; 8], &[1000; 8]]);
    assert_eq!((nodes[0].milli_left(), nodes[1].milli_left()), (4000, 7000));
}

#[test]
fn packing_uses_gpus_in_use_then_nodes_in_use() {
    let left: [&[u32]; 3] = [&[1000, 1000], &[1000, 0], &[400, 1000]];
    let nodes = put(Policy::GpuPacking, &[(1000, 1, 300), (1000, 1, 300)], &left);
    assert_eq!((&nodes[2].left[..], &nodes[1].left[..]), (&[100, 1000][..], &[700, 0][..]));
}

#[test]
fn the_gradient_leaves_what_the_workload_can_use() {
    // Nine of ten pods want a whole GPU: the share goes on the broken one, though best fit would
    // take the node with less left.
    let rows: Vec<(u64, u32, u32)> =
        (0..10).map(|number| (1000, 1, if number == 0 { 300 } else { 1000 })).collect();
    let left: [&[u32]; 2] = [&[1000], &[500, 1000, 1000]];
    let nodes = put(Policy::Fgd, &rows[..1], &left);
    assert_eq!(nodes.iter().map(Node::milli_left).sum::<u64>(), 3200);
    let experiment = experiment(&rows, "2x8:V100", None);
    let mut nodes: Vec<Node> = (0..2).map(|index| experiment.node(index)).collect();
    nodes[0].left = vec![1000];
    nodes[1].left = vec![500, 1000, 1000];
    let rng = rand::SeedableRng::seed_from_u64(1);
    rule::fill(&experiment, Policy::Fgd, &[0], &mut nodes, rng);
    assert_eq!(nodes[1].left, [200, 1000, 1000]);
}

#[test]
fn fragments_are_what_typical_pods_cannot_use() {
    let pod = |cpus, gpus, milli| Pod { kind: 0, cpus, memory: 0, gpus, milli, models: 1 };
    let kinds = [pod(4000, 1, 500), pod(16_000, 1, 500), pod(1000, 2, WHOLE), pod(1000, 0, 0)];
    let typical = Typical::new(&kinds);
    assert_eq!(typical.pods(), 4);
    // To the first, the piece of 400; to the second, for want of CPUs, everything; to the third,
    // for want of a second GPU, everything; and everything to the last, which needs no GPU.
    assert_eq!(typical.fragments_of(&[400, 1000], 8000, 1), 400 + 3 * 1400);
    // With other GPUs, nothing is of use.
    assert_eq!(typical.fragments_of(&[1000, 1000], 64_000, 2), 4 * 2000);
    assert_eq!(typical.fragments_of(&[0, 0], 64_000, 1), 0);
}

#[test]
fn rare_pods_are_not_typical() {
    let common = Pod { kind: 0, cpus: 1, memory: 0, gpus: 1, milli: WHOLE, models: 1 };
    let rare = Pod { kind: 1, cpus: 2, ..common.clone() };
    let mut all = vec![common; 19];
    all.push(rare);
    assert_eq!(Typical::new(&all).pods(), 19);
}

#[test]
fn arrivals_ask_for_as_much_as_is_to_arrive() {
    use rand::SeedableRng;
    let rows: Vec<(u64, u32, u32)> = (0..50).map(|n| (100, 1, 300 + 10 * n)).collect();
    let asked = |percent| {
        let experiment = experiment(&rows, "4x8:V100", Some(percent));
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let order = experiment.arrivals(&mut rng);
        order.iter().map(|&pod| experiment.pods[pod].milli_in_all()).sum::<u64>()
    };
    // 27,250 are listed: more are drawn, or some are left out.
    assert!((40_600..=41_600).contains(&asked(130)), "{}", asked(130));
    assert!((15_000..=16_000).contains(&asked(50)), "{}", asked(50));
    let listed = experiment(&rows, "4x8:V100", None);
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    assert_eq!(listed.arrivals(&mut rng), (0..50).collect::<Vec<_>>());
}

#[test]
fn every_policy_fills_a_cluster_and_repeats_itself() {
    let kinds = [(4000, 1, 460), (8000, 1, 1000), (2000, 1, 300), (32_000, 4, 1000), (4000, 0, 0)];
    let rows: Vec<(u64, u32, u32)> = (0..60).map(|number| kinds[number % kinds.len()]).collect();
    let experiment = experiment(&rows, "6x8:V100/cpus=96+4x2:T4/cpus=64", Some(130));
    for policy in Policy::ALL {
        let filled = experiment.fill(policy, 7).unwrap();
        assert_eq!(filled, experiment.fill(policy, 7).unwrap(), "{policy}");
        assert_eq!(filled.installed, 56_000, "{policy}");
        assert!(filled.allocated * 100 > filled.installed * 70, "{policy}: {filled:?}");
        assert!(filled.allocated + filled.fragmented <= filled.installed, "{policy}: {filled:?}");
        assert_eq!(policy.word().parse(), Ok(policy));
    }
    assert_eq!("worst-fit".parse::<Policy>().unwrap_err().split(", ").count(), 8);
}

/// What a shared cluster is asked for: shares and whole GPUs, with CPUs that do not go along with
/// them, and pods without GPUs; how many of a hundred, CPUs, GPUs, thousandths of each.
const USUAL: [(usize, (u64, u32, u32)); 14] = [
    (13, (8000, 0, 0)),
    (5, (32_000, 0, 0)),
    (12, (4000, 1, 1000)),
    (15, (8000, 1, 1000)),
    (10, (12_000, 1, 1000)),
    (3, (64_000, 1, 1000)),
    (2, (96_000, 8, 1000)),
    (3, (24_000, 2, 1000)),
    (9, (8000, 1, 810)),
    (10, (4000, 1, 470)),
    (6, (12_000, 1, 470)),
    (5, (3000, 1, 320)),
    (4, (6000, 1, 650)),
    (3, (2000, 1, 230)),
];

#[test]
fn the_engine_fills_a_cluster_of_several_models_no_less_than_the_published_rules() {
    let rows: Vec<(u64, u32, u32)> =
        USUAL.iter().flat_map(|&(count, pod)| std::iter::repeat_n(pod, count)).collect();
    let line = "12x8:A100/cpus=96+4x8:V100/cpus=128+12x2:T4/cpus=96+6x2:P100/cpus=64";
    let experiment = experiment(&rows, line, Some(130));
    let mean = |policy| {
        let runs: Vec<Filled> =
            (1..=6).map(|seed| experiment.fill(policy, seed).unwrap()).collect();
        Figures::of(policy, &runs).allocated_percent_mean
    };
    let [best_fit, fgd, muster] = [Policy::BestFit, Policy::Fgd, Policy::Muster].map(mean);
    let told = format!("best-fit {best_fit:.2}, fgd {fgd:.2}, muster {muster:.2}");
    assert!(muster >= best_fit, "{told}");
    assert!(muster >= fgd, "{told}");
}

#[test]
fn figures_are_means_over_the_seeds() {
    let run = |allocated| Filled { installed: 1000, allocated, fragmented: 1000 - allocated };
    let figures = Figures::of(Policy::Fgd, &[run(900), run(940)]);
    assert_eq!((figures.policy, figures.seeds), ("fgd", 2));
    let near = |value: f64, wanted: f64| (value - wanted).abs() < 1e-9;
    assert!(near(figures.allocated_percent_mean, 92.0), "{figures:?}");
    assert!(near(figures.allocated_percent_std, 2.0), "{figures:?}");
    assert!(near(figures.fragmented_percent_mean, 8.0), "{figures:?}");
}

#[test]
fn fillers_take_what_is_left_and_no_more() {
    // Pods of 600 thousandths leave 400 of each GPU, which no other of them can use.
    let experiment = experiment(&[(1000, 1, 600)], "2x2:A100", Some(130));
    let without = experiment.fill(Policy::Muster, 1).unwrap();
    assert_eq!((without.installed, without.allocated), (4_000, 2_400));
    let with = experiment.fill(Policy::MusterFillers, 1).unwrap();
    assert_eq!(with.allocated, 4_000);
}
