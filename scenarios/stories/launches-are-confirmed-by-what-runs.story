# An agent that restarts says what runs, and that is believed

The confirmation of a launch was lost with the agent. Its list of what runs confirms it all the
same; what is not on the list does not run.

    node n[1-2] H100x8
      > n[1-2] joined
    submit "up" 1 x H100x8, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    submit "not-up" 1 x H100x8, limit 1h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-7
    rejoin n1, running 1
      > n1 joined
      > job 1 runs
    rejoin n2, running nothing
      > n2 joined
    jobs
      > job  name    user    queue    class     state      attempt  nodes
      > 1    up      user-a  default  standard  running    1        n1
      > 2    not-up  user-a  default  standard  launching  1        n2
    advance 1m
    jobs
      > job  name    user    queue    class     state      attempt  nodes
      > 1    up      user-a  default  standard  running    1        n1
      > 2    not-up  user-a  default  standard  launching  1        n2

A job that was told to stop and still runs is told again.

    cancel 1
      > job 1 is told to stop on n1 within 30s
      > job 1 is stopping
    rejoin n1, running 1
      > n1 joined
      > job 1 is told to stop on n1 within 30s
    ended 1, stopped
      > job 1 is over: cancelled
    jobs
      > job  name    user    queue    class     state      attempt  nodes
      > 1    up      user-a  default  standard  cancelled  1
      > 2    not-up  user-a  default  standard  launching  1        n2
