# What goes wrong while a size changes

A node refuses to launch what was to be added. The job goes on with what it had; what the other
node was to add has a higher rank and is taken back too, for ranks have no gaps.

    levels rack
    node n[1-3] H100x8 in rack-1
      > n[1-3] joined
    submit "a" H100x8, only-on @n2
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n2: gpus 0-7
    submit "b" H100x8, only-on @n3
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n3: gpus 0-7
    started 1 2
      > job 1 runs
      > job 2 runs
    submit "train" 1..3 x H100x8, estimate 1-00:00:00
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpus 0-7
    ended 1
      > job 1 is over: completed
    ended 2
      > job 2 is over: completed
    started 3
      > job 3 runs
      > job 3 is to have gpus 0-7 on n[2-3]
    refused 3 on n2, node device-busy
      > job 3 is to leave n[2-3]
    resized 3
    why 3
      > job 3 is running
      > has 1 of 1 to 3 tasks: no more before +0h10m, for its size has just changed

It tries again when it may. This time the node it grows onto is lost before it has said anything.
That costs the job nothing: the lease is waited for, and then it is as large as before.

    advance 10m
      > +0h10m job 3 is to have gpus 0-7 on n[2-3]
    lost n3, lease 1m
    resized 3 on n2
    advance 1m
    why 3
      > job 3 is running
      > has 2 of 1 to 3 tasks: no more before +0h20m, for its size has just changed
    nodes
      > node  gpus    in      state              free  jobs
      > n1    H100x8  rack-1  seen                     3
      > n2    H100x8  rack-1  seen, failures: 1        3
      > n3    H100x8  rack-1  gone, failures: 1  0-7
