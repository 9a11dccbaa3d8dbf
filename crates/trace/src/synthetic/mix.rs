//! The two mixes as tables. Weights are in ten-thousandths of all submissions.
//!
//! The 2017 mix follows what was published of Microsoft's Philly (ATC '19): sizes, durations with
//! medians of minutes and tails of weeks, and the parts that fail or are killed. The later mix
//! follows what was published of Shanghai's Acme (NSDI '24) and Meta's research clusters (2024):
//! evaluations are most jobs and hardly any GPU time, pretraining is the reverse, nine of ten
//! jobs fit a node, and four of ten do not end well.

use muster_model::{Mib, Millis};

use super::Mix;
use crate::job::Saving;

/// One kind of job.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) word: &'static str,
    pub(super) weight: u64,
    /// GPUs, each with its weight.
    pub(super) sizes: &'static [(u32, u64)],
    /// The median of the medians of its templates.
    pub(super) median: Millis,
    /// How far templates differ, and the runs of one: deviations of the logarithm.
    pub(super) spread_between: f64,
    pub(super) spread_within: f64,
    /// How many of a thousand runs crash, are cancelled, lose a node.
    pub(super) crash: u64,
    pub(super) cancel: u64,
    pub(super) lost: u64,
    /// The most runs that are submitted in one go.
    pub(super) burst_most: u64,
    pub(super) saving: Option<Saving>,
}

const fn saving(every: Millis, save: Millis, restore: Millis, state_gib: u64) -> Option<Saving> {
    Some(Saving {
        every: Some(every),
        save: Some(save),
        restore: Some(restore),
        state: Some(Mib::gib(state_gib)),
    })
}

const HOURLY: Option<Saving> =
    saving(Millis::hours(1), Millis::seconds(20), Millis::seconds(40), 8);
const OFTEN: Option<Saving> =
    saving(Millis::minutes(30), Millis::seconds(60), Millis::minutes(3), 40);

const PHILLY: [Kind; 4] = [
    Kind {
        word: "single",
        weight: 8_900,
        sizes: &[(1, 1)],
        median: Millis::minutes(32),
        spread_between: 1.8,
        spread_within: 0.7,
        crash: 170,
        cancel: 140,
        lost: 5,
        burst_most: 16,
        saving: HOURLY,
    },
    Kind {
        word: "small",
        weight: 730,
        sizes: &[(2, 48), (4, 52)],
        median: Millis::hours(2),
        spread_between: 2.0,
        spread_within: 0.7,
        crash: 220,
        cancel: 170,
        lost: 5,
        burst_most: 4,
        saving: HOURLY,
    },
    Kind {
        word: "node",
        weight: 320,
        sizes: &[(8, 1)],
        median: Millis::hours(6),
        spread_between: 1.9,
        spread_within: 0.6,
        crash: 240,
        cancel: 200,
        lost: 10,
        burst_most: 3,
        saving: HOURLY,
    },
    Kind {
        word: "wide",
        weight: 50,
        sizes: &[(12, 2), (16, 69), (24, 3), (32, 23), (64, 2), (128, 1)],
        median: Millis::hours(6),
        spread_between: 1.8,
        spread_within: 0.6,
        crash: 300,
        cancel: 220,
        lost: 20,
        burst_most: 2,
        saving: OFTEN,
    },
];

const LLM: [Kind; 5] = [
    Kind {
        word: "evaluation",
        weight: 5_000,
        sizes: &[(1, 68), (2, 8), (4, 9), (8, 15)],
        median: Millis::minutes(3),
        spread_between: 0.9,
        spread_within: 0.4,
        crash: 200,
        cancel: 50,
        lost: 1,
        burst_most: 32,
        saving: None,
    },
    Kind {
        word: "debug",
        weight: 3_300,
        sizes: &[(1, 40), (2, 8), (4, 7), (8, 35), (16, 7), (32, 3)],
        median: Millis::minutes(8),
        spread_between: 1.2,
        spread_within: 0.9,
        crash: 400,
        cancel: 250,
        lost: 1,
        burst_most: 3,
        saving: None,
    },
    Kind {
        word: "finetune",
        weight: 1_250,
        sizes: &[(4, 10), (8, 60), (16, 18), (32, 9), (64, 3)],
        median: Millis::hours(2),
        spread_between: 1.2,
        spread_within: 0.6,
        crash: 250,
        cancel: 150,
        lost: 10,
        burst_most: 6,
        saving: HOURLY,
    },
    Kind {
        word: "midtrain",
        weight: 330,
        sizes: &[(64, 45), (128, 32), (256, 16), (512, 7)],
        median: Millis::hours(5),
        spread_between: 1.1,
        spread_within: 0.7,
        crash: 280,
        cancel: 200,
        lost: 60,
        burst_most: 2,
        saving: OFTEN,
    },
    Kind {
        word: "pretrain",
        weight: 120,
        sizes: &[(256, 30), (512, 30), (1024, 22), (2048, 13), (4096, 5)],
        median: Millis::hours(16),
        spread_between: 0.9,
        spread_within: 0.9,
        crash: 250,
        cancel: 200,
        lost: 250,
        burst_most: 1,
        saving: OFTEN,
    },
];

/// The kinds of a mix.
pub(super) fn kinds(mix: Mix) -> &'static [Kind] {
    match mix {
        Mix::Philly => &PHILLY,
        Mix::Llm => &LLM,
    }
}
