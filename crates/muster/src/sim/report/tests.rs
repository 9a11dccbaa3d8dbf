//! The report as a page: its words, and that names from outside do no harm.

use std::path::Path;

use muster_model::{Millis, Time};
use muster_sim::replay::{Options, Rules};
use muster_trace::{Cluster, Gpus, Job, Trace};

use super::{Column, Report, page, short};
use crate::sim::setup::replay;

fn trace() -> Trace {
    let job = |number: u64, minutes: u64, gpus: u32, team: &str| {
        let submit = Time(Millis::minutes(number * 10).0);
        let job = Job::new(number.to_string(), submit, Millis::minutes(minutes), Gpus::Whole(gpus));
        Job { team: Some(team.into()), ..job }
    };
    let jobs = vec![
        job(0, 600, 16, "vision"),
        job(1, 120, 8, "speech & <b>sound</b>"),
        job(2, 5, 1, "vision"),
        job(3, 30, 8, "vision"),
        job(4, 30, 99, "vision"),
    ];
    Trace::new("/data/somebody/week/<jobs>.csv", jobs)
}

fn columns(trace: &Trace, cluster: &Cluster) -> Vec<Column> {
    let column = |name: &str| {
        let rules = Rules::named(name).unwrap();
        let options = Options { series: true, ..Options::new(rules) };
        Column::policy(replay(trace, cluster, &options).unwrap(), options)
    };
    ["muster", "srtf", "fifo"].map(column).into()
}

fn report(price: Option<f64>) -> String {
    let (trace, cluster) = (trace(), Cluster::find("2x8:H100", Path::new(".")).unwrap());
    let columns = columns(&trace, &cluster);
    page(&Report::policies(&trace, &cluster, &columns, price))
}

/// The text of the elements of a name, without their tags.
fn texts(page: &str, name: &str) -> Vec<String> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let parts = page.split(&open).skip(1).filter_map(|part| part.split(&close).next());
    parts.map(|part| part.split_once('>').map_or("", |(_, text)| text).to_owned()).collect()
}

#[test]
fn the_conclusion_says_in_words_what_the_figures_say() {
    let page = report(Some(2.5));
    let conclusion =
        page.split("In short</h2>").nth(1).unwrap().split("</section>").next().unwrap();
    let said = texts(conclusion, "p");
    let expected = [
        "Under muster a job took 3.9 h on average from submission to end, 46 min of that waiting. \
         No schedule can bring that below 3.3 h; this is 1.18 times the limit.",
        "srtf, knowing every run time beforehand, takes 3.6 h, 6.9 % less than muster.",
        "fifo takes 10 h, 2.66 times as long as muster.",
        "GPUs were allocated 93.8 % of the time and useful 93.7 % of it. 1 preemption cost 0.3 \
         GPU-hours, 0.15 % of what was allocated. The longest any job went without GPUs was 2.0 h.",
        "At 2.50 per GPU-hour the cluster cost 481 in that time: 30 for GPUs that nobody held and \
         1 for work that was lost.",
        "Not in these figures: 1 job that the cluster cannot run and 0 that had not ended.",
    ];
    assert_eq!(said, expected);
}

#[test]
fn names_from_outside_are_text_and_folders_are_not_told() {
    let page = report(None);
    assert!(page.contains("speech &amp; &lt;b&gt;sound&lt;/b&gt;"), "a team is named");
    assert!(!page.contains("<b>sound"), "and is text");
    assert!(page.contains("week/&lt;jobs&gt;.csv on 2x8:H100"));
    assert!(!page.contains("somebody"));
    assert_eq!(["a", "b/a", "c/b/a", "/d/c/b/a"].map(short), ["a", "b/a", "b/a", "b/a"]);
}

#[test]
fn every_section_is_there_and_each_team_and_size_has_its_line() {
    let page = report(None);
    let headings = texts(&page, "h2");
    let expected = [
        "In short",
        "Side by side",
        "Over time",
        "From job to job",
        "By team and by size",
        "Preemptions, lost GPU-hours and money",
        "What was simulated, under which rules",
    ];
    assert_eq!(headings, expected);
    let rows = texts(&page, "th");
    for name in ["vision", "1", "5 to 8", "9 to 32"] {
        assert!(rows.iter().any(|row| row == name), "{name} has no line");
    }
    assert!(!rows.iter().any(|row| row == "cost of the cluster"), "there is no price");
    let charts = texts(&page, "figcaption");
    assert_eq!(charts.len(), 3 + 2 + 2, "{charts:?}");
}

#[test]
fn the_same_runs_give_the_same_bytes() {
    assert_eq!(report(Some(1.0)), report(Some(1.0)));
}

#[test]
fn a_price_of_the_cluster_is_used_where_none_is_given() {
    let trace = trace();
    let find = |line: &str| Cluster::find(line, Path::new(".")).unwrap();
    let priced = find("1x8:H100/price=2+1x8:H100/price=4");
    let columns = columns(&trace, &priced);
    let page = page(&Report::policies(&trace, &priced, &columns, None));
    assert!(page.contains("At 3.00 per GPU-hour"), "the mean over GPUs");
    assert_eq!(super::money::mean_price(&find("1x8:H100/price=2+1x8:H100")), None);
}
