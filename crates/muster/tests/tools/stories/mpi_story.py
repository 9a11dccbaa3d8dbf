"""Every rank of MPI's world tells the others its number."""

import os
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
everyone = world.allgather(world.rank)
# In one piece: the others write to the same place.
sys.stdout.write(f"rank {world.rank} on node {os.environ['SLURM_NODEID']} sees {everyone}\n")
