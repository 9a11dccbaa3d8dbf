//! Sets of GPUs, and the usual wirings.

use proptest::prelude::*;

use super::*;

#[test]
fn the_first_gpus_are_those_below_a_count() {
    assert_eq!(GpuSet::first(0), GpuSet::EMPTY);
    assert_eq!(GpuSet::first(3), GpuSet(0b111));
    assert_eq!(GpuSet::first(64), GpuSet(u64::MAX));
}

#[test]
fn the_lowest_of_a_set_are_taken_first() {
    let set = GpuSet(0b1011_0100);
    assert_eq!(set.lowest(2), GpuSet(0b0001_0100));
    assert_eq!(set.lowest(0), GpuSet::EMPTY);
    assert_eq!(set.lowest(9), set);
}

#[test]
fn usual_wirings_group_gpus_as_their_boards_do() {
    let pairs = [0b11, 0b1100, 0b11_0000, 0b1100_0000].map(GpuSet);
    let halves = [0b1111, 0b1111_0000].map(GpuSet);
    let nvswitch = NodeLinks::nvswitch(8);
    assert_eq!(nvswitch.nvlink, [GpuSet::first(8)]);
    assert_eq!(nvswitch.pcie, pairs);
    assert_eq!(nvswitch.numa, halves);
    assert_eq!(NodeLinks::pairs(8).nvlink, pairs);
    assert_eq!(NodeLinks::pcie(8).nvlink, []);
    assert_eq!(NodeLinks::pcie(8).pcie, halves);
}

#[test]
fn odd_numbers_of_gpus_leave_a_smaller_group() {
    assert_eq!(NodeLinks::pairs(3).nvlink, [GpuSet(0b11), GpuSet(0b100)]);
    assert_eq!(NodeLinks::pairs(3).numa, [GpuSet(0b11), GpuSet(0b100)]);
    assert_eq!(NodeLinks::nvswitch(1).numa, [GpuSet(0b1)]);
    assert_eq!(NodeLinks::nvswitch(0), NodeLinks::default());
}

proptest! {
    #[test]
    fn a_set_is_what_its_numbers_say(mask in any::<u64>(), other in any::<u64>()) {
        let (set, other) = (GpuSet(mask), GpuSet(other));
        let numbers: Vec<u32> = set.iter().collect();
        prop_assert!(numbers.is_sorted_by(|one, next| one < next));
        let again = numbers.iter().fold(GpuSet::EMPTY, |all, gpu| all.or(GpuSet::one(*gpu)));
        prop_assert_eq!(again, set);
        prop_assert_eq!(numbers.len(), set.count() as usize);
        prop_assert_eq!(set.minus(other).or(set.and(other)), set);
        prop_assert!(set.minus(other).and(other).is_empty());
        prop_assert!(set.or(other).contains(set));
    }

    #[test]
    fn the_lowest_are_a_prefix_of_the_numbers(mask in any::<u64>(), count in 0..70_u32) {
        let lowest: Vec<u32> = GpuSet(mask).lowest(count).iter().collect();
        let expected: Vec<u32> = GpuSet(mask).iter().take(count as usize).collect();
        prop_assert_eq!(lowest, expected);
    }
}
