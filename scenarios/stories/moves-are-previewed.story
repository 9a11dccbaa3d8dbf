# Moves that are only told

With previews, everything is as if jobs were never moved; it is only told what moving them would
bring.

    policy defragmentation preview
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
    why 4
    advance 1h
    jobs
