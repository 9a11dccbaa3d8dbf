# A job can be changed after it was submitted

One node, and a job that takes it for two hours.

    node n1 H100x8
      > n1 joined
    submit "train" 8 gpus, limit 2h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs

Another asks for the whole node and waits. Its owner would rather have two GPUs now than eight
later, but there are none at all.

    submit "evaluate" 8 gpus, limit 1h
      > job 2 is accepted
      > job 2 is queued
    amend 2 "evaluate" 2 gpus, limit 1h
      > job 2 is changed
    why 2
      > job 2 is queued
      > because: needs 2 GPUs; 0 are free
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends

An operator cuts the time of the job that runs: it ends when its new limit is up, and the other
starts.

    amend 1 "train" 8 gpus, limit 30m
      > job 1 is changed
    advance 30m
      > +0h30m job 1 is told to stop on n1 within 30s
      > +0h30m job 1 is stopping
    ended 1, stopped
      > job 1 is over: reached its time limit
      > job 2 launches on n1: gpus 0-1

A job that runs keeps its place. Only its times can be changed.

    started 2
      > job 2 runs
    amend 2 "evaluate" 4 gpus, limit 1h
      > not accepted: job: 2 is not allowed; it has started, so that only its limit, deadline, warning and requeue can change

Whoever waits for others may wait for fewer of them, for one element of an array, or for whichever
comes first.

    submit "sweep" 1 gpu, array 0-1, limit 1h
      > array 3 is accepted as jobs 4-5
      > jobs 4-5 are queued
      > job 4 launches on n1: gpu 2
      > job 5 launches on n1: gpu 3
    submit "report" 1 gpu, afterok 3, limit 1h
      > job 6 is accepted
    started 4 5
      > job 4 runs
      > job 5 runs
    why 6
      > job 6 is waiting
      > because: waits for job 3 to succeed
    amend 6 "report" 1 gpu, afterok:3_1?afterany:2, limit 1h
      > job 6 is changed
    why 6
      > job 6 is waiting
      > because: waits for job 5 to succeed, or for another one
      > probably starts at +1h30m
    ended 5
      > job 5 is over: completed
      > job 6 is queued
      > job 6 launches on n1: gpu 3
    jobs
      > job  name      user    queue    class     state                   attempt  nodes
      > 1    train     user-a  default  standard  reached its time limit  1
      > 2    evaluate  user-a  default  standard  running                 1        n1
      > 4    sweep[0]  user-a  default  standard  running                 1        n1
      > 5    sweep[1]  user-a  default  standard  completed               1
      > 6    report    user-a  default  standard  launching               1        n1
