# A node that is down is still known

Its agent may be restarted, its lease may end: it keeps its number, its place and its drained mark,
and comes back as what it was.

    levels rack
    node n[1-2] H100x8 in r1
      > n[1-2] joined
    drain n2
    submit "train" 1 x H100x8, limit 1d
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs

The agent of a node restarts; its tasks survive.

    rejoin n1, running 1
      > n1 joined
    jobs
      > job  name   user    queue    class     state    attempt  nodes
      > 1    train  user-a  default  standard  running  1        n1

Both nodes are lost for good.

    lost n[1-2], lease 5m
    advance 1h
      > +0h05m job 1 is stopping
      > +0h05m job 1 is queued
    nodes
      > node  gpus    in  state                       free  jobs
      > n1    H100x8  r1  gone, failures: 1           0-7
      > n2    H100x8  r1  gone, drained, failures: 1  0-7
    why 1
      > job 1 is queued
      > because: no node in service matches it; any that would is drained, lost or not there

They come back, one of them as a fresh agent with nothing running.

    rejoin n1, running nothing
      > n1 joined
      > job 1 attempt 2 launches on n1: gpus 0-7
    returned n2, running nothing
    nodes
      > node  gpus    in  state                       free  jobs
      > n1    H100x8  r1  seen, failures: 1                 1
      > n2    H100x8  r1  seen, drained, failures: 1  0-7
    jobs
      > job  name   user    queue    class     state      attempt  nodes
      > 1    train  user-a  default  standard  launching  2        n1
