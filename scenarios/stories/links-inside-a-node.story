# Inside a node, the best-linked GPUs

The node's GPUs are two NVLink groups of four. A job with four GPUs gets one group, not four
leftovers, and small jobs fill up a group that is broken already.

    node n1 H100x8, nvlink 0-3 4-7
      > n1 joined
    submit "one" 1 gpu, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpu 0
    submit "four" 4 gpus, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpus 4-7
    submit "two" 2 gpus, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpus 2-3
    started 1-3
      > job 1 runs
      > job 2 runs
      > job 3 runs
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x8      seen   1     1-3

A job that insists on NVLink does not take what is left of two groups.

    ended 2
      > job 2 is over: completed
    submit "two" 2 gpus, only-on @n1, limit 1h
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n1: gpus 4-5
    started 4
      > job 4 runs
    submit "insists" 3 gpus (nvlink), limit 1h
      > job 5 is accepted
      > job 5 is queued
    why 5
      > job 5 is queued
      > because: 3 GPUs are free but in pieces: its task does not fit
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 3 ends
    submit "does-not" 3 gpus, limit 1h
      > job 6 is accepted
      > job 6 is queued
      > job 6 launches on n1: gpus 1,6-7
