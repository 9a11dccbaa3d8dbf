"""Lightning recognises Slurm, and trains with all tasks of the step."""

import os
import sys

import torch
from lightning_fabric import Fabric
from lightning_fabric.plugins.environments import SLURMEnvironment

environment = SLURMEnvironment()
is_own_port = environment.main_port == int(os.environ["MASTER_PORT"])
is_own_job = SLURMEnvironment.job_id() == int(os.environ["SLURM_JOB_ID"])
found = [SLURMEnvironment.detect(), environment.world_size(), environment.local_rank()]
found += [environment.node_rank(), environment.main_address, is_own_port, is_own_job]

fabric = Fabric(accelerator="cpu", devices=2, num_nodes=2, strategy="ddp")
fabric.launch()
assert isinstance(fabric.strategy.cluster_environment, SLURMEnvironment)
model = torch.nn.Linear(1, 1, bias=False)
torch.nn.init.ones_(model.weight)
model, optimizer = fabric.setup(model, torch.optim.SGD(model.parameters(), lr=1.0))
# The gradient is the mean of all ranks.
fabric.backward(model(torch.full((1, 1), float(fabric.global_rank))).sum())
optimizer.step()
# In one piece: the others write to the same place.
sys.stdout.write(f"rank {environment.global_rank()} {found} weight {model.weight.item()}\n")
