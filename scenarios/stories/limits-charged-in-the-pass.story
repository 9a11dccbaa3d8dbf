# Limits are charged inside the pass that uses them

A queue may use four GPUs. Five jobs become startable in one and the same step, and still only four
GPUs' worth of them start: each start is charged before the next is looked at.

    queue team limit 4
    queue other
    node n1 H100x8
      > n1 joined
    submit "blocker" 1 x H100x8, queue other, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs
    submit "one" 2 gpus, queue team, limit 1h
      > job 2 is accepted
      > job 2 is queued
    submit "two" 2 gpus, queue team, limit 1h
      > job 3 is accepted
      > job 3 is queued
    submit "three" 2 gpus, queue team, limit 1h
      > job 4 is accepted
      > job 4 is queued
    submit "four" 1 gpu, queue team, limit 1h
      > job 5 is accepted
      > job 5 is queued
    submit "five" 1 gpu, queue team, limit 1h
      > job 6 is accepted
      > job 6 is queued
    ended 1
      > job 1 is over: completed
      > job 5 launches on n1: gpu 0
      > job 6 launches on n1: gpu 1
      > job 2 launches on n1: gpus 2-3
    queues
      > queue  used  guarantee  limit  per user  weight
      > team   4     -          4      -         1
      > other  0     -          -      -         1

The others are told what keeps them, with numbers.

    why 4
      > job 4 is queued
      > because: queue team uses 4 of its 4 GPUs; 2 more are wanted
      > probably starts at +1h00m

Limits hold along the whole path of a queue.

    queue parent limit 3
    queue parent/child limit 8
    submit "deep" 4 gpus, queue parent/child, limit 1h
      > job 7 is accepted
      > job 7 is queued
    why 7
      > job 7 is queued
      > because: queue parent uses 0 of its 3 GPUs; 4 more are wanted
      > would start now with 1 GPU more for queue parent
