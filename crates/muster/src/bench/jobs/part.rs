//! Jobs that take part of a GPU, and jobs that take as many as there are: the place in the mix
//! where they are switched on.

use muster_model::{JobSpec, MilliGpu, Share};

use crate::bench::chance::Chance;

/// Of a thousand jobs of one GPU, so many ask for part of one. None while the engine refuses
/// shares; 400 is what a cluster with many notebooks and small services has.
const SHARES: u64 = 0;

/// Of a thousand gangs of several tasks, so many can run with half of them. None while the
/// virtual nodes cannot change the size of what runs.
const ELASTIC: u64 = 0;

/// How much of a GPU a share takes, at least and at most, in thousandths.
const SIZES: [((u64, u64), u64); 5] =
    [((100, 100), 15), ((250, 250), 35), ((500, 500), 30), ((250, 500), 10), ((750, 750), 10)];

/// The job as it is, or one that takes less, or one that takes what there is.
pub(super) fn part(chance: &mut Chance, spec: JobSpec) -> JobSpec {
    let group = spec.groups.last().expect("every job of the mix has a group");
    let (tasks, gpus) = (group.tasks.max, group.task.gpus);
    if tasks == 1 && gpus == 1 && chance.happens(SHARES) {
        let (least, most) = chance.pick(&SIZES);
        return spec.share(Share::between(MilliGpu(least), MilliGpu(most)));
    }
    if tasks > 1 && chance.happens(ELASTIC) {
        return spec.elastic(tasks / 2, tasks);
    }
    spec
}
