# A spike suspends training and gives its GPUs back

Training fills the node. It has said that its state can be moved to host memory within 20 seconds
and back within 10, and the node has room for that.

    node n1 H100x8, 2000GiB for suspended
      > n1 joined
    submit "training" 1 x H100x8, class batch, estimate 20h to 24h, can suspend 20s back 10s, state 60GiB
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    advance 15m

A short job of a higher class comes. It would wait for most of a day; the pause costs seconds. The
GPUs are held for it from here on.

    submit "spike" 1 x H100x8, class express, estimate 10m to 12m
      > job 2 is accepted
      > job 2 is queued
      > job 1 is frozen on n1
      > job 1 is pausing
    why 2
      > job 2 is queued
      > because: room is being made: job 1 gives way
      > probably starts at +0h20m40s
    why 1
      > job 1 is pausing
      > because: paused by suspend for job 2, whose class goes first: cost 4 GPU-min, benefit 157.9 GPU-h
    frozen 1
      > job 1 is suspended to host memory on n1
    suspended 1
      > job 1 is paused
      > job 2 launches on n1: gpus 0-7
    started 2
      > job 2 runs
    jobs
      > job  name      user    queue    class    state    attempt  nodes
      > 1    training  user-a  default  batch    paused   1        n1
      > 2    spike     user-a  default  express  running  1        n1
    why 1
      > job 1 is paused
      > because: paused by suspend for job 2, whose class goes first: cost 4 GPU-min, benefit 157.9 GPU-h
      > because: its own GPUs are used by job 2
      > probably starts at +0h25m

When it is done, training goes on where it was, on its own GPUs, in the same attempt.

    advance 9m
    ended 2
      > job 2 is over: completed
      > job 1 is resuming
      > job 1 is put back on its gpus on n1
    restored 1
      > job 1 computes again on n1
    thawed 1
      > job 1 runs
    jobs
      > job  name      user    queue    class    state      attempt  nodes
      > 1    training  user-a  default  batch    running    1        n1
      > 2    spike     user-a  default  express  completed  1
