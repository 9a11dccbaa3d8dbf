# Idle GPUs go where they save most

Two elastic jobs with the same work run beside each other. Four more tasks make the first five
times as fast, and the second hardly faster at all. When six GPUs become idle, the first is given
all it can use, and the second the rest.

    policy elastic-interval 5m
    node n1 H100x8
      > n1 joined
    submit "blocker" H100x6
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-5
    started 1
      > job 1 runs
    submit "scales" 1..5 x H100x1, estimate 1-00:00:00, speeds 1:100 5:500
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpu 6
    submit "lags" 1..8 x H100x1, estimate 1-00:00:00, speeds 1:100 8:130, resize 1m
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpu 7
    started 2
      > job 2 runs
    started 3
      > job 3 runs
    ended 1
      > job 1 is over: completed
      > job 2 is to have 5 tasks, gpus 0-3,6 on n1
      > job 3 is to have 3 tasks, gpus 4-5,7 on n1
    resized 2
    resized 3
    why 2
      > job 2 is running
      > has 5 of 1 to 5 tasks: all it can use
    why 3
      > job 3 is running
      > has 3 of 1 to 8 tasks: no more before +0h05m, for its size has just changed
