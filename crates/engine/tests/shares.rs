//! Parts of GPUs: which fit together, on which GPU they go, what they cost and how they are told.

mod support;

mod shares {
    mod support;

    mod choice;
    mod gangs;
    mod gradient;
    mod isolation;
    mod mig;
    mod models;
    mod ranges;
    mod sizes;
    mod told;
}
