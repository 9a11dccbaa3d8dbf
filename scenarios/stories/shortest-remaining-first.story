# Shortest remaining time first, a baseline

The one with the least to run goes first, and takes the place of the one with the most. Nothing is
weighed. Here nobody is left alone for having just started.

    policy order srtf, run-min 0s, pause-interval 0s
    node n[1-2] H100x8, 2000GiB for suspended
      > n[1-2] joined
    submit "long" 1 x H100x8, estimate 9h to 9h, can suspend 20s back 10s, state 60GiB
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    submit "middle" 1 x H100x8, estimate 4h to 4h, can suspend 20s back 10s, state 60GiB
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-7
    started 1
      > job 1 runs
    started 2
      > job 2 runs
    advance 30m

What counts is what is left: three and a half hours of the second, so one of four hours has only the
first to take from.

    submit "four" 1 x H100x8, estimate 4h to 4h
      > job 3 is accepted
      > job 3 is queued
      > job 1 is frozen on n1
      > job 1 is pausing
    why 1
      > job 1 is pausing
      > because: paused by suspend for job 3, which ranks far enough before it: cost 4 GPU-min, benefit 67.9 GPU-h
    frozen 1
      > job 1 is suspended to host memory on n1
    suspended 1
      > job 1 is paused
      > job 3 launches on n1: gpus 0-7
    started 3
      > job 3 runs

Another of four hours finds nobody who has longer to run.

    submit "four-again" 1 x H100x8, estimate 4h to 4h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: needs 8 GPUs; 0 are free
      > because: job 2 is not paused: it does not rank far enough behind
      > probably starts at +4h00m
      > starts at +332d01h00m30s at the latest
      > would start at +4h00m when job 2 ends

A prediction that it will be done in an hour changes that.

    estimate 4 1h to 1h
      > job 2 is frozen on n2
      > job 2 is pausing
    frozen 2
      > job 2 is suspended to host memory on n2
    suspended 2
      > job 2 is paused
      > job 4 launches on n2: gpus 0-7
    started 4
      > job 4 runs
    ended 4
      > job 4 is over: completed
      > job 2 is resuming
      > job 2 is put back on its gpus on n2
