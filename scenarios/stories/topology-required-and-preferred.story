# A required level is never given up, a preferred one is

Two racks of two nodes. A gang of two whole nodes can sit in one rack, or across both.

    policy reservations 0
    levels rack
    node a[1-2] H100x8 in r1
      > a[1-2] joined
    node b[1-2] H100x8 in r2
      > b[1-2] joined

One node in each rack is in use.

    submit "first" 1 x H100x8, only-on @a1, limit 3h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on a1: gpus 0-7
    submit "second" 1 x H100x8, only-on @b1, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on b1: gpus 0-7
    started 1-2
      > job 1 runs
      > job 2 runs

A gang that requires one rack waits, though enough GPUs are free.

    submit "strict" 2 x H100x8, require rack, limit 1h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: no rack has room for 2 tasks together; the best, r1, has room for 1
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start now with 1 task, 8 GPUs in all
      > would start now without one rack for all
      > would start at +1h00m when job 1 ends

One that prefers a rack does not wait for it.

    submit "flexible" 2 x H100x8, prefer rack, limit 30m
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on a2 b2: gpus 0-7
    started 4
      > job 4 runs

When a whole rack is free, the strict one starts there.

    ended 4
      > job 4 is over: completed
    ended 2
      > job 2 is over: completed
      > job 3 launches on b[1-2]: gpus 0-7
    started 3
      > job 3 runs

A gang that prefers a rack gets one where there is one.

    ended 3
      > job 3 is over: completed
    submit "again" 2 x H100x8, prefer rack, limit 30m
      > job 5 is accepted
      > job 5 is queued
      > job 5 launches on b[1-2]: gpus 0-7
