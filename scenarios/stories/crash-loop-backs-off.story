# A job that crashes again and again backs off

    node n[1-3] H100x8
      > n[1-3] joined
    submit "broken" 2 x H100x8, requeue when lost or failed
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n[1-2]: gpus 0-7
    started 1
      > job 1 runs

It fails by itself within a minute, and pauses twice as long each time.

    advance 5s
    ended 1 on n1, exit 1
      > job 1 is told to stop on n2 within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 waits
    why 1
      > job 1 is waiting
      > because: pauses until +0h00m15s after a failed attempt
      > probably starts at +0h00m15s
    advance 10s
      > +0h00m15s job 1 is queued
      > +0h00m15s job 1 attempt 2 launches on n[1-2]: gpus 0-7
    started 1
      > job 1 runs
    ended 1 on n1, exit 1
      > job 1 attempt 2 is told to stop on n2 within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 waits
    why 1
      > job 1 is waiting
      > because: pauses until +0h00m35s after a failed attempt
      > probably starts at +0h00m35s
    advance 20s
      > +0h00m35s job 1 is queued
      > +0h00m35s job 1 attempt 3 launches on n[1-2]: gpus 0-7

A restart like this gets nothing at the cost of others: when it loses a node, others go first.

    submit "urgent" 2 x H100x8, class inference
      > job 2 is accepted
      > job 2 is queued
    started 1
      > job 1 runs
    lost n1, lease 0s
      > job 1 attempt 3 is told to stop on n2 within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 is queued
      > job 2 launches on n[2-3]: gpus 0-7
    jobs
      > job  name    user    queue    class      state      attempt  nodes
      > 1    broken  user-a  default  standard   queued     3
      > 2    urgent  user-a  default  inference  launching  1        n[2-3]

An attempt that runs well for a minute makes up for the crashes.

    started 2
      > job 2 runs
    ended 2
      > job 2 is over: completed
      > job 1 attempt 4 launches on n[2-3]: gpus 0-7
    started 1
      > job 1 runs
    advance 1m
    ended 1 on n2, exit 1
      > job 1 attempt 4 is told to stop on n3 within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 waits
    why 1
      > job 1 is waiting
      > because: pauses until +0h01m45s after a failed attempt
      > probably starts at +0h01m45s
