//! Names of output files with `%` for what differs between tasks.

use super::Asked;

/// The widest a number is made, as in Slurm.
const WIDTH_MAX: usize = 10;

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
    /// The number of its node among those of the job.
    node_rank: String,
    /// What kind of step it is part of, where it is in Slurm's words.
    step: Option<String>,
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
            node_rank: gang.node_rank.to_string(),
            step: asked.run.program.slurm.as_ref().map(|_| "batch".to_owned()),
        }
    }

    fn of_letter(&self, letter: char) -> Option<&str> {
        Some(match letter {
            'j' => &self.job,
            'A' => &self.array,
            'a' => &self.index,
            't' => &self.task,
            'x' => &self.name,
            'N' => &self.node,
            'u' => &self.user,
            'n' => &self.node_rank,
            's' => self.step.as_deref()?,
            _ => return None,
        })
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
/// name, `%N` the node, `%n` its number, `%u` the user, `%s` the step, `%%` a percent sign. Numbers
/// take a width, as in `%4a`, and are filled up with zeros. Anything else stays as it is.
pub fn fill(pattern: &str, names: &Names) -> String {
    let mut filled = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        filled.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let (width, after) = rest.split_at(digits);
        let letter = after.chars().next();
        let width_number = width.parse().unwrap_or(0_usize).min(WIDTH_MAX);
        match letter.and_then(|letter| names.of_letter(letter)) {
            Some(value) if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                filled.extend(std::iter::repeat_n('0', width_number.saturating_sub(value.len())));
                filled.push_str(value);
            }
            Some(value) => filled.push_str(value),
            None if letter == Some('%') && width.is_empty() => filled.push('%'),
            None => {
                filled.push('%');
                continue;
            }
        }
        let taken = letter.map_or(0, char::len_utf8);
        rest = &after[taken..];
    }
    filled + rest
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
            node_rank: "0".to_owned(),
            step: None,
        };
        let filled = fill("%u/%x-%A_%a.%j.%t@%N 100%% %q %s %", &names);
        assert_eq!(filled, "user-a/train-10_2.12.3@node-1 100% %q %s %");
        let batch = Names { step: Some("batch".to_owned()), ..names };
        assert_eq!(
            fill("%4a-%10j-%99t-%3x-%n-%s", &batch),
            "0002-0000000012-0000000003-train-0-batch"
        );
    }

    #[test]
    fn a_doubled_percent_sign_does_not_tell_tasks_apart() {
        assert!(tells_tasks_apart("out.%t"));
        assert!(!tells_tasks_apart("out.%%t"));
    }
}
