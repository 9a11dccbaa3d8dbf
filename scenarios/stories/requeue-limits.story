# Another attempt, but not for ever

A lost node is nobody's fault, so its job is started again, as often as it allows.

    node n[1-2] H100x8
      > n[1-2] joined
    submit "train" 1 x H100x8, requeue at most 1, limit 4h
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
    lost n2, lease 5m
    advance 6m
      > +0h11m job 1 is stopping
      > +0h11m job 1 is over: lost with a node
    jobs
      > job  name   user    queue    class     state             attempt  nodes
      > 1    train  user-a  default  standard  lost with a node  2

A failure of its own ends a job, unless it asks to be started again.

    returned n1, running nothing
    submit "fragile" 1 gpu, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpu 0
    started 2
      > job 2 runs
    ended 2, exit 1
      > job 2 is stopping
      > job 2 is over: failed, exit code 1
    submit "stubborn" 1 gpu, requeue when failed at most 2, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpu 0
    started 3
      > job 3 runs
    ended 3, exit 1
      > job 3 is stopping
      > job 3 waits
    advance 1m
      > +0h12m10s job 3 is queued
      > +0h12m10s job 3 attempt 2 launches on n1: gpu 0
    started 3
      > job 3 runs
    ended 3, exit 1
      > job 3 is stopping
      > job 3 waits
    advance 1m
      > +0h13m20s job 3 is queued
      > +0h13m20s job 3 attempt 3 launches on n1: gpu 0
    started 3
      > job 3 runs
    ended 3, exit 7
      > job 3 is stopping
      > job 3 is over: failed, exit code 7
    jobs
      > job  name      user    queue    class     state                attempt  nodes
      > 1    train     user-a  default  standard  lost with a node     2
      > 2    fragile   user-a  default  standard  failed, exit code 1  1
      > 3    stubborn  user-a  default  standard  failed, exit code 7  3

A user's own wish is not counted against the job.

    submit "wanted" 1 gpu, requeue never, limit 1h
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n1: gpu 0
    started 4
      > job 4 runs
    requeue 4
      > job 4 is told to stop on n1 within 30s
      > job 4 is stopping
    ended 4, stopped
      > job 4 is queued
      > job 4 attempt 2 launches on n1: gpu 0
    advance 1m
    jobs
      > job  name      user    queue    class     state                attempt  nodes
      > 1    train     user-a  default  standard  lost with a node     2
      > 2    fragile   user-a  default  standard  failed, exit code 1  1
      > 3    stubborn  user-a  default  standard  failed, exit code 7  3
      > 4    wanted    user-a  default  standard  launching            2        n1
