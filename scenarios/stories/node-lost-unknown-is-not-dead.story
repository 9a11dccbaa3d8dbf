# Losing sight of a node does not kill its work

    node n[1-2] H100x8
      > n[1-2] joined
    submit "steady" 1 x H100x8, limit 10h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    submit "unlucky" 1 x H100x8, limit 10h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-7
    started 1-2
      > job 1 runs
      > job 2 runs

Both nodes drop out of sight. Their agents keep the work alive until their leases end, so the
engine starts no second attempt: it might be the second one alive.

    lost n[1-2], lease 10m
    jobs
      > job  name     user    queue    class     state    attempt  nodes
      > 1    steady   user-a  default  standard  running  1        n1
      > 2    unlucky  user-a  default  standard  running  1        n2
    nodes
      > node  gpus    in  state                 free  jobs
      > n1    H100x8      unknown until +0h10m        1
      > n2    H100x8      unknown until +0h10m        2
    submit "new" 1 gpu, limit 1h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: no node in service matches it; any that would is drained, lost or not there
    cancel 3
      > job 3 is over: cancelled

One comes back in time, and its job never noticed.

    advance 5m
    returned n1, running 1

The other's lease ends. Now its job is certainly over, and gets another attempt where there is
room.

    advance 6m
      > +0h10m job 2 is stopping
      > +0h10m job 2 is queued
    jobs
      > job  name     user    queue    class     state      attempt  nodes
      > 1    steady   user-a  default  standard  running    1        n1
      > 2    unlucky  user-a  default  standard  queued     1
      > 3    new      user-a  default  standard  cancelled  0
    ended 1
      > job 1 is over: completed
      > job 2 attempt 2 launches on n1: gpus 0-7
    started 2
      > job 2 runs
    jobs
      > job  name     user    queue    class     state      attempt  nodes
      > 1    steady   user-a  default  standard  completed  1
      > 2    unlucky  user-a  default  standard  running    2        n1
      > 3    new      user-a  default  standard  cancelled  0

When the node comes back after all, it is empty, and takes work again.

    returned n2, running nothing
    nodes
      > node  gpus    in  state              free  jobs
      > n1    H100x8      seen                     2
      > n2    H100x8      seen, failures: 1  0-7
