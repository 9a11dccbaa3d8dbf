"""submitit's jobs save and go on when they are told to, when they are in the way, and when their
time is nearly over."""

import time
from pathlib import Path

import submitit


class Run(submitit.helpers.Checkpointable):
    """Returns from its second run; saves how many there were."""

    def __init__(self):
        self.runs = 0

    def __call__(self, name):
        self.runs += 1
        rank = submitit.JobEnvironment().global_rank
        print(f"run {self.runs} of {rank}", flush=True)
        if self.runs == 1:
            Path(f"{name}-{rank}").touch()
            while True:
                time.sleep(0.05)
        return self.runs


def started(name, tasks):
    while not all(Path(f"{name}-{rank}").exists() for rank in range(tasks)):
        time.sleep(0.05)


def ends(name, job):
    results = job.results()
    state = job.watcher.get_info(job.job_id, mode="force")["State"]
    # Logs are appended to: those of the first run are still there.
    runs = [line for line in job.stdout().splitlines() if line.startswith("run")]
    print(name, results, state, runs)


executor = submitit.AutoExecutor(folder="log")
executor.update_parameters(timeout_min=10)

# As its own tests do it: the signals of a preemption and of a time limit, by scancel.
for name, timeout in [("preempted", False), ("timed-out", True)]:
    job = executor.submit(Run(), name)
    started(name, 1)
    job._interrupt(timeout=timeout)
    ends(name, job)

# For real: a gang in the way of a job of a higher class.
executor.update_parameters(
    nodes=2, gpus_per_node=8, slurm_qos="preemptible", slurm_additional_parameters={"requeue": True}
)
gang = executor.submit(Run(), "gang")
started("gang", 2)
executor.update_parameters(slurm_qos="express", slurm_additional_parameters={})
print("urgent", executor.submit(len, "urgent").results())
ends("gang", gang)

# For real: the signal comes so long before the end of the only minute there is.
executor.update_parameters(
    nodes=1, gpus_per_node=0, slurm_qos="normal", timeout_min=1, slurm_signal_delay_s=56
)
ends("limit", executor.submit(Run(), "limit"))
