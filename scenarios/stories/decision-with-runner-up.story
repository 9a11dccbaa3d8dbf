# Why this place

A job is told which place it got, which was the next best, and how it stood in the line. Small jobs
go where they leave least behind, so whole nodes stay whole.

    node n[1-3] H100x8
      > n[1-3] joined
    submit "four" 4 gpus, only-on @n2, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n2: gpus 0-3
    submit "six" 6 gpus, only-on @n3, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n3: gpus 0-5
    started 1-2
      > job 1 runs
      > job 2 runs
    submit "two" 2 gpus, weight 1, estimate 30m, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n3: gpus 6-7
    decision 3
      > attempt 1 of job 3 was placed at +0h00m
      > got n3, with room for 0 more tasks
      > next best: n2, with room for 1 more task
      > standing: borrowing, class 500, key 20.324
      > key: rank 21.324 - weight 1 - fair share 0 - urgency 0
    submit "more" 2 gpus, limit 1h
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n2: gpus 4-5
    decision 4
      > attempt 1 of job 4 was placed at +0h00m
      > got n2, with room for 1 more task
      > next best: n1, with room for 3 more tasks
      > standing: borrowing, class 500, key 20.499
      > key: rank 20.499 - weight 0 - fair share 0 - urgency 0
    submit "whole" 8 gpus, limit 1h
      > job 5 is accepted
      > job 5 is queued
      > job 5 launches on n1: gpus 0-7
    decision 5
      > attempt 1 of job 5 was placed at +0h00m
      > got n1, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 21.499
      > key: rank 21.499 - weight 0 - fair share 0 - urgency 0
    submit "waits" 8 gpus, limit 1h
      > job 6 is accepted
      > job 6 is queued
    decision 6
      > job 6 has not been placed
