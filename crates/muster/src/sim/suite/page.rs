//! The rows for people: as text, and as the page in the documentation.

use std::fmt::Write as _;

use super::Results;
use super::row::Row;

const HEADS: [&str; 6] = ["figure", "published", "ours", "bound", "aim", ""];

/// Whatever is written to a string is written.
const TAKEN: &str = "a string takes all text";

/// Columns of equal width, part by part.
pub(super) fn text(results: &Results) -> String {
    let cells: Vec<[String; 6]> = results.rows.iter().map(Row::cells).collect();
    let width = |column: usize| {
        let all = cells.iter().map(|cells| cells[column].chars().count());
        all.chain([HEADS[column].len()]).max().unwrap_or(0)
    };
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut text = String::new();
    let mut line = |cells: [&str; 6]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        writeln!(text, "{}", line.trim_end()).expect(TAKEN);
    };
    line(HEADS);
    let mut part = "";
    for (row, cells) in results.rows.iter().zip(&cells) {
        if part != row.part {
            part = row.part;
            line([&format!("-- {part}"), "", "", "", "", ""]);
        }
        line(std::array::from_fn(|column| cells[column].as_str()));
    }
    writeln!(text, "{}", score(results)).expect(TAKEN);
    for left_out in &results.left_out {
        writeln!(text, "left out: {left_out}").expect(TAKEN);
    }
    text
}

/// How many aims are met.
fn score(results: &Results) -> String {
    let aims = results.rows.iter().filter_map(|row| row.met);
    let met = aims.clone().filter(|met| *met).count();
    format!("{met} of {} aims are met", aims.count())
}

const OPENING: &str = "# Results

What Muster comes to on public traces and made-up ones, beside what others published. A miss is
shown as one. The rules of every run are those of [simulator.md](simulator.md): seed 1, preemptions
by the table of costs unless said otherwise, the default policy as it is, the same settings for all.

```
muster sim suite --million --write docs/results.md
```

CPU time and memory are of the machine that ran it last; all else comes out the same everywhere.
The bound of a time is what no schedule can beat, of deadlines the jobs that are shorter than
theirs. Venus as one pool is another, easier problem. The aim without preemption is with moves,
which the engine makes of what may be paused alone; so there are none. For the eighth of Alibaba's
nodes the published order of nodes is not known; ours are means over ten.
";

/// What the parts are about.
const ABOUT: [(&str, &str); 7] = [
    ("reproduce", "Baselines of others by their published rules, in a simulator of its own"),
    ("beat", "The default policy, which knows no run time beforehand"),
    ("made-up", "The same on made-up workloads; the baselines by their published rules"),
    ("packing", "Pods that never leave, until requests reach 130 % of the GPUs"),
    ("deadlines", "Deadlines met without elasticity"),
    ("starvation", "The longest time without service, and what the floor costs"),
    ("speed", "CPU time on one core without the checker, and memory of the process until then"),
];

/// The page of the documentation.
pub(super) fn markdown(results: &Results) -> String {
    let mut text = format!("{OPENING}\n{}.\n", score(results));
    let mut part = "";
    for row in &results.rows {
        if part != row.part {
            part = row.part;
            let about = ABOUT.iter().find(|(name, _)| *name == part).map_or("", |(_, about)| about);
            writeln!(text, "\n## {about}\n").expect(TAKEN);
            writeln!(text, "| {} |", HEADS.join(" | ")).expect(TAKEN);
            writeln!(text, "|{}", "---|".repeat(HEADS.len())).expect(TAKEN);
        }
        writeln!(text, "| {} |", row.cells().join(" | ")).expect(TAKEN);
    }
    if !results.left_out.is_empty() {
        text.push_str("\n## Left out\n\n");
        for left_out in &results.left_out {
            writeln!(text, "- {left_out}").expect(TAKEN);
        }
    }
    text
}
