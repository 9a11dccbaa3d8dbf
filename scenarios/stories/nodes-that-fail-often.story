# Large gangs keep off nodes that fail often

    policy large-nodes 3
    node n[1-12] H100x8
      > n[1-12] joined

A node refuses a launch and later drops out for good. Both count as failures, and fade with time.

    submit "probe" 1 x H100x8
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    refused 1 on n1, node device-busy
      > job 1 is stopping
      > job 1 is queued
      > job 1 attempt 2 launches on n2: gpus 0-7
    cancel 1
      > job 1 attempt 2 is told to stop on n2 within 30s
      > job 1 is stopping
    ended 1, stopped
      > job 1 is over: cancelled
    advance 1m
    lost n1, lease 0s
    returned n1, running nothing
    nodes
      > node  gpus    in  state              free  jobs
      > n1    H100x8      seen, failures: 2  0-7
      > n2    H100x8      seen               0-7
      > n3    H100x8      seen               0-7
      > n4    H100x8      seen               0-7
      > n5    H100x8      seen               0-7
      > n6    H100x8      seen               0-7
      > n7    H100x8      seen               0-7
      > n8    H100x8      seen               0-7
      > n9    H100x8      seen               0-7
      > n10   H100x8      seen               0-7
      > n11   H100x8      seen               0-7
      > n12   H100x8      seen               0-7

A small job takes the node as any other. A gang of three nodes is large here, and keeps off it.

    submit "small" 1 x H100x8
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on n1: gpus 0-7
    submit "large" 3 x H100x8
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n[2-4]: gpus 0-7
    decision 3
      > attempt 1 of job 3 was placed at +0h01m
      > got the cluster on n[2-4], with room for 8 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 22.291
      > key: rank 22.291 - weight 0 - fair share 0 - urgency 0
      > kept off nodes that fail often: n1
      > a node of it fails about every 17d2h
      > 0 spare nodes would do in 99 of 100 cases
    cancel 2
      > job 2 is told to stop on n1 within 30s
      > job 2 is stopping
    ended 2, stopped
      > job 2 is over: cancelled

Only if it does not fit otherwise does a large gang go there.

    submit "huge" 9 x H100x8
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on n[1,5-12]: gpus 0-7
    decision 4
      > attempt 1 of job 4 was placed at +0h01m
      > got the cluster on n[1,5-12], with room for 0 more tasks
      > no other place of the same level
      > standing: borrowing, class 500, key 23.083
      > key: rank 23.083 - weight 0 - fair share 0 - urgency 0
      > had to use nodes that fail often: n1
      > a node of it fails about every 5d16h
      > 1 spare node would do in 99 of 100 cases
