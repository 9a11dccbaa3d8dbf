# Within a tier: short before long, and what the user and the deadline add

    node n1 H100x8
      > n1 joined
    submit "now" 8 gpus, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    submit "long" 8 gpus, limit 8h, estimate 4h
      > job 2 is accepted
      > job 2 is queued
    submit "short" 8 gpus, limit 8h, estimate 10m
      > job 3 is accepted
      > job 3 is queued
    submit "middle-but-heavy" 8 gpus, limit 8h, estimate 20m, weight 2
      > job 4 is accepted
      > job 4 is queued
    submit "long-but-due" 8 gpus, limit 8h, estimate 4h to 5h, deadline +7h
      > job 5 is accepted
      > job 5 is queued
    ended 1
      > job 1 is over: completed
      > job 4 launches on n1: gpus 0-7
    started 4
      > job 4 runs
    decision 4
      > attempt 1 of job 4 was placed at +0h00m
      > got n1, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 19.739
      > key: rank 21.739 - weight 2 - fair share 0 - urgency 0
    ended 4
      > job 4 is over: completed
      > job 3 launches on n1: gpus 0-7
    started 3
      > job 3 runs
    decision 3
      > attempt 1 of job 3 was placed at +0h00m
      > got n1, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 20.739
      > key: rank 20.739 - weight 0 - fair share 0 - urgency 0
    ended 3
      > job 3 is over: completed
      > job 5 launches on n1: gpus 0-7
    started 5
      > job 5 runs
    decision 5
      > attempt 1 of job 5 was placed at +0h00m
      > got n1, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 23.517
      > key: rank 25.324 - weight 0 - fair share 0 - urgency 1.807
    ended 5
      > job 5 is over: completed
      > job 2 launches on n1: gpus 0-7
    decision 2
      > attempt 1 of job 2 was placed at +0h00m
      > got n1, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 25.324
      > key: rank 25.324 - weight 0 - fair share 0 - urgency 0

A prediction that comes in later counts from then on.

    started 2
      > job 2 runs
    submit "a" 8 gpus, limit 8h, estimate 1h
      > job 6 is accepted
      > job 6 is queued
    submit "b" 8 gpus, limit 8h, estimate 2h
      > job 7 is accepted
      > job 7 is queued
    estimate 7 5m to 10m
    ended 2
      > job 2 is over: completed
      > job 7 launches on n1: gpus 0-7
