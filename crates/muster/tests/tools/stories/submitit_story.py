"""submitit submits, waits, fans out, fails and cancels as on any Slurm cluster."""

import time

import submitit


def place(first, second):
    environment = submitit.JobEnvironment()
    return first + second, environment.num_tasks, environment.global_rank


def fails():
    raise ValueError("meant to")


executor = submitit.AutoExecutor(folder="log")
print("cluster", executor.cluster)

executor.update_parameters(timeout_min=10, name="story", nodes=2, tasks_per_node=2)
job = executor.submit(place, 1, 2)
print("gang", sorted(job.results()))

executor.update_parameters(nodes=1, tasks_per_node=1, slurm_array_parallelism=2)
jobs = executor.map_array(place, [1, 2, 3], [4, 5, 6])
print("array", [job.result()[0] for job in jobs])

job = executor.submit(fails)
print("failure", "meant to" in str(job.exception()))

job = executor.submit(time.sleep, 300)
while job.watcher.get_info(job.job_id, mode="force").get("State") != "RUNNING":
    time.sleep(0.1)
job.cancel()
while not job.done(force_check=True):
    time.sleep(0.1)
print("cancelled", job.watcher.get_info(job.job_id, mode="force")["State"].split()[0])
