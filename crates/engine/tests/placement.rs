//! Where gangs go: all or nothing, near each other, on the tightest place that will do.

mod support;

mod placement {
    mod apart;
    mod constraints;
    mod gangs;
    mod groups;
    mod health;
    mod host;
    mod levels;
    mod links;
    mod models;
    mod packing;
    mod preferred;
    mod segments;
    mod spread;
}
