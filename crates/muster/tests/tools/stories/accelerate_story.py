"""accelerate finds its processes, whoever started them."""

import sys

import torch
from accelerate import Accelerator

accelerator = Accelerator(cpu=True)
everyone = accelerator.gather(torch.tensor([accelerator.process_index])).tolist()
place = f"{accelerator.process_index} of {accelerator.num_processes}"
# In one piece: the others write to the same place.
sys.stdout.write(f"process {place} local {accelerator.local_process_index} sees {everyone}\n")
