# On an idle cluster the reason is never "someone else"

Everything is free, so whatever keeps a job is about the job itself.

    queue team limit 4
    node n[1-2] H100x8
      > n[1-2] joined
    submit "over" 8 gpus, limit 1h
      > job 1 is accepted
      > job 1 is queued
    why 1
      > job 1 is queued
      > because: queue team uses 0 of its 4 GPUs; 8 more are wanted
      > would start now with 4 GPUs more for queue team
    submit "held" 1 gpu, hold, limit 1h
      > job 2 is accepted
    why 2
      > job 2 is waiting
      > because: held until released
    submit "tomorrow" 1 gpu, begin +1d, limit 1h
      > job 3 is accepted
    why 3
      > job 3 is waiting
      > because: may not start before +1d00h00m
      > probably starts at +1d00h00m
    submit "other-model" A100x1, limit 1h
      > job 4 is accepted
      > job 4 is queued
    why 4
      > job 4 is queued
      > because: no node in service matches it; any that would is drained, lost or not there
      > would start now on H100
