//! Readings for GPUs that do not exist, such as a cluster shows: most jobs keep their GPUs busy
//! with ups and downs, some hold them and hardly compute.

/// How long one up and down takes.
const WAVE_MS: u64 = 240_000;

/// One job in so many hardly computes.
const IDLERS: u64 = 6;

/// How busy a job keeps a GPU, in thousandths; the same for the same job, GPU and time.
pub(super) fn busy(job: u64, gpu: u32, now_ms: u64) -> u32 {
    let mixed = mix(job);
    if mixed.is_multiple_of(IDLERS) {
        return thousandths(mix(mixed ^ (now_ms / WAVE_MS)) % 60);
    }
    let level = 550 + mixed % 380;
    // Up and down in a straight line, and each GPU a little apart.
    let phase = (now_ms + mixed % WAVE_MS) % WAVE_MS;
    let up = phase.min(WAVE_MS - phase) * 120 / (WAVE_MS / 2);
    let apart = mix(mixed ^ u64::from(gpu)) % 30;
    thousandths((level + up).saturating_sub(60 + apart))
}

fn thousandths(value: u64) -> u32 {
    u32::try_from(value.min(1000)).expect("at most 1000")
}

/// Spreads numbers that are near each other (the finaliser of `SplitMix64`).
fn mix(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_jobs_compute_and_some_do_not() {
        let mean = |job| (0..100).map(|step| busy(job, 0, step * 10_000)).sum::<u32>() / 100;
        let idle = (1..=600).filter(|job| mean(*job) < 60).count();
        let active = (1..=600).filter(|job| mean(*job) > 450).count();
        assert!((60..160).contains(&idle), "{idle} of 600 are idle");
        assert_eq!(idle + active, 600, "nothing in between");
    }
}
