# A waiting job is always told why

    levels rack
    node n[1-2] H100x8 in r1, 64 cpus
      > n[1-2] joined
    node n3 H100x8 in r2, 64 cpus
      > n3 joined

More than the cluster has:

    submit "huge" 8 x H100x8, limit 1h
      > job 1 is accepted
      > job 1 is queued
    why 1
      > job 1 is queued
      > because: the 3 matching nodes could hold 3 of its 8 tasks even if empty
      > would start now with 3 tasks, 24 GPUs in all

More than one node has:

    submit "fat" 1 x 16 gpus, limit 1h
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: the 3 matching nodes could not hold its task even if empty
    submit "thirsty" 1 x 1 gpu (256 cpus), limit 1h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: the 3 matching nodes could not hold its task even if empty

No node like that:

    submit "picky" 1 gpu, only-on disk=fast, limit 1h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: no node in service matches it; any that would is drained, lost or not there
      > would start now on any nodes

Enough GPUs, but in pieces:

    submit "six" 6 gpus, only-on @n1, limit 2h
      > job 5 is accepted
      > job 5 is queued
      > job 5 launches on n1: gpus 0-5
    submit "six" 6 gpus, only-on @n2, limit 2h
      > job 6 is accepted
      > job 6 is queued
      > job 6 launches on n2: gpus 0-5
    submit "six" 6 gpus, only-on @n3, limit 2h
      > job 7 is accepted
      > job 7 is queued
      > job 7 launches on n3: gpus 0-5
    started 5-7
      > job 5 runs
      > job 6 runs
      > job 7 runs
    submit "four" 4 gpus, limit 1h
      > job 8 is accepted
      > job 8 is queued
    why 8
      > job 8 is queued
      > because: 6 GPUs are free but in pieces: its task does not fit
      > probably starts at +1h00m
      > starts at +2653d10h04m at the latest
      > would start at +1h00m when job 5 ends

GPUs, but no CPUs beside them:

    submit "busy" 1 gpu (40 cpus), only-on @n1, limit 2h
      > job 9 is accepted
      > job 9 is queued
      > job 9 launches on n1: gpu 6
    started 9
      > job 9 runs
    submit "busy" 1 gpu (40 cpus), only-on @n1, limit 2h
      > job 10 is accepted
      > job 10 is queued
    why 10
      > job 10 is queued
      > because: GPUs for its task are free, CPUs and memory beside them are not
      > probably starts at +1h00m
      > starts at +2804d03h01m30s at the latest
      > would start now on any nodes
      > would start at +1h00m when job 9 ends
