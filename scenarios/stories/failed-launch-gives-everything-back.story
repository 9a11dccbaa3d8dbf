# A launch that fails gives back all it held

    node n[1-2] H100x8
      > n[1-2] joined
    submit "train" 2 x H100x8, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n[1-2]: gpus 0-7
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x8      seen         1
      > n2    H100x8      seen         1

No node ever confirms. After the time a launch may take, the attempt is ended everywhere, and
tried again after a pause.

    advance 6m
      > +0h05m job 1 is told to stop on n[1-2] within 30s
      > +0h05m job 1 is stopping
    ended 1 on n1, stopped
    nodes
      > node  gpus    in  state              free  jobs
      > n1    H100x8      seen, failures: 1        1
      > n2    H100x8      seen, failures: 1        1
    ended 1 on n2, stopped
      > job 1 is queued
      > job 1 attempt 2 launches on n[1-2]: gpus 0-7
    nodes
      > node  gpus    in  state              free  jobs
      > n1    H100x8      seen, failures: 1        1
      > n2    H100x8      seen, failures: 1        1
    why 1
      > job 1 is launching
    advance 1m
    started 1
      > job 1 runs
    ended 1
      > job 1 is over: completed
    nodes
      > node  gpus    in  state              free  jobs
      > n1    H100x8      seen, failures: 1  0-7
      > n2    H100x8      seen, failures: 1  0-7

A job that cannot be launched does not hold the cluster up: its pauses double, and it ends.

    submit "wrong" 1 gpu, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpu 0
    refused 2, job no-such-folder
      > job 2 is stopping
      > job 2 waits
    why 2
      > job 2 is waiting
      > because: pauses until +0h07m10s after a failed launch
      > probably starts at +0h07m10s
    jobs
      > job  name   user    queue    class     state      attempt  nodes
      > 1    train  user-a  default  standard  completed  2
      > 2    wrong  user-a  default  standard  waiting    1
