# A node that cannot suspend a job is no reason to lose it

The job can be suspended, or save. Its node turns out not to be able to suspend it: the freeze is
undone, and the job is asked to save instead. It is not asked to suspend again in this attempt.

    node n1 H100x8, 2000GiB for suspended
      > n1 joined
    submit "training" 1 x H100x8, class batch, estimate 20h to 24h, can suspend 20s back 10s,
        can checkpoint 1m back 2m, state 60GiB
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    advance 15m
    submit "spike" 1 x H100x8, class express, estimate 10m to 12m
      > job 2 is accepted
      > job 2 is queued
      > job 1 is frozen on n1
      > job 1 is pausing
    unpaused 1 on n1, cannot freeze
      > job 1 computes again on n1
    thawed 1
      > job 1 runs
      > job 1 is asked to save on n1
      > job 1 is pausing
    why 2
      > job 2 is queued
      > because: room is being made: job 1 gives way
      > probably starts at +0h22m
    saved 1
      > job 1 is told to stop on n1 within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 is queued
      > job 2 launches on n1: gpus 0-7
    why 1
      > job 1 is queued
      > because: needs 8 GPUs; 0 are free
      > because: paused by checkpoint for job 2, whose class goes first: cost 0.4 GPU-h, benefit 157.9 GPU-h
      > probably starts at +0h25m
      > starts at +60d17h26m at the latest
      > would start at +0h25m when job 2 ends
    started 2
      > job 2 runs
    ended 2
      > job 2 is over: completed
      > job 1 attempt 2 launches on n1: gpus 0-7
    started 1
      > job 1 runs

Another that can only be suspended runs on when its node cannot, and the plan is given up.

    ended 1
      > job 1 is over: completed
    submit "stubborn" 1 x H100x8, class batch, estimate 20h to 24h, can suspend 20s back 10s
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpus 0-7
    started 3
      > job 3 runs
    advance 15m
    submit "spike" 1 x H100x8, class express, estimate 10m to 12m
      > job 4 is accepted
      > job 4 is queued
      > job 3 is frozen on n1
      > job 3 is pausing
    unpaused 3 on n1, cannot freeze
      > job 3 computes again on n1
    thawed 3
      > job 3 runs
    why 4
      > job 4 is queued
      > because: needs 8 GPUs; 0 are free
      > because: job 3 is not paused: it was paused lately and is left alone until +0h35m
      > probably starts at +20h15m
      > starts at +60d17h41m at the latest
      > would start at +20h15m when job 3 ends
    jobs
      > job  name      user    queue    class    state      attempt  nodes
      > 1    training  user-a  default  batch    completed  2
      > 2    spike     user-a  default  express  completed  1
      > 3    stubborn  user-a  default  batch    running    1        n1
      > 4    spike     user-a  default  express  queued     0
