# A job that is nearly done is left to finish

Pausing costs this job eighteen minutes, and it has ten left.

    node n1 H100x8, 2000GiB for suspended
      > n1 joined
    submit "training" 1 x H100x8, class batch, estimate 100m to 100m, can suspend 9m back 9m, state 60GiB
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    advance 90m
    submit "spike" 1 x H100x8, class express, estimate 10m to 12m
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: needs 8 GPUs; 0 are free
      > because: job 1 is not paused: it is 90 % complete, 10m are left
      > probably starts at +1h40m
      > starts at +60d18h41m at the latest
      > would start at +1h40m when job 1 ends
    advance 10m
    ended 1
      > job 1 is over: completed
      > job 2 launches on n1: gpus 0-7
