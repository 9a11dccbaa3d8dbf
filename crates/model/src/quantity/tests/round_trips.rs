//! What is printed is read as the same value, and no text makes a reader panic.

use proptest::prelude::*;

use crate::name::Name;
use crate::quantity::GpuRequest;
use crate::share::{Isolation, Share, ShareSize};
use crate::task::TaskCount;
use crate::unit::{Mib, MilliCpu, MilliGpu, Millis};

/// Numbers of every magnitude, with round ones as often as others.
fn numbers() -> impl Strategy<Value = u64> {
    let shifted = (any::<u64>(), 0_u32..64).prop_map(|(value, shift)| value >> shift);
    let round = (0_u64..5000, 0_u32..50).prop_map(|(value, shift)| value << shift);
    let decimal = (0_u64..10_000, 0_u32..15).prop_map(|(value, power)| value * 10_u64.pow(power));
    prop_oneof![shifted, round, decimal]
}

fn shares() -> impl Strategy<Value = Share> {
    let fraction = (1_u64..=1000, 1_u64..=1000)
        .prop_map(|(a, b)| Share::between(MilliGpu(a.min(b)), MilliGpu(a.max(b))));
    let memory = numbers().prop_map(|memory| Share {
        size: ShareSize::Memory(Mib(memory)),
        isolation: Isolation::Soft,
    });
    let mig = (1_u32..8, 1_u32..100)
        .prop_map(|(slices, memory)| Share::mig(&format!("{slices}g.{memory}gb")));
    prop_oneof![fraction, memory, mig]
}

fn requests() -> impl Strategy<Value = GpuRequest> {
    let models = prop::collection::vec("[A-Za-z0-9][A-Za-z0-9x._-]{0,8}", 0..4);
    let amount = prop_oneof![
        any::<u32>().prop_map(|gpus| (gpus, None)),
        shares().prop_map(|share| (0, Some(share))),
    ];
    (models, amount).prop_map(|(models, (gpus, share))| GpuRequest {
        models: models.iter().map(|model| Name::from(model.as_str())).collect(),
        gpus,
        share,
    })
}

/// Text near enough to quantities to get past the first check, and text that is not.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[0-9.:xXgGmMihHdDsbB|, -]{0,12}", ".{0,12}", "[0-9]{1,30}[a-zA-Z]{0,3}"]
}

proptest! {
    #[test]
    fn printed_memory_is_read_as_the_same(memory in numbers().prop_map(Mib)) {
        prop_assert_eq!(memory.to_string().parse(), Ok(memory));
    }

    #[test]
    fn printed_durations_are_read_as_the_same(duration in numbers().prop_map(Millis)) {
        prop_assert_eq!(duration.to_string().parse(), Ok(duration));
    }

    #[test]
    fn printed_cpus_and_gpus_are_read_as_the_same(value in numbers()) {
        prop_assert_eq!(MilliCpu(value).to_string().parse(), Ok(MilliCpu(value)));
        prop_assert_eq!(MilliGpu(value).to_string().parse(), Ok(MilliGpu(value)));
    }

    #[test]
    fn printed_task_counts_are_read_as_the_same(a in any::<u32>(), b in any::<u32>()) {
        let count = TaskCount { min: a.min(b), max: a.max(b) };
        prop_assert_eq!(count.to_string().parse(), Ok(count));
    }

    #[test]
    fn printed_gpu_requests_are_read_as_the_same(request in requests()) {
        prop_assert_eq!(request.to_string().parse(), Ok(request));
    }

    #[test]
    fn whatever_is_read_is_printed_and_read_again(text in texts()) {
        if let Ok(memory) = text.parse::<Mib>() {
            prop_assert_eq!(memory.to_string().parse(), Ok(memory));
        }
        if let Ok(duration) = text.parse::<Millis>() {
            prop_assert_eq!(duration.to_string().parse(), Ok(duration));
        }
        if let Ok(request) = text.parse::<GpuRequest>() {
            prop_assert_eq!(request.to_string().parse(), Ok(request));
        }
    }

    #[test]
    fn a_refusal_never_panics_and_its_guess_is_always_accepted(text in texts()) {
        if let Err(refused) = text.parse::<Mib>() {
            prop_assert!(refused.meant.is_none_or(|meant| meant.parse::<Mib>().is_ok()));
        }
        if let Err(refused) = text.parse::<Millis>() {
            prop_assert!(refused.meant.is_none_or(|meant| meant.parse::<Millis>().is_ok()));
        }
        if let Err(refused) = text.parse::<MilliCpu>() {
            prop_assert!(refused.meant.is_none_or(|meant| meant.parse::<MilliCpu>().is_ok()));
        }
        if let Err(refused) = text.parse::<TaskCount>() {
            prop_assert!(refused.meant.is_none_or(|meant| meant.parse::<TaskCount>().is_ok()));
        }
        if let Err(refused) = text.parse::<GpuRequest>() {
            prop_assert!(refused.meant.is_none_or(|meant| meant.parse::<GpuRequest>().is_ok()));
        }
    }
}
