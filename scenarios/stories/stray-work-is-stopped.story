# What runs without anyone wanting it is stopped

A node comes back with an attempt that was given up long ago. Nobody waits for it; it is told to
stop, and the job's new attempt is not touched.

    node n[1-2] H100x8
      > n[1-2] joined
    submit "train" 1 x H100x8, only-on @n1,n2, limit 1d
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    lost n1, lease 5m
    advance 6m
      > +0h05m job 1 is stopping
      > +0h05m job 1 is queued
      > +0h05m job 1 attempt 2 launches on n2: gpus 0-7
    started 1
      > job 1 runs
    jobs
      > job  name   user    queue    class     state    attempt  nodes
      > 1    train  user-a  default  standard  running  2        n2
    rejoin n1, running 1.1
      > n1 joined
      > job 1 is told to stop on n1 within 30s
    jobs
      > job  name   user    queue    class     state    attempt  nodes
      > 1    train  user-a  default  standard  running  2        n2
    ended 1.1 on n1, stopped
    jobs
      > job  name   user    queue    class     state    attempt  nodes
      > 1    train  user-a  default  standard  running  2        n2
