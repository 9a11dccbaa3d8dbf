# A maintenance that does not wait for what runs

A node has to be taken out in an hour and a half. What runs there without a limit would be there for
ever; the booking says that it is started again elsewhere. A job that may not be started again is
waited for all the same.

    node n[1-2] H100x8
      > n[1-2] joined
    submit "train" 4 gpus, only-on @n1|@n2
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-3
    submit "once" 2 gpus, only-on @n1, requeue never
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpus 4-5
    started 1 2
      > job 1 runs
      > job 2 runs
    book out from +1h30m, nodes n1, requeue
    at +1h29m30s
      > +1h29m30s job 1 is told to stop on n1 within 30s
      > +1h29m30s job 1 is stopping
    ended 1, stopped
      > job 1 is queued
      > job 1 attempt 2 launches on n2: gpus 0-3
    started 1
      > job 1 runs
    at +2h
    nodes
      > node  gpus    in  state                free     jobs
      > n1    H100x8      seen, booked as out  0-3,6-7  2
      > n2    H100x8      seen                 4-7      1

It has no end: it is a drain until it is taken back.

    submit "next" H100x8, only-on @n1, limit 10m
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: node n1 is set aside for maintenance out
    ended 2
      > job 2 is over: completed
    unbook out
      > job 3 launches on n1: gpus 0-7
