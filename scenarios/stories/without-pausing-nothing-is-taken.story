# Without pausing, nothing is taken from a running job

Where pausing is switched off, whatever comes and however urgent it is, what runs goes on.

    policy pausing off
    queue a
    queue b guarantee 8
    node n1 H100x8
      > n1 joined
    submit "filler" 8 gpus, queue a, class preemptible, limit 4h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    submit "urgent" 8 gpus, queue b, class inference, limit 1h, deadline +1h30m
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: needs 8 GPUs; 0 are free
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends
    advance 30m
    jobs
      > job  name    user    queue  class        state    attempt  nodes
      > 1    filler  user-a  a      preemptible  running  1        n1
      > 2    urgent  user-a  b      inference    queued   0
    ended 1
      > job 1 is over: completed
      > job 2 launches on n1: gpus 0-7
