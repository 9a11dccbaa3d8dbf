# Losing sight of a node does not kill its work

    node n[1-2] H100x8
    submit "steady" 1 x H100x8, limit 10h
    submit "unlucky" 1 x H100x8, limit 10h
    started 1-2

Both nodes drop out of sight. Their agents keep the work alive until their leases end, so the
engine starts no second attempt: it might be the second one alive.

    lost n[1-2], lease 10m
    jobs
    nodes
    submit "new" 1 gpu, limit 1h
    why 3

One comes back in time, and its job never noticed.

    advance 5m
    returned n1, running 1

The other's lease ends. Now its job is certainly over, and gets another attempt where there is
room.

    advance 6m
    jobs
    ended 1
    started 2
    jobs

When the node comes back after all, it is empty, and takes work again.

    returned n2, running nothing
    nodes
