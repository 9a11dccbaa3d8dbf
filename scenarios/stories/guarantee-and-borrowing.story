# A guarantee is lent while it is not used, and comes first when it is

Two teams with eight of sixteen GPUs each.

    policy limit-max 12h, pausing off
    queue a guarantee 8
    queue b guarantee 8
    node n[1-2] H100x8
      > n[1-2] joined

Team a uses what team b leaves idle.

    submit "one" 1 x H100x8, queue a, limit 4h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    submit "two" 1 x H100x8, queue a, limit 2h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-7
    started 1-2
      > job 1 runs
      > job 2 runs
    queues
      > queue  used  guarantee  limit  per user  weight
      > a      16    8          -      -         1
      > b      0     8          -      -         1

Both want more. Team b is below its guarantee, so it goes first, although team a came first and
its job is shorter and of a higher class.

    submit "three" 1 x H100x8, queue a, class express, limit 10m, estimate 5m
      > job 3 is accepted
      > job 3 is queued
    submit "four" 1 x H100x8, queue b, limit 10h, estimate 8h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: needs 8 GPUs; 0 are free
      > probably starts at +1h00m
      > starts at +7d12h30m30s at the latest
      > would start at +1h00m when job 1 ends
    ended 2
      > job 2 is over: completed
      > job 4 launches on n2: gpus 0-7
    started 4
      > job 4 runs
    decision 4
      > attempt 1 of job 4 was placed at +0h00m
      > got n2, with room for 0 more tasks
      > no other place of the same level
      > standing: within its queue's guarantee, class 500, key 26.324
      > key: rank 26.324 - weight 0 - fair share 0 - urgency 0

Beyond its guarantee a team borrows: team a still runs eight GPUs when its next job starts.

    ended 4
      > job 4 is over: completed
      > job 3 launches on n2: gpus 0-7
    decision 3
      > attempt 1 of job 3 was placed at +0h00m
      > got n2, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 800, key 19.739
      > key: rank 19.739 - weight 0 - fair share 0 - urgency 0
