# Nodes that must, should and should not be used

    policy limit-max 12h
    node n1 H100x8, disk=fast
      > n1 joined
    node n2 H100x8, disk=slow, spot
      > n2 joined
    node n3 H100x8, disk=slow
      > n3 joined

    submit "must" 2 gpus, only-on disk=fast, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-1
    submit "should" 2 gpus, rather-on spot, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-1
    submit "should-not" 2 gpus, rather-not-on disk=fast | spot, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n3: gpus 0-1
    submit "either" 2 gpus, only-on (disk=slow & !spot) | @n1, limit 1h
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n1: gpus 2-3
    started 1-4
      > job 1 runs
      > job 2 runs
      > job 3 runs
      > job 4 runs

A wish is not a condition.

    submit "wide" 2 x 6 gpus, rather-not-on @n3, limit 1h
      > job 5 is accepted
      > job 5 is queued
      > job 5 launches on n[2-3]: gpus 2-7
    submit "must" 8 gpus, only-on disk=fast, limit 1h
      > job 6 is accepted
      > job 6 is queued
    why 6
      > job 6 is queued
      > because: needs 8 GPUs; 4 are free
      > probably starts at +1h00m
      > starts at +1d17h11m at the latest
