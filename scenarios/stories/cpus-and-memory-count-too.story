# CPUs and memory are packed too

    node n1 H100x8, 64 cpus, 512GiB memory
      > n1 joined
    submit "loader" 2 x 1 gpu (24 cpus), limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: 2 tasks, gpus 0-1
    started 1
      > job 1 runs
    submit "wants-cpus" 1 gpu (32 cpus), limit 1h
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: GPUs for its task are free, CPUs and memory beside them are not
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends

More memory than any node has will never do.

    submit "wants-memory" 1 gpu (4 cpus, 600GiB memory), limit 1h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: the only matching node could not hold its task even if empty

What fits beside the loader starts.

    submit "modest" 1 gpu (4 cpus, 400GiB memory), limit 1h
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n1: gpu 2
    started 4
      > job 4 runs

A task that wants its node for itself waits for an empty one, and then nobody joins it.

    submit "exclusive" 1 gpu (exclusive), limit 1h
      > job 5 is accepted
      > job 5 is queued
    why 5
      > job 5 is queued
      > because: 5 GPUs are free but in pieces: its task does not fit
      > probably starts at +2h00m
      > starts at +181d05h33m at the latest
    ended 1
      > job 1 is over: completed
      > job 2 launches on n1: gpu 3
    ended 4
      > job 4 is over: completed
    started 2
      > job 2 runs
    ended 2
      > job 2 is over: completed
      > job 5 launches on n1: gpu 0
    submit "last" 1 gpu, limit 1h
      > job 6 is accepted
      > job 6 is queued
    why 6
      > job 6 is queued
      > because: needs 1 GPU; 0 are free
      > probably starts at +1h00m
      > starts at +120d23h22m at the latest
      > would start at +1h00m when job 5 ends
