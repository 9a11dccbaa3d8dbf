# Least attained service, a baseline

Jobs come to the next level with the GPU-time they have had: here after 8 GPU-hours, which eight GPUs
have had after one hour. Estimates do not count.

    policy order las, las-limits 8h, run-min 0s, pause-interval 0s
    node n1 H100x8, 2000GiB for suspended
      > n1 joined
    submit "first" 1 x H100x8, estimate 1d to 2d, can suspend 20s back 10s, state 60GiB
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    submit "second" 1 x H100x8, estimate 5m to 6m, can suspend 20s back 10s, state 60GiB
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: needs 8 GPUs; 0 are free
      > because: job 1 is not paused: it does not rank far enough behind
      > probably starts at +1d00h00m
      > starts at +60d17h11m at the latest
      > would start at +1d00h00m when job 1 ends
    advance 59m

At the moment at which the first has had its 8 GPU-hours, it gives way.

    advance 1m
      > +1h00m job 1 is frozen on n1
      > +1h00m job 1 is pausing
    frozen 1
      > job 1 is suspended to host memory on n1
    suspended 1
      > job 1 is paused
      > job 2 launches on n1: gpus 0-7
    started 2
      > job 2 runs

Within a level nobody gives way: when the second has had as much, it runs on, and the first waits.

    advance 2h
    jobs
      > job  name    user    queue    class     state    attempt  nodes
      > 1    first   user-a  default  standard  paused   1        n1
      > 2    second  user-a  default  standard  running  1        n1

A newcomer takes its place.

    submit "third" 1 x H100x8, estimate 5m to 6m
      > job 3 is accepted
      > job 3 is queued
      > job 2 is frozen on n1
      > job 2 is pausing
    frozen 2
      > job 2 is suspended to host memory on n1
    suspended 2
      > job 2 is paused
      > job 3 launches on n1: gpus 0-7
    started 3
      > job 3 runs
    ended 3
      > job 3 is over: completed
      > job 1 is resuming
      > job 1 is put back on its gpus on n1
    jobs
      > job  name    user    queue    class     state      attempt  nodes
      > 1    first   user-a  default  standard  resuming   1        n1
      > 2    second  user-a  default  standard  paused     1        n1
      > 3    third   user-a  default  standard  completed  1
