# A clock that stands still or goes back does no harm

    node n1 H100x8
      > n1 joined
    submit "train" 1 x H100x8, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    advance 30m

The clock goes back. The engine stays at the latest time it has seen: nothing runs twice as long,
nothing starts twice.

    clock back 20m
    tick
    submit "next" 1 x H100x8, limit 1h
      > job 2 is accepted
      > job 2 is queued
    advance 10m
    jobs
      > job  name   user    queue    class     state    attempt  nodes
      > 1    train  user-a  default  standard  running  1        n1
      > 2    next   user-a  default  standard  queued   0
    advance 39m
    advance 2m
      > +1h00m job 1 is told to stop on n1 within 30s
      > +1h00m job 1 is stopping
    ended 1, stopped
      > job 1 is over: reached its time limit
      > job 2 launches on n1: gpus 0-7
