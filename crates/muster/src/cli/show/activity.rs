//! How busy each GPU of a job was, as a table with a curve for each.

use muster_api::usage::{GpuActivity, JobActivity, TaskNumber};
use muster_model::Millis;
use muster_tui::words::busy_sign;

use super::table::{Table, width};
use super::{NOTHING, time};

/// Where nobody measured.
const UNMEASURED: char = '·';

/// All of it, with a line that says what it is.
pub(crate) fn block(job: u64, activity: &JobActivity) -> String {
    let JobActivity { attempt, from, to, step_ms, gpus, more } = activity;
    if *attempt == 0 {
        return format!("job {job} has not run yet\n");
    }
    if gpus.is_empty() {
        return format!("attempt {attempt} of job {job}: nothing was measured\n");
    }
    let (from, to, step) = (time::moment(*from), time::moment(*to), Millis(*step_ms));
    let mut text =
        format!("attempt {attempt} of job {job}, {from} to {to}, {step} for each sign:\n");
    let mut table = Table::new(&["task", "node", ">gpu", ">busy", "over time"]);
    for gpu in gpus {
        let busy = gpu.busy.map_or(NOTHING.to_owned(), |busy| format!("{}%", (busy + 5) / 10));
        table.row([tasks(gpu), gpu.node.clone(), gpu.gpu.to_string(), busy, curve(&gpu.steps)]);
    }
    text += &table.text(width());
    if *more > 0 {
        text += &format!("{more} more, none of them less busy; `--limit` shows more\n");
    }
    text
}

/// Ranks; with their groups in front where there is more than one.
fn tasks(gpu: &GpuActivity) -> String {
    let name = |task: &TaskNumber| match task.group {
        0 => task.rank.to_string(),
        group => format!("{group}/{}", task.rank),
    };
    match gpu.tasks.is_empty() {
        true => NOTHING.to_owned(),
        false => gpu.tasks.iter().map(name).collect::<Vec<_>>().join(","),
    }
}

fn curve(steps: &[Option<u32>]) -> String {
    let sign = |busy: &Option<u32>| busy.map_or(UNMEASURED, |busy| busy_sign(busy.into()));
    steps.iter().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use muster_api::Moment;
    use muster_model::Time;

    use super::*;

    fn of_gpu(gpu: u32, tasks: &[(u16, u32)], busy: &[Option<u32>]) -> GpuActivity {
        let known: Vec<u32> = busy.iter().flatten().copied().collect();
        let mean = known.iter().sum::<u32>().checked_div(u32::try_from(known.len()).unwrap());
        let task = |(group, rank): &(u16, u32)| TaskNumber { group: *group, rank: *rank };
        let tasks = tasks.iter().map(task).collect();
        GpuActivity { node: "node-7".into(), gpu, tasks, busy: mean, steps: busy.to_vec() }
    }

    fn activity(attempt: u32, gpus: Vec<GpuActivity>, more: u64) -> JobActivity {
        let moment = |time: u64| Moment(Time(1_700_000_000_000 + time));
        let (from, to) = (moment(0), moment(1_200_000));
        JobActivity { attempt, from, to, step_ms: 300_000, gpus, more }
    }

    #[test]
    fn every_gpu_has_a_line_with_its_curve() {
        let gpus = vec![
            of_gpu(3, &[(0, 3)], &[Some(900), Some(40), Some(0), Some(0)]),
            of_gpu(0, &[(0, 0), (1, 2)], &[None, Some(900), Some(1000), Some(980)]),
            of_gpu(1, &[], &[None, None, None, None]),
        ];
        insta::assert_snapshot!(block(12, &activity(2, gpus, 5)));
    }

    #[test]
    fn what_was_not_measured_and_what_has_not_run_is_said_so() {
        assert_eq!(block(12, &activity(0, vec![], 0)), "job 12 has not run yet\n");
        let unmeasured = "attempt 1 of job 12: nothing was measured\n";
        assert_eq!(block(12, &activity(1, vec![], 0)), unmeasured);
    }
}
