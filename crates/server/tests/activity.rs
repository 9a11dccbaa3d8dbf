//! How busy each GPU of a job was: as agents tell it, on the map, and over time.

mod support;

use muster_api::Report;
use muster_api::usage::{GpuSpan, JobActivity, TaskNumber, UsageSpan};
use muster_api::view::MapView;
use muster_engine::command::Running;
use muster_model::NodeSpec;
use reqwest::StatusCode;
use support::{Serving, folder, job};

/// A span in which the first GPU was busy, the second idle, and the third could not be read.
fn one_idles(of: Running, (from_ms, to_ms): (u64, u64)) -> UsageSpan {
    let held_gpu_ms = to_ms - from_ms;
    let busy = [Some(held_gpu_ms), Some(0), None];
    let gpus = (0..).zip(busy);
    let gpus = gpus.map(|(gpu, active_gpu_ms)| GpuSpan { gpu, held_gpu_ms, active_gpu_ms });
    UsageSpan { of, from_ms, to_ms, gpus: gpus.collect() }
}

#[tokio::test]
async fn who_looks_sees_which_gpu_of_a_job_is_idle() {
    let folder = folder();
    let server = Serving::start(folder.path(), |_| ()).await;
    let mut agent = server.join(NodeSpec::new("node-1", "H100", 8), &[]).await;
    let of = server.submit(job("train", 3)).await;
    let path = format!("/v1/jobs/{}/activity", of.job);
    agent.tell(&server, &[Report::Started(of)], &[]).await;
    let begun: MapView = server.read("/v1/map").await;
    let (from_ms, to_ms) = (begun.at.0.0, begun.at.0.0 + 1000);
    agent.tell(&server, &[], &[one_idles(of, (from_ms, to_ms))]).await;

    let map: MapView = server.read("/v1/map").await;
    let busy: Vec<Option<u32>> = map.nodes[0].held.iter().map(|held| held.busy).collect();
    assert_eq!(busy, [Some(1000), Some(0), None]);

    // What is told is written down a moment later, and is asked for up to now.
    let activity = loop {
        let activity: JobActivity = server.read(&path).await;
        if activity.gpus.len() == 3 {
            break activity;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!((activity.attempt, activity.more), (1, 0));
    let told: Vec<_> = activity.gpus.iter().map(|gpu| (gpu.gpu, gpu.busy)).collect();
    assert_eq!(told, [(1, Some(0)), (0, Some(1000)), (2, None)], "the idle one comes first");
    assert_eq!(activity.gpus[0].steps, [Some(0)]);
    assert_eq!(activity.gpus[0].tasks, [TaskNumber { group: 0, rank: 0 }]);
    let worst: JobActivity = server.read(&format!("{path}?attempt=1&limit=1")).await;
    assert_eq!((worst.gpus.len(), worst.more), (1, 2));
    server.stop().await;
}

#[tokio::test]
async fn what_has_not_run_and_what_never_was_is_told_apart() {
    let folder = folder();
    let server = Serving::start(folder.path(), |_| ()).await;
    let waiting = server.submit(job("train", 1)).await;
    let path = format!("/v1/jobs/{}/activity", waiting.job);
    let activity: JobActivity = server.read(&path).await;
    assert_eq!((activity.attempt, activity.gpus.len()), (0, 0));
    let admin = &server.tokens.admin;
    for (path, expected) in [
        ("/v1/jobs/99/activity".to_owned(), "there is no job 99"),
        (format!("{path}?limit=many"), "limit"),
    ] {
        let answer = server.get(&path, admin).await;
        assert!(answer.status().is_client_error(), "{path}");
        let text = answer.text().await.expect("it has a body");
        assert!(text.contains(expected), "{path}: {text}");
    }
    let mut agent = server.join(NodeSpec::new("node-1", "H100", 8), &[]).await;
    agent.tell(&server, &[Report::Started(waiting)], &[]).await;
    let other = loop {
        let answer = server.get(&format!("{path}?attempt=2"), admin).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        let text = answer.text().await.expect("it has a body");
        // The history hears of the job a moment later.
        if !text.contains("no job") {
            break text;
        }
    };
    assert!(other.contains("has no attempt 2") && other.contains("muster job"), "{other}");
    server.stop().await;
}
