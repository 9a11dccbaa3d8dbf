# Who has used less goes first

Two queues with equal weight. One has used the cluster all day, so of two jobs that are alike the
other's goes first.

    queue a
    queue b
    node n1 H100x8
      > n1 joined
    submit "all-day" 8 gpus, queue a, limit 10h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    advance 9h
    submit "alike" 8 gpus, queue a, limit 1h, estimate 1h
      > job 2 is accepted
      > job 2 is queued
    submit "alike" 8 gpus, queue b, limit 1h, estimate 1h
      > job 3 is accepted
      > job 3 is queued
    ended 1
      > job 1 is over: completed
      > job 3 launches on n1: gpus 0-7
    decision 3
      > attempt 1 of job 3 was placed at +9h00m
      > got n1, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 20.324
      > key: rank 23.324 - weight 0 - fair share 3 - urgency 0

The other queue's turn comes next; what it used counts against it, but never more than it can bear.

    started 3
      > job 3 runs
    ended 3
      > job 3 is over: completed
      > job 2 launches on n1: gpus 0-7
    decision 2
      > attempt 1 of job 2 was placed at +9h00m
      > got n1, with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 24.324
      > key: rank 23.324 - weight 0 - fair share -1 - urgency 0
