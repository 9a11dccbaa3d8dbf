# A gang that loses a node gets its old place back with a spare

    policy reservations 0
    levels rack
    node r1-[1-4] H100x8 in r1
      > r1-[1-4] joined
    submit "train" 3 x H100x8, require rack, class batch
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on r1-[1-3]: gpus 0-7
    started 1
      > job 1 runs
    submit "wide" 2 x H100x8, class inference, by user-b
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: needs 16 GPUs; 8 are free
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start now with 1 task, 8 GPUs in all
      > would start at +1h00m when job 1 ends

One node of the gang is lost. Until its lease ends nothing happens; then the others are told to
stop. The place is kept together until the last of them has answered.

    lost r1-2, lease 2m
    advance 2m
      > +0h02m job 1 is told to stop on r1-[1,3] within 30s
      > +0h02m job 1 is stopping
    ended 1 on r1-1, stopped

The step that hears of it launches the gang again: on its old nodes as before, with the spare of
the same rack in the place of the lost node, and before the job of a higher class that would fit.

    ended 1 on r1-3, stopped
      > job 1 is queued
      > job 1 attempt 2 launches on r1-[1,4,3]: gpus 0-7
    decision 1
      > attempt 2 of job 1 was placed at +0h02m
      > got r1 on r1-[1,4,3], with room for 0 more tasks
      > no other place of the same level
      > standing: ahead of the queue after the loss of a node, class 100, key 22.98
      > key: rank 22.98 - weight 0 - fair share 0 - urgency 0
      > repaired after losing r1-2: 2 stayed, 1 moved
    jobs
      > job  name   user    queue    class      state      attempt  nodes
      > 1    train  user-a  default  batch      launching  2        r1-[1,4,3]
      > 2    wide   user-b  default  inference  queued     0

When no spare is left the gang waits like all others, and the room goes to whoever fits.

    started 1
      > job 1 runs
    lost r1-4, lease 0s
      > job 1 attempt 2 is told to stop on r1-[1,3] within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 is queued
      > job 2 launches on r1-[1,3]: gpus 0-7
    why 1
      > job 1 is queued
      > because: the 2 matching nodes could hold 2 of its 3 tasks even if empty
    jobs
      > job  name   user    queue    class      state      attempt  nodes
      > 1    train  user-a  default  batch      queued     2
      > 2    wide   user-b  default  inference  launching  1        r1-[1,3]
