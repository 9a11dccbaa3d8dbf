# A move that comes to nothing costs nothing

A job is asked to save so that it can move. It does not, and goes on where it is, in the same
attempt; what was held for it and for the larger job is free again.

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
    submit "large" 1 x H100x8, class batch, estimate 20h to 24h
    advance 6m
    jobs
    submit "small" 1 x H100x4, class batch, estimate 1h to 2h

A move of which nobody has need any more is called off as well.

    ended 5, stopped
    jobs
