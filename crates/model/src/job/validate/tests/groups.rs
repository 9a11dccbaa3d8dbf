//! Groups, tasks, models and shares.

use super::{check, cluster, gang};
use crate::bound::{CPUS_MAX, MEMORY_MAX};
use crate::job::JobSpec;
use crate::share::{Isolation, Share, ShareSize};
use crate::task::{TaskCount, TaskShape};
use crate::unit::{Mib, MilliCpu, MilliGpu};

fn with(change: impl FnOnce(&mut TaskShape)) -> JobSpec {
    let mut job = gang();
    change(&mut job.groups[0].task);
    job
}

fn shared(size: ShareSize) -> JobSpec {
    gang().share(Share { size, isolation: Isolation::Soft })
}

#[test]
fn good_groups_are_accepted() {
    let jobs = [
        gang().elastic(1, 65_536).cpus(0),
        gang().group("actors", TaskCount { min: 1, max: 64 }, TaskShape::gpus(0)),
        gang().models(["H100", "A100"]).nvlink().exclusive(),
        gang().share(Share::between(MilliGpu(1), MilliGpu(1000))),
        gang().share(Share::mig("1g.10gb")).models(["H100", "A100"]),
        gang().share(Share::mig("1g.5gb")),
        shared(ShareSize::Memory(Mib::gib(20))),
        with(|task| (task.cpus, task.memory) = (CPUS_MAX, MEMORY_MAX)),
        JobSpec::gang("node", 1, 0).exclusive(),
        JobSpec::gang("wide", 16_384, 64),
    ];
    for job in jobs {
        assert_eq!(job.validate(&cluster()), Ok(()), "{job:?}");
    }
}

#[test]
fn bad_numbers_of_groups_and_names_are_refused() {
    let one = || TaskCount::exactly(1);
    let nine = (0..9).fold(JobSpec::new("a", "user-a", "default"), |job, index| {
        job.group(&format!("group-{index}"), one(), TaskShape::gpus(1))
    });
    check([
        (
            JobSpec::new("a", "user-a", "default"),
            "groups: 0 groups is not allowed; expected 1 to 8",
        ),
        (nine, "groups: 9 groups is not allowed; expected 1 to 8"),
        (
            gang().group("main", one(), TaskShape::gpus(1)),
            "groups[1].name: `main` is not allowed; expected each only once",
        ),
        (
            gang().group("a b", one(), TaskShape::gpus(1)),
            "groups[1].name: `a b` is not allowed; expected 1 to 63 letters, digits, `.`, `_` or \
             `-`, starting with a letter or digit\nhint: did you mean a-b?",
        ),
    ]);
}

#[test]
fn bad_task_counts_are_refused() {
    check([
        (gang().elastic(0, 4), "groups[0].tasks.min: 0 is not allowed; expected 1 to 65536"),
        (
            gang().elastic(1, 65_537),
            "groups[0].tasks.max: 65537 is not allowed; expected 1 to 65536",
        ),
        (
            gang().elastic(8, 2),
            "groups[0].tasks: 8..2 is not allowed; expected min to be at most max\n\
             hint: did you mean 2..8?",
        ),
        (
            JobSpec::gang("a", 16_385, 64),
            "groups: 1048640 GPUs is not allowed; expected at most 1048576 for all groups \
             together",
        ),
    ]);
}

#[test]
fn bad_amounts_of_a_task_are_refused() {
    check([
        (JobSpec::gang("a", 1, 65), "groups[0].task.gpus: 65 is not allowed; expected 0 to 64"),
        (
            with(|task| task.cpus = MilliCpu(CPUS_MAX.0 + 1)),
            "groups[0].task.cpus: 1073741824.001 is not allowed; expected 0 to 1073741824",
        ),
        (
            with(|task| task.memory = Mib(MEMORY_MAX.0 + 1)),
            "groups[0].task.memory: 1099511627777MiB is not allowed; expected 0MiB to 1EiB",
        ),
        (
            with(|task| *task = TaskShape::default()),
            "groups[0].task: a task that needs nothing is not allowed; expected GPUs, a share, \
             CPUs, memory or an exclusive node",
        ),
        (
            JobSpec::gang("a", 1, 1).nvlink(),
            "groups[0].task.nvlink: true is not allowed; expected false, or 2 or more GPUs to \
             link",
        ),
        (
            gang().share(Share::fraction(MilliGpu(500))).exclusive(),
            "groups[0].task.exclusive: true is not allowed; expected false with a share: nobody \
             would share the rest",
        ),
    ]);
}

#[test]
fn bad_models_are_refused() {
    let many: Vec<_> = (0..17).map(|index| format!("model-{index}")).collect();
    check([
        (
            gang().models(["H100", "h200"]),
            "groups[0].task.models[1]: `h200` is not allowed; expected one of the 22 GPU models \
             of this cluster\nhint: did you mean H200?",
        ),
        (
            gang().models(["A100", "H100", "A100"]),
            "groups[0].task.models[2]: `A100` is not allowed; expected each only once",
        ),
        (
            gang().models(many.iter().map(String::as_str)),
            "groups[0].task.models: 17 models is not allowed; expected at most 16",
        ),
    ]);
}

#[test]
fn bad_shares_are_refused() {
    let fraction =
        |least, most| shared(ShareSize::Fraction { least: MilliGpu(least), most: MilliGpu(most) });
    let mut both = fraction(500, 500);
    both.groups[0].task.gpus = 8;
    check([
        (
            both,
            "groups[0].task.gpus: 8 is not allowed; expected 0 with a share: a task has whole \
             GPUs or part of one",
        ),
        (
            fraction(0, 500),
            "groups[0].task.share.size.least: 0 is not allowed; expected 0.001 to 1",
        ),
        (
            fraction(500, 1001),
            "groups[0].task.share.size.most: 1.001 is not allowed; expected 0.001 to 1",
        ),
        (
            fraction(500, 250),
            "groups[0].task.share.size: 0.5..0.25 is not allowed; expected least to be at most \
             most\nhint: did you mean 0.25..0.5?",
        ),
        (
            shared(ShareSize::Memory(Mib(0))),
            "groups[0].task.share.size.memory: 0MiB is not allowed; expected 1MiB to 1EiB",
        ),
        (
            gang().share(Share::mig("9g.10gb")),
            "groups[0].task.share.size.mig: `9g.10gb` is not allowed; expected a MIG profile that \
             each of its models has",
        ),
        (
            gang().share(Share::mig("1g.10gb")).models(["H100", "V100"]),
            "groups[0].task.share.size.mig: `1g.10gb` is not allowed; expected a MIG profile that \
             each of its models has",
        ),
    ]);
}
