//! Plausible scripts, by the frequencies seen in public ones: which directives, which forms of
//! values, which ways to write them.

use proptest::prelude::*;

/// A directive: its share of scripts in thousandths, its name, and what its value looks like.
/// What looks like nothing takes no value.
type Habit = (u32, &'static str, &'static str);

const HABITS: [Habit; 48] = [
    (
        848,
        "time",
        "[0-9]{1,2}:[0-5][0-9]:[0-5][0-9]|[1-7]-[0-1][0-9]:00:00|[1-9][0-9]{1,3}|1-0|30:00",
    ),
    (841, "job-name", "[a-z]{2,8}(-[0-9]{1,2})?"),
    (757, "output", "(logs/)?(%x[-_.])?(%j|%A_%a|%J|%u-%j)\\.out"),
    (707, "cpus-per-task", "1|4|8|12|16|32"),
    (634, "nodes", "1|2|4|8|2-4"),
    (616, "partition", "gpu|main|a100,h100"),
    (605, "gres", "gpu:[1-8]|gpu:(a100|h100):[1-8]|gpu"),
    (554, "mem", "[1-9][0-9]{0,2}G|[1-9][0-9]GB|[1-9][0-9]gb|0|[1-9]000"),
    (493, "error", "logs/%x-%j\\.err"),
    (409, "ntasks-per-node", "1|4|8"),
    (315, "account", "[a-z]{3,6}"),
    (286, "ntasks", "1|2|4|8|16"),
    (141, "mail-type", "ALL|END,FAIL|BEGIN,END|NONE"),
    (141, "exclusive", ""),
    (98, "qos", "[a-z]{3,6}"),
    (91, "mail-user", "user-a@example\\.com"),
    (87, "constraint", "a100|v100-32g|'a100&ib'|\"\\(a\\|b\\)&c\"|'\\[a\\|b\\]'"),
    (69, "gpus-per-node", "[1-8]|h100:8"),
    (62, "gpus-per-task", "1|2"),
    (58, "hint", "nomultithread|multithread"),
    (54, "gpus", "[1-8]|h100:[1-8]"),
    (47, "array", "0-9|1-10%2|0-15:4|1,3,5-8%1"),
    (47, "mem-per-gpu", "[1-9]0G"),
    (43, "nodelist", "node[1-9]|node\\[01-04\\]"),
    (43, "exclude", "node[1-9],node\\[10-12\\]"),
    (40, "container-image", "nvcr\\.io#nvidia/pytorch:24\\.01"),
    (40, "container-mounts", "/data:/data|/home,/scratch:/mnt:ro"),
    (40, "open-mode", "append|truncate"),
    (33, "requeue", ""),
    (29, "cpus-per-gpu", "4|8"),
    (25, "container-env", "A,B"),
    (22, "mem-per-cpu", "[1-9]G|4000"),
    (18, "wait-all-nodes", "0|1"),
    (14, "no-requeue", ""),
    (14, "reservation", "[a-z]{3,6}"),
    (11, "signal", "B:USR1@120|SIGUSR2@90|TERM"),
    (11, "dependency", "singleton|afterok:[1-9][0-9]"),
    (11, "ntasks-per-core", "1"),
    (11, "overcommit", ""),
    (11, "chdir", "/scratch"),
    (7, "export", "ALL|NONE|ALL,SEED=1"),
    (7, "container-workdir", "/work"),
    (7, "container-writable", ""),
    (4, "gpu-bind", "closest|none|single:1"),
    (4, "comment", "\"two words\""),
    (4, "no-container-entrypoint", ""),
    (4, "contiguous", ""),
    (4, "segment", "1|2"),
];

/// How one directive is written: with `=`, with a space, by its letter, by less of its name.
#[derive(Clone, Copy, Debug)]
enum Style {
    Equals,
    Space,
    Letter,
    Shorter,
}

/// A script, and the names of the options it has before its first command.
#[derive(Clone, Debug)]
pub(super) struct Plausible {
    pub(super) text: String,
    pub(super) names: Vec<&'static str>,
}

pub(super) fn scripts() -> impl Strategy<Value = Plausible> {
    let directives: Vec<_> = HABITS.iter().map(directive).collect();
    let comments = prop::bool::weighted(0.31);
    let late = prop::bool::weighted(0.025);
    (directives, comments, late).prop_map(|(directives, has_comments, has_late)| {
        let mut text = "#!/bin/bash\n".to_owned();
        let mut names = Vec::new();
        for (name, line) in directives.into_iter().flatten() {
            let comment = if has_comments { "  # as usual" } else { "" };
            text.push_str(&format!("#SBATCH {line}{comment}\n"));
            names.push(name);
        }
        text.push_str("\nsrun python train.py\n");
        if has_late {
            text.push_str("#SBATCH --time=1\n");
        }
        Plausible { text, names }
    })
}

/// The directive as often as people write it.
fn directive(habit: &Habit) -> BoxedStrategy<Option<(&'static str, String)>> {
    let &(share, name, values) = habit;
    let value = proptest::string::string_regex(values).expect("a pattern of values");
    let style = prop_oneof![
        80 => Just(Style::Equals),
        10 => Just(Style::Space),
        9 => Just(Style::Letter),
        1 => Just(Style::Shorter),
    ];
    let line = (value, style).prop_map(move |(value, style)| (name, written(name, &value, style)));
    prop::option::weighted(f64::from(share) / 1000.0, line).boxed()
}

fn written(name: &str, value: &str, style: Style) -> String {
    let row = crate::options::by_name(crate::Command::Sbatch, name).expect("known to the table");
    let shorter = &name[..name.len() - 1];
    let is_enough = crate::options::by_prefix(crate::Command::Sbatch, shorter) == Ok(row);
    match (style, row.letter) {
        _ if value.is_empty() => format!("--{name}"),
        (Style::Space, _) => format!("--{name} {value}"),
        (Style::Letter, Some(letter)) => format!("-{letter} {value}"),
        (Style::Shorter, _) if is_enough => format!("--{shorter}={value}"),
        _ => format!("--{name}={value}"),
    }
}
