//! Pausing: who gives way to whom and how, what is held for whom, and how all come back.

mod support;

mod pausing {
    mod answers;
    mod arrays;
    mod classes;
    mod crowd;
    mod eleven;
    mod explained;
    mod fit;
    mod floor;
    mod gangs;
    mod given_up;
    mod held;
    mod idle;
    mod las;
    mod limits;
    mod losses;
    mod nesting;
    mod orders;
    mod overhead;
    mod reclaim;
    mod refusals;
    mod requests;
    mod reservations;
    mod restarts;
    mod rests;
    mod resumption;
    mod rungs;
    mod saves;
    mod saving;
    mod sizes;
    mod spared;
    mod srtf;
    mod starving;
    mod support;
    mod time_limits;
    mod timeouts;
    mod turns;
}
