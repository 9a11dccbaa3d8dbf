//! Readings for GPUs that do not exist, such as a cluster shows: most jobs keep their GPUs busy
//! with ups and downs after a slow start, some compute in bursts, some hold GPUs and hardly
//! compute, and here and there one GPU lags behind the others of its job. All of it follows from
//! the job's number and the time.

/// How long one up and down takes.
const WAVE_MS: u64 = 240_000;

/// How long most jobs take to get going: they load data and compile.
const WARM_UP_MS: u64 = 20_000;

/// How often a job that trains stops to evaluate, and for how long.
const EVALUATES_EVERY_MS: u64 = 1_500_000;
const EVALUATES_MS: u64 = 120_000;

/// How often somebody at a notebook runs a cell, and for how long.
const CELL_EVERY_MS: u64 = 900_000;
const CELL_MS: u64 = 45_000;

/// What a job does, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Trains: busy, with evaluations in between.
    Trains,
    /// Waits for data half of the time.
    Starves,
    /// A notebook: a cell now and then.
    Notebook,
    /// Holds its GPUs and does nothing to speak of.
    Idles,
}

impl Kind {
    fn of(mixed: u64) -> Kind {
        match mixed % 12 {
            0..7 => Kind::Trains,
            7 | 8 => Kind::Starves,
            9 | 10 => Kind::Notebook,
            _ => Kind::Idles,
        }
    }
}

/// How busy a job keeps a GPU when it has been there for so long, in thousandths; the same for the
/// same job, GPU and times.
pub(super) fn busy(job: u64, gpu: u32, now_ms: u64, age_ms: u64) -> u32 {
    let mixed = mix(job);
    // Each GPU a little apart, and none in step with those of other jobs.
    let apart = mix(mixed ^ u64::from(gpu)) % 30;
    let own_ms = now_ms + mixed % EVALUATES_EVERY_MS;
    let value = match Kind::of(mixed) {
        Kind::Idles => mix(mixed ^ (now_ms / WAVE_MS)) % 20,
        Kind::Notebook if own_ms % CELL_EVERY_MS < CELL_MS => 600 + apart,
        Kind::Notebook => apart / 6,
        Kind::Trains if age_ms < WARM_UP_MS => 40 + age_ms * 300 / WARM_UP_MS,
        Kind::Trains if own_ms % EVALUATES_EVERY_MS < EVALUATES_MS => 250 + apart,
        Kind::Trains if lags(mixed, gpu) => wave(own_ms, 300 + mixed % 80, apart),
        Kind::Trains => wave(own_ms, 760 + mixed % 180, apart),
        Kind::Starves if age_ms < WARM_UP_MS => 20,
        Kind::Starves => wave(own_ms, 300 + mixed % 200, apart),
    };
    u32::try_from(value.min(1000)).expect("at most 1000")
}

/// One GPU in sixteen of those that train is fed worse than the others.
fn lags(mixed: u64, gpu: u32) -> bool {
    mix(mixed.rotate_left(7) ^ u64::from(gpu)).is_multiple_of(16)
}

/// Up and down in a straight line around a level.
fn wave(own_ms: u64, level: u64, apart: u64) -> u64 {
    let phase = own_ms % WAVE_MS;
    let up = phase.min(WAVE_MS - phase) * 120 / (WAVE_MS / 2);
    (level + up).saturating_sub(60 + apart)
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

    const HOUR: u64 = 3_600_000;

    fn mean(job: u64) -> u32 {
        let steps = HOUR / 10_000;
        let busy = (0..steps).map(|step| busy(job, 0, step * 10_000, HOUR + step));
        busy.sum::<u32>() / u32::try_from(steps).expect("a few hundred")
    }

    #[test]
    fn most_jobs_train_some_starve_and_some_hardly_compute() {
        let count =
            |from: u32, to: u32| (1..=600).filter(|job| (from..to).contains(&mean(*job))).count();
        let (idle, low, high) = (count(0, 100), count(200, 520), count(600, 1000));
        assert!((100..200).contains(&idle), "{idle} of 600 hardly compute");
        assert!((60..140).contains(&low), "{low} of 600 starve");
        assert!((300..400).contains(&high), "{high} of 600 train");
        assert_eq!(idle + low + high, 600, "and nothing in between");
    }

    #[test]
    fn here_and_there_one_gpu_lags_behind_the_others_of_its_job() {
        let trains: Vec<u64> = (1..200).filter(|job| Kind::of(mix(*job)) == Kind::Trains).collect();
        let lagging = |job: &u64| (0..8).filter(|gpu| lags(mix(*job), *gpu)).count();
        let all: usize = trains.iter().map(lagging).sum();
        let part = all * 100 / (8 * trains.len());
        assert!((4..10).contains(&part), "{part}% of their GPUs");
        let some = trains.iter().find(|job| lagging(job) == 1).expect("some job has just one");
        let readings = |gpu| (0..360).map(move |step| busy(*some, gpu, step * 10_000, HOUR)).sum();
        let mut busy: Vec<u32> = (0..8).map(readings).collect();
        busy.sort_unstable();
        assert!(busy[0] * 3 < busy[1] * 2 && busy[1] * 10 > busy[7] * 9, "{busy:?}");
    }

    #[test]
    fn jobs_that_train_get_going_slowly_and_evaluate_now_and_then() {
        let trains = (1..).find(|job| Kind::of(mix(*job)) == Kind::Trains).expect("most do");
        assert!(busy(trains, 0, 0, 0) < 100);
        let readings = (0..2 * HOUR / 10_000).map(|step| busy(trains, 0, step * 10_000, HOUR));
        let low = readings.filter(|busy| *busy < 400).count();
        assert!((30..90).contains(&low), "{low} of 720 readings are of evaluations");
    }
}
