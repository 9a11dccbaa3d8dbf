# CPUs and memory are packed too

    node n1 H100x8, 64 cpus, 512GiB memory
    submit "loader" 2 x 1 gpu (24 cpus), limit 1h
    started 1
    submit "wants-cpus" 1 gpu (32 cpus), limit 1h
    why 2
    submit "wants-memory" 1 gpu (4 cpus, 600GiB memory), limit 1h
    submit "modest" 1 gpu (4 cpus, 400GiB memory), limit 1h
    started 3
    submit "exclusive" 1 gpu (exclusive), limit 1h
    why 4
    ended 1
    started 2
