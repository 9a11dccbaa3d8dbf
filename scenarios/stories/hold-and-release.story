# A held job waits until it is released

    node n1 H100x8
      > n1 joined
    submit "later" 1 gpu, hold, limit 1h
      > job 1 is accepted
    why 1
      > job 1 is waiting
      > because: held until released
    release 1
      > job 1 is queued
      > job 1 launches on n1: gpu 0

A queued job can be held, and leaves the line; a running one goes on and is held only if it comes
back to the line.

    started 1
      > job 1 runs
    submit "big" 8 gpus, limit 1h
      > job 2 is accepted
      > job 2 is queued
    hold 2
      > job 2 waits
    why 2
      > job 2 is waiting
      > because: held until released
    hold 1
    ended 1
      > job 1 is over: completed
    release 2
      > job 2 is queued
      > job 2 launches on n1: gpus 0-7

Not before a given time works the same way, without anyone having to release it.

    started 2
      > job 2 runs
    ended 2
      > job 2 is over: completed
    submit "tonight" 1 gpu, begin +6h, limit 1h
      > job 3 is accepted
    why 3
      > job 3 is waiting
      > because: may not start before +6h00m
      > probably starts at +6h00m
    advance 6h
      > +6h00m job 3 is queued
      > +6h00m job 3 launches on n1: gpu 0
