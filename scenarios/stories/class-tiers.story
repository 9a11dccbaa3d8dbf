# A higher class goes first, whatever the score

Class is a promise, not a number to be outweighed: a long express job goes before a short standard
one, a standard one before batch, and fillers come last.

    node n1 H100x8
      > n1 joined
    submit "now" 1 x H100x8, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    submit "filler" 1 x H100x8, class preemptible, limit 10m, estimate 1m
      > job 2 is accepted
      > job 2 is queued
    submit "batch" 1 x H100x8, class batch, limit 10m, estimate 1m
      > job 3 is accepted
      > job 3 is queued
    submit "standard" 1 x H100x8, class standard, limit 10m, estimate 1m
      > job 4 is accepted
      > job 4 is queued
    submit "express" 1 x H100x8, class express, limit 10h, estimate 9h
      > job 5 is accepted
      > job 5 is queued
    submit "inference" 1 x H100x8, class inference, limit 10h, estimate 9h
      > job 6 is accepted
      > job 6 is queued
    ended 1
      > job 1 is over: completed
      > job 6 launches on n1: gpus 0-7
    started 6
      > job 6 runs
    ended 6
      > job 6 is over: completed
      > job 5 launches on n1: gpus 0-7
    started 5
      > job 5 runs
    ended 5
      > job 5 is over: completed
      > job 4 launches on n1: gpus 0-7
    started 4
      > job 4 runs
    ended 4
      > job 4 is over: completed
      > job 3 launches on n1: gpus 0-7
    started 3
      > job 3 runs
    ended 3
      > job 3 is over: completed
      > job 2 launches on n1: gpus 0-7
