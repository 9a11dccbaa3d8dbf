# Nodes reserved in advance are there for those who have them

Two nodes are reserved for a team from the second hour on. Their jobs name the reservation, wait for
it, and run inside it and nowhere else.

    queue team
    queue other
    node n[1-3] H100x8
      > n[1-3] joined
    book demo from +2h to +5h, nodes n[1-2], queues team
    submit "show" 2 x H100x8, queue team, booking demo, limit 2h
      > job 1 is accepted
    submit "stranger" H100x8, queue other, booking demo
      > not accepted: booking: demo is not allowed; neither user-a nor queue other may use it; ask whoever made it
    why 1
      > job 1 is waiting
      > because: waits for booking demo, which opens at +2h00m
      > probably starts at +2h00m
    at +2h
      > +2h00m job 1 is queued
      > +2h00m job 1 launches on n[1-2]: gpus 0-7
    started 1
      > job 1 runs

Others do not come in, not even where it is idle, and neither do jobs of the team that do not name it.

    submit "mine" 2 x H100x8, queue team, limit 1h
      > job 2 is accepted
      > job 2 is queued
    why 2
      > job 2 is queued
      > because: nodes n1, n2 are set aside until +5h00m for booking demo
      > would start now with 1 task, 8 GPUs in all
    ended 1
      > job 1 is over: completed
    nodes
      > node  gpus    in  state                 free  jobs
      > n1    H100x8      seen, booked as demo  0-7
      > n2    H100x8      seen, booked as demo  0-7
      > n3    H100x8      seen                  0-7

A job that still runs at the end goes on to its limit. One that has not started by then has nothing to
run in.

    submit "late" H100x8, queue team, booking demo, limit 4h
      > job 3 is accepted
      > job 3 is queued
      > job 3 launches on n1: gpus 0-7
    started 3
      > job 3 runs
    submit "later" 2 x H100x8, queue team, booking demo, limit 3h
      > job 4 is accepted
      > job 4 is queued
    at +5h
      > +5h00m job 4 waits
      > +5h00m job 2 launches on n[2-3]: gpus 0-7
    started 2
      > job 2 runs
    jobs
      > job  name   user    queue  class     state      attempt  nodes
      > 1    show   user-a  team   standard  completed  1
      > 2    mine   user-a  team   standard  running    1        n[2-3]
      > 3    late   user-a  team   standard  running    1        n1
      > 4    later  user-a  team   standard  waiting    0
    why 4
      > job 4 is waiting
      > because: waits for booking demo, which is over or was taken back
