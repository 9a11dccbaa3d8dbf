# A singleton runs one at a time per user and name

    node n1 H100x8
      > n1 joined
    submit "nightly" 1 gpu, singleton, by user-a, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpu 0
    submit "nightly" 1 gpu, singleton, by user-a, limit 1h
      > job 2 is accepted
    submit "nightly" 1 gpu, singleton, by user-b, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpu 1
    submit "other" 1 gpu, singleton, by user-a, limit 1h
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n1: gpu 2
    why 2
      > job 2 is waiting
      > because: waits for job 1 of the same user and name
    started 1
      > job 1 runs
    ended 1
      > job 1 is over: completed
      > job 2 is queued
      > job 2 launches on n1: gpu 0
    started 2
      > job 2 runs
