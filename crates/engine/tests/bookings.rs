//! Bookings: nodes set aside for a span of time, for some or for nobody. Before it they are used by
//! whoever is gone in time, while it lasts by those it is for, and after it by everyone.

mod support;

mod bookings {
    mod ahead;
    mod floor;
    mod leftovers;
    mod maintenance;
    mod members;
    mod refused;
    mod support;
    mod told;
}
