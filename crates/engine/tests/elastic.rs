//! Elastic jobs: they grow into idle GPUs while nobody waits who could use them, and give tasks
//! back when others need the room. Their sizes are legal whatever goes wrong.

mod support;

mod elastic {
    mod borrowing;
    mod borrowing_starving;
    mod borrowing_together;
    mod elsewhere;
    mod growing;
    mod interval;
    mod learning;
    mod legal;
    mod limits;
    mod losing;
    mod marginal;
    mod pausing;
    mod random;
    mod refusing;
    mod replay;
    mod told;
    mod words;
    mod yielding;
    mod yielding_fairly;
}
