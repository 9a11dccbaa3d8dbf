//! Looks while the storm goes on: no task may be alive whose job has ended.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::story::Story;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(400);

/// When nothing has ended for so long, nothing will.
const STUCK: Duration = Duration::from_secs(90);

/// A process that a task is, or that a task has left.
pub(crate) struct TaskProcess {
    pub(crate) pid: u32,
    pub(crate) job: u64,
    pub(crate) words: String,
}

/// Looks until the storm is over. What has ended is asked first: whatever is alive afterwards was
/// alive when its job was said to have ended.
pub(crate) fn watch(story: &Story) {
    while !story.is_over() {
        let ended: BTreeSet<u64> = story
            .api
            .get("/v1/jobs?state=ended&limit=300")
            .map(|page| items(&page).iter().filter_map(|job| job["id"].as_u64()).collect())
            .unwrap_or_default();
        for task in task_processes(&story.folder) {
            if ended.contains(&task.job) {
                let TaskProcess { pid, job, words } = task;
                story.fault(format!("job {job} has ended and process {pid} lives: {words}"));
            }
        }
        std::thread::sleep(LOOK);
    }
}

/// Waits until no job is alive.
pub(crate) fn until_all_have_ended(story: &Story) {
    const ALIVE: &str = "/v1/jobs?state=waiting,queued,launching,running,pausing,paused,resuming,\
                         stopping&limit=1000";
    let (mut since, mut last) = (Instant::now(), None);
    loop {
        let alive = story.api.get(ALIVE).map(|page| items(&page).to_vec());
        let count = alive.as_ref().map(Vec::len);
        if count == Some(0) {
            return;
        }
        if count != last {
            (since, last) = (Instant::now(), count);
        }
        if since.elapsed() > STUCK {
            let names: Vec<String> = alive.unwrap_or_default().iter().map(short).collect();
            story.fault(format!("nothing ends any more: {}", names.join(", ")));
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The list of a page.
pub(crate) fn items(page: &Value) -> &[Value] {
    page["items"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn short(job: &Value) -> String {
    format!("job {} {} (attempt {}) on {}", job["id"], job["state"], job["attempt"], job["nodes"])
}

/// All processes of tasks of this storm.
pub(crate) fn task_processes(folder: &Path) -> Vec<TaskProcess> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| task_process(pid, folder)).collect()
}

fn task_process(pid: u32, folder: &Path) -> Option<TaskProcess> {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let words = String::from_utf8_lossy(&words).replace('\0', " ");
    let is_task = words.contains(" task ") || words.contains(" linger ");
    if !is_task || !words.contains(&folder.display().to_string()) {
        return None;
    }
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let variables = environment.split(|byte| *byte == 0);
    let mut jobs = variables.filter_map(|variable| {
        std::str::from_utf8(variable).ok()?.strip_prefix("MUSTER_JOB_ID=")?.parse().ok()
    });
    Some(TaskProcess { pid, job: jobs.next()?, words })
}
