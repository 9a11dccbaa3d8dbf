# A job that did not fit once is tried again whenever it may start

That a job did not fit is remembered, so that nobody tries in vain. It is forgotten when there is
room again.

    node n1 H100x2
      > n1 joined
    submit "first" 2 x 1 gpu, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: 2 tasks, gpus 0-1
    started 1
      > job 1 runs
    submit "second" 1 gpu, requeue when failed at most 3, limit 1h
      > job 2 is accepted
      > job 2 is queued
    ended 1
      > job 1 is over: completed
      > job 2 launches on n1: gpu 0
    started 2
      > job 2 runs
    ended 2, exit 3
      > job 2 is stopping
      > job 2 waits
    advance 10s
      > +0h00m10s job 2 is queued
      > +0h00m10s job 2 attempt 2 launches on n1: gpu 0
