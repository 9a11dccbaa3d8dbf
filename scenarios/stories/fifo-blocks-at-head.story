# First come, first served: nobody passes the head

The baseline that many clusters run. It is fair in its way, and leaves GPUs idle.

    policy order fifo, limit-max 12h
    node n1 H100x8
      > n1 joined
    submit "first" 4 gpus, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-3
    started 1
      > job 1 runs
    submit "wide" 8 gpus, limit 1h
      > job 2 is accepted
      > job 2 is queued
    submit "tiny" 1 gpu, limit 1m, estimate 1m
      > job 3 is accepted
      > job 3 is queued
    why 2
      > job 2 is queued
      > because: needs 8 GPUs; 4 are free
      > probably starts at +1h00m
      > starts at +1d17h11m at the latest
      > would start at +1h00m when job 1 ends
    why 3
      > job 3 is queued
      > because: job 2 is ahead and blocks
      > probably starts at +2h00m
      > starts at +7d12h30m30s at the latest
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x8      seen   4-7   1
    ended 1
      > job 1 is over: completed
      > job 2 launches on n1: gpus 0-7
    started 2
      > job 2 runs
    ended 2
      > job 2 is over: completed
      > job 3 launches on n1: gpu 0
