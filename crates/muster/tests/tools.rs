//! Unmodified tools of Slurm's users on a cluster of Muster, each from its own registry.

#[path = "tools/bench.rs"]
mod bench;
#[path = "up/cluster.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod cluster;
#[path = "support/patience.rs"]
mod patience;
#[path = "differential/processes.rs"]
mod processes;
#[path = "tools/python.rs"]
mod python;

use bench::Bench;
use python::Python;

/// The lines that begin with a word, in order: ranks print when they like.
fn lines(text: &str, start: &str) -> Vec<String> {
    let mut lines: Vec<String> =
        text.lines().filter(|line| line.starts_with(start)).map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn submitit_works_as_on_slurm() {
    let Some(python) = Python::with("submitit.txt") else { return };
    let bench = Bench::start(2);
    let said = bench.run(Some(&python), &["python", "-u", "submitit_story.py"]);
    let expected = "cluster slurm\n\
                    gang [(3, 4, 0), (3, 4, 1), (3, 4, 2), (3, 4, 3)]\n\
                    array [5, 7, 9]\nfailure True\ncancelled CANCELLED\n";
    assert_eq!((said.code, said.out.as_str()), (0, expected), "{said:?}");
}

#[test]
fn submitit_saves_and_goes_on_after_preemption_and_time_limit() {
    let Some(python) = Python::with("submitit.txt") else { return };
    let bench = Bench::start(2);
    let said = bench.run(Some(&python), &["python", "-u", "requeue_story.py"]);
    let expected = "preempted [2] COMPLETED ['run 1 of 0', 'run 2 of 0']\n\
                    timed-out [2] COMPLETED ['run 1 of 0', 'run 2 of 0']\n\
                    urgent [6, 6]\n\
                    gang [2, 2] COMPLETED ['run 1 of 0', 'run 2 of 0', \
                    'run 1 of 1', 'run 2 of 1']\n\
                    limit [2] COMPLETED ['run 1 of 0', 'run 2 of 0']\n";
    assert_eq!((said.code, said.out.as_str()), (0, expected), "{said:?}");
}

#[test]
fn hydra_sweeps_with_its_launcher_for_slurm() {
    let Some(python) = Python::with("submitit.txt") else { return };
    let bench = Bench::start(1);
    let words = "python hydra_story.py --multirun hydra/launcher=submitit_slurm \
                 hydra.launcher.timeout_min=10 hydra.launcher.array_parallelism=2 \
                 hydra.launcher.gpus_per_node=1 hydra.launcher.mem_gb=1 +rate=1,2 +size=8,9";
    let words: Vec<&str> = words.split_whitespace().collect();
    let said = bench.run(Some(&python), &words);
    assert_eq!(said.code, 0, "{said:?}");
    let swept = (0..4).map(|number| bench.written(&format!("swept-{number}")));
    let expected = [(1, 8), (1, 9), (2, 8), (2, 9)].into_iter().enumerate();
    let expected = expected
        .map(|(number, (rate, size))| format!("{number} rate {rate} size {size} task {number}"));
    assert_eq!(swept.collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{said:?}");
}

#[test]
fn jax_finds_its_processes_under_srun() {
    let Some(python) = Python::with("jax.txt") else { return };
    let bench = Bench::start(2);
    let said = bench.run(Some(&python), &["srun", "-N2", "-n2", "python", "-u", "jax_story.py"]);
    assert_eq!(said.code, 0, "{said:?}");
    let process = |rank: u32| format!("process {rank} of 2 sees [0, 1]");
    let expected: Vec<String> = (0..2).map(process).collect();
    assert_eq!(lines(&said.out, "process "), expected, "{said:?}");
}

#[test]
fn lightning_recognises_slurm_and_trains_with_all_tasks() {
    let Some(python) = Python::with_torch("torch.txt") else { return };
    let bench = Bench::start(2);
    let said = bench.run(Some(&python), &["sbatch", "--wait", "lightning.sbatch"]);
    let (out, err) = (bench.written("lightning.out"), bench.written("lightning.err"));
    assert_eq!(said.code, 0, "{said:?}\n{out}\n{err}");
    let rank = |rank: u32| {
        let found = format!("[True, 4, {}, {}, '127.0.0.1', True, True]", rank % 2, rank / 2);
        format!("rank {rank} {found} weight -0.5")
    };
    assert_eq!(lines(&out, "rank "), (0..4).map(rank).collect::<Vec<_>>(), "{err}");
}

#[test]
fn accelerate_launches_and_is_launched() {
    let Some(python) = Python::with_torch("torch.txt") else { return };
    let bench = Bench::start(2);
    let said = bench.run(Some(&python), &["sbatch", "--wait", "accelerate.sbatch"]);
    let (out, err) = (bench.written("accelerate.out"), bench.written("accelerate.err"));
    assert_eq!(said.code, 0, "{said:?}\n{out}\n{err}");
    let (launched, direct) = out.split_once("direct\n").expect("the script goes on");
    let four = |rank: u32| format!("process {rank} of 4 local {} sees [0, 1, 2, 3]", rank % 2);
    assert_eq!(lines(launched, "process "), (0..4).map(four).collect::<Vec<_>>(), "{err}");
    let two = |rank: u32| format!("process {rank} of 2 local 0 sees [0, 1]");
    assert_eq!(lines(direct, "process "), (0..2).map(two).collect::<Vec<_>>(), "{err}");
}

#[test]
fn open_mpi_uses_the_allocation_and_starts_its_daemons_with_srun() {
    let Some(python) = Python::with("mpi.txt") else { return };
    if !std::path::Path::new("/usr/bin/mpirun").exists() {
        eprintln!("not tried: this machine lacks Debian's openmpi-bin");
        return;
    }
    let bench = Bench::start(2);
    let said = bench.run(Some(&python), &["sbatch", "--wait", "mpi.sbatch"]);
    let (out, err) = (bench.written("mpi.out"), bench.written("mpi.err"));
    assert_eq!(said.code, 0, "{said:?}\n{out}\n{err}");
    let rank = |rank: u32| format!("rank {rank} on node {} sees [0, 1, 2, 3]", rank / 2);
    assert_eq!(lines(&out, "rank "), (0..4).map(rank).collect::<Vec<_>>(), "{err}");
}
