# What is guaranteed and lent is back when it is wanted

Team b uses the GPUs that team a leaves idle, with a job that has said nothing of how it could be
paused, and with a filler.

    queue a guarantee 8
    queue b
    node n[1-2] H100x8
      > n[1-2] joined
    submit "long" 1 x H100x8, queue b, limit 20h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    submit "filler" 1 x H100x8, queue b, class preemptible, limit 20h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-7
    started 1-2
      > job 1 runs
      > job 2 runs
    advance 5m

Team a wants its own. The filler is the cheaper of the two to end.

    submit "own" 1 x H100x8, queue a, class batch, limit 9h
      > job 3 is accepted
      > job 3 is queued
      > job 2 is told to stop on n2 within 30s
      > job 2 is stopping
    why 3
      > job 3 is queued
      > because: room is being made: job 2 gives way
      > probably starts at +0h05m30s
    ended 2, stopped
      > job 2 is queued
      > job 3 launches on n2: gpus 0-7
    started 3
      > job 3 runs
    jobs
      > job  name    user    queue  class        state    attempt  nodes
      > 1    long    user-a  b      standard     running  1        n1
      > 2    filler  user-a  b      preemptible  queued   1
      > 3    own     user-a  a      batch        running  1        n2
    queues
      > queue  used  guarantee  limit  per user  weight
      > a      8     8          -      -         1
      > b      8     -          -      -         1

More than its guarantee is not reclaimed.

    submit "more" 1 x H100x8, queue a, class batch, limit 9h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: needs 8 GPUs; 0 are free
      > probably starts at +1h00m
      > starts at +332d00h35m30s at the latest
      > would start at +1h00m when job 1 ends
