//! Moving: who moves for whom and where to, at what cost, and what is only told.

mod support;

mod moving {
    mod rooms;
    mod support;
}
