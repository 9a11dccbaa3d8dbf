# An elastic job grows into idle GPUs and gives them back

A job of two to eight tasks starts with two. Once it runs, nobody waits and six GPUs are idle, so
it is given them. They are its own from the decision on, and count as running when the node says so.

    levels rack
    node n[1-2] H100x8 in rack-1
      > n[1-2] joined
    submit "other" H100x8
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    submit "train" 2..8 x H100x1, estimate 1-00:00:00
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n2: 2 tasks, gpus 0-1
    started 2
      > job 2 runs
      > job 2 is to have 8 tasks, gpus 0-7 on n2
    why 2
      > job 2 is running
      > has 8 of 2 to 8 tasks: on its way to 8
    resized 2
    why 2
      > job 2 is running
      > has 8 of 2 to 8 tasks: all it can use

Another job needs four GPUs. Nobody is paused for it: the first gives back what it has beyond its
fewest tasks, and no more than that takes. The room is there when the node says so.

    submit "urgent" H100x4
      > job 3 is accepted
      > job 3 is queued
      > job 2 is to have 4 tasks, gpus 0-3 on n2
    why 3
      > job 3 is queued
      > because: room is being made: job 2 gives tasks back
      > probably starts at +0h00m30s
    resized 2
      > job 3 launches on n2: gpus 4-7
    started 3
      > job 3 runs
    why 2
      > job 2 is running
      > has 4 of 2 to 8 tasks: no more before +0h10m, for its size has just changed
    jobs
      > job  name    user    queue    class     state    attempt  nodes
      > 1    other   user-a  default  standard  running  1        n1
      > 2    train   user-a  default  standard  running  1        n2
      > 3    urgent  user-a  default  standard  running  1        n2

When the other is done, the four GPUs are idle again. The size of the first has just changed, so it
takes them only when the interval is over.

    ended 3
      > job 3 is over: completed
    why 2
      > job 2 is running
      > has 4 of 2 to 8 tasks: no more before +0h10m, for its size has just changed
    advance 10m
      > +0h10m job 2 is to have 8 tasks, gpus 0-7 on n2
    resized 2
    queues
      > queue    used  guarantee  limit  per user  weight
      > default  16    -          -      -         1
    ended 2
      > job 2 is over: completed
