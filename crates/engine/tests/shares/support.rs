//! Words for shares.

pub(crate) use muster_engine::action::SharePlace;
pub(crate) use muster_model::{Isolation, MilliGpu, Share, Sharing};

pub(crate) use crate::support::*;

/// One task with this part of a GPU, one CPU and 1 GiB.
pub(crate) fn part(share: Share) -> JobSpec {
    gang(1, 1).share(share).cpus(1).memory(gib(1))
}

/// One task with so many thousandths of a GPU.
pub(crate) fn milli(milli: u64) -> JobSpec {
    part(Share::fraction(MilliGpu(milli)))
}

/// One task with a MIG instance.
pub(crate) fn mig(profile: &str) -> JobSpec {
    part(Share::mig(profile))
}

/// Nodes of a kind that can share GPUs in every way.
pub(crate) fn cards(nodes: u32, gpus: &str) -> Setup {
    cluster().nodes_with("n", nodes, gpus, |node| node.sharing(Sharing::ALL))
}

/// The parts a job holds, by rank: `n-1/0:250`.
pub(crate) fn parts(world: &World, job: JobId) -> String {
    let each = world.tasks_of(job).into_iter().map(|(node, task)| {
        let gpus: Vec<String> = task.gpus.iter().map(|gpu| gpu.to_string()).collect();
        let part = task.share.map_or(String::new(), |share| format!(":{}", share.milli.0));
        format!("{node}/{}{part}", gpus.join(","))
    });
    each.collect::<Vec<_>>().join(" ")
}

/// Submits jobs one after the other and says where each is, `waits` where it is nowhere.
pub(crate) fn places<const N: usize>(world: &mut World, specs: [JobSpec; N]) -> Vec<String> {
    let jobs = specs.map(|spec| world.submit(spec));
    let place = |job| if world.is_placed(job) { parts(world, job) } else { "waits".to_owned() };
    jobs.map(place).to_vec()
}

/// The share a job of one task holds.
pub(crate) fn share_of(world: &World, job: JobId) -> SharePlace {
    world.tasks_of(job)[0].1.share.expect("the job has a share")
}
