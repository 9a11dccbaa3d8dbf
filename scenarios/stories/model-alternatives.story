# GPU models in order of preference

A job may name several models. It gets the first one that has room, and all its tasks get the same
model.

    node h1 H100x8
      > h1 joined
    node a[1-2] A100x8
      > a[1-2] joined

    submit "choosy" 1 x H100|A100x8, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on h1: gpus 0-7
    submit "again" 1 x H100|A100x8, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on a1: gpus 0-7
    started 1-2
      > job 1 runs
      > job 2 runs

Eight H100 and eight A100 do not make a gang of two: its tasks are equal.

    ended 1
      > job 1 is over: completed
    submit "pair" 2 x H100|A100x8, limit 1h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: needs 16 GPUs; 8 are free
      > because: has 2 nodes reserved from +1h00m give or take 1s
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start now with 1 task, 8 GPUs in all
      > would start at +1h00m when job 2 ends
    ended 2
      > job 2 is over: completed
      > job 3 launches on a[1-2]: gpus 0-7
    started 3
      > job 3 runs
