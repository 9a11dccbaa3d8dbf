# A paused gang is frozen, moved and brought back as one

    policy reservations 0
    node n[1-2] H100x8, 2000GiB for suspended
      > n[1-2] joined
    submit "training" 2 x H100x8, class batch, estimate 20h to 24h, can suspend 20s back 10s, state 60GiB
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n[1-2]: gpus 0-7
    started 1
      > job 1 runs
    advance 15m
    submit "spike" 2 x H100x8, class express, estimate 10m to 12m
      > job 2 is accepted
      > job 2 is queued
      > job 1 is frozen on n[1-2]
      > job 1 is pausing

No node suspends before all are frozen.

    frozen 1 on n1
    frozen 1 on n2
      > job 1 is suspended to host memory on n[1-2]
    suspended 1 on n1
    suspended 1 on n2
      > job 1 is paused
      > job 2 launches on n[1-2]: gpus 0-7
    started 2
      > job 2 runs

One of its nodes is taken by someone else when the spike ends. The gang does not go back onto the
other alone: that is there for whoever fits.

    submit "evaluation" 1 x H100x8, class inference, estimate 1h to 2h
      > job 3 is accepted
      > job 3 is queued
    ended 2
      > job 2 is over: completed
      > job 3 launches on n1: gpus 0-7
    submit "short" 1 x H100x8, class batch, estimate 1m to 2m
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n2: gpus 0-7
    started 3-4
      > job 3 runs
      > job 4 runs
    ended 4
      > job 4 is over: completed
    why 1
      > job 1 is paused
      > because: paused by suspend for job 2, whose class goes first: cost 0.1 GPU-h, benefit 315.9 GPU-h
      > because: its own GPUs are used by job 3
      > probably starts at +1h15m
    ended 3
      > job 3 is over: completed
      > job 1 is resuming
      > job 1 is put back on its gpus on n[1-2]

Nobody computes before all are restored.

    restored 1 on n2
    restored 1 on n1
      > job 1 computes again on n[1-2]
    thawed 1
      > job 1 runs
    jobs
      > job  name        user    queue    class      state      attempt  nodes
      > 1    training    user-a  default  batch      running    1        n[1-2]
      > 2    spike       user-a  default  express    completed  1
      > 3    evaluation  user-a  default  inference  completed  1
      > 4    short       user-a  default  batch      completed  1
