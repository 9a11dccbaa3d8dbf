//! Jobs that take part of a GPU, and jobs that take as many as there are: the place in the mix
//! where they are switched on.

use muster_model::{JobSpec, MilliGpu, Share};

use crate::bench::chance::Chance;

/// Of a thousand jobs of one GPU, so many ask for part of one. None while the engine refuses
/// shares; 400 is what a cluster with many notebooks and small services has.
const SHARES: u64 = 0;

/// Of a thousand gangs of several tasks, so many can run with half of them.
const ELASTIC: u64 = 200;

/// How much of a GPU a share takes, at least and at most, in thousandths.
const SIZES: [((u64, u64), u64); 5] =
    [((100, 100), 15), ((250, 250), 35), ((500, 500), 30), ((250, 500), 10), ((750, 750), 10)];

/// The job as it is, or one that takes less, or one that takes what there is.
pub(super) fn part(chance: &mut Chance, spec: JobSpec) -> JobSpec {
    let group = spec.groups.last().expect("every job of the mix has a group");
    let (tasks, gpus) = (group.tasks.max, group.task.gpus);
    if tasks == 1 && gpus == 1 && chance.happens(SHARES) {
        return share(chance, spec);
    }
    // Its fewest tasks are whole segments, as its most are.
    let block = spec.topology.segment.as_ref().map_or(1, |segment| segment.tasks);
    let halves = tasks > 1 && tasks.is_multiple_of(2 * block);
    if halves && chance.happens(ELASTIC) {
        return spec.elastic(tasks / 2, tasks);
    }
    spec
}

fn share(chance: &mut Chance, spec: JobSpec) -> JobSpec {
    let (least, most) = chance.pick(&SIZES);
    spec.share(Share::between(MilliGpu(least), MilliGpu(most)))
}

#[cfg(test)]
mod tests {
    use muster_model::JobSpec;

    use super::share;
    use crate::bench::chance::Chance;
    use crate::bench::layout::Layout;

    #[test]
    fn every_share_is_a_valid_part_of_one_gpu() {
        let (mut chance, cluster) = (Chance::new(1), Layout::new(64).cluster());
        for _ in 0..100 {
            let job = share(&mut chance, JobSpec::gang("play", 1, 1).queue("division-0/team-0"));
            assert_eq!(job.validate(&cluster), Ok(()));
            assert_eq!(job.groups[0].task.gpus, 0);
        }
    }
}
