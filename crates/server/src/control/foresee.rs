//! What would become of a job, in words.

use std::sync::Arc;

use muster_api::moment::Moment;
use muster_api::view::{ForeseenView, JobState};
use muster_engine::explain::Foreseen;
use muster_model::JobSpec;

use super::Control;

impl Control {
    /// What people are told of a job that the engine looked at on trial a moment ago.
    pub fn foreseen(&self, spec: &Arc<JobSpec>, foreseen: &Foreseen) -> ForeseenView {
        let Foreseen { starts, nodes, why } = foreseen;
        let state = JobState::from(why.state);
        let nodes = self.by_name(nodes.clone()).into_iter();
        let nodes: Vec<String> = nodes.map(|node| self.node_name(node).to_string()).collect();
        let mut scene = self.scene();
        scene.know_job(why.job, Arc::clone(spec));
        let (all, moment) = (nodes.join(", "), |time| Moment(time));
        let mut lines = match state.is_active() {
            true => vec![format!("would start now on {all}")],
            false => vec![format!("would be {state}")],
        };
        // Who it is goes without saying.
        lines.extend(scene.why(why).into_iter().skip(1));
        if !state.is_active() && !nodes.is_empty() {
            lines.push(format!("probably on {all}"));
        }
        ForeseenView {
            job: why.job.0,
            state,
            starts: starts.map(moment),
            latest: why.latest_start.map(moment),
            nodes,
            text: lines.join("\n"),
            why: serde_json::to_value(why).expect("reasons are plain data"),
        }
    }
}
