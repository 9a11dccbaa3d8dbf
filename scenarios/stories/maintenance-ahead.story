# Before a maintenance, nodes go to whoever has gone by then

A rack will be closed in four hours for two. Until then it is used by jobs whose limit ends in time;
those that would stay longer go elsewhere, or wait and are told why.

    levels rack
    node a[1-2] H100x8 in rack-a
      > a[1-2] joined
    node b1 H100x8 in rack-b
      > b1 joined
    book cooling from +4h to +6h, domains rack-a
    submit "long" H100x8, limit 8h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on b1: gpus 0-7
    submit "short" H100x8, limit 2h
      > job 2 is accepted
      > job 2 is queued
      > job 2 launches on a1: gpus 0-7
    submit "also-long" H100x8, limit 8h
      > job 3 is accepted
      > job 3 is queued
    why 3
      > job 3 is queued
      > because: node a2 is set aside from +4h00m to +6h00m for maintenance cooling; it would not end in time
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends

A gang may use booked nodes beside others, if it is short enough. Fillers may too: they give way when
they are asked, and are asked in time.

    submit "filler" H100x8, class preemptible
      > job 4 is accepted
      > job 4 is queued
      > job 4 launches on a2: gpus 0-7
    started 1 2 4
      > job 1 runs
      > job 2 runs
      > job 4 runs
    advance 2h
      > +2h00m job 2 is told to stop on a1 within 30s
      > +2h00m job 2 is stopping
    ended 2
      > job 2 is over: reached its time limit
    at +3h59m30s
      > +3h59m30s job 4 is told to stop on a2 within 30s
      > +3h59m30s job 4 is stopping
    ended 4, stopped
      > job 4 is queued
    at +4h
    nodes
      > node  gpus    in      state                    free  jobs
      > a1    H100x8  rack-a  seen, booked as cooling  0-7
      > a2    H100x8  rack-a  seen, booked as cooling  0-7
      > b1    H100x8  rack-b  seen                           1
    why 4
      > job 4 is queued
      > because: node a1 is set aside until +6h00m for maintenance cooling
      > probably starts at +9h00m
      > starts at +332d04h30m at the latest

Nothing starts there while it lasts. Then the nodes are everyone's again.

    advance 2h
      > +6h00m job 3 launches on a1: gpus 0-7
      > +6h00m job 4 attempt 2 launches on a2: gpus 0-7
    nodes
      > node  gpus    in      state  free  jobs
      > a1    H100x8  rack-a  seen         3
      > a2    H100x8  rack-a  seen         4
      > b1    H100x8  rack-b  seen         1
