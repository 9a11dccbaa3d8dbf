//! What it costs a job to give up its GPUs and to get others, as the contract it is submitted with.

use std::fmt;
use std::str::FromStr;

use muster_model::{JobSpec, Mib, Millis, Rung};

/// Work that the published comparison adds for each pause, of a small gang and of a large one.
const TABLE_SMALL: Millis = Millis::seconds(40);
const TABLE_LARGE: Millis = Millis::seconds(60);

/// The gangs that count as small.
const SMALL_GPUS: u32 = 8;

/// State of one GPU where the trace does not say.
const STATE: Mib = Mib::gib(20);

/// What was measured on one H200: state leaves its GPU at 1.8 GiB and comes back at 5 GiB a second.
const OUT_MIB_PER_SECOND: u64 = 1_843;
const BACK_MIB_PER_SECOND: u64 = 5_120;

/// A freeze lands, and is undone, within this.
const FREEZE: Millis = Millis(3);

/// To and from shared storage, where a job goes on elsewhere: an assumption, each GPU having part
/// of a fast network.
const STORAGE_MIB_PER_SECOND: u64 = 2_048;

/// How a pause is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// As in the published comparison: the GPUs are free at once, and the job has 40 s more to do,
    /// or 60 s with more than 8 GPUs.
    Table,
    /// By bytes: suspended to host memory at the rates that were measured, or saved to storage.
    Measured,
    /// Nobody may be paused.
    Never,
}

impl Cost {
    /// All of them with their words.
    const WORDS: [(&'static str, Cost); 3] =
        [("table", Cost::Table), ("measured", Cost::Measured), ("never", Cost::Never)];

    /// The job with a contract of this cost.
    pub(super) fn contract(self, spec: JobSpec, gpus: u32, state: Option<Mib>) -> JobSpec {
        let state = state.unwrap_or(STATE);
        let takes = |rate: u64| Millis(state.0 * 1_000 / rate);
        let (out, back) = (takes(OUT_MIB_PER_SECOND), takes(BACK_MIB_PER_SECOND));
        let stored = takes(STORAGE_MIB_PER_SECOND);
        match self {
            Cost::Never => spec,
            Cost::Table => {
                let restore = if gpus <= SMALL_GPUS { TABLE_SMALL } else { TABLE_LARGE };
                spec.rung(Rung::Checkpoint, Millis::ZERO, restore)
            }
            Cost::Measured => spec
                .rung(Rung::Freeze, FREEZE, FREEZE)
                .rung(Rung::Suspend, out, back)
                .rung(Rung::Checkpoint, out + stored, stored + back)
                .gpu_state(state),
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = Cost::WORDS.iter().find(|(_, cost)| cost == self);
        formatter.write_str(word.expect("every cost has a word").0)
    }
}

impl FromStr for Cost {
    type Err = String;

    fn from_str(text: &str) -> Result<Cost, String> {
        let found = Cost::WORDS.iter().find(|(word, _)| *word == text);
        let words = || Cost::WORDS.map(|(word, _)| word).join(", ");
        found.map(|(_, cost)| *cost).ok_or_else(|| format!("expected one of {}", words()))
    }
}
