# A gang runs when every node has confirmed, and one refusal releases all

    node n[1-3] H100x8
      > n[1-3] joined
    submit "train" 2 x H100x8, limit 4h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n[1-2]: gpus 0-7

One node has confirmed. The job is not running yet.

    started 1 on n1
    jobs
      > job  name   user    queue    class     state      attempt  nodes
      > 1    train  user-a  default  standard  launching  1        n[1-2]

The other refuses. What was launched is taken back, and only then is the gang placed again,
without the node that refused.

    refused 1 on n2, node disk-full
      > job 1 is told to stop on n1 within 30s
      > job 1 is stopping
    nodes
      > node  gpus    in  state                                     free  jobs
      > n1    H100x8      seen                                            1
      > n2    H100x8      seen, rests until +0h00m10s, failures: 1        1
      > n3    H100x8      seen                                      0-7
    ended 1 on n1, stopped
      > job 1 is queued
      > job 1 attempt 2 launches on n[1,3]: gpus 0-7
    why 1
      > job 1 is launching
    advance 1m
    nodes
      > node  gpus    in  state              free  jobs
      > n1    H100x8      seen                     1
      > n2    H100x8      seen, failures: 1  0-7
      > n3    H100x8      seen                     1
    started 1
      > job 1 runs
    jobs
      > job  name   user    queue    class     state    attempt  nodes
      > 1    train  user-a  default  standard  running  2        n[1,3]

A refusal that is the job's own fault is not blamed on the node, and is not tried for ever.

    submit "wrong" 1 gpu, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpu 0
    refused 2, job no-such-folder
      > job 2 is stopping
      > job 2 waits
    why 2
      > job 2 is waiting
      > because: pauses until +0h01m10s after a failed launch
      > probably starts at +0h01m10s
    advance 10s
      > +0h01m10s job 2 is queued
      > +0h01m10s job 2 attempt 2 launches on n2: gpu 0
    refused 2, job no-such-folder
      > job 2 is stopping
      > job 2 waits
    advance 20s
      > +0h01m30s job 2 is queued
      > +0h01m30s job 2 attempt 3 launches on n2: gpu 0
    refused 2, job no-such-folder
      > job 2 is stopping
      > job 2 is over: could not be launched
    nodes
      > node  gpus    in  state              free  jobs
      > n1    H100x8      seen                     1
      > n2    H100x8      seen, failures: 1  0-7
      > n3    H100x8      seen                     1
    jobs
      > job  name   user    queue    class     state                  attempt  nodes
      > 1    train  user-a  default  standard  running                2        n[1,3]
      > 2    wrong  user-a  default  standard  could not be launched  3
