//! Least attained service, as a baseline (Tiresias, in its discretised form): jobs are in levels by
//! the GPU-time they have had, lower levels go first, and within a level who came first.
//!
//! A waiting job takes the place of those of higher levels, never of its own, and of the highest
//! level who came last gives way first. It needs no estimate, and nothing is weighed. What jobs and
//! policy say of pausing still holds: contracts, guarantees, classes, the floor, and how long a job
//! is left alone (`run_min`, `interval` and `overhead_ppm` of the policy).

use muster_model::{Millis, Policy};

use crate::order::{Facts, Pauses, Rule};

pub(super) const RULE: Rule = Rule {
    key: level,
    head_blocks: false,
    fair_share: false,
    // One level at least: equals never take turns.
    pauses: Some(Pauses { rank: level, hysteresis: 1, weighs: false, bucket, look_after }),
};

/// How many limits the GPU-time of a job has reached.
fn level(facts: &Facts, policy: &Policy) -> i64 {
    let reached =
        policy.las_limits.iter().filter(|limit| run_time(facts, **limit) == Some(Millis::ZERO));
    i64::try_from(reached.count()).expect("limits are few")
}

/// How long a job has yet to run until its GPU-time reaches a limit; `None` without GPUs.
fn run_time(facts: &Facts, limit: Millis) -> Option<Millis> {
    if facts.milli == 0 {
        return None;
    }
    let needed = (u128::from(limit.0) * 1000).div_ceil(u128::from(facts.milli));
    let needed = Millis(u64::try_from(needed).unwrap_or(u64::MAX));
    Some(needed.saturating_sub(facts.attained))
}

/// From one, for the first class has nothing below.
fn bucket(rank: i64) -> u8 {
    u8::try_from(rank.saturating_add(1).clamp(0, 255)).expect("clamped to a byte")
}

/// When it reaches the next limit.
fn look_after(facts: &Facts, policy: &Policy) -> Option<Millis> {
    let left = policy.las_limits.iter().filter_map(|&limit| run_time(facts, limit));
    left.filter(|left| *left > Millis::ZERO).min()
}
