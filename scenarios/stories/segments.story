# Segments keep blocks of tasks together

A job of four tasks in blocks of two: each block must sit in one rack, but the blocks may be in
different racks. That is how a pipeline with two stages uses two racks that are each partly taken.

    levels rack
    node a[1-4] H100x8 in r1
      > a[1-4] joined
    node b[1-4] H100x8 in r2
      > b[1-4] joined
    submit "other" 1 x H100x8, only-on @a1, limit 4h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on a1: gpus 0-7
    submit "other" 1 x H100x8, only-on @b1, limit 4h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on b1: gpus 0-7
    started 1-2
      > job 1 runs
      > job 2 runs

No rack has room for all four tasks, but each has room for one block.

    submit "pipeline" 4 x H100x8, segment 2 in rack, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on a[2-3] b[2-3]: gpus 0-7
    started 3
      > job 3 runs

With blocks of four it would have to wait.

    ended 3
      > job 3 is over: completed
    submit "wide" 4 x H100x8, segment 4 in rack, limit 1h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: 48 GPUs are free but in pieces: 0 of its 4 tasks fit
      > because: has 4 nodes in r1 reserved from +4h00m give or take 1h31m
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends
