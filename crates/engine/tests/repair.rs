//! Repair: a gang that lost a node restarts on its old place with a spare before anyone else is
//! served, nodes lost together are one event, and crash loops get nothing at the cost of others.

mod support;

mod repair {
    mod advice;
    mod crashes;
    mod hazard;
    mod near;
    mod place;
    mod segments;
    mod support;
    mod together;
    mod turn;
    mod waiting;
}
