# A waiting job is always told why

    levels rack
    node n[1-2] H100x8 in r1, 64 cpus
    node n3 H100x8 in r2, 64 cpus

More than the cluster has:

    submit "huge" 8 x H100x8, limit 1h
    why 1

More than one node has:

    submit "fat" 1 x 16 gpus, limit 1h
    submit "thirsty" 1 x 1 gpu (256 cpus), limit 1h
    why 2

No node like that:

    submit "picky" 1 gpu, only-on disk=fast, limit 1h
    why 3

Enough GPUs, but in pieces:

    submit "six" 6 gpus, only-on @n1, limit 2h
    submit "six" 6 gpus, only-on @n2, limit 2h
    submit "six" 6 gpus, only-on @n3, limit 2h
    started 4-6
    submit "four" 4 gpus, limit 1h
    why 7

GPUs, but no CPUs beside them:

    submit "busy" 1 gpu (40 cpus), only-on @n1, limit 2h
    started 8
    submit "busy" 1 gpu (40 cpus), only-on @n1, limit 2h
    why 9
