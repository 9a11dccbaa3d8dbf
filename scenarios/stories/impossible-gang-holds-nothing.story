# A gang that can never start holds nothing

A task that wants its node for itself, and another that must be on the same node: that can never
be. Such a gang waits, but no node is held for it, however long it has waited.

    policy floor 25%, floor-wait 1h, limit-max 12h
    node n1 A100x8
      > n1 joined
    submit "busy" A100x8, limit 6h, estimate 6h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    submit "never" alone 1 x no gpus (exclusive) plus beside 1 x A100x1, require node, limit 1h
      > job 2 is accepted
      > job 2 is queued
    advance 2h
    submit "fits" A100x8, limit 2h
      > job 3 is accepted
      > job 3 is queued
    ended 1
      > job 1 is over: completed
      > job 3 launches on n1: gpus 0-7
