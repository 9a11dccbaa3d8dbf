//! Moving: who moves for whom and where to, at what cost, and what is only told.

mod support;

mod moving {
    mod budget;
    mod carried;
    mod given_up;
    mod rooms;
    mod spared;
    mod support;
    mod told;
    mod worth;
}
