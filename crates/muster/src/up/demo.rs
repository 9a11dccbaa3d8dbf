//! A living workload for `muster up --demo`: several teams, gangs, shares, arrays, a service that
//! stays, something that gives way, something that fails.

use std::time::Duration;

use muster_api::JobFile;
use muster_api::job_file::Format;
use muster_api::view::JobState;
use muster_client::{Client, JobFilter, Target};
use muster_model::{ClusterSpec, Millis, QueueSpec, Quota, Team};
use muster_server::prices::{Price, Prices};

/// How often another job comes.
const EVERY: Duration = Duration::from_secs(3);

/// Jobs that wait before no more are submitted: a demo is not meant to drown.
const WAITING_MAX: usize = 12;

/// The jobs, over and over in this order. Each is a job file as anyone could write it.
const JOBS: [&str; 9] = [
    "{name: train-resnet, queue: vision, tasks: 2, gpus: 2, time: 5m, checkpoint: {signal: USR1, \
     save: 2s}, command: 'trap \"touch $MUSTER_SAVED_FILE\" USR1; for s in $(seq 40); do echo step \
     $s; sleep 1; done'}",
    "{name: notebook, queue: vision, gpus: 0.25, time: 10m, command: 'echo notebook ready; \
     sleep 90'}",
    "{name: sweep, queue: language, gpus: 1, array: 0-5%3, time: 5m, command: 'echo try \
     $MUSTER_ARRAY_INDEX; sleep $((10 + MUSTER_ARRAY_INDEX * 3))'}",
    "{name: finetune, queue: language, tasks: 4, gpus: 1, time: 5m, command: 'echo rank $RANK of \
     $WORLD_SIZE meets at $MASTER_ADDR:$MASTER_PORT; sleep 45'}",
    "{name: backfill, queue: batch, class: preemptible, gpus: 2, time: 10m, checkpoint: {signal: \
     USR1, save: 1s}, command: 'trap \"touch $MUSTER_SAVED_FILE\" USR1; for s in $(seq 120); do \
     sleep 1; done'}",
    "{name: broken, queue: language, gpus: 1, retries: 1, time: 5m, command: 'echo loading data; \
     sleep 4; echo no such file >&2; exit 3'}",
    "{name: evaluate, queue: vision, class: express, gpus: 1, time: 2m, command: 'sleep 12'}",
    "{name: preprocess, queue: batch, cpus: 2, time: 2m, command: 'seq 200000 | wc -l; sleep 8'}",
    "{name: big-run, queue: language, tasks: 1, gpus: 8, time: 3m, command: 'echo 8 GPUs; \
     sleep 40'}",
];

/// The service that is there all the time.
const SERVICE: &str = "{name: chat-service, queue: serving, class: inference, gpus: 1, time: 1h, \
                       command: 'while true; do echo served at $(date +%T); sleep 5; done'}";

/// Prices as made up as the work.
pub(super) fn prices() -> Prices {
    let default = Some(Price(2_000_000));
    Prices { currency: Some("EUR".to_owned()), default, ..Prices::default() }
}

/// A cluster of several teams, with racks and blocks as large ones have. Of eight GPUs of a node
/// six are guaranteed to somebody: some lend what they do not use, and there is more to borrow.
pub(super) fn cluster(nodes: u16) -> ClusterSpec {
    let quota = |of_node: u64| Quota::of_gpus(u64::from(nodes) * of_node);
    let queue = |name: &str, of_node: u64| QueueSpec::new(name).guarantee(quota(of_node));
    let queues = [
        QueueSpec::new("default"),
        queue("vision", 2),
        queue("language", 3),
        queue("serving", 1),
        QueueSpec::new("batch"),
    ];
    let team = |queue: &&QueueSpec| queue.name.as_str() != "default";
    let team_of = |queue: &QueueSpec| Team {
        name: queue.name.as_str().into(),
        queue: queue.name.clone(),
        members: Vec::new(),
    };
    let teams = queues.iter().filter(team).map(team_of).collect();
    let mut cluster = ClusterSpec::default().levels(["block", "rack"]).queues(queues);
    // Nobody runs for long here, so nobody is told to wait for days in the worst case.
    cluster.policy.limit_max = Millis::hours(1);
    ClusterSpec { teams, ..cluster }
}

/// Submits one job after the other for as long as it is let.
pub(super) async fn keep_going(target: Target) {
    let Ok(client) = Client::new(&target) else { return };
    let mut ticks = tokio::time::interval(EVERY);
    for text in JOBS.iter().cycle() {
        ticks.tick().await;
        // A server that does not answer now may answer in three seconds.
        let Ok(alive) = client.jobs(&alive()).await else { continue };
        if !alive.iter().any(|job| job.name == "chat-service") {
            submit(&client, SERVICE).await;
        }
        if alive.iter().filter(|job| job.state.is_pending()).count() < WAITING_MAX {
            submit(&client, text).await;
        }
    }
}

fn alive() -> JobFilter {
    JobFilter { states: JobState::ALIVE.to_vec(), ..JobFilter::default() }
}

async fn submit(client: &Client, text: &str) {
    let mut file = JobFile::read(text, Format::Yaml).expect("the demo's job files can be read");
    // Each queue has a team of its name, so that accounts have something to tell apart.
    file.team.clone_from(&file.queue);
    let Ok(user) = crate::cli::login_name() else { return };
    let job = file.into_job(&user).expect("the demo's job files are right");
    if let Err(error) = client.submit(&job).await {
        eprintln!("the demo could not submit {}: {error}", job.spec.name);
    }
}

#[cfg(test)]
mod tests {
    use muster_api::JobFile;
    use muster_api::job_file::Format;

    use super::{JOBS, SERVICE, cluster};

    #[test]
    fn every_job_of_the_demo_is_acceptable_to_its_cluster() {
        let cluster = cluster(2);
        assert_eq!(cluster.validate(), Ok(()));
        for text in JOBS.iter().chain([&SERVICE]) {
            let mut file = JobFile::read(text, Format::Yaml).expect(text);
            file.team.clone_from(&file.queue);
            let job = file.into_job("user-a").expect(text);
            assert_eq!(job.spec.validate(&cluster), Ok(()), "{text}");
        }
    }
}
