//! Tables of what people write and what it means.

use crate::name::Name;
use crate::quantity::GpuRequest;
use crate::share::{Isolation, Share, ShareSize};
use crate::task::TaskCount;
use crate::unit::{Mib, MilliCpu, MilliGpu, Millis};

#[test]
fn memory_is_read_in_every_form() {
    for (text, expected) in [
        ("80GiB", Mib::gib(80)),
        ("80GB", Mib::gib(80)),
        ("80gb", Mib::gib(80)),
        ("80G", Mib::gib(80)),
        ("80g", Mib::gib(80)),
        ("512M", Mib(512)),
        ("512MiB", Mib(512)),
        ("1.5T", Mib::gib(1536)),
        ("2PiB", Mib::gib(2 << 20)),
        ("1EiB", Mib(1 << 40)),
        ("2048K", Mib(2)),
        ("1KiB", Mib(1)),
        ("0.1G", Mib(103)),
        ("4096", Mib(4096)),
        ("0", Mib(0)),
    ] {
        assert_eq!(text.parse(), Ok(expected), "{text}");
    }
}

#[test]
fn memory_is_printed_in_the_largest_exact_unit() {
    for (memory, expected) in [
        (Mib(0), "0MiB"),
        (Mib(1), "1MiB"),
        (Mib(1025), "1025MiB"),
        (Mib::gib(80), "80GiB"),
        (Mib::gib(1536), "1536GiB"),
        (Mib::gib(2048), "2TiB"),
        (Mib(1 << 40), "1EiB"),
    ] {
        assert_eq!(memory.to_string(), expected);
    }
}

#[test]
fn durations_are_read_in_every_form() {
    for (text, expected) in [
        ("90", Millis::minutes(90)),
        ("0", Millis(0)),
        ("90s", Millis::seconds(90)),
        ("90m", Millis::minutes(90)),
        ("1h30m", Millis::minutes(90)),
        ("1.5h", Millis::minutes(90)),
        ("2d", Millis::days(2)),
        ("1w", Millis::days(7)),
        ("1w2d3h4m5s6ms", Millis(Millis::days(9).0 + 11_045_006)),
        ("500ms", Millis(500)),
        ("0.5s", Millis(500)),
        ("0.1ms", Millis(1)),
        ("90:30", Millis::seconds(5430)),
        ("12:00:00", Millis::hours(12)),
        ("100:00:00", Millis::hours(100)),
        ("1-12", Millis::hours(36)),
        ("1-12:30", Millis::minutes(36 * 60 + 30)),
        ("1-12:00:00", Millis::hours(36)),
        ("0-36:00:01", Millis::seconds(36 * 3600 + 1)),
    ] {
        assert_eq!(text.parse(), Ok(expected), "{text}");
    }
}

#[test]
fn durations_are_printed_short() {
    for (duration, expected) in [
        (Millis(0), "0s"),
        (Millis(1), "1ms"),
        (Millis(1500), "1s500ms"),
        (Millis::minutes(90), "1h30m"),
        (Millis::hours(36), "1d12h"),
        (Millis::days(30), "30d"),
        (Millis(u64::MAX), "213503982334d14h25m51s615ms"),
    ] {
        assert_eq!(duration.to_string(), expected);
    }
}

#[test]
fn cpus_and_gpus_are_read_in_thousandths() {
    for (text, expected) in
        [("4", 4000), ("1.5", 1500), ("0.125", 125), ("500m", 500), ("0", 0), ("1.000", 1000)]
    {
        assert_eq!(text.parse(), Ok(MilliCpu(expected)), "{text}");
        assert_eq!(text.parse(), Ok(MilliGpu(expected)), "{text}");
    }
}

#[test]
fn cpus_and_gpus_are_printed_without_trailing_zeros() {
    for (value, expected) in [(0, "0"), (4000, "4"), (1500, "1.5"), (125, "0.125"), (1, "0.001")] {
        assert_eq!(MilliCpu(value).to_string(), expected);
        assert_eq!(MilliGpu(value).to_string(), expected);
    }
}

#[test]
fn task_counts_are_read_and_printed() {
    for (text, min, max) in [("4", 4, 4), ("2..8", 2, 8), ("0", 0, 0)] {
        assert_eq!(text.parse(), Ok(TaskCount { min, max }), "{text}");
        assert_eq!(TaskCount { min, max }.to_string(), text);
    }
    assert_eq!("4..4".parse(), Ok(TaskCount::exactly(4)));
}

fn request(models: &[&str], gpus: u32, share: Option<Share>) -> GpuRequest {
    GpuRequest { models: models.iter().copied().map(Name::from).collect(), gpus, share }
}

#[test]
fn gpu_requests_are_read_in_every_form() {
    let half = || Some(Share::fraction(MilliGpu(500)));
    let memory = Share { size: ShareSize::Memory(Mib::gib(20)), isolation: Isolation::Soft };
    for (text, expected) in [
        ("8", request(&[], 8, None)),
        ("0", request(&[], 0, None)),
        ("H100x8", request(&["H100"], 8, None)),
        ("H100:8", request(&["H100"], 8, None)),
        ("A100", request(&["A100"], 1, None)),
        ("H100|A100x8", request(&["H100", "A100"], 8, None)),
        ("H100|A100", request(&["H100", "A100"], 1, None)),
        ("MI300X", request(&["MI300X"], 1, None)),
        ("MI300Xx8", request(&["MI300X"], 8, None)),
        ("max2x4", request(&["max2"], 4, None)),
        ("2080ti", request(&["2080ti"], 1, None)),
        ("0.5", request(&[], 0, half())),
        ("A100x0.5", request(&["A100"], 0, half())),
        ("A100:0.5", request(&["A100"], 0, half())),
        ("1.0", request(&[], 0, Some(Share::fraction(MilliGpu(1000))))),
        ("0.25..0.5", request(&[], 0, Some(Share::between(MilliGpu(250), MilliGpu(500))))),
        ("0.5..1", request(&[], 0, Some(Share::between(MilliGpu(500), MilliGpu(1000))))),
        ("20GiB", request(&[], 0, Some(memory.clone()))),
        ("A100x20GB", request(&["A100"], 0, Some(memory))),
        ("1g.10gb", request(&[], 0, Some(Share::mig("1g.10gb")))),
        ("A100:3g.40gb", request(&["A100"], 0, Some(Share::mig("3g.40gb")))),
    ] {
        assert_eq!(text.parse(), Ok(expected), "{text}");
    }
}

#[test]
fn gpu_requests_are_printed_in_one_form() {
    for (text, expected) in [
        ("8", "8"),
        ("H100:8", "H100x8"),
        ("A100", "A100x1"),
        ("H100|A100:8", "H100|A100x8"),
        ("0.50", "0.5"),
        ("A100:0.25..0.50", "A100x0.25..0.5"),
        ("20GB", "20GiB"),
        ("A100:1g.10gb", "A100x1g.10gb"),
    ] {
        let request: GpuRequest = text.parse().expect(text);
        assert_eq!(request.to_string(), expected);
    }
}
