"""JAX finds out by itself that it runs under srun, who it is and where the others are."""

import sys

import jax

jax.distributed.initialize()

from jax.experimental import multihost_utils  # noqa: E402: it looks at the devices at once

everyone = multihost_utils.process_allgather(jax.numpy.array([jax.process_index()]))
# In one piece: the others write to the same place.
place = f"{jax.process_index()} of {jax.process_count()}"
sys.stdout.write(f"process {place} sees {everyone.ravel().tolist()}\n")
