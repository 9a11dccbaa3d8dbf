# A job is warned before its limit, and stopped at it

    node n1 H100x8
      > n1 joined
    submit "train" 1 x H100x8, limit 2h, warning USR1 10m before
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    advance 3m
    started 1
      > job 1 runs

The limit counts from the start, not from the submission.

    advance 1h49m
    advance 1m
      > +1h53m job 1 is sent USR1 on n1
    advance 9m
    advance 2m
      > +2h03m job 1 is told to stop on n1 within 30s
      > +2h03m job 1 is stopping
    ended 1, stopped
      > job 1 is over: reached its time limit
    jobs
      > job  name   user    queue    class     state                   attempt  nodes
      > 1    train  user-a  default  standard  reached its time limit  1

A job that ends before its limit has not timed out; one that ends well only because it was told to
stop has.

    submit "quick" 1 x H100x8, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpus 0-7
    started 2
      > job 2 runs
    advance 59m
    ended 2, exit 0
      > job 2 is over: completed
    submit "obedient" 1 x H100x8, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpus 0-7
    started 3
      > job 3 runs
    advance 1h
      > +4h03m job 3 is told to stop on n1 within 30s
      > +4h03m job 3 is stopping
    ended 3, exit 0
      > job 3 is over: reached its time limit
