# A long line starts in bounded steps

An empty cluster and a long array: one step starts as many as fit into a bounded step, and asks to
be woken at once for the rest.

    policy limit-max 12h
    node n[1-5] H100x8
      > n[1-5] joined
    submit "sweep" 1 gpu, array 1-40, limit 1h
      > array 1 is accepted as jobs 2-41
      > jobs 2-41 are queued
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
      > job 18 launches on n3: gpu 0
      > job 19 launches on n3: gpu 1
      > job 20 launches on n3: gpu 2
      > job 21 launches on n3: gpu 3
      > job 22 launches on n3: gpu 4
      > job 23 launches on n3: gpu 5
      > job 24 launches on n3: gpu 6
      > job 25 launches on n3: gpu 7
      > job 26 launches on n4: gpu 0
      > job 27 launches on n4: gpu 1
      > job 28 launches on n4: gpu 2
      > job 29 launches on n4: gpu 3
      > job 30 launches on n4: gpu 4
      > job 31 launches on n4: gpu 5
      > job 32 launches on n4: gpu 6
      > job 33 launches on n4: gpu 7
    why 41
      > job 41 is queued
      > because: fits; starts with the next step
      > probably starts at +0h00m
      > starts at +3d09h09m45s at the latest
    advance 1s
      > +0h00m job 34 launches on n5: gpu 0
      > +0h00m job 35 launches on n5: gpu 1
      > +0h00m job 36 launches on n5: gpu 2
      > +0h00m job 37 launches on n5: gpu 3
      > +0h00m job 38 launches on n5: gpu 4
      > +0h00m job 39 launches on n5: gpu 5
      > +0h00m job 40 launches on n5: gpu 6
      > +0h00m job 41 launches on n5: gpu 7
    nodes
      > node  gpus    in  state  free  jobs
      > n1    H100x8      seen         2-9
      > n2    H100x8      seen         10-17
      > n3    H100x8      seen         18-25
      > n4    H100x8      seen         26-33
      > n5    H100x8      seen         34-41
