//! The placers side by side on the same arrivals.

use muster_checker::Checker;
use muster_engine::Engine;
use muster_engine::command::Command;
use muster_model::{ClusterSpec, NodeSpec, Placer, Policy, Time};

use super::arrivals::{Arrival, Chance, arrival, nodes};
use super::first_fit::FirstFit;

const NODES: u32 = 48;

/// Nodes and arrivals that ask for 130 % of their GPUs.
fn stream(seed: u64) -> (Vec<NodeSpec>, Vec<Arrival>, u64) {
    let mut chance = Chance::new(seed);
    let nodes = nodes(NODES, &mut chance);
    let installed: u64 = nodes.iter().map(|node| u64::from(node.gpus) * 1000).sum();
    let (mut arrivals, mut asked) = (Vec::new(), 0);
    while asked * 100 < installed * 130 {
        let next = arrival(&mut chance);
        asked += next.milli;
        arrivals.push(next);
    }
    (nodes, arrivals, installed)
}

/// Parts per ten thousand of the GPUs that are given away in the end, under the judge's eyes.
fn engine(placer: Placer, seed: u64) -> u64 {
    let (nodes, arrivals, installed) = stream(seed);
    let policy = Policy { placer, ..Policy::default() };
    let cluster = ClusterSpec { policy, ..ClusterSpec::default() };
    let mut checker = Checker::new(&cluster).quiet(200);
    let mut engine = Engine::new(cluster).expect("a valid cluster");
    for spec in nodes {
        checker.step(&mut engine, Time(0), Command::NodeJoined { spec, running: Vec::new() });
    }
    for arrival in arrivals {
        let spec = arrival.job().into();
        checker.step(&mut engine, Time(0), Command::Submit { spec });
    }
    checker.audit(&engine);
    engine.accounts()[0].used.0 * 10_000 / installed
}

fn first_fit(seed: u64) -> u64 {
    let (nodes, arrivals, installed) = stream(seed);
    let mut chance = Chance::new(seed + 1000);
    let mut cluster = FirstFit::new(&nodes);
    for arrival in arrivals {
        cluster.place(arrival, &mut chance);
    }
    cluster.given * 10_000 / installed
}

#[test]
fn the_gradient_fills_a_cluster_more_than_best_fit_and_best_fit_more_than_first_fit() {
    let mean = |of: &dyn Fn(u64) -> u64| (1..=8).map(of).sum::<u64>() / 8;
    let first = mean(&first_fit);
    let best = mean(&|seed| engine(Placer::BestFit, seed));
    let fgd = mean(&|seed| engine(Placer::Fgd, seed));
    let muster = mean(&|seed| engine(Placer::Muster, seed));
    let told = format!("first fit {first}, best fit {best}, fgd {fgd}, muster {muster}");
    println!("{told}");
    assert!(fgd >= best, "{told}");
    assert!(best >= first, "{told}");
    assert!(muster >= best, "{told}");
}
