# What can be spared is given back before anyone is paused

Half of a node is with a job that could be suspended, the other half with an elastic job that has
grown to four tasks.

    levels rack
    node n1 H100x8 in rack-1, 4096GiB for suspended
      > n1 joined
    submit "train" H100x4, class batch, estimate 20h, can suspend 20s back 10s
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-3
    started 1
      > job 1 runs
    submit "sweep" 1..4 x H100x1, class batch, estimate 20h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpu 4
    started 2
      > job 2 runs
      > job 2 is to have 4 tasks, gpus 4-7 on n1
    resized 2
    advance 15m

An urgent job of three GPUs costs nobody a pause.

    submit "urgent" H100x3, class express, estimate 10m
      > job 3 is accepted
      > job 3 is queued
      > job 2 is to have gpu 4 on n1
    why 3
      > job 3 is queued
      > because: room is being made: job 2 gives tasks back
      > probably starts at +0h15m30s
    resized 2
      > job 3 launches on n1: gpus 5-7
    started 3
      > job 3 runs
    ended 3
      > job 3 is over: completed

One of seven needs more than can be spared: the one gives back all it can, the other is suspended, and
the urgent job starts when both are done.

    advance 11m
      > +0h25m job 2 is to have 4 tasks, gpus 4-7 on n1
    resized 2
    submit "wide" H100x7, class express, estimate 10m
      > job 4 is accepted
      > job 4 is queued
      > job 2 is to have gpu 4 on n1
      > job 1 is frozen on n1
      > job 1 is pausing
    why 4
      > job 4 is queued
      > because: room is being made: job 2 gives tasks back, job 1 gives way
      > probably starts at +0h31m40s
    resized 2
    frozen 1
      > job 1 is suspended to host memory on n1
    suspended 1
      > job 1 is paused
      > job 4 launches on n1: gpus 0-3,5-7
    started 4
      > job 4 runs
    jobs
      > job  name    user    queue    class    state      attempt  nodes
      > 1    train   user-a  default  batch    paused     1        n1
      > 2    sweep   user-a  default  batch    running    1        n1
      > 3    urgent  user-a  default  express  completed  1
      > 4    wide    user-a  default  express  running    1        n1
    ended 4
      > job 4 is over: completed
      > job 1 is resuming
      > job 1 is put back on its gpus on n1
    why 1
      > job 1 is resuming
