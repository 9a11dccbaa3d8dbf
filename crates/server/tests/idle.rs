//! What the rule of a queue for idle jobs leads to, on a real server with agents that made up their
//! readings: a flag, a loan, a pause; each of them said in the job's events and in its `why`.

mod support;

use muster_api::view::{EventView, JobState, MapView, WhyView};
use muster_api::{Page, Report};
use muster_engine::command::{Exit, Running};
use muster_model::{
    Attempt, Checkpoint, IdleRule, JobSpec, Millis, NodeSpec, QueueSpec, Rung, RungCost, WhenIdle,
};
use reqwest::Method;
use support::{Agent, Serving, folder, job, ten_minutes};

/// A server whose only queue has a rule, with one node of eight GPUs.
async fn under(folder: &std::path::Path, then: WhenIdle) -> (Serving, Agent) {
    let server = Serving::start(folder, |settings| {
        let rule = IdleRule { after: Millis::minutes(5), below_milli: 50, then };
        settings.cluster.queues = vec![QueueSpec::new("default").idle(rule)];
        // Who has just started may be asked to give way, and however often.
        let pausing = &mut settings.cluster.policy.pausing;
        (pausing.run_min, pausing.interval) = (Millis(0), Millis(0));
        pausing.overhead_ppm = 1_000_000;
    })
    .await;
    let agent = server.join(NodeSpec::new("node-1", "H100", 8), &[]).await;
    (server, agent)
}

/// A job of eight GPUs that can be asked to save its work and end.
fn notebook() -> JobSpec {
    let second = Millis::seconds(1);
    let rungs = vec![RungCost { rung: Rung::Checkpoint, save: second, restore: second }];
    JobSpec { checkpoint: Checkpoint { rungs, ..Checkpoint::default() }, ..job("notebook", 8) }
}

/// A notebook has run for ten minutes and computed nothing, by what the agent says.
async fn quiet(server: &Serving, agent: &mut Agent) -> Running {
    let of = server.submit(notebook()).await;
    let map: MapView = server.read("/v1/map").await;
    let reading = ten_minutes(of, 8, map.at.0.0, 0);
    agent.tell(server, &[Report::Started(of)], &[reading]).await;
    of
}

async fn why(server: &Serving, of: Running) -> String {
    server.read::<WhyView>(&format!("/v1/jobs/{}/why", of.job)).await.text
}

/// Waits for an event of a kind about a job.
async fn event(server: &Serving, of: Running, kind: &str) -> String {
    loop {
        let events: Page<EventView> = server.read(&format!("/v1/events?job={}", of.job)).await;
        if let Some(event) = events.items.into_iter().find(|event| event.kind == kind) {
            return event.text;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_is_flagged_keeps_its_gpus_and_its_owner_is_told() {
    let folder = folder();
    let (server, mut agent) = under(folder.path(), WhenIdle::Flag).await;
    let of = quiet(&server, &mut agent).await;
    let told = event(&server, of, "idle").await;
    assert!(told.contains("busy for less than 5% of the last 5m: nothing follows"), "{told}");
    let other = server.submit(job("train", 8)).await;
    server.reaches(other.job, JobState::Queued).await;
    server.reaches(of.job, JobState::Running).await;
    let text = why(&server, of).await;
    assert!(text.contains(&told), "{text}");
    // It computes again, and that is said as well.
    let map: MapView = server.read("/v1/map").await;
    let mut reading = ten_minutes(of, 8, map.at.0.0, 900);
    reading.from_ms = map.at.0.0 - 1;
    agent.tell(&server, &[], &[reading]).await;
    assert_eq!(event(&server, of, "busy").await, "its GPUs compute again");
    server.stop().await;
}

#[tokio::test]
async fn what_is_lent_goes_to_who_needs_it_and_its_owner_is_told_for_whom() {
    let folder = folder();
    let (server, mut agent) = under(folder.path(), WhenIdle::Lend).await;
    let of = quiet(&server, &mut agent).await;
    let told = event(&server, of, "idle").await;
    assert!(told.contains("whoever needs them may have them until it goes on"), "{told}");
    let other = server.submit(job("train", 8)).await;
    server.reaches(of.job, JobState::Pausing).await;
    agent.tell(&server, &[Report::Saved(of)], &[]).await;
    server.reaches(of.job, JobState::Stopping).await;
    agent.tell(&server, &[Report::Ended { of, exit: Exit::Stopped }], &[]).await;
    server.reaches(other.job, JobState::Launching).await;
    agent.tell(&server, &[Report::Started(other)], &[]).await;
    server.reaches(other.job, JobState::Running).await;
    let text = why(&server, of).await;
    let said = format!("for job {}, which has use for what was idle", other.job);
    assert!(text.contains(&said), "{text}");
    // The one who borrowed is done, and it comes back and has the whole time again.
    agent.tell(&server, &[Report::Ended { of: other, exit: Exit::Code(0) }], &[]).await;
    server.reaches(of.job, JobState::Launching).await;
    let again = Running { attempt: Attempt(2), ..of };
    agent.tell(&server, &[Report::Started(again)], &[]).await;
    server.reaches(of.job, JobState::Running).await;
    let map: MapView = server.read("/v1/map").await;
    assert!(map.jobs.iter().all(|job| !job.is_idle), "{:?}", map.jobs);
    server.stop().await;
}

#[tokio::test]
async fn who_is_paused_waits_until_its_owner_lets_it_go_on() {
    let folder = folder();
    let (server, mut agent) = under(folder.path(), WhenIdle::Pause).await;
    let of = quiet(&server, &mut agent).await;
    let told = event(&server, of, "idle").await;
    assert!(told.contains(&format!("`muster release {}` lets it go on", of.job)), "{told}");
    server.reaches(of.job, JobState::Stopping).await;
    agent.tell(&server, &[Report::Ended { of, exit: Exit::Stopped }], &[]).await;
    server.reaches(of.job, JobState::Waiting).await;
    let text = why(&server, of).await;
    assert!(text.contains("held"), "{text}");
    let path = format!("/v1/jobs/{}/release", of.job);
    let answer = server.send(Method::POST, &path, &server.tokens.admin, &()).await;
    assert!(answer.status().is_success(), "{}", answer.status());
    server.reaches(of.job, JobState::Launching).await;
    server.stop().await;
}
