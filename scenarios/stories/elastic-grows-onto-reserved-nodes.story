# Reserved nodes are lent to a job that can shrink out of them

Two nodes of a rack are reserved for a gang. One of them is free long before the other.

    levels rack
    queue default
    node n1 H100x8 in rack-6
      > n1 joined
    node n[2-3] H100x8 in rack-7
      > n[2-3] joined
    submit "soon" H100x8, only-on @n2, estimate 30m to 31m
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n2: gpus 0-7
    submit "late" H100x8, only-on @n3, estimate 2h to 2h10m
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n3: gpus 0-7
    submit "sweep" 1..2 x H100x8, class express, estimate 20h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpus 0-7
    started 1-3
      > job 1 runs
      > job 2 runs
      > job 3 runs
    advance 20m
    submit "gang" 2 x H100x8, estimate 4h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: needs 16 GPUs; 0 are free
      > because: has 2 nodes in rack-7 reserved from +2h28m05s415ms give or take 23m
      > because: job 3 is not paused: it does not rank far enough behind
      > probably starts at +2h00m
      > starts at +60d17h31m at the latest
    advance 10m
    ended 1
      > job 1 is over: completed
      > job 3 is to have gpus 0-7 on n2

The sweep takes it until the gang needs it.

    resized 3
    why 3
      > job 3 is running
      > has 2 of 1 to 2 tasks, 1 of them on rack-7 until +2h28m05s415ms, lent from job 4: all it can use
    advance 80m

When the other is free too, the sweep gives back what it was lent, though its class goes first, and
nobody is paused.

    ended 2
      > job 2 is over: completed
      > job 3 is to leave n2
    why 4
      > job 4 is queued
      > because: room is being made: job 3 gives tasks back
      > probably starts at +1h50m30s
    resized 3
      > job 4 launches on n[2-3]: gpus 0-7
    started 4
      > job 4 runs
    why 3
      > job 3 is running
      > has 1 of 1 to 2 tasks: no more before +2h00m, for its size has just changed
