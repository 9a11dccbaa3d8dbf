# A report counts for its own attempt only

    node n[1-2] H100x8
      > n[1-2] joined
    submit "train" 1 x H100x8, limit 4h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs

A confirmation that comes twice changes nothing.

    started 1.1 on n1

The user wants another attempt. The second one must not be hurt by what the first still says.

    requeue 1
      > job 1 is told to stop on n1 within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 is queued
      > job 1 attempt 2 launches on n1: gpus 0-7
    advance 1m
    started 1
      > job 1 runs
    ended 1.1 on n1, exit 1
    ended 1.1 on n1, exit 0
    started 1.1 on n1
    refused 1.1 on n1, node disk-full
    jobs
      > job  name   user    queue    class     state    attempt  nodes
      > 1    train  user-a  default  standard  running  2        n1

A report from a node that has nothing to do with the job changes nothing either.

    ended 1.2 on n2, exit 1
    jobs
      > job  name   user    queue    class     state    attempt  nodes
      > 1    train  user-a  default  standard  running  2        n1

Only the second attempt's own end counts, once.

    ended 1
      > job 1 is over: completed
    ended 1.2 on n1, exit 1
    jobs
      > job  name   user    queue    class     state      attempt  nodes
      > 1    train  user-a  default  standard  completed  2
