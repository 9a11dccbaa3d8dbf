//! `sprio`: what jobs that wait are ranked by. Muster ranks by class first, which is the QOS; the
//! rest of the order is fairness, which no number of a single job can say.

use muster_api::view::JobState;
use muster_client::SlurmFilter;
use muster_slurm::report::JobFacts;
use muster_slurm::tool::SPRIO;

use super::choose::{self, Choice};
use super::people::People;
use super::session::Session;
use super::{Ended, Stop, asked_about, say};

const NAME: &str = "sprio";

pub(super) async fn run(words: Vec<String>) -> Ended {
    let given = SPRIO.read(words).map_err(|said| Stop::plain(said, 1))?;
    if let Some(text) = asked_about(&SPRIO, &given) {
        return say(&text);
    }
    let jobs = given.list("jobs").map(|words| choose::jobs(&words)).transpose();
    let jobs = jobs.map_err(|word| Stop::error(NAME, format!("Invalid job id: {word}")))?;
    let choice = Choice {
        jobs,
        users: choose::users(&given, &People::here(), ""),
        partitions: given.list("partition"),
        ..Choice::default()
    };
    let session = Session::open(NAME)?;
    let states = vec![JobState::Waiting, JobState::Queued];
    let filter = SlurmFilter { states, ..SlurmFilter::default() };
    let mut jobs = choose::found(&session, &choice, filter).await?;
    jobs.retain(|job| job.priority > 0);
    let is_long = given.has("long");
    let mut lines = Vec::new();
    if !given.has("noheader") {
        let user = if is_long { format!(" {:>8}", "USER") } else { String::new() };
        let (job, partition, priority) = ("JOBID", "PARTITION", "PRIORITY");
        let (site, qos) = ("SITE", "QOS");
        lines.push(format!("{job:>15} {partition:<9}{user} {priority:>10} {site:>10} {qos:>10}"));
    }
    lines.extend(jobs.iter().map(|job| line(job, is_long)));
    say(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())
}

fn line(job: &JobFacts, is_long: bool) -> String {
    let user = if is_long { format!(" {:>8}", job.user) } else { String::new() };
    let (label, partition, priority) = (job.label(), &job.partition, job.priority);
    format!("{label:>15} {partition:<9}{user} {priority:>10} {:>10} {priority:>10}", 0)
}
