# A GPU that reports errors takes nothing new

What runs on it goes on: the job itself may not be hurt, and it knows best.

    node n1 H100x8
      > n1 joined
    submit "running" 2 gpus, limit 2h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-1
    started 1
      > job 1 runs
    unhealthy n1 gpu 1
    unhealthy n1 gpu 7
    nodes
      > node  gpus    in  state                                  free  jobs
      > n1    H100x8      seen, gpus 1,7 unhealthy, failures: 2  2-6   1

Five healthy GPUs are free, not six.

    submit "six" 6 gpus, limit 1h
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: needs 6 GPUs; 5 are free
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends
    submit "five" 5 gpus, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpus 2-6
    started 3
      > job 3 runs

When its job ends, the sick GPU is not free.

    ended 1
      > job 1 is over: completed
    nodes
      > node  gpus    in  state                                  free  jobs
      > n1    H100x8      seen, gpus 1,7 unhealthy, failures: 2  0     3
    ended 3
      > job 3 is over: completed
      > job 2 launches on n1: gpus 0,2-6
    started 2
      > job 2 runs
    healthy n1 gpus 1,7
    nodes
      > node  gpus    in  state              free  jobs
      > n1    H100x8      seen, failures: 2  1,7   2
