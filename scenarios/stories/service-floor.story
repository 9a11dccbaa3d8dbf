# No job waits for ever

Short jobs go first, so a long one can wait as long as short ones keep coming. A floor of the
cluster's capacity serves those who have waited too long, in the order they became ready, and each
job can be told when it will have started at the latest.

    policy floor 25%, floor-wait 1h, floor-quantum 30m, limit-max 2h
    node n1 H100x4
      > n1 joined
    submit "stream" 4 gpus, limit 20m, estimate 15m
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-3
    started 1
      > job 1 runs
    submit "long" 4 gpus, limit 2h, estimate 2h
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: needs 4 GPUs; 0 are free
      > probably starts at +0h15m
      > starts at +10h11m at the latest
      > would start at +0h15m when job 1 ends

Every quarter of an hour a shorter job comes, and goes first.

    submit "stream" 4 gpus, limit 20m, estimate 15m
      > job 3 is accepted
      > job 3 is queued
    advance 15m
    ended 1
      > job 1 is over: completed
      > job 3 launches on n1: gpus 0-3
    started 3
      > job 3 runs
    submit "stream" 4 gpus, limit 20m, estimate 15m
      > job 4 is accepted
      > job 4 is queued
    advance 15m
    ended 3
      > job 3 is over: completed
      > job 4 launches on n1: gpus 0-3
    started 4
      > job 4 runs
    submit "stream" 4 gpus, limit 20m, estimate 15m
      > job 5 is accepted
      > job 5 is queued
    advance 15m
    ended 4
      > job 4 is over: completed
      > job 5 launches on n1: gpus 0-3
    started 5
      > job 5 runs
    submit "stream" 4 gpus, limit 20m, estimate 15m
      > job 6 is accepted
      > job 6 is queued
    advance 15m
    why 2
      > job 2 is queued
      > because: needs 4 GPUs; 0 are free
      > probably starts at +1h02m45s218ms
      > starts at +5h35m30s at the latest
      > would start at +1h02m45s218ms when job 5 ends

After an hour without service the long job is served, ahead of the shorter one.

    ended 5
      > job 5 is over: completed
      > job 2 launches on n1: gpus 0-3
    started 2
      > job 2 runs
    decision 2
      > attempt 1 of job 2 was placed at +1h00m
      > got n1, with room for 0 more tasks
      > no other place of the same level
      > standing: ahead of all by the service floor, class 500, key 23.824
      > key: rank 23.824 - weight 0 - fair share 0 - urgency 0
    why 6
      > job 6 is queued
      > because: needs 4 GPUs; 0 are free
      > because: job 2 is not paused: it had waited too long and has just been served
      > probably starts at +3h00m
      > starts at +1d07h18m at the latest
      > would start at +3h00m when job 2 ends
