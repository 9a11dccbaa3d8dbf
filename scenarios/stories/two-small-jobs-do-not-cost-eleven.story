# Two small jobs do not cost eleven others

Sixteen jobs of one GPU fill two nodes. Two jobs of one GPU each come; a scheduler that empties
nodes would end eight or more for them. Here two give way, and the others are not touched.

    node n[1-2] H100x8, 2000GiB for suspended
      > n[1-2] joined
    submit "small" 1 x H100x1, class batch, estimate 20h to 24h, can suspend 5s back 5s, array 0-15
      > array 1 is accepted as jobs 2-17
      > jobs 2-17 are queued
      > job 2 launches on n1: gpu 0
      > job 3 launches on n1: gpu 1
      > job 4 launches on n1: gpu 2
      > job 5 launches on n1: gpu 3
      > job 6 launches on n1: gpu 4
      > job 7 launches on n1: gpu 5
      > job 8 launches on n1: gpu 6
      > job 9 launches on n1: gpu 7
      > job 10 launches on n2: gpu 0
      > job 11 launches on n2: gpu 1
      > job 12 launches on n2: gpu 2
      > job 13 launches on n2: gpu 3
      > job 14 launches on n2: gpu 4
      > job 15 launches on n2: gpu 5
      > job 16 launches on n2: gpu 6
      > job 17 launches on n2: gpu 7
    started 2-17
      > job 2 runs
      > job 3 runs
      > job 4 runs
      > job 5 runs
      > job 6 runs
      > job 7 runs
      > job 8 runs
      > job 9 runs
      > job 10 runs
      > job 11 runs
      > job 12 runs
      > job 13 runs
      > job 14 runs
      > job 15 runs
      > job 16 runs
      > job 17 runs
    advance 15m
    submit "urgent" 1 x H100x1, class express, estimate 10m to 12m
      > job 18 is accepted
      > job 18 is queued
      > job 2 is frozen on n1
      > job 2 is pausing
    submit "urgent" 1 x H100x1, class express, estimate 10m to 12m
      > job 19 is accepted
      > job 19 is queued
      > job 3 is frozen on n1
      > job 3 is pausing
    why 18
      > job 18 is queued
      > because: room is being made: job 2 gives way
      > probably starts at +0h20m10s
    why 19
      > job 19 is queued
      > because: room is being made: job 3 gives way
      > probably starts at +0h20m10s
    jobs
      > job  name       user    queue    class    state    attempt  nodes
      > 2    small[0]   user-a  default  batch    pausing  1        n1
      > 3    small[1]   user-a  default  batch    pausing  1        n1
      > 4    small[2]   user-a  default  batch    running  1        n1
      > 5    small[3]   user-a  default  batch    running  1        n1
      > 6    small[4]   user-a  default  batch    running  1        n1
      > 7    small[5]   user-a  default  batch    running  1        n1
      > 8    small[6]   user-a  default  batch    running  1        n1
      > 9    small[7]   user-a  default  batch    running  1        n1
      > 10   small[8]   user-a  default  batch    running  1        n2
      > 11   small[9]   user-a  default  batch    running  1        n2
      > 12   small[10]  user-a  default  batch    running  1        n2
      > 13   small[11]  user-a  default  batch    running  1        n2
      > 14   small[12]  user-a  default  batch    running  1        n2
      > 15   small[13]  user-a  default  batch    running  1        n2
      > 16   small[14]  user-a  default  batch    running  1        n2
      > 17   small[15]  user-a  default  batch    running  1        n2
      > 18   urgent     user-a  default  express  queued   0
      > 19   urgent     user-a  default  express  queued   0
