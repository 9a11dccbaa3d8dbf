//! From a recorded job to one that is submitted: a gang of at most a node's GPUs sits on one
//! node, a larger one takes whole nodes and one more for what is left over. CPUs and memory are
//! as usual.

use muster_model::{JobSpec, Millis, Name, Share, TaskCount, TaskShape};
use muster_trace::{Gpus, Job};

use super::Options;
use super::teams::{QUEUE, Teams};

/// Attempts are never used up: a job of a trace did end.
const REQUEUES_MAX: u32 = 1_000;

/// Where nodes fail, an application saves so often unless the trace says.
const SAVES_EVERY: Millis = Millis::hours(1);

/// A job as it is submitted to a pool whose largest nodes have so many GPUs.
pub(super) fn demand(job: &Job, node_gpus: u32, options: &Options) -> JobSpec {
    let job_name = name(job.name.as_deref(), "job");
    let user = name(job.user.as_deref(), "nobody");
    let queue = options.teams.as_ref().map_or(QUEUE, |teams| Teams::queue_of(teams, job));
    let mut spec = JobSpec::new(job_name.as_str(), user.as_str(), queue);
    spec = groups(spec, job.gpus, node_gpus);
    let models = job.model_names();
    for group in &mut spec.groups {
        group.task.models.clone_from(&models);
    }
    let gpus = u32::try_from(job.gpus.milli().0.div_ceil(1_000)).unwrap_or(u32::MAX);
    let state = job.saving.as_ref().and_then(|saving| saving.state);
    spec = options.cost.contract(spec, gpus, state);
    if options.failures_ppm > 0 {
        let every = job.saving.as_ref().and_then(|saving| saving.every);
        spec = spec.saves_every(every.unwrap_or(SAVES_EVERY));
    }
    if options.deadlines {
        spec.timing.deadline = job.deadline;
    }
    spec.requeue.most = REQUEUES_MAX;
    spec
}

fn groups(spec: JobSpec, gpus: Gpus, node_gpus: u32) -> JobSpec {
    let gpus = match gpus {
        Gpus::Share(part) => {
            let task = TaskShape::share(Share::fraction(part));
            return spec.group("main", TaskCount::exactly(1), task);
        }
        Gpus::Whole(gpus) => gpus,
    };
    if gpus <= node_gpus {
        return spec.group("main", TaskCount::exactly(1), TaskShape::gpus(gpus));
    }
    let (nodes, rest) = (gpus / node_gpus, gpus % node_gpus);
    let spec = spec.group("main", TaskCount::exactly(nodes), TaskShape::gpus(node_gpus));
    match rest {
        0 => spec,
        rest => spec.group("rest", TaskCount::exactly(1), TaskShape::gpus(rest)),
    }
}

/// A name as the model takes it: what may not stand in one becomes a dash.
fn name(text: Option<&str>, otherwise: &str) -> Name {
    let Some(text) = text else { return Name::from(otherwise) };
    match Name::new(text) {
        Ok(name) => name,
        Err(_) => Name::from(mended(text).as_str()),
    }
}

fn mended(text: &str) -> String {
    const LENGTH_MAX: usize = 60;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let plain = text.chars().map(|c| if is_plain(c) { c } else { '-' });
    std::iter::once('x').chain(plain).take(LENGTH_MAX).collect()
}

#[cfg(test)]
mod tests {
    use muster_model::{ClusterSpec, Millis, Rung, Time};
    use muster_trace::{Gpus, Job};

    use super::demand;
    use crate::replay::{Cost, Options, Rules};

    fn spec(gpus: u32, name: &str) -> muster_model::JobSpec {
        let mut job = Job::new("1", Time(0), Millis::hours(1), Gpus::Whole(gpus));
        job.name = Some(name.into());
        job.user = Some("user a".into());
        demand(&job, 8, &Options::new(Rules::muster()))
    }

    fn shape(spec: &muster_model::JobSpec) -> Vec<(u32, u32)> {
        spec.groups.iter().map(|group| (group.tasks.max, group.task.gpus)).collect()
    }

    #[test]
    fn a_gang_sits_on_one_node_or_takes_whole_ones_and_a_rest() {
        assert_eq!(shape(&spec(3, "a")), [(1, 3)]);
        assert_eq!(shape(&spec(8, "a")), [(1, 8)]);
        assert_eq!(shape(&spec(16, "a")), [(2, 8)]);
        assert_eq!(shape(&spec(21, "a")), [(2, 8), (1, 5)]);
    }

    #[test]
    fn whatever_a_job_is_called_the_model_accepts_it() {
        for name in ["train", "my job (7)", "", "ünï", &"long".repeat(40), "-x"] {
            assert_eq!(spec(21, name).validate(&ClusterSpec::default()), Ok(()), "{name}");
        }
    }

    #[test]
    fn a_model_that_is_listed_twice_is_asked_for_once() {
        let mut job = Job::new("1", Time(0), Millis::hours(1), Gpus::Whole(12));
        job.models = vec!["V100".into(), "H100".into(), "H100".into()];
        let spec = demand(&job, 8, &Options::new(Rules::muster()));
        assert_eq!(spec.validate(&ClusterSpec::default()), Ok(()));
        assert_eq!(spec.groups[1].task.models.len(), 2);
    }

    #[test]
    fn a_pause_costs_what_the_table_says_or_what_was_measured() {
        let restore = |gpus| spec(gpus, "a").checkpoint.rungs[0].restore;
        assert_eq!((restore(8), restore(9)), (Millis::seconds(40), Millis::seconds(60)));
        let job = Job::new("1", Time(0), Millis::hours(1), Gpus::Whole(1));
        let options = Options { cost: Cost::Measured, ..Options::new(Rules::muster()) };
        let rungs = demand(&job, 8, &options).checkpoint.rungs;
        let suspend = rungs.iter().find(|cost| cost.rung == Rung::Suspend).unwrap();
        // 20 GiB, of which 21 went out in 12.8 s and came back in 4.2 s.
        assert!(suspend.save.0.abs_diff(11_500) < 1_000, "{suspend:?}");
        assert!(suspend.restore.0.abs_diff(4_000) < 300, "{suspend:?}");
    }
}
