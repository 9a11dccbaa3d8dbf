# A job can be cancelled at any point of its life

    node n[1-2] H100x8
      > n[1-2] joined

While it waits:

    submit "waiting" 1 gpu, hold, limit 1h
      > job 1 is accepted
    cancel 1
      > job 1 is over: cancelled

While it is queued:

    submit "big" 2 x H100x8, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n[1-2]: gpus 0-7
    started 2
      > job 2 runs
    submit "queued" 1 gpu, limit 1h
      > job 3 is accepted
      > job 3 is queued
    cancel 3
      > job 3 is over: cancelled

While it is launching: what was launched must end first, and its GPUs are free no sooner.

    cancel 2
      > job 2 is told to stop on n[1-2] within 30s
      > job 2 is stopping
    submit "launching" 1 x H100x8, limit 1h
      > job 4 is accepted
      > job 4 is queued
    ended 2 on n1, stopped
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x8      seen         2
      > n2    H100x8      seen         2
    ended 2 on n2, stopped
      > job 2 is over: cancelled
      > job 4 launches on n1: gpus 0-7
    cancel 4
      > job 4 is told to stop on n1 within 30s
      > job 4 is stopping
    started 4
    ended 4, stopped
      > job 4 is over: cancelled

Twice, and when it is over:

    submit "twice" 1 gpu, limit 1h
      > job 5 is accepted
      > job 5 is queued
      > job 5 launches on n1: gpu 0
    started 5
      > job 5 runs
    cancel 5
      > job 5 is told to stop on n1 within 30s
      > job 5 is stopping
    cancel 5
    ended 5, stopped
      > job 5 is over: cancelled
    cancel 5
      > not accepted: job: 5 is not allowed; expected a job that is not over

A success that was on its way when the job was cancelled:

    submit "racing" 1 gpu, limit 1h
      > job 6 is accepted
      > job 6 is queued
      > job 6 launches on n1: gpu 0
    started 6
      > job 6 runs
    cancel 6
      > job 6 is told to stop on n1 within 30s
      > job 6 is stopping
    ended 6, exit 0
      > job 6 is over: cancelled
    jobs
      > job  name       user    queue    class     state      attempt  nodes
      > 1    waiting    user-a  default  standard  cancelled  0
      > 2    big        user-a  default  standard  cancelled  1
      > 3    queued     user-a  default  standard  cancelled  0
      > 4    launching  user-a  default  standard  cancelled  1
      > 5    twice      user-a  default  standard  cancelled  1
      > 6    racing     user-a  default  standard  cancelled  1
