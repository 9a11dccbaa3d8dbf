//! Queues: what each can always have, can never exceed, and is entitled to.

mod support;

mod queues {
    mod accounts;
    mod changes;
    mod guarantees;
    mod limits;
    mod shares;
    mod usage;
    mod users;
}
