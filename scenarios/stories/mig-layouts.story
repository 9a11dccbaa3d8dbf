# Cards that are cut

A card has seven compute slices and eight of memory, and an instance may start only at some of them.
No layout is promised that the card cannot have.

    node n1 A100x1, sharing hard
      > n1 joined
    submit "small" 1g.10gb (1 cpu, 4GiB memory), limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: 0.125 of gpu 0 (cut from eighth 6 to 6)
    submit "large" 4g.40gb (1 cpu, 4GiB memory), limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: 0.5 of gpu 0 (cut from eighth 0 to 3)
    submit "middle" 2g.20gb (1 cpu, 4GiB memory), limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: 0.25 of gpu 0 (cut from eighth 4 to 5)

All seven compute slices are given away now.

    submit "more" 1g.10gb (1 cpu, 4GiB memory), limit 1h
      > job 4 is accepted
      > job 4 is queued
    started 1-3
      > job 1 runs
      > job 2 runs
      > job 3 runs
    why 4
      > job 4 is queued
      > because: needs 0.125 of a GPU; what is free of GPUs is not where its slices can be
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends
    ended 1
      > job 1 is over: completed
      > job 4 launches on n1: 0.125 of gpu 0 (cut from eighth 6 to 6)
