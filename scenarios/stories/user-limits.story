# One user cannot take a whole queue

    queue team user limit 8
    node n[1-2] H100x8
      > n[1-2] joined
    submit "one" 8 gpus, by user-a, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    submit "two" 2 gpus, by user-a, limit 1h
      > job 2 is accepted
      > job 2 is queued
    submit "three" 2 gpus, by user-b, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n2: gpus 0-1
    started 1 3
      > job 1 runs
      > job 3 runs
    why 2
      > job 2 is queued
      > because: user-a uses 8 of 8 GPUs allowed per user in queue team; 2 more are wanted
      > probably starts at +1h00m
      > would start at +1h00m when job 1 ends

When the first job ends, its user may start another.

    ended 1
      > job 1 is over: completed
      > job 2 launches on n2: gpus 2-3
    started 2
      > job 2 runs
