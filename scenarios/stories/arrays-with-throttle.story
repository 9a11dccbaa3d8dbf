# An array runs as many elements at once as it may

An array has its own number, its elements the numbers after it.

    node n1 H100x8
      > n1 joined
    submit "sweep" 1 gpu, array 0-4 at most 2, limit 1h
      > array 1 is accepted as jobs 2-6
      > jobs 2-3 are queued
      > job 2 launches on n1: gpu 0
      > job 3 launches on n1: gpu 1
    jobs
      > job  name      user    queue    class     state      attempt  nodes
      > 2    sweep[0]  user-a  default  standard  launching  1        n1
      > 3    sweep[1]  user-a  default  standard  launching  1        n1
      > 4    sweep[2]  user-a  default  standard  waiting    0
      > 5    sweep[3]  user-a  default  standard  waiting    0
      > 6    sweep[4]  user-a  default  standard  waiting    0
    started 2-3
      > job 2 runs
      > job 3 runs
    why 4
      > job 4 is waiting
      > because: its array runs 2 elements, as many as it may
      > probably starts at +1h00m

An element that ends makes room for the next.

    ended 2
      > job 2 is over: completed
      > job 4 is queued
      > job 4 launches on n1: gpu 0
    started 4
      > job 4 runs

What is asked of the array is asked of all its elements.

    hold 1
    ended 3
      > job 3 is over: completed
    why 5
      > job 5 is waiting
      > because: held until released
    release 1
      > job 5 is queued
      > job 5 launches on n1: gpu 1
    started 5
      > job 5 runs
    cancel 1
      > job 4 is told to stop on n1 within 30s
      > job 4 is stopping
      > job 5 is told to stop on n1 within 30s
      > job 5 is stopping
      > job 6 is over: cancelled
    ended 4-5, stopped
      > job 4 is over: cancelled
      > job 5 is over: cancelled
    jobs
      > job  name      user    queue    class     state      attempt  nodes
      > 2    sweep[0]  user-a  default  standard  completed  1
      > 3    sweep[1]  user-a  default  standard  completed  1
      > 4    sweep[2]  user-a  default  standard  cancelled  1
      > 5    sweep[3]  user-a  default  standard  cancelled  1
      > 6    sweep[4]  user-a  default  standard  cancelled  0
