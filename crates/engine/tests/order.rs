//! Who goes first: tiers that no score crosses, one key inside a tier, and the baselines.

mod support;

mod order {
    mod blocking;
    mod deadlines;
    mod fair;
    mod keys;
    mod overrun;
    mod steps;
    mod tiers;
}
