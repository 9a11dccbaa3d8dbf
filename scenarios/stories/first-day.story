# A first day with Muster

A tour in one page: two teams share four machines in two racks. Text at the left edge is for
people; indented lines are commands, and what Muster answers follows after `>`.

The research team owns 16 of the 32 GPUs, the product team 8. What one team leaves idle, the other
may borrow.

    levels rack
    policy limit-max 12h
    queue research guarantee 16
    queue product guarantee 8

Four nodes join, two in each rack.

    node n[1-2] H100x8 in r1
      > n[1-2] joined
    node n[3-4] H100x8 in r2
      > n[3-4] joined

A small job starts at once. It is *launching* until its node confirms, then it runs.

    submit "notebook" H100x1, by research-1, queue research, limit 8h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpu 0
    started 1
      > job 1 runs

A gang of three tasks with eight GPUs each starts whole. Both teams together now use 25 GPUs.

    submit "pretrain" 3 x H100x8, by research-1, queue research, limit 6h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n[3-4,2]: gpus 0-7
    started 2
      > job 2 runs

The product team wants a gang of two. Only seven GPUs are free, so nothing of it starts.

    submit "ranking" 2 x H100x8, by product-1, queue product, limit 2h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: needs 16 GPUs; 7 are free
      > because: has 2 nodes reserved from +6h00m give or take 2h31m
      > because: job 2 is not paused: its queue is guaranteed what it uses
      > probably starts at +1h00m
      > starts at +1d17h11m at the latest
      > would start at +1h00m when job 2 ends

After an hour we lose sight of a node. Nobody knows whether its job is dead, so nobody kills it:
its agent has a lease of ten minutes.

    advance 1h
    lost n3, lease 10m
    jobs
      > job  name      user        queue     class     state    attempt  nodes
      > 1    notebook  research-1  research  standard  running  1        n1
      > 2    pretrain  research-1  research  standard  running  1        n[3-4,2]
      > 3    ranking   product-1   product   standard  queued   0

It comes back in time, its tasks still running. Nothing was lost.

    advance 4m
    returned n3, running 2

When the big gang ends, the waiting one starts in the same step.

    advance 2h
    ended 2
      > job 2 is over: completed
      > job 3 launches on n[4,2]: gpus 0-7
    started 3
      > job 3 runs
    jobs
      > job  name      user        queue     class     state      attempt  nodes
      > 1    notebook  research-1  research  standard  running    1        n1
      > 2    pretrain  research-1  research  standard  completed  1
      > 3    ranking   product-1   product   standard  running    1        n[4,2]
    queues
      > queue     used  guarantee  limit  per user  weight
      > research  1     16         -      -         1
      > product   16    8          -      -         1
