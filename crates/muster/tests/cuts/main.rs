//! Server and agents over a bad network, in made-up time, with many seeds.

mod agenda;
mod host;
mod judge;
mod network;
mod node;
mod server;
mod steps;
mod world;

use std::ops::Range;

use world::World;

/// Seeds of a normal test run.
const SEEDS: Range<u64> = 0..60;

#[test]
fn whatever_is_lost_doubled_late_or_cut_every_job_ends_once_and_runs_once_at_a_time() {
    for seed in seeds() {
        let told = std::panic::catch_unwind(|| World::new(seed).play());
        let wrong = match told {
            Ok(Ok(())) => continue,
            Ok(Err(wrong)) => wrong,
            Err(_) => "it panicked".to_owned(),
        };
        panic!("seed {seed}: {wrong}\nrepeat it with MUSTER_SEEDS={seed}");
    }
}

fn seeds() -> Range<u64> {
    let Ok(wanted) = std::env::var("MUSTER_SEEDS") else { return SEEDS };
    let number = |text: &str| text.parse().expect("MUSTER_SEEDS is a number, or two as in 0..50");
    match wanted.split_once("..") {
        Some((first, last)) => number(first)..number(last),
        None => number(&wanted)..number(&wanted) + 1,
    }
}
