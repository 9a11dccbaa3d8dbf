# A job moves to make room for a larger one

Each node is half taken, and a job that needs a whole node comes. Eight GPUs are free, but not
beside each other.

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

Instead of waiting for most of a day, one of those that can save moves to the free half of the other
node. That half is held for it before it is asked to save.

    submit "large" 1 x H100x8, class batch, estimate 20h to 24h
      > job 4 is accepted
      > job 4 is queued
      > job 1 is asked to save on n1
      > job 1 is pausing
    why 4
      > job 4 is queued
      > because: room is being made: job 1 gives way
      > probably starts at +0h17m40s
    why 1
      > job 1 is pausing
      > because: moved for job 4: cost 2 GPU-min; job 4 starts 19h48m earlier
    saved 1
      > job 1 is told to stop on n1 within 30s
      > job 1 is stopping

In the moment in which it has ended, both start.

    ended 1, stopped
      > job 1 is queued
      > job 4 launches on n1: gpus 0-7
      > job 1 attempt 2 launches on n2: gpus 4-7
    started 1
      > job 1 runs
    started 4
      > job 4 runs
    decision 1
      > attempt 2 of job 1 was placed at +0h12m
      > got n2, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 100, key 27.146
      > key: rank 27.146 - weight 0 - fair share 0 - urgency 0
      > moved for job 4: cost 2 GPU-min; job 4 starts 19h48m earlier
      > a node of it fails about every 154d
      > save about every 6h24m
    jobs
      > job  name    user    queue    class  state      attempt  nodes
      > 1    first   user-a  default  batch  running    2        n2
      > 2    short   user-a  default  batch  completed  1
      > 3    second  user-a  default  batch  running    1        n2
      > 4    large   user-a  default  batch  running    1        n1
