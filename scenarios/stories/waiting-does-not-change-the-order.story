# Age is no argument

A job's place in the line comes from its class, its guarantee, its size and its owner's share, not
from how long it has stood there. Those who wait too long are served by the floor instead, which is
a share of the capacity and not a rule of the order.

    policy floor-wait 12h
    node n1 H100x8
      > n1 joined
    submit "first" 8 gpus, limit 5h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    submit "old-and-long" 8 gpus, limit 8h, estimate 8h
      > job 2 is accepted
      > job 2 is queued
    advance 4h
    submit "new-and-short" 8 gpus, limit 1h, estimate 30m
      > job 3 is accepted
      > job 3 is queued
    ended 1
      > job 1 is over: completed
      > job 3 launches on n1: gpus 0-7
    why 2
      > job 2 is queued
      > because: needs 8 GPUs; 0 are free
      > probably starts at +4h30m
      > starts at +60d17h11m at the latest
      > would start at +4h30m when job 3 ends
