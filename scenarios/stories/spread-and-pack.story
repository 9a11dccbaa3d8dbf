# Pack or spread

Tasks sit on as few nodes as possible, unless the job wants as many as possible.

    node n[1-5] H100x8
      > n[1-5] joined
    submit "packed" 4 x 2 gpus, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: 4 tasks, gpus 0-1 and 2-3 and 4-5 and 6-7
    submit "spread" 4 x 2 gpus, spread, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n[2-5]: gpus 0-1
    started 1-2
      > job 1 runs
      > job 2 runs
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x8      seen         1
      > n2    H100x8      seen   2-7   2
      > n3    H100x8      seen   2-7   2
      > n4    H100x8      seen   2-7   2
      > n5    H100x8      seen   2-7   2
