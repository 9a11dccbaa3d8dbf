# Deadlines that end a job, and near places for a while

Two racks of two nodes, each half taken.

    levels rack
    node r1-[1-2] H100x8 in r1
      > r1-[1-2] joined
    node r2-[1-2] H100x8 in r2
      > r2-[1-2] joined
    submit "a" 8 gpus, only-on @r1-1, limit 10h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on r1-1: gpus 0-7
    submit "b" 8 gpus, only-on @r2-1, limit 10h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on r2-1: gpus 0-7
    started 1-2
      > job 1 runs
      > job 2 runs

A gang of two nodes wants one rack, and insists on it for twenty minutes. Then it takes what there
is.

    submit "train" 2 x H100x8, require rack for 20m, limit 4h
      > job 3 is accepted
      > job 3 is queued
    advance 19m
    why 3
      > job 3 is queued
      > because: no rack has room for 2 tasks together; the best, r1, has room for 1
      > because: has 2 nodes in r2 reserved from +8h11m56s175ms give or take 3h38m
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start now with 1 task, 8 GPUs in all
      > would start now without one rack for all
      > would start at +1h00m when job 1 ends
    advance 1m
      > +0h20m job 3 is changed
      > +0h20m job 3 launches on r1-2 r2-2: gpus 0-7
    started 3
      > job 3 runs

A job that is of no use after its deadline is not started when it could no longer end in time.

    submit "report" 8 gpus, limit 1h, deadline +2h or never
      > job 4 is accepted
      > job 4 is queued
    advance 45m
      > +1h00m00s001ms job 4 is over: it could no longer finish by its deadline
    jobs
      > job  name    user    queue    class     state                                      attempt  nodes
      > 1    a       user-a  default  standard  running                                    1        r1-1
      > 2    b       user-a  default  standard  running                                    1        r2-1
      > 3    train   user-a  default  standard  running                                    1        r1-2 r2-2
      > 4    report  user-a  default  standard  it could no longer finish by its deadline  0
