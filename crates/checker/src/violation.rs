//! What the judge says: which promise was broken, and the facts.

use std::fmt;

use thiserror::Error;

/// What the engine promises. Each has a file of the same name under `promise/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// What a task holds, nobody else holds.
    Exclusive,
    /// A gang starts whole, and lets go whole.
    Gang,
    /// At most one attempt of a job runs at any time.
    Attempt,
    /// Losing sight of a node harms nobody before its lease ends.
    Unknown,
    /// Nothing is taken from a job that did nothing to lose it.
    Taken,
    /// Nobody gives way for nothing.
    Plan,
    /// A pause harms nobody more than it must.
    Pause,
    /// What is paused is not forgotten.
    Resumed,
    /// Who is moved goes straight to a place that waits for it.
    Moved,
    /// Booked nodes are there for those they are booked for.
    Booking,
    /// Tasks sit where their job requires.
    Topology,
    /// No queue and no user gets more than its limit.
    Quota,
    /// A lower class never goes ahead of a higher one of the same kind.
    Tier,
    /// A gang that loses a node gets its old place back before anyone takes it.
    Repair,
    /// What a job is told of its latest start holds.
    Floor,
    /// Nobody waits for room that is there.
    WorkConservation,
    /// An accepted job is known until it ended, and ends once.
    NoLostJob,
    /// A job moves only along the paths of its life.
    Lifecycle,
    /// A job starts only when nothing it waits for is open.
    Waits,
    /// A job is another one only as somebody asks, or as it agreed to.
    Changed,
    /// No attempt outstays its time.
    Limit,
    /// A job's outcome says what happened.
    Outcome,
    /// The engine's state is what its commands and actions say, and its index counts right.
    Conservation,
    /// Who waits is told why.
    Reason,
    /// Left alone, the engine comes to rest.
    Quiescence,
    /// The sizes of elastic jobs are legal and do not flutter.
    Elastic,
    /// Nobody is paused where elastic jobs could have made up for it.
    Shrink,
}

/// One broken promise.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{promise}: {detail}")]
pub struct Violation {
    /// Which promise.
    pub promise: Promise,
    /// What was seen, in words and numbers.
    pub detail: String,
}

impl fmt::Display for Promise {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Promise::Exclusive => "exclusive",
            Promise::Gang => "gang",
            Promise::Attempt => "attempt",
            Promise::Unknown => "unknown is not dead",
            Promise::Taken => "nothing taken",
            Promise::Plan => "plan",
            Promise::Pause => "pause",
            Promise::Resumed => "resumed",
            Promise::Moved => "moved",
            Promise::Booking => "booking",
            Promise::Topology => "topology",
            Promise::Quota => "quota",
            Promise::Tier => "tier",
            Promise::Repair => "repair",
            Promise::Floor => "floor",
            Promise::WorkConservation => "work conservation",
            Promise::NoLostJob => "no lost job",
            Promise::Lifecycle => "lifecycle",
            Promise::Waits => "waits",
            Promise::Changed => "changed",
            Promise::Limit => "limit",
            Promise::Outcome => "outcome",
            Promise::Conservation => "conservation",
            Promise::Reason => "reason",
            Promise::Quiescence => "quiescence",
            Promise::Elastic => "elastic",
            Promise::Shrink => "shrink before pause",
        })
    }
}

/// The most violations a report spells out: one fault can break a promise for every job.
const REPORT_LINES_MAX: usize = 20;

/// All violations as text, one line each, cut where there are too many to read.
pub fn report(violations: &[Violation]) -> String {
    let mut text = format!("{} broken promises", violations.len());
    for violation in violations.iter().take(REPORT_LINES_MAX) {
        text.push_str(&format!("\n  {violation}"));
    }
    let left = violations.len().saturating_sub(REPORT_LINES_MAX);
    if left > 0 {
        text.push_str(&format!("\n  and {left} more"));
    }
    text
}

/// Where promises put what they find.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Violation>);

impl Findings {
    pub(crate) fn add(&mut self, promise: Promise, detail: impl Into<String>) {
        self.0.push(Violation { promise, detail: detail.into() });
    }

    pub(crate) fn into_result(self) -> Result<(), Vec<Violation>> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0) }
    }
}
