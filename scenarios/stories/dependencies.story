# Dependencies end in a state, never in a wait for ever

    node n1 H100x8
      > n1 joined
    submit "first" 8 gpus, limit 1h
      > job 1 is accepted
      > job 1 is queued
      > job 1 launches on n1: gpus 0-7
    started 1
      > job 1 runs

Each of the four kinds waits for another point of the first job's life.

    submit "when-it-started" 1 gpu, after 1, limit 1h
      > job 2 is accepted
      > job 2 is queued
    submit "when-it-succeeded" 1 gpu, afterok 1, limit 1h
      > job 3 is accepted
    submit "when-it-ended" 1 gpu, afterany 1, limit 1h
      > job 4 is accepted
    submit "when-it-failed" 1 gpu, afternotok 1, limit 1h
      > job 5 is accepted
    why 2
      > job 2 is queued
      > because: needs 1 GPU; 0 are free
      > probably starts at +1h00m
      > starts at +60d17h11m at the latest
      > would start at +1h00m when job 1 ends
    why 3
      > job 3 is waiting
      > because: waits for job 1 to succeed
      > probably starts at +1h00m
    why 4
      > job 4 is waiting
      > because: waits for job 1 to end
      > probably starts at +1h00m
    why 5
      > job 5 is waiting
      > because: waits for job 1 to fail
      > probably starts at +1h00m

The first job succeeds: the job that waited for its failure can never run, and says so.

    ended 1
      > job 1 is over: completed
      > jobs 3-4 are queued
      > job 5 is over: what it depends on cannot happen any more
      > job 2 launches on n1: gpu 0
      > job 3 launches on n1: gpu 1
      > job 4 launches on n1: gpu 2
    started 2-4
      > job 2 runs
      > job 3 runs
      > job 4 runs
    ended 2-4
      > job 2 is over: completed
      > job 3 is over: completed
      > job 4 is over: completed
    jobs
      > job  name               user    queue    class     state                                      attempt  nodes
      > 1    first              user-a  default  standard  completed                                  1
      > 2    when-it-started    user-a  default  standard  completed                                  1
      > 3    when-it-succeeded  user-a  default  standard  completed                                  1
      > 4    when-it-ended      user-a  default  standard  completed                                  1
      > 5    when-it-failed     user-a  default  standard  what it depends on cannot happen any more  0

The other way round: after a failure, what needed success is over, and so is what needed that.

    submit "second" 1 gpu, limit 1h
      > job 6 is accepted
      > job 6 is queued
      > job 6 launches on n1: gpu 0
    started 6
      > job 6 runs
    submit "needs-success" 1 gpu, afterok 6, limit 1h
      > job 7 is accepted
    submit "needs-that" 1 gpu, afterok 7, limit 1h
      > job 8 is accepted
    submit "cleans-up" 1 gpu, afternotok 6, limit 1h
      > job 9 is accepted
    ended 6, exit 1
      > job 6 is stopping
      > job 6 is over: failed, exit code 1
      > job 7 is over: what it depends on cannot happen any more
      > job 9 is queued
      > job 8 is over: what it depends on cannot happen any more
      > job 9 launches on n1: gpu 0
    started 9
      > job 9 runs
    ended 9
      > job 9 is over: completed

A dependency on a job that is over already is answered at once.

    submit "late" 1 gpu, afterok 6, limit 1h
      > job 10 is accepted
      > job 10 is over: what it depends on cannot happen any more
    submit "also-late" 1 gpu, afterany 6, limit 1h
      > job 11 is accepted
      > job 11 is queued
      > job 11 launches on n1: gpu 0

An array has succeeded when all its elements have.

    started 11
      > job 11 runs
    submit "sweep" 1 gpu, array 0-1, limit 1h
      > array 12 is accepted as jobs 13-14
      > jobs 13-14 are queued
      > job 13 launches on n1: gpu 1
      > job 14 launches on n1: gpu 2
    submit "collect" 1 gpu, afterok 12, limit 1h
      > job 15 is accepted
    started 13-14
      > job 13 runs
      > job 14 runs
    ended 13
      > job 13 is over: completed
    why 15
      > job 15 is waiting
      > because: waits for job 12 to succeed
    ended 14
      > job 14 is over: completed
      > job 15 is queued
      > job 15 launches on n1: gpu 1
    started 15
      > job 15 runs

A job that does not exist cannot be waited for.

    submit "lost" 1 gpu, afterok 99, limit 1h
      > not accepted: after[0]: 99 is not allowed; expected the number of a job that was submitted before
