# A wide gang gets its turn though small jobs keep coming

Small jobs fill every gap, and a gang of two whole nodes never finds both empty. When it has waited
too long, nodes are held together for it until it fits; small work that ends in time may still use
them.

    policy floor 50%, floor-wait 1h, limit-max 4h
    node n[1-2] H100x8
      > n[1-2] joined
    submit "small" 6 gpus, limit 2h, estimate 2h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-5
    submit "small" 6 gpus, limit 3h, estimate 3h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: gpus 0-5
    started 1-2
      > job 1 runs
      > job 2 runs
    submit "wide" 2 x H100x8, limit 1h, estimate 1h
      > job 3 is accepted
      > job 3 is queued
    advance 61m

Now both nodes are held for the gang. A job that would outlast the last of them does not start.

    submit "too-long" 2 gpus, limit 4h, estimate 4h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: the room it would fit in is held for job 3
      > probably starts at +4h00m
      > starts at +1d06h24m at the latest
    why 3
      > job 3 is queued
      > because: needs 16 GPUs; 0 are free
      > probably starts at +3h00m
      > starts at +7h36m30s at the latest
    advance 1h
      > +2h00m job 1 is told to stop on n1 within 30s
      > +2h00m job 1 is stopping
    ended 1, stopped
      > job 1 is over: reached its time limit
    advance 1h
      > +3h00m job 2 is told to stop on n2 within 30s
      > +3h00m job 2 is stopping
    ended 2, stopped
      > job 2 is over: reached its time limit
      > job 3 launches on n[1-2]: gpus 0-7
    started 3
      > job 3 runs
    decision 3
      > attempt 1 of job 3 was placed at +3h01m
      > got the cluster on n[1-2], with room for 0 more tasks
      > no other place of the same level
      > standing: ahead of all by the service floor, class 500, key 23.824
      > key: rank 23.824 - weight 0 - fair share 0 - urgency 0
