//! Jobs as JSON, with the names that Slurm's own has.

use muster_slurm::report::{Elements, JobFacts};
use muster_slurm::values::Hostlist;
use serde_json::{Value, json};

/// The head of every answer.
pub(in crate::slurm) fn meta() -> Value {
    json!({
        "plugin": { "type": "openapi/v0.0.38", "name": "Slurm OpenAPI v0.0.38" },
        "Slurm": {
            "version": { "major": 22, "minor": 5, "micro": 8 },
            "release": "22.05.8",
        },
    })
}

/// All jobs.
pub(in crate::slurm) fn jobs(jobs: &[JobFacts]) -> String {
    let jobs: Vec<Value> = jobs.iter().map(job).collect();
    let answer = json!({ "meta": meta(), "errors": [], "jobs": jobs });
    let text = serde_json::to_string_pretty(&answer).expect("plain data can be written");
    format!("{text}\n")
}

/// One job. Times are seconds since 1970, and 0 where there is none.
pub(in crate::slurm) fn job(job: &JobFacts) -> Value {
    let seconds = |time: Option<muster_model::Time>| time.map_or(0, |time| time.0 / 1000);
    let (array, index) = match &job.array {
        Some((array, Elements::One(index))) => (*array, json!(index)),
        Some((array, Elements::Several(..))) => (*array, Value::Null),
        None => (0, Value::Null),
    };
    let several = match &job.array {
        Some((_, several @ Elements::Several(..))) => several.to_string(),
        _ => String::new(),
    };
    json!({
        "account": job.account,
        "array_job_id": array,
        "array_task_id": index,
        "array_task_string": several.trim_matches(['[', ']']),
        "batch_flag": job.is_batch,
        "batch_host": job.nodes.first().cloned().unwrap_or_default(),
        "cluster": job.cluster,
        "command": job.command,
        "comment": job.request.identity.comment.clone().unwrap_or_default(),
        "cpus": job.wants.cpus,
        "current_working_directory": job.directory,
        "end_time": seconds(job.end()),
        "exit_code": job.exit.code,
        "group_id": job.gid,
        "job_id": job.id,
        "job_state": job.state.word(),
        "name": job.name,
        "node_count": job.node_count(),
        "nodes": Hostlist::new(job.nodes.iter().cloned()).to_string(),
        "partition": job.partition,
        "priority": job.priority,
        "qos": job.qos,
        "requeue": job.requeue,
        "restart_cnt": job.restarts,
        "standard_error": job.error,
        "standard_input": job.input,
        "standard_output": job.output,
        "start_time": seconds(job.started.or(job.expected)),
        "state_reason": job.reason.word(),
        "submit_time": seconds(Some(job.submitted)),
        "tasks": job.wants.tasks,
        "time_limit": job.limit_s.map(|limit| limit / 60),
        "user_id": job.uid,
        "user_name": job.user,
    })
}
