//! How full a cluster gets: pods arrive in random order and never leave until more than the whole
//! cluster was asked for, as in the published comparison of packing rules (Weng et al., 2023).

mod packing {
    mod arrivals;
    mod first_fit;
    mod fullness;
}
