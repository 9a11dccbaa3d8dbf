# Parts of a GPU

A task may ask for part of a GPU: a fraction, so much of its memory, or a range that the engine
closes to fit. Parts go beside each other before a whole GPU is broken, and a GPU that is shared is
not free for those who want it whole.

    node n1 H100x2
      > n1 joined
    submit "half" 0.5 (1 cpu, 4GiB memory), limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: 0.5 of gpu 0
    submit "memory" 20GiB (1 cpu, 4GiB memory), limit 2h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: 0.25 of gpu 0
    submit "whole" 2 gpus, limit 1h
      > job 3 is accepted
      > job 3 is queued

The range takes the last quarter and no more: that closes the GPU.

    submit "range" 0.125..0.5 (1 cpu, 4GiB memory), limit 2h
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n1: 0.25 of gpu 0
    started 1-2 4
      > job 1 runs
      > job 2 runs
      > job 4 runs
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x2      seen   1     1-2,4
    why 3
      > job 3 is queued
      > because: needs 2 GPUs; 1 is free
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest

With the last part gone, the GPU is whole again.

    ended 1
      > job 1 is over: completed
    ended 2
      > job 2 is over: completed
    ended 4
      > job 4 is over: completed
      > job 3 launches on n1: gpus 0-1
