//! Jobs and what Slurm 22.05 told them. Nodes have 8 CPUs and 4 GPUs.

use super::{Element, Job, Node, Step, Task, Variables, compressed};
use crate::{Command, Request};

/// A job of these options, with what Slurm gave it: CPUs and GPUs on each of its nodes.
fn told(words: &str, given: &[(u32, u32)]) -> Variables {
    with_job(words, given, |job| job.script())
}

fn with_job<T>(words: &str, given: &[(u32, u32)], ask: impl FnOnce(&Job<'_>) -> T) -> T {
    let words = words.split_whitespace().map(str::to_owned);
    let request = Request::from_words(Command::Sbatch, words).expect("good options").request;
    let node = |(index, (cpus, gpus)): (usize, &(u32, u32))| Node {
        name: format!("n{}", index + 1),
        cpus: *cpus,
        gpus: (0..*gpus).collect(),
    };
    let nodes: Vec<Node> = given.iter().enumerate().map(node).collect();
    ask(&Job {
        id: 7,
        element: None,
        name: "env.sh",
        user: "user-a",
        ids: Some((1000, 100)),
        partition: "main",
        account: "",
        qos: "",
        cluster: "compare",
        submitted_in: "/work",
        submitted_on: "login",
        nodes: &nodes,
        restarts: 0,
        start_s: None,
        end_s: None,
        request: &request,
    })
}

/// Variables that a job without options has.
const PLAIN: &str = "\
ENVIRONMENT=BATCH HOSTNAME=n1 SLURMD_NODENAME=n1 SLURM_CLUSTER_NAME=compare SLURM_CPUS_ON_NODE=1 \
SLURM_GTIDS=0 SLURM_JOBID=7 SLURM_JOB_CPUS_PER_NODE=1 SLURM_JOB_GID=100 SLURM_JOB_ID=7 \
SLURM_JOB_NAME=env.sh SLURM_JOB_NODELIST=n1 SLURM_JOB_NUM_NODES=1 SLURM_JOB_PARTITION=main \
SLURM_JOB_UID=1000 SLURM_JOB_USER=user-a SLURM_LOCALID=0 SLURM_NNODES=1 SLURM_NODEID=0 \
SLURM_NODELIST=n1 SLURM_NODE_ALIASES=(null) SLURM_PRIO_PROCESS=0 SLURM_PROCID=0 \
SLURM_SUBMIT_DIR=/work SLURM_SUBMIT_HOST=login SLURM_TASKS_PER_NODE=1 SLURM_TASK_PID=0 \
SLURM_TOPOLOGY_ADDR=n1 \
SLURM_TOPOLOGY_ADDR_PATTERN=node";

fn line(told: &Variables) -> String {
    told.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// What a job is told more than, or differently from, a plain one.
fn more(words: &str, given: &[(u32, u32)]) -> String {
    let mut told = told(words, given);
    told.retain(|name, value| !PLAIN.split(' ').any(|known| known == format!("{name}={value}")));
    line(&told)
}

#[test]
fn a_plain_job_is_told_where_it_is_and_nothing_it_did_not_ask_for() {
    assert_eq!(line(&told("", &[(1, 0)])), PLAIN);
}

#[test]
fn jobs_are_told_what_slurm_tells_them() {
    let two = [(4, 2), (4, 2)];
    assert_eq!(
        more("-N2 --ntasks-per-node=2 -c 2 --gres=gpu:2 --mem=1G", &two),
        "SLURM_CPUS_ON_NODE=4 SLURM_CPUS_PER_TASK=2 SLURM_GPUS_ON_NODE=2 \
         SLURM_JOB_CPUS_PER_NODE=4(x2) SLURM_JOB_GPUS=0,1 SLURM_JOB_NODELIST=n[1-2] \
         SLURM_JOB_NUM_NODES=2 SLURM_MEM_PER_NODE=1024 SLURM_NNODES=2 SLURM_NODELIST=n[1-2] \
         SLURM_NPROCS=4 SLURM_NTASKS=4 SLURM_NTASKS_PER_NODE=2 SLURM_TASKS_PER_NODE=2(x2)"
    );
    assert_eq!(
        more("-n 3 --gpus-per-task=1 --mem-per-cpu=100", &[(3, 3)]),
        "SLURM_CPUS_ON_NODE=3 SLURM_GPUS_ON_NODE=3 SLURM_GPUS_PER_TASK=1 SLURM_JOB_CPUS_PER_NODE=3 \
         SLURM_JOB_GPUS=0,1,2 SLURM_MEM_PER_CPU=100 SLURM_NPROCS=3 SLURM_NTASKS=3 \
         SLURM_TASKS_PER_NODE=3"
    );
    assert_eq!(
        more("-N2 --gpus-per-node=h100:2 --cpus-per-gpu=2 --mem-per-gpu=50", &two),
        "SLURM_CPUS_ON_NODE=4 SLURM_CPUS_PER_GPU=2 SLURM_GPUS_ON_NODE=2 \
         SLURM_GPUS_PER_NODE=h100:2 SLURM_JOB_CPUS_PER_NODE=4(x2) SLURM_JOB_GPUS=0,1 \
         SLURM_JOB_NODELIST=n[1-2] SLURM_JOB_NUM_NODES=2 SLURM_MEM_PER_GPU=50 SLURM_NNODES=2 \
         SLURM_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=4(x2)"
    );
    assert_eq!(
        more("--exclusive --mem=0 --hint=nomultithread", &[(8, 0)]),
        "SLURM_CPUS_ON_NODE=8 SLURM_HINT=nomultithread SLURM_JOB_CPUS_PER_NODE=8 \
         SLURM_TASKS_PER_NODE=8 SLURM_THREADS_PER_CORE=1"
    );
    assert_eq!(
        more("-n5 -N2 -O --distribution=cyclic", &[(1, 0), (1, 0)]),
        "SLURM_DISTRIBUTION=cyclic SLURM_JOB_CPUS_PER_NODE=1(x2) SLURM_JOB_NODELIST=n[1-2] \
         SLURM_JOB_NUM_NODES=2 SLURM_NNODES=2 SLURM_NODELIST=n[1-2] SLURM_NPROCS=5 \
         SLURM_NTASKS=5 SLURM_OVERCOMMIT=1 SLURM_TASKS_PER_NODE=3,2"
    );
    assert_eq!(more("--open-mode=append", &[(1, 0)]), "SLURM_OPEN_MODE=a");
    assert_eq!(more("--open-mode=truncate", &[(1, 0)]), "SLURM_OPEN_MODE=t");
}

#[test]
fn tasks_fill_one_node_after_the_other_and_leave_none_without() {
    let tasks = |words: &str, cpus: &[u32]| {
        let given: Vec<(u32, u32)> = cpus.iter().map(|cpus| (*cpus, 0)).collect();
        with_job(words, &given, |job| job.tasks_per_node())
    };
    assert_eq!(tasks("-n 5", &[4, 1]), [4, 1]);
    assert_eq!(tasks("-n 4 -N2 -c 2", &[4, 4]), [2, 2]);
    assert_eq!(tasks("-n 3 -N2", &[2, 1]), [2, 1]);
    assert_eq!(tasks("-N2 -c 4", &[8, 8]), [2, 2]);
    assert_eq!(tasks("-n 1", &[1]), [1]);
}

#[test]
fn an_element_knows_its_array_and_a_restarted_job_its_restarts() {
    let element = Element { array: 4, index: 6, count: 3, min: 2, max: 6, step: 2 };
    let told = with_job("", &[(1, 0)], |job| {
        Job { element: Some(element), restarts: 2, ..job.clone() }.script()
    });
    let value = |name: &str| told.get(name).map(String::as_str);
    assert_eq!(value("SLURM_ARRAY_JOB_ID"), Some("4"));
    assert_eq!(value("SLURM_ARRAY_TASK_ID"), Some("6"));
    assert_eq!(value("SLURM_ARRAY_TASK_STEP"), Some("2"));
    assert_eq!(value("SLURM_RESTART_COUNT"), Some("2"));
    assert_eq!(told.len(), PLAIN.split(' ').count() + 7);
}

#[test]
fn a_task_is_told_of_its_step_and_itself() {
    let two = [(4, 2), (4, 2)];
    let told = with_job("-N2 --ntasks-per-node=2 -c 2 --gres=gpu:2", &two, |job| {
        let step = Step {
            id: 0,
            nodes: &[(0, 2), (1, 2)],
            distribution: "block",
            launched_from: Some(("127.0.0.1", 36097)),
            umask: 0o022,
        };
        let (together, step_gpus) = (&[2, 3], &[0, 1]);
        job.task(&step, &Task { rank: 3, local: 1, node: 1, together, cpus: 4, step_gpus })
    });
    assert_eq!(
        line(&told),
        "SLURMD_NODENAME=n2 SLURM_CPUS_ON_NODE=4 SLURM_DISTRIBUTION=block SLURM_GPUS_ON_NODE=2 \
         SLURM_GTIDS=2,3 SLURM_LAUNCH_NODE_IPADDR=127.0.0.1 SLURM_LOCALID=1 SLURM_NNODES=2 \
         SLURM_NODEID=1 SLURM_NPROCS=4 SLURM_NTASKS=4 SLURM_PRIO_PROCESS=0 SLURM_PROCID=3 \
         SLURM_SRUN_COMM_HOST=127.0.0.1 SLURM_SRUN_COMM_PORT=36097 SLURM_STEPID=0 \
         SLURM_STEP_GPUS=0,1 SLURM_STEP_ID=0 SLURM_STEP_LAUNCHER_PORT=36097 \
         SLURM_STEP_NODELIST=n[1-2] SLURM_STEP_NUM_NODES=2 SLURM_STEP_NUM_TASKS=4 \
         SLURM_STEP_TASKS_PER_NODE=2(x2) SLURM_TASKS_PER_NODE=2(x2) SLURM_TASK_PID=0 \
         SLURM_TOPOLOGY_ADDR=n2 SLURM_TOPOLOGY_ADDR_PATTERN=node SLURM_UMASK=0022"
    );
}

#[test]
fn a_step_on_one_of_two_nodes_counts_its_own() {
    let told = with_job("-n5 -N2 -O", &[(1, 0), (1, 0)], |job| {
        let step = Step {
            id: 1,
            nodes: &[(1, 5)],
            distribution: "block",
            launched_from: None,
            umask: 0o027,
        };
        let together = &[0, 1, 2, 3, 4];
        job.task(&step, &Task { rank: 4, local: 4, node: 0, together, cpus: 1, step_gpus: &[] })
    });
    let value = |name: &str| told.get(name).map(String::as_str);
    assert_eq!(value("SLURM_STEP_NODELIST"), Some("n2"));
    assert_eq!(value("SLURM_NODEID"), Some("0"), "it counts the nodes of the step");
    assert_eq!(value("SLURM_NNODES"), Some("1"));
    assert_eq!(value("SLURM_JOB_NUM_NODES"), None, "that is told with the job");
    assert_eq!(value("SLURM_UMASK"), Some("0027"));
}

#[test]
fn equal_numbers_are_written_once() {
    assert_eq!(compressed([4, 4, 3, 4].into_iter()), "4(x2),3,4");
    assert_eq!(compressed(std::iter::empty()), "");
}
