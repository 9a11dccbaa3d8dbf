# One GPU, one mode

A GPU is whole, shared by MPS (soft), by taking turns (none), or cut by MIG (hard): one of them at a
time, and it changes only while it is empty. Cutting needs a node that says it can.

    node n1 H100x2
      > n1 joined
    submit "soft" 0.25 (1 cpu, 4GiB memory), limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: 0.25 of gpu 0
    submit "turns" 0.25 (1 cpu, 4GiB memory, isolated none), limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: 0.25 of gpu 1 (taking turns)
    submit "hard" 0.25 (1 cpu, 4GiB memory, isolated hard), limit 1h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: the only matching node could not hold its task even if empty
    node n2 H100x1, sharing hard
      > n2 joined
      > job 3 launches on n2: 0.25 of gpu 0 (cut from eighth 4 to 5)
    submit "soft-too" 0.75 (1 cpu, 4GiB memory), limit 1h
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n1: 0.75 of gpu 0
    submit "one-more" 0.5 (1 cpu, 4GiB memory), limit 1h
      > job 5 is accepted
      > job 5 is queued
    started 1-4
      > job 1 runs
      > job 2 runs
      > job 3 runs
      > job 4 runs
    why 5
      > job 5 is queued
      > because: needs 0.5 of a GPU; none is free that could be shared as it asks
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 2 ends
    ended 2
      > job 2 is over: completed
      > job 5 launches on n1: 0.5 of gpu 1
