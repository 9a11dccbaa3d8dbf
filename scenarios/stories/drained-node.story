# A drained node finishes its work and takes no more

    node n[1-2] H100x8
      > n[1-2] joined
    submit "running" 4 gpus, only-on @n1, limit 2h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-3
    started 1
      > job 1 runs
    drain n1
    nodes
      > node  gpus    in  state          free  jobs
      > n1    H100x8      seen, drained  4-7   1
      > n2    H100x8      seen           0-7
    submit "new" 4 gpus, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-3
    started 2
      > job 2 runs
    submit "wide" 2 x H100x8, limit 1h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: the only matching node could hold 1 of its 2 tasks even if empty
    ended 1
      > job 1 is over: completed
    ended 2
      > job 2 is over: completed
    resume n1
      > job 3 launches on n[1-2]: gpus 0-7
    started 3
      > job 3 runs
