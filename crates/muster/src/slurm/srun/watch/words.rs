//! How tasks ended, in Slurm's words.

use std::collections::BTreeMap;

use muster_api::step::{StepView, TaskEnd};

use super::NAME;

/// What is said of tasks that have just ended: those of one node that failed alike in one line.
pub(super) fn ends(new: &[TaskEnd]) -> Vec<String> {
    let mut lines: Vec<String> = new
        .iter()
        .filter(|end| !end.detail.is_empty())
        .map(|end| format!("slurmstepd: error: {}", end.detail))
        .collect();
    lines.dedup();
    let mut alike: BTreeMap<(&str, String), Vec<u32>> = BTreeMap::new();
    for end in new {
        if let Some(how) = how(end) {
            alike.entry((end.node.as_str(), how)).or_default().push(end.rank);
        }
    }
    for ((node, how), ranks) in alike {
        lines.push(format!("{NAME}: error: {node}: {}: {how}", tasks(&ranks)));
    }
    lines
}

/// Where the tasks are.
pub(super) fn states(view: &StepView) -> Vec<String> {
    let ended: Vec<u32> = view.ends.iter().map(|end| end.rank).collect();
    let running: Vec<u32> = (0..view.tasks).filter(|rank| !ended.contains(rank)).collect();
    let mut lines = Vec::new();
    if !running.is_empty() {
        lines.push(format!("{}: running", tasks(&running)));
    }
    if !ended.is_empty() {
        lines.push(format!("{}: exited", tasks(&ended)));
    }
    lines
}

fn how(end: &TaskEnd) -> Option<String> {
    if end.out_of_memory {
        return Some("Out Of Memory".to_owned());
    }
    match (end.code, end.signal) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("Exited with exit code {code}")),
        (None, Some(signal)) => Some(match signal {
            1 => "Hangup".to_owned(),
            2 => "Interrupt".to_owned(),
            3 => "Quit".to_owned(),
            4 => "Illegal instruction".to_owned(),
            6 => "Aborted".to_owned(),
            7 => "Bus error".to_owned(),
            8 => "Floating point exception".to_owned(),
            9 => "Killed".to_owned(),
            10 => "User defined signal 1".to_owned(),
            11 => "Segmentation fault".to_owned(),
            12 => "User defined signal 2".to_owned(),
            13 => "Broken pipe".to_owned(),
            14 => "Alarm clock".to_owned(),
            15 => "Terminated".to_owned(),
            other => format!("signal {other}"),
        }),
        (None, None) => None,
    }
}

/// `task 3`, or `tasks 0-2,5`.
fn tasks(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for rank in ranks.iter().copied() {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let words: Vec<String> = runs
        .iter()
        .map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        })
        .collect();
    let many = if ranks.len() == 1 { "task" } else { "tasks" };
    format!("{many} {}", words.join(","))
}

#[cfg(test)]
mod tests {
    use muster_api::step::TaskEnd;
    use muster_engine::command::Exit;

    use super::{ends, tasks};

    #[test]
    fn failures_are_told_by_node_and_those_alike_together() {
        let end = |rank, node: &str, exit| TaskEnd::new(rank, node.to_owned(), exit, String::new());
        let all = [
            end(0, "n1", Exit::Code(3)),
            end(1, "n1", Exit::Code(3)),
            end(2, "n2", Exit::Signal(9)),
            end(3, "n2", Exit::Code(0)),
        ];
        let expected = [
            "srun: error: n1: tasks 0-1: Exited with exit code 3",
            "srun: error: n2: task 2: Killed",
        ];
        assert_eq!(ends(&all), expected);
        assert_eq!(tasks(&[0, 1, 2, 5]), "tasks 0-2,5");
    }
}
