# A job keeps its number, and no number is given twice

Not after a requeue, not after a restart, and not when every job before is over and forgotten.

    policy remember-ended 1h
    node n1 H100x8
      > n1 joined
    submit "one" 1 gpu, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpu 0
    started 1
      > job 1 runs
    requeue 1
      > job 1 is told to stop on n1 within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 is queued
      > job 1 attempt 2 launches on n1: gpu 0
    advance 1m
    started 1
      > job 1 runs
    ended 1
      > job 1 is over: completed
    advance 2h
    tick
    jobs
      > job  name  user  queue  class  state  attempt  nodes
    restart
    submit "two" 1 gpu, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpu 0
    submit "not-like-this" 1 gpu, class nonesuch
      > not accepted: class: `nonesuch` is not allowed; expected one of inference, reserved, express, standard, batch, preemptible
    submit "three" 1 gpu, limit 1h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpu 1
