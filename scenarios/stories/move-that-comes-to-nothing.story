# A move that comes to nothing costs nothing

A job is asked to save so that it can move. It does not, and goes on where it is, in the same
attempt; what was held for it and for the larger job is free again.

    policy defragmentation on
    node n1 H100x8
      > n1 joined
    node n2 H100x8
      > n2 joined
    submit "first" 1 x H100x4, class batch, estimate 20h to 24h, can checkpoint 20s back 10s
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-3
    started 1
      > job 1 runs
    submit "short" 1 x H100x4, class batch, estimate 10m to 12m
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpus 4-7
    started 2
      > job 2 runs
    submit "second" 1 x H100x4, class batch, estimate 20h to 24h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n2: gpus 0-3
    started 3
      > job 3 runs
    advance 12m
    ended 2
      > job 2 is over: completed
    submit "large" 1 x H100x8, class batch, estimate 20h to 24h
      > job 4 is accepted
      > job 4 is queued
      > job 1 is asked to save on n1
      > job 1 is pausing
    advance 6m
      > +0h17m40s job 1 runs
    jobs
      > job  name    user    queue    class  state      attempt  nodes
      > 1    first   user-a  default  batch  running    1        n1
      > 2    short   user-a  default  batch  completed  1
      > 3    second  user-a  default  batch  running    1        n2
      > 4    large   user-a  default  batch  queued     0
    submit "small" 1 x H100x4, class batch, estimate 1h to 2h
      > job 5 is accepted
      > job 5 is queued
      > job 5 launches on n1: gpus 4-7
