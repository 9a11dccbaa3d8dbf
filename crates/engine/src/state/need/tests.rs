//! Shares as the models of the catalogue give them.

use muster_model::{GpuModel, Isolation, Mib, MilliGpu, Share};

use super::{Need, mask};

fn model(name: &str) -> GpuModel {
    let known = GpuModel::known().into_iter().find(|model| model.name.as_str() == name);
    known.expect("a model of the catalogue")
}

fn need(share: &Share, name: &str) -> Option<Need> {
    Need::new(share, &model(name))
}

/// The profile a share comes to on a model, by name.
fn profile(share: Share, name: &str) -> Option<String> {
    let cut = need(&share.isolated(Isolation::Hard), name)?.cut?;
    Some(model(name).mig[usize::from(cut.profile)].name.to_string())
}

#[test]
fn a_fraction_is_the_same_on_every_model() {
    for name in ["H100", "L4", "A30"] {
        let quarter = need(&Share::fraction(MilliGpu(250)), name).expect("every model can");
        assert_eq!((quarter.milli, quarter.most, quarter.per_gpu()), (250, 250, 4));
    }
}

#[test]
fn memory_takes_compute_in_proportion_and_rounds_up() {
    let milli = |gib, name| need(&Share::memory(Mib::gib(gib)), name).map(|need| need.milli);
    assert_eq!(milli(20, "H100"), Some(250));
    assert_eq!(milli(20, "H200"), Some(142), "20 of 141 GiB are 141.8 thousandths");
    assert_eq!(milli(20, "L4"), Some(834));
    assert_eq!(milli(80, "H100"), Some(1000));
    assert_eq!(milli(20, "T4"), None, "16 GiB cannot give 20");
}

#[test]
fn what_is_given_adds_up_to_no_more_memory_than_the_card_has() {
    for (name, gib) in [("H100", 7), ("H200", 10), ("L4", 5), ("A30", 3)] {
        let by_memory = need(&Share::memory(Mib::gib(gib)), name).expect("it fits");
        let milli = MilliGpu(u64::from(by_memory.milli));
        let by_part = need(&Share::fraction(milli), name).expect("it fits");
        let given = by_memory.place(by_memory.milli, 0).memory;
        assert_eq!(given, Mib::gib(gib), "as much as was asked for");
        assert!(given <= by_part.place(by_part.milli, 0).memory, "{name}");
    }
}

#[test]
fn a_gpu_is_given_to_forty_at_most() {
    let tiny = need(&Share::fraction(MilliGpu(1)), "H100").expect("it fits");
    assert_eq!((tiny.milli, tiny.per_gpu()), (25, 40));
}

#[test]
fn hard_fractions_are_the_smallest_profile_with_enough_of_both() {
    let cases = [
        (100, "1g.10gb"),
        (125, "1g.10gb"),
        (142, "1g.20gb"),
        (143, "2g.20gb"),
        (250, "2g.20gb"),
        (428, "3g.40gb"),
        (500, "4g.40gb"),
        (600, "7g.80gb"),
        (1000, "7g.80gb"),
    ];
    for (milli, expected) in cases {
        let found = profile(Share::fraction(MilliGpu(milli)), "H100");
        assert_eq!(found.as_deref(), Some(expected), "{milli}");
    }
    assert_eq!(profile(Share::fraction(MilliGpu(500)), "A30").as_deref(), Some("2g.12gb"));
    assert_eq!(profile(Share::fraction(MilliGpu(500)), "L4"), None, "no MIG there");
}

#[test]
fn hard_memory_is_the_smallest_profile_with_so_much_and_compute_near_its_proportion() {
    let cases =
        [(5, "1g.10gb"), (10, "1g.10gb"), (20, "2g.20gb"), (40, "3g.40gb"), (41, "7g.80gb")];
    for (gib, expected) in cases {
        let found = profile(Share::memory(Mib::gib(gib)), "H100");
        assert_eq!(found.as_deref(), Some(expected), "{gib} GiB");
    }
}

#[test]
fn a_card_holds_as_many_of_a_profile_as_the_vendor_says() {
    let mut profiles = 0;
    for model in GpuModel::known() {
        for profile in &model.mig {
            let need = Need::new(&Share::mig(profile.name.as_str()), &model).expect("its own");
            assert_eq!(need.per_gpu(), u32::from(profile.most), "{} {}", model.name, profile.name);
            profiles += 1;
        }
    }
    assert_eq!(profiles, 9 * 6 + 3);
}

#[test]
fn a_card_has_all_its_slices_where_only_a_small_profile_is_configured() {
    let mut card = model("A100");
    card.mig.truncate(1);
    let need = Need::new(&Share::mig("1g.10gb"), &card).expect("a profile");
    assert_eq!(need.per_gpu(), 7);
}

#[test]
fn instances_start_where_the_vendor_lets_them() {
    let starts = |name| {
        let cut = need(&Share::mig(name), "A100").expect("a profile").cut.expect("hard");
        cut.starts(0).collect::<Vec<u8>>()
    };
    assert_eq!(starts("1g.10gb"), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(starts("1g.20gb"), [0, 2, 4, 6]);
    assert_eq!(starts("2g.20gb"), [0, 2, 4]);
    assert_eq!(starts("3g.40gb"), [0, 4]);
    assert_eq!(starts("4g.40gb"), [0]);
    assert_eq!(starts("7g.80gb"), [0]);
}

#[test]
fn room_counts_what_neighbours_leave_of_memory_and_of_slices() {
    let cut = |name| need(&Share::mig(name), "A100").expect("a profile").cut.expect("hard");
    assert_eq!(cut("3g.40gb").room(mask(0, 4), 4), 1, "beside a half");
    assert_eq!(cut("4g.40gb").room(mask(4, 4), 3), 1, "its one start is free");
    assert_eq!(cut("4g.40gb").room(mask(0, 1), 1), 0, "its one start is taken");
    assert_eq!(cut("1g.10gb").room(mask(0, 4) | mask(4, 4), 6), 0, "a slice without memory");
    assert_eq!(cut("1g.20gb").room(0, 6), 1, "memory without slices");
}

#[test]
fn masks_are_eighths_from_a_start_on() {
    assert_eq!(mask(0, 8), 0b1111_1111);
    assert_eq!(mask(4, 4), 0b1111_0000);
    assert_eq!(mask(6, 1), 0b0100_0000);
}
