//! The jobs of a replay as the lower bounds see them: rigid, and bound to their pools.

use super::{Record, Replayed};
use crate::bound::{Pool, Work};

impl Replayed {
    /// The jobs that ended, by pool. Those that did not are left out, as they are of the means:
    /// without them the others can only be over sooner.
    pub(super) fn limits(&self) -> Vec<Pool> {
        let empty = |gpus: &u64| Pool { gpus: *gpus, works: Vec::new() };
        let mut pools: Vec<Pool> = self.gpus.iter().map(empty).collect();
        for record in self.records.iter().filter(|record| record.end.is_some()) {
            pools[record.pool].works.push(work(record));
        }
        pools
    }
}

/// A part of a GPU counts as none: less work than there is bounds the same schedules.
fn work(record: &Record) -> Work {
    Work {
        release_ms: record.submit.0,
        duration_ms: record.duration.0,
        gpus: u32::try_from(record.milli / 1_000).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use muster_model::{Millis, Time};
    use muster_predict::Coverage;

    use super::super::{Record, Replayed};

    /// A record of a job of one hour: its pool, its GPUs, and when it ended, in hours.
    fn record(pool: usize, gpus: u64, end: Option<u64>) -> Record {
        Record {
            pool,
            submit: Time(0),
            duration: Millis::hours(1),
            milli: gpus * 1_000,
            deadline: None,
            start: end.map(|_| Time(0)),
            end: end.map(|hours| Time(Millis::hours(hours).0)),
            waited: Millis::ZERO,
            gap: Millis::ZERO,
            held: Millis::hours(1),
            slowed: Millis::ZERO,
            pauses: 0,
        }
    }

    fn replayed(gpus: Vec<u64>, records: Vec<Record>) -> Replayed {
        let (first, ended) = (Time(0), Time(Millis::hours(9).0));
        let coverage = Coverage::default();
        Replayed {
            records,
            refused: Vec::new(),
            gpus,
            first,
            ended,
            steps: 0,
            coverage,
            promises: None,
            series: None,
        }
    }

    #[test]
    fn each_pool_has_its_own_bound_and_work_that_did_not_end_is_in_none() {
        let two = |pools: [usize; 3]| {
            let mut records: Vec<Record> =
                pools.into_iter().map(|pool| record(pool, 8, Some(1))).collect();
            records.push(record(0, 8, None));
            let figures = replayed(vec![8, 8], records).figures();
            (figures.bound_mean_jct_s / 3_600.0, figures.bound_makespan_s / 3_600.0)
        };
        // Alone each takes an hour; of two in one pool the second is over after two.
        assert_eq!(two([0, 0, 1]), ((1.0 + 2.0 + 1.0) / 3.0, 2.0));
        assert_eq!(two([0, 0, 0]), (2.0, 3.0));
    }

    #[test]
    fn parts_of_a_gpu_bound_no_less_than_their_duration() {
        let share = Record { milli: 500, ..record(0, 0, Some(1)) };
        let figures = replayed(vec![8], vec![share]).figures();
        assert_eq!(figures.bound_mean_jct_s, 3_600.0);
    }
}
