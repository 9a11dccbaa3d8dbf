//! Properties that relate runs to each other: what must stay the same when something that should
//! not matter changes, and what may only get better when something good happens.

mod support;

mod metamorphic {
    mod better;
    mod bound;
    mod plan;
    mod play;
    mod renamed;
    mod replay;
    mod scaled;
}
