# A gang starts whole or not at all

A gang of two 8-GPU tasks needs two free nodes. One is in use, so nothing is held while it waits:
the free node still takes smaller work.

    node n[1-2] H100x8
      > n[1-2] joined
    submit "small" H100x1, limit 2h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpu 0
    started 1
      > job 1 runs
    submit "train" 2 x H100x8, limit 4h
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: needs 16 GPUs; 15 are free
      > because: has 2 nodes reserved from +2h00m give or take 31m
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start now with 1 task, 8 GPUs in all
      > would start at +1h00m when job 1 ends

The free node is not kept for the gang.

    submit "other" 4 gpus, limit 30m
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpus 4-7
    started 3
      > job 3 runs
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x8      seen   1-3   1,3
      > n2    H100x8      seen   0-7

With both nodes empty the gang starts on both at once.

    ended 1
      > job 1 is over: completed
    ended 3
      > job 3 is over: completed
      > job 2 launches on n[1-2]: gpus 0-7
    started 2
      > job 2 runs
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x8      seen         2
      > n2    H100x8      seen         2
