//! The GPU models in common use, so that most clusters need to configure none.
//!
//! Memory is what the vendor sells, which is a few percent more than a driver reports. Profiles
//! with media extensions are left out: they differ in nothing that is scheduled.

use crate::gpu::{GpuModel, MigProfile};
use crate::name::Name;
use crate::unit::Mib;

/// How a card is cut: compute slices of one instance, its memory in parts of the card's, and how
/// many of it one card holds. The names carry the memory and differ from card to card.
struct Cut {
    slices: u8,
    memory_part: (u64, u64),
    most: u8,
}

const fn cut(slices: u8, memory_part: (u64, u64), most: u8) -> Cut {
    Cut { slices, memory_part, most }
}

/// Seven compute slices and eight of memory.
const SEVENTHS: [Cut; 6] = [
    cut(1, (1, 8), 7),
    cut(1, (2, 8), 4),
    cut(2, (2, 8), 3),
    cut(3, (4, 8), 2),
    cut(4, (4, 8), 1),
    cut(7, (8, 8), 1),
];

/// Four compute slices and four of memory.
const FOURTHS: [Cut; 3] = [cut(1, (1, 4), 4), cut(2, (2, 4), 2), cut(4, (4, 4), 1)];

impl GpuModel {
    /// The models a cluster knows when it configures none.
    pub fn known() -> Vec<GpuModel> {
        let sevenths = |name, gib, names: [&str; 6]| model(name, gib, &SEVENTHS, &names);
        let fourths = |name, gib, names: [&str; 3]| model(name, gib, &FOURTHS, &names);
        let whole = |name, gib| model(name, gib, &[], &[]);
        let of_40 = ["1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb"];
        let of_80 = ["1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb"];
        let of_94 = ["1g.12gb", "1g.24gb", "2g.24gb", "3g.47gb", "4g.47gb", "7g.94gb"];
        let of_96 = ["1g.12gb", "1g.24gb", "2g.24gb", "3g.48gb", "4g.48gb", "7g.96gb"];
        let of_141 = ["1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb"];
        let of_180 = ["1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb"];
        let of_186 = ["1g.23gb", "1g.47gb", "2g.47gb", "3g.93gb", "4g.93gb", "7g.186gb"];
        vec![
            sevenths("GB200", 186, of_186),
            sevenths("B200", 180, of_180),
            sevenths("H200", 141, of_141),
            sevenths("GH200", 96, of_96),
            sevenths("H100", 80, of_80),
            sevenths("H100-94", 94, of_94),
            sevenths("H20", 96, of_96),
            sevenths("A100", 80, of_80),
            sevenths("A100-40", 40, of_40),
            fourths("A30", 24, ["1g.6gb", "2g.12gb", "4g.24gb"]),
            whole("L40S", 48),
            whole("L40", 48),
            whole("L4", 24),
            whole("A40", 48),
            whole("A10", 24),
            whole("T4", 16),
            whole("V100", 32),
            whole("V100-16", 16),
            whole("P100", 16),
            whole("MI325X", 256),
            whole("MI300X", 192),
            whole("MI250X", 128),
        ]
    }
}

fn model(name: &str, gib: u64, cuts: &[Cut], names: &[&str]) -> GpuModel {
    let memory = Mib::gib(gib);
    let profile = |(cut, name): (&Cut, &&str)| MigProfile {
        name: Name::from(*name),
        slices: cut.slices,
        memory: Mib(memory.0 * cut.memory_part.0 / cut.memory_part.1),
        most: cut.most,
    };
    GpuModel { name: Name::from(name), memory, mig: cuts.iter().zip(names).map(profile).collect() }
}

#[cfg(test)]
mod tests {
    use crate::cluster::ClusterSpec;
    use crate::gpu::GpuModel;
    use crate::unit::Mib;

    #[test]
    fn the_known_models_are_a_valid_configuration() {
        let cluster = ClusterSpec { gpu_models: GpuModel::known(), ..ClusterSpec::default() };
        assert_eq!(cluster.validate(), Ok(()));
    }

    #[test]
    fn the_name_of_each_profile_tells_its_slices_and_its_memory() {
        let mut profiles = 0;
        for model in GpuModel::known() {
            for profile in &model.mig {
                let (slices, memory) =
                    profile.name.as_str().split_once("g.").expect("a vendor's name");
                assert_eq!(slices.parse(), Ok(profile.slices));
                let gib: u64 = memory.trim_end_matches("gb").parse().expect("a number");
                // Names round to whole gigabytes.
                let difference = Mib::gib(gib).0.abs_diff(profile.memory.0);
                assert!(difference <= 1024, "{} of {}", profile.name, model.name);
                profiles += 1;
            }
        }
        assert_eq!(profiles, 9 * 6 + 3);
    }
}
