# A job moves to make room for a larger one

Each node is half taken, and a job that needs a whole node comes. Eight GPUs are free, but not
beside each other.

    policy defragmentation on
    node n1 H100x8
    node n2 H100x8
    submit "first" 1 x H100x4, class batch, estimate 20h to 24h, can checkpoint 20s back 10s
    started 1
    submit "short" 1 x H100x4, class batch, estimate 10m to 12m
    started 2
    submit "second" 1 x H100x4, class batch, estimate 20h to 24h
    started 3
    advance 12m
    ended 2

Instead of waiting for most of a day, one of those that can save moves to the free half of the other
node. That half is held for it before it is asked to save.

    submit "large" 1 x H100x8, class batch, estimate 20h to 24h
    why 4
    why 1
    saved 1

In the moment in which it has ended, both start.

    ended 1, stopped
    started 1
    started 4
    decision 1
    jobs
