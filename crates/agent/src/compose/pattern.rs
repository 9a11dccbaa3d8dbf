//! Names of output files with `%` for what differs between tasks.

use super::Asked;

/// What can stand for a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    job: String,
    array: String,
    index: String,
    task: String,
    name: String,
    node: String,
    user: String,
}

impl Names {
    /// Those of a task.
    pub fn of(node: &str, asked: Asked<'_>) -> Names {
        let gang = &asked.run.gang;
        let job = asked.of.job.0;
        let array = gang.element.map_or(job, |element| element.array.0);
        Names {
            job: job.to_string(),
            array: array.to_string(),
            index: gang.element.map_or(0, |element| element.index).to_string(),
            task: asked.duty.rank.to_string(),
            name: gang.name.to_string(),
            node: node.to_owned(),
            user: gang.user.to_string(),
        }
    }
}

/// Whether two tasks of a job never get the same name.
pub fn tells_tasks_apart(pattern: &str) -> bool {
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter == '%' && letters.next() == Some('t') {
            return true;
        }
    }
    false
}

/// Fills a pattern: `%j` the job, `%A` its array, `%a` its index there, `%t` the task, `%x` the
/// name, `%N` the node, `%u` the user, `%%` a percent sign. Anything else stays as it is.
pub fn fill(pattern: &str, names: &Names) -> String {
    let mut filled = String::with_capacity(pattern.len());
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            filled.push(letter);
            continue;
        }
        match letters.next() {
            Some('j') => filled.push_str(&names.job),
            Some('A') => filled.push_str(&names.array),
            Some('a') => filled.push_str(&names.index),
            Some('t') => filled.push_str(&names.task),
            Some('x') => filled.push_str(&names.name),
            Some('N') => filled.push_str(&names.node),
            Some('u') => filled.push_str(&names.user),
            Some('%') => filled.push('%'),
            Some(other) => filled.extend(['%', other]),
            None => filled.push('%'),
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::{Names, fill, tells_tasks_apart};

    #[test]
    fn letters_after_a_percent_sign_stand_for_what_differs() {
        let names = Names {
            job: "12".to_owned(),
            array: "10".to_owned(),
            index: "2".to_owned(),
            task: "3".to_owned(),
            name: "train".to_owned(),
            node: "node-1".to_owned(),
            user: "user-a".to_owned(),
        };
        let filled = fill("%u/%x-%A_%a.%j.%t@%N 100%% %q %", &names);
        assert_eq!(filled, "user-a/train-10_2.12.3@node-1 100% %q %");
    }

    #[test]
    fn a_doubled_percent_sign_does_not_tell_tasks_apart() {
        assert!(tells_tasks_apart("out.%t"));
        assert!(!tells_tasks_apart("out.%%t"));
    }
}
