# Moves that are only told

With previews, everything is as if jobs were never moved; it is only told what moving them would
bring.

    policy defragmentation preview
    node n1 H100x8
      > n1 joined
    node n2 H100x8
      > n2 joined
    submit "first" 1 x H100x4, class batch, estimate 20h to 24h, can checkpoint 20s back 10s
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-3
    started 1
      > job 1 runs
    submit "short" 1 x H100x4, class batch, estimate 10m to 12m
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpus 4-7
    started 2
      > job 2 runs
    submit "second" 1 x H100x4, class batch, estimate 20h to 24h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n2: gpus 0-3
    started 3
      > job 3 runs
    advance 12m
    ended 2
      > job 2 is over: completed
    submit "large" 1 x H100x8, class batch, estimate 20h to 24h
      > job 4 is accepted
      > job 4 is queued
      > preview for job 4: moving job 1 (cost 2 GPU-min) would let it start at once instead of about +20h00m
    why 4
      > job 4 is queued
      > because: 8 GPUs are free but in pieces: its task does not fit
      > because: job 1 is not paused: it does not rank far enough behind
      > because: moving job 1 (cost 2 GPU-min) would let it start at once instead of about +20h00m
      > probably starts at +20h00m
      > starts at +60d17h23m at the latest
      > would start at +20h00m when job 1 ends
    advance 1h
    jobs
      > job  name    user    queue    class  state      attempt  nodes
      > 1    first   user-a  default  batch  running    1        n1
      > 2    short   user-a  default  batch  completed  1
      > 3    second  user-a  default  batch  running    1        n2
      > 4    large   user-a  default  batch  queued     0
