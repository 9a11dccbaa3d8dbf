//! A job's life, command by command: launch, confirm, lose, stop, requeue, wait, end, forget.

mod support;

mod lifecycle {
    mod amend;
    mod amend_elsewhere;
    mod arrays;
    mod cancel;
    mod clock;
    mod dependencies;
    mod dependencies_finer;
    mod dependencies_forgotten;
    mod dependencies_on_arrays;
    mod forgetting;
    mod gang_leases;
    mod health;
    mod hold;
    mod late;
    mod launch;
    mod launch_timeout;
    mod leases;
    mod limits;
    mod refusal;
    mod rejected;
    mod rejoin;
    mod reports;
    mod requeue;
    mod second_look;
    mod singleton;
    mod support;
    mod throttle;
    mod wake;
}
