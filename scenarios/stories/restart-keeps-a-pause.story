# A restart in the middle of a stop loses nothing

One node refuses a gang, and before the other has let go of it, the engine is restarted. The pause
that follows is kept, and ends.

    node n[1-2] H100x8
      > n[1-2] joined
    submit "train" 2 x H100x8, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n[1-2]: gpus 0-7
    refused 1 on n2, job no-such-folder
      > job 1 is told to stop on n1 within 30s
      > job 1 is stopping
    restart
    ended 1 on n1, stopped
      > job 1 waits
    why 1
      > job 1 is waiting
      > because: pauses until +0h00m10s after a failed launch
      > probably starts at +0h00m10s
    advance 10s
      > +0h00m10s job 1 is queued
      > +0h00m10s job 1 attempt 2 launches on n[1-2]: gpus 0-7
