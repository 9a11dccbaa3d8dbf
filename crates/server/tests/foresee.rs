//! What would become of a job: it is told without a trace, and only to those who may submit it.

mod support;

use muster_api::view::{ForeseenView, JobState, JobView};
use muster_api::{Page, Program, Report, Submission};
use muster_model::{JobSpec, NodeSpec};
use reqwest::{Method, Response, StatusCode};
use support::{Serving, data, folder, job};

async fn foresee(server: &Serving, token: &str, spec: JobSpec) -> Response {
    let program = Program { command: vec!["true".to_owned()], ..Program::default() };
    let submission = Submission { spec: spec.into(), program: program.into() };
    server.send(Method::POST, "/v1/foresee", token, &submission).await
}

#[tokio::test]
async fn a_job_is_told_when_and_where_it_would_start_and_leaves_no_trace() {
    let folder = folder();
    let server = Serving::start(folder.path(), |_| ()).await;
    let admin = server.tokens.admin.clone();
    let mut agent = server.join(NodeSpec::new("node-1", "H100", 8), &[]).await;
    let now: ForeseenView = data(foresee(&server, &admin, job("train", 4)).await).await;
    assert_eq!((now.job, now.state), (1, JobState::Launching));
    assert_eq!(
        (now.nodes, now.text),
        (vec!["node-1".to_owned()], "would start now on node-1".into())
    );

    let running = server.submit(job("train", 6)).await;
    agent.tell(&server, &[Report::Started(running)], &[]).await;
    let later: ForeseenView = data(foresee(&server, &admin, job("train", 4)).await).await;
    assert_eq!((later.job, later.state), (2, JobState::Queued));
    assert!(later.starts > now.starts, "{later:?}");
    for words in ["would be queued\n", "because: ", "when job 1 ends", "probably on node-1"] {
        assert!(later.text.contains(words), "{words}: {}", later.text);
    }
    let never: ForeseenView = data(foresee(&server, &admin, job("train", 9)).await).await;
    assert_eq!((never.starts, never.nodes.len()), (None, 0), "{}", never.text);

    let jobs: Page<JobView> = server.read("/v1/jobs").await;
    assert_eq!(jobs.items.len(), 1, "nothing was submitted but what was");
    server.stop().await;
}

#[tokio::test]
async fn what_would_be_refused_is_refused_and_who_may_not_submit_may_not_ask() {
    let folder = folder();
    let server = Serving::start(folder.path(), |_| ()).await;
    let tokens = &server.tokens;
    let elsewhere = JobSpec { queue: "nowhere".into(), ..job("train", 1) };
    for (token, spec, expected) in [
        (&tokens.admin, elsewhere, StatusCode::UNPROCESSABLE_ENTITY),
        (&tokens.viewer, job("train", 1), StatusCode::FORBIDDEN),
        (&tokens.user_a, job("train", 1), StatusCode::FORBIDDEN),
    ] {
        assert_eq!(foresee(&server, token, spec).await.status(), expected);
    }
    server.stop().await;
}
