# A spike suspends training and gives its GPUs back

Training fills the node. It has said that its state can be moved to host memory within 20 seconds
and back within 10, and the node has room for that.

    node n1 H100x8, 2000GiB for suspended
    submit "training" 1 x H100x8, class batch, estimate 20h to 24h, can suspend 20s back 10s, state 60GiB
    started 1
    advance 15m

A short job of a higher class comes. It would wait for most of a day; the pause costs seconds. The
GPUs are held for it from here on.

    submit "spike" 1 x H100x8, class express, estimate 10m to 12m
    why 2
    why 1
    frozen 1
    suspended 1
    started 2
    jobs
    why 1

When it is done, training goes on where it was, on its own GPUs, in the same attempt.

    advance 9m
    ended 2
    restored 1
    thawed 1
    jobs
