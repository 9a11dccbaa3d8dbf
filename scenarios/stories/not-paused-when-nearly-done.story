# A job that is nearly done is left to finish

Pausing costs this job eighteen minutes, and it has ten left.

    node n1 H100x8, 2000GiB for suspended
    submit "training" 1 x H100x8, class batch, estimate 100m to 100m, can suspend 9m back 9m, state 60GiB
    started 1
    advance 90m
    submit "spike" 1 x H100x8, class express, estimate 10m to 12m
    why 2
    advance 10m
    ended 1
