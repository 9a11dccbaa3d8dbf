# What several give up is held until all of it is there

Two elastic jobs use two nodes. A gang of two tasks with four GPUs each needs something of both.
The first gives its part; a small job that would fit there has to leave it alone, for the gang was
promised it.

    levels rack
    node n[1-2] H100x8 in rack-1
      > n[1-2] joined
    submit "one" 1..2 x H100x4, require node, estimate 1-00:00:00
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-3
    submit "two" 1..2 x H100x4, require node, only-on @n2, estimate 1-00:00:00
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-3
    started 1
      > job 1 runs
      > job 1 is to have 2 tasks, gpus 0-3 and 4-7 on n1
    started 2
      > job 2 runs
      > job 2 is to have 2 tasks, gpus 0-3 and 4-7 on n2
    resized 1
    resized 2
    submit "gang" 2 x H100x4
      > job 3 is accepted
      > job 3 is queued
      > job 1 is to have gpus 0-3 on n1
      > job 2 is to have gpus 0-3 on n2
    resized 1
    submit "small" H100x1
      > job 4 is accepted
      > job 4 is queued
    why 3
      > job 3 is queued
      > because: room is being made: job 2 gives tasks back
      > probably starts at +0h00m30s
    why 4
      > job 4 is queued
      > because: needs 1 GPU; 0 are free
      > probably starts at +1d00h00m
      > starts at +60d17h11m at the latest
      > would start at +1d00h00m when job 1 ends
    resized 2
      > job 3 launches on n[1-2]: gpus 4-7
    jobs
      > job  name   user    queue    class     state      attempt  nodes
      > 1    one    user-a  default  standard  running    1        n1
      > 2    two    user-a  default  standard  running    1        n2
      > 3    gang   user-a  default  standard  launching  1        n[1-2]
      > 4    small  user-a  default  standard  queued     0
