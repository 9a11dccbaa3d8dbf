//! Brings word to a webhook or a command.

use std::process::Stdio;
use std::time::Duration;

use muster_api::view::AlertView;
use reqwest::Client;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::settings::AlertRule;

/// How long a webhook may take to answer.
const ANSWER: Duration = Duration::from_secs(10);

/// How long a command may take.
const COMMAND: Duration = Duration::from_secs(30);

/// Tells one; why not, in words.
pub(super) async fn tell(
    client: &Client,
    rule: &AlertRule,
    view: &AlertView,
) -> Result<(), String> {
    let body = serde_json::to_vec(view).expect("alerts are plain data");
    if let Some(address) = &rule.webhook {
        return post(client, address, body).await;
    }
    let told = run(&rule.command, &body);
    let late = |_| Err(format!("the command took longer than {} s", COMMAND.as_secs()));
    tokio::time::timeout(COMMAND, told).await.unwrap_or_else(late)
}

async fn post(client: &Client, address: &str, body: Vec<u8>) -> Result<(), String> {
    let request = client.post(address).timeout(ANSWER).body(body);
    let request = request.header("content-type", "application/json");
    // An address may have a secret in it, which is nobody's to read.
    let told = |error: reqwest::Error| error.without_url().to_string();
    let answer = request.send().await.map_err(told)?;
    match answer.status() {
        status if status.is_success() => Ok(()),
        status => Err(format!("the webhook answered {status}")),
    }
}

async fn run(command: &[String], body: &[u8]) -> Result<(), String> {
    let (program, arguments) = command.split_first().ok_or("there is no command")?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(|error| format!("cannot run {program}: {error}"))?;
    if let Some(mut input) = child.stdin.take() {
        // A command that does not read what it is told may still do its work.
        let _ = input.write_all(body).await;
    }
    let status =
        child.wait().await.map_err(|error| format!("cannot wait for {program}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{program} ended with {status}")) }
}
