//! How the jobs of an overloaded cluster may be interrupted: a mix of checkpoint contracts with
//! the costs that such rungs have on real machines.

use muster_model::{JobSpec, Mib, Millis, Rung};

use crate::bench::chance::Chance;

/// What kind of contract a job has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contract {
    /// It can be moved to host memory, or asked to save, or started again.
    Suspends,
    /// It can be moved to host memory and nothing else.
    OnlySuspends,
    /// It saves by itself and when asked, and goes on from there.
    Saves,
    /// It saves by itself and never when asked.
    Restarts,
    /// It says nothing, so only a guarantee or being a filler takes its GPUs.
    Silent,
}

const CONTRACTS: [(Contract, u64); 5] = [
    (Contract::Suspends, 20),
    (Contract::OnlySuspends, 10),
    (Contract::Saves, 30),
    (Contract::Restarts, 15),
    (Contract::Silent, 25),
];

/// GPU memory that a suspend moves, per GPU: from a fine-tuning to a card that is nearly full.
const STATES_GIB: [u64; 4] = [16, 32, 48, 64];

/// Moving to host memory and back takes a second for about so many GiB.
const GIB_PER_SECOND: u64 = 6;

/// An application saves by itself so often, in minutes.
const SAVES_EVERY: [u64; 4] = [10, 20, 30, 60];

/// The longest time an application takes to save when asked, and to be where it was again.
const SAVE_MAX: Millis = Millis::seconds(90);
const RESTORE_MAX: Millis = Millis::minutes(4);

/// Nothing is saved or restored sooner.
const TAKES_MIN: Millis = Millis::seconds(10);

/// The job with a contract of the mix.
pub(in crate::bench) fn contract(chance: &mut Chance, spec: JobSpec) -> JobSpec {
    let contract = chance.pick(&CONTRACTS);
    let spec = match contract {
        Contract::Suspends | Contract::OnlySuspends => suspends(chance, spec),
        _ => spec,
    };
    let save = TAKES_MIN + chance.span(SAVE_MAX);
    let restore = TAKES_MIN + chance.span(RESTORE_MAX);
    let every = Millis::minutes(chance.one_of(&SAVES_EVERY));
    match contract {
        Contract::Suspends | Contract::Saves => spec
            .rung(Rung::Checkpoint, save, restore)
            .rung(Rung::Requeue, Millis::ZERO, restore)
            .saves_every(every),
        Contract::Restarts => spec.rung(Rung::Requeue, Millis::ZERO, restore).saves_every(every),
        Contract::OnlySuspends | Contract::Silent => spec,
    }
}

fn suspends(chance: &mut Chance, spec: JobSpec) -> JobSpec {
    let gib = chance.one_of(&STATES_GIB);
    let takes = Millis::seconds(1 + gib / GIB_PER_SECOND);
    spec.rung(Rung::Freeze, Millis(20), Millis(20))
        .rung(Rung::Suspend, takes, takes)
        .gpu_state(Mib::gib(gib))
}

#[cfg(test)]
mod tests {
    use muster_model::{JobSpec, Rung};

    use super::contract;
    use crate::bench::chance::Chance;
    use crate::bench::layout::Layout;

    #[test]
    fn every_contract_is_valid_and_each_way_to_pause_is_common() {
        let (mut chance, cluster) = (Chance::new(1), Layout::new(64).cluster());
        let mut counts = [0_usize; 4];
        for _ in 0..1_000 {
            let job =
                contract(&mut chance, JobSpec::gang("train", 1, 1).queue("division-0/team-0"));
            assert_eq!(job.validate(&cluster), Ok(()));
            let has = |rung| job.checkpoint.rungs.iter().any(|cost| cost.rung == rung);
            counts[0] += usize::from(has(Rung::Suspend));
            counts[1] += usize::from(has(Rung::Checkpoint));
            counts[2] += usize::from(has(Rung::Requeue));
            counts[3] += usize::from(job.checkpoint.rungs.is_empty());
        }
        assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
    }
}
