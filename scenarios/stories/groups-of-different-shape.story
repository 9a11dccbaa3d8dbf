# A gang may have groups of different shape

A learner with eight GPUs and four actors with one each start together, or not at all.

    node h1 H100x8
      > h1 joined
    node a[1-2] A100x4
      > a[1-2] joined
    submit "play" learner 1 x H100x8 plus actors 4 x A100x1, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on h1: learner gpus 0-7
      > job 1 launches on a1: actors 4 tasks, gpus 0-3
    started 1
      > job 1 runs
    submit "again" learner 1 x H100x8 plus actors 4 x A100x1, limit 1h
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: needs 8 GPUs; 0 are free
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends
    ended 1
      > job 1 is over: completed
      > job 2 launches on h1: learner gpus 0-7
      > job 2 launches on a1: actors 4 tasks, gpus 0-3
