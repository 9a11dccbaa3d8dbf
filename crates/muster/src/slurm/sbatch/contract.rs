//! How a job of Slurm may be preempted, by what it says of signals and of being started again.
//!
//! Whoever writes `--requeue` can be ended and started again. Whoever also writes `--signal` saves
//! when that signal comes: it is sent first, with as long to save as the job asked to be warned
//! before its end. A program that has saved and exits with success has said so; one that goes on is
//! ended when the time is over.

use muster_api::Reach;
use muster_api::program::Save;
use muster_model::{Checkpoint, JobSpec, Millis, Rung, RungCost};
use muster_slurm::Request;

/// How long a job takes to be where it was, as far as nobody knows.
const RESTORE: Millis = Millis::minutes(1);

/// A save is waited for twice as long as it is taken to need, and this much longer.
const WAITED: Millis = Millis::minutes(5);

/// The shortest time in which a save is waited for.
const SAVE_LEAST_MS: u64 = 1000;

/// Puts the contract into a job; how its program is asked to save.
pub(super) fn put(request: &Request, spec: &mut JobSpec) -> Option<Save> {
    if request.run.requeue != Some(true) {
        return None;
    }
    let requeue = RungCost { rung: Rung::Requeue, save: Millis(0), restore: RESTORE };
    let Some(signal) = request.run.signal else {
        spec.checkpoint = Checkpoint { rungs: vec![requeue], ..Checkpoint::default() };
        return None;
    };
    let within = Millis::seconds(u64::from(signal.before_s));
    let saves = RungCost { rung: Rung::Checkpoint, save: expected(within), restore: RESTORE };
    spec.checkpoint = Checkpoint { rungs: vec![saves, requeue], ..Checkpoint::default() };
    Some(Save { signal: signal.signal, within_ms: within.0.max(SAVE_LEAST_MS) })
}

/// What a save is taken to cost. The time of a warning is what a job wants at most, not what it
/// needs: a job that just started would look cheaper to end than to be asked. What saves take is
/// learned; until then no more is said than it takes to be waited for as long as was asked.
fn expected(within: Millis) -> Millis {
    Millis(within.saturating_sub(WAITED).0 / 2)
}

/// Who hears signals: as in Slurm the script alone, or its steps alone.
pub(super) fn reach(request: &Request) -> Reach {
    match request.run.signal {
        Some(signal) if signal.script_only => Reach::First,
        Some(_) => Reach::Steps,
        None => Reach::All,
    }
}
