# Speed that nobody gives is learned

Nothing is said of how fast this job is with more tasks, so it is taken to scale a little less than
well, and grows.

    node n1 H100x8
      > n1 joined
    submit "train" 2..8 x H100x1, estimate 1-00:00:00
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: 2 tasks, gpus 0-1
    started 1
      > job 1 runs
      > job 1 is to have 8 tasks, gpus 0-7 on n1
    resized 1

It reports its speed with eight tasks, makes room for another, and reports its speed with two. The
second word is as good as the first: six GPUs more were of no use.

    advance 1h
    progress 1 rate 1000
    submit "other" H100x6
      > job 2 is accepted
      > job 2 is queued
      > job 1 is to have 2 tasks, gpus 0-1 on n1
    resized 1
      > job 2 launches on n1: gpus 2-7
    started 2
      > job 2 runs
    progress 1 rate 1000, done 100000 ppm
    ended 2
      > job 2 is over: completed
    advance 10m
    why 1
      > job 1 is running
      > has 2 of 2 to 8 tasks: no more, for that would not be worth a resize
