//! What was simulated and under which rules, and what the words of the report mean.

use muster_sim::replay::{Cost, Options};

use super::super::number::{span, whole};
use super::html::Html;
use super::{Report, short};

const WORDS: [(&str, &str); 8] = [
    ("time to the end", "from submission to end (JCT), waiting and pauses included"),
    ("wait", "time without GPUs between submission and end, all pauses included"),
    ("longest without GPUs", "the longest time any job was without GPUs at a stretch"),
    ("allocated, useful", "GPU time that jobs held, and the part of it that they needed"),
    (
        "lost",
        "GPU time held and not needed: work done twice, saving, restoring, launching, being slowed \
         down",
    ),
    (
        "fragmented",
        "free GPUs on nodes of which other GPUs are in use; a job that needs whole nodes cannot \
         have them",
    ),
    (
        "limit",
        "what no schedule can beat, whatever it knows: the largest of the mean run time, the mean \
         on one machine as fast as all GPUs together, and the busy-time bound, pool by pool",
    ),
    (
        "policy",
        "who goes first. muster, las, fair and fifo know no run time beforehand; srtf and sjf \
         are told every one, which nobody is in practice",
    ),
];

pub(super) fn section(html: &mut Html, report: &Report<'_>) {
    html.tag("section", &[], |html| {
        html.words("h2", &[], "What was simulated, under which rules");
        html.tag("dl", &[], |html| {
            for (name, words) in facts(report) {
                html.words("dt", &[], &name);
                html.words("dd", &[], &words);
            }
        });
        html.words("h3", &[], "What the words mean");
        html.tag("dl", &[], |html| {
            for (name, words) in WORDS {
                html.words("dt", &[], name);
                html.words("dd", &[], words);
            }
        });
    });
}

fn facts(report: &Report<'_>) -> Vec<(String, String)> {
    let fact = |name: &str, words: String| (name.to_owned(), words);
    let Some(first) = report.columns.first() else { return Vec::new() };
    let length = report.trace.length().0 as f64 / 1_000.0;
    let jobs = whole(report.trace.jobs.len() as f64);
    let name = short(&report.trace.name);
    let trace = format!("{name}: {jobs} jobs, submitted over {}", span(length));
    let mut facts = vec![fact("trace", trace), fact("cluster", cluster(report))];
    for column in report.columns {
        let words = format!(
            "{}, placed by {}, knows {}",
            column.run.policy,
            column.run.placer,
            column.knows()
        );
        facts.push((format!("run {}", column.label), words));
    }
    facts.extend(report.changes.iter().map(|change| fact("changed", change.clone())));
    let options = &first.options;
    facts.push(fact("queues", queues(options)));
    facts.push(fact("seed", options.seed.to_string()));
    facts.push(fact("a preemption costs", cost(options.cost).to_owned()));
    facts.extend(unusual(options).into_iter().map(|(name, words)| fact(name, words)));
    let gangs = "all of a job's GPUs at once or none; at most a node's GPUs on one node, more on \
                 whole nodes";
    facts.push(fact("jobs", gangs.to_owned()));
    facts.push(fact("run times", run_times(options)));
    facts
}

fn cluster(report: &Report<'_>) -> String {
    let cluster = report.cluster;
    let (nodes, gpus) = (whole(cluster.nodes.len() as f64), whole(cluster.gpus() as f64));
    let pools = match cluster.pools.len() {
        0 => String::new(),
        pools => format!(" in {pools} pools that share nothing"),
    };
    format!("{}: {nodes} nodes with {gpus} GPUs{pools}", cluster.name)
}

fn cost(cost: Cost) -> &'static str {
    match cost {
        Cost::Table => "40 s of work, 60 s above 8 GPUs (table)",
        Cost::Measured => "what it takes to move the state of the GPUs, as measured (measured)",
        Cost::Never => "nothing: nobody is preempted (never)",
    }
}

fn queues(options: &Options) -> String {
    match &options.teams {
        None => "one for all jobs".to_owned(),
        Some(teams) => {
            let (by, guarantees) = (teams.by.word(), teams.guarantees.words());
            format!("one for each {by}; guaranteed is {guarantees}")
        }
    }
}

/// What run times depend on besides the job.
fn run_times(options: &Options) -> String {
    let mut words = Vec::new();
    if options.slowdown.slows() {
        let factors = &options.slowdown;
        words.push(format!("times {factors} where a gang is on several nodes, in several racks …"));
    }
    if options.slowdown_shared.slows() {
        let factors = &options.slowdown_shared;
        words.push(format!("times {factors} for a part of a GPU while one other computes on it …"));
    }
    match words.is_empty() {
        true => "as recorded, whatever the placement".to_owned(),
        false => format!("as recorded, {}", words.join(", ")),
    }
}

/// What is not as usual, and who judged.
fn unusual(options: &Options) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let seconds = |millis: u64| millis as f64 / 1_000.0;
    if options.launch.0 > 0 {
        facts.push(("nodes launch within", span(seconds(options.launch.0))));
    }
    let failures = match options.failures_ppm {
        0 => "never".to_owned(),
        ppm => format!("{} times a day each", f64::from(ppm) / 1e6),
    };
    facts.push(("nodes fail", failures));
    if options.scale_milli != 1_000 {
        let times = options.scale_milli as f64 / 1_000.0;
        facts.push(("jobs arrive", format!("{times} times as fast as recorded")));
    }
    if let Some(until) = options.until {
        facts.push(("stopped after", span(seconds(until.0))));
    }
    if options.deadlines {
        facts.push(("deadlines", "the engine is told of them".to_owned()));
    }
    let checker = match options.check {
        true => "judged every step; no promise was broken",
        false => "was switched off for speed",
    };
    facts.push(("the checker", checker.to_owned()));
    facts
}
