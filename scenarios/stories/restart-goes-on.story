# A restart of the engine changes nothing

The engine is replaced by one that is restored from its snapshot. What ran still runs, what waited
still waits, and numbers go on where they were.

    policy reservations 0
    queue a guarantee 8
    queue b
    node n[1-2] H100x8
      > n[1-2] joined
    submit "run" 1 x H100x8, queue a, limit 2h, warning TERM 5m before
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    submit "launch" 1 x H100x8, queue b, limit 2h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-7
    submit "wait" 1 x H100x8, queue b, hold, limit 2h
      > job 3 is accepted
    submit "queue" 2 x H100x8, queue a, limit 2h
      > job 4 is accepted
      > job 4 is queued
    submit "sweep" 1 gpu, queue b, array 0-3 at most 1, limit 1h
      > array 5 is accepted as jobs 6-9
      > job 6 is queued
    started 1
      > job 1 runs
    restart
    jobs
      > job  name      user    queue  class     state      attempt  nodes
      > 1    run       user-a  a      standard  running    1        n1
      > 2    launch    user-a  b      standard  launching  1        n2
      > 3    wait      user-a  b      standard  waiting    0
      > 4    queue     user-a  a      standard  queued     0
      > 6    sweep[0]  user-a  b      standard  queued     0
      > 7    sweep[1]  user-a  b      standard  waiting    0
      > 8    sweep[2]  user-a  b      standard  waiting    0
      > 9    sweep[3]  user-a  b      standard  waiting    0
    started 2
      > job 2 runs
    advance 1h
    restart
    submit "later" 1 gpu, queue a, limit 1h
      > job 10 is accepted
      > job 10 is queued
    advance 1h
      > +1h55m job 1 is sent TERM on n1
      > +2h00m job 1 is told to stop on n1 within 30s
      > +2h00m job 1 is stopping
      > +2h00m job 2 is told to stop on n2 within 30s
      > +2h00m job 2 is stopping
    restart
    ended 1, stopped
      > job 1 is over: reached its time limit
      > job 10 launches on n1: gpu 0
      > job 6 launches on n1: gpu 1
    ended 2, stopped
      > job 2 is over: reached its time limit
    jobs
      > job  name      user    queue  class     state                   attempt  nodes
      > 1    run       user-a  a      standard  reached its time limit  1
      > 2    launch    user-a  b      standard  reached its time limit  1
      > 3    wait      user-a  b      standard  waiting                 0
      > 4    queue     user-a  a      standard  queued                  0
      > 6    sweep[0]  user-a  b      standard  launching               1        n1
      > 7    sweep[1]  user-a  b      standard  waiting                 0
      > 8    sweep[2]  user-a  b      standard  waiting                 0
      > 9    sweep[3]  user-a  b      standard  waiting                 0
      > 10   later     user-a  a      standard  launching               1        n1
