# A lost rack is one event

    levels rack
    node r1-[1-3] H100x8 in r1
      > r1-[1-3] joined
    node r2-[1-3] H100x8 in r2
      > r2-[1-3] joined
    submit "across" 4 x H100x8
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on r1-[1-3] r2-1: gpus 0-7
    submit "pair" 2 x H100x8, only-on @r2-2,r2-3
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on r2-[2-3]: gpus 0-7
    started 1-2
      > job 1 runs
      > job 2 runs
    jobs
      > job  name    user    queue    class     state    attempt  nodes
      > 1    across  user-a  default  standard  running  1        r1-[1-3] r2-1
      > 2    pair    user-a  default  standard  running  1        r2-[2-3]

The switch of a rack fails. That is told in one command, and the leases end in one step: the gang
is lost once, and only its node that is still there is told to stop.

    lost together in r1, lease 5m
    advance 5m
      > +0h05m job 1 is told to stop on r2-1 within 30s
      > +0h05m job 1 is stopping
    nodes
      > node  gpus    in  state              free  jobs
      > r1-1  H100x8  r1  gone, failures: 1        1
      > r1-2  H100x8  r1  gone, failures: 1        1
      > r1-3  H100x8  r1  gone, failures: 1        1
      > r2-1  H100x8  r2  seen                     1
      > r2-2  H100x8  r2  seen                     2
      > r2-3  H100x8  r2  seen                     2

Another rack has joined meanwhile. What was on the node that is left stays there.

    node r3-[1-4] H100x8 in r3
      > r3-[1-4] joined
    ended 1, stopped
      > job 1 is queued
      > job 1 attempt 2 launches on r3-[1-3] r2-1: gpus 0-7
    decision 1
      > attempt 2 of job 1 was placed at +0h05m
      > got the cluster on r3-[1-3] r2-1, with room for 1 more task
      > no other place of the same level
      > standing: ahead of the queue after the loss of a node, class 500, key 23.783
      > key: rank 23.783 - weight 0 - fair share 0 - urgency 0
      > repaired after losing r1-[1-3]: 1 stayed, 3 moved
    jobs
      > job  name    user    queue    class     state      attempt  nodes
      > 1    across  user-a  default  standard  launching  2        r3-[1-3] r2-1
      > 2    pair    user-a  default  standard  running    1        r2-[2-3]

The rack comes back empty.

    returned r1-1, running nothing
    returned r1-2, running nothing
    returned r1-3, running nothing
    nodes
      > node  gpus    in  state              free  jobs
      > r1-1  H100x8  r1  seen, failures: 1  0-7
      > r1-2  H100x8  r1  seen, failures: 1  0-7
      > r1-3  H100x8  r1  seen, failures: 1  0-7
      > r2-1  H100x8  r2  seen                     1
      > r2-2  H100x8  r2  seen                     2
      > r2-3  H100x8  r2  seen                     2
      > r3-1  H100x8  r3  seen                     1
      > r3-2  H100x8  r3  seen                     1
      > r3-3  H100x8  r3  seen                     1
      > r3-4  H100x8  r3  seen               0-7
