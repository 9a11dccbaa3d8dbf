# What would start it now

The answer to "why" names the changes that would help, found by trying them.

    levels rack
    queue team limit 16
    queue other
    node h[1-2] H100x8 in r1
      > h[1-2] joined
    node h3 H100x8 in r2
      > h3 joined
    node a[1-2] A100x8 in r2
      > a[1-2] joined
    submit "first" 1 x H100x8, queue other, only-on @h1, limit 3h, estimate 3h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on h1: gpus 0-7
    started 1
      > job 1 runs

A gang that wants two nodes of one rack: without the rack it would start now, and on another model
too, and smaller.

    submit "train" 2 x H100x8, queue team, require rack, limit 1h
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: no rack has room for 2 tasks together; the best, r1, has room for 1
      > because: has 2 nodes in r1 reserved from +3h00m give or take 2s
      > probably starts at +3h00m
      > would start now with 1 task, 8 GPUs in all
      > would start now on A100
      > would start now without one rack for all
      > would start at +3h00m when job 1 ends
    cancel 2
      > job 2 is over: cancelled

A job that wants more than its queue may have.

    submit "wide" 3 x 8 gpus, queue team, limit 1h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: queue team uses 0 of its 16 GPUs; 24 more are wanted
      > would start now with 2 tasks, 16 GPUs in all
    cancel 3
      > job 3 is over: cancelled

A job that only one node will do for.

    submit "picky" 1 x H100x8, queue team, only-on @h1, limit 1h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: needs 8 GPUs; 0 are free
      > probably starts at +3h00m
      > would start now on any nodes
      > would start at +3h00m when job 1 ends
