//! What commands mean, and what is said of those that mean nothing.

use muster_engine::command::{Exit, Refusal};
use muster_model::{
    Attempt, Booking, Dependency, DependencyKind, Estimate, Expression, IdleRule, JobId, JobSpec,
    Level, Millis, Name, NodeSpec, Order, Policy, QueueSpec, Quota, Requeue, Segment, TaskCount,
    TaskShape, Warning, WhenIdle,
};

use super::command;
use crate::story::act::{Act, Ask, Moment, Report, Request, Run, START, Setup, Tell, Together};
use crate::story::words::Problem;

fn read(text: &str) -> Act {
    command(text, &mut Policy::default()).unwrap_or_else(|problem| panic!("{}", problem.what))
}

fn problem(text: &str) -> Problem {
    command(text, &mut Policy::default()).expect_err("the command has no meaning")
}

fn submitted(text: &str) -> JobSpec {
    match read(text) {
        Act::Tell(Tell::Submit { spec, .. }) => *spec,
        other => panic!("{other:?}"),
    }
}

fn run(job: u64, attempt: Option<u32>) -> Run {
    Run { job: JobId(job), attempt: attempt.map(Attempt) }
}

#[test]
fn submission_reads_tasks_and_the_usual_for_the_rest() {
    let spec = submitted("submit \"train\" 2 x H100x8");
    let usual = JobSpec::gang("train", 2, 8).models(["H100"]).queue("");
    assert_eq!(spec, usual);
}

#[test]
fn submission_without_a_count_has_one_task() {
    assert_eq!(submitted("submit \"a\" 1 gpu").groups[0].tasks, TaskCount::exactly(1));
    assert_eq!(submitted("submit \"a\" no gpus").groups[0].task, TaskShape::gpus(0));
}

#[test]
fn submission_reads_several_groups_with_their_needs() {
    let spec = submitted(
        "submit \"play\" learner 1 x H100|A100x8 (64 cpus, nvlink) plus actors 2..4 x 1 gpu",
    );
    let learner = TaskShape {
        models: vec![Name::from("H100"), Name::from("A100")],
        nvlink: true,
        cpus: muster_model::MilliCpu::whole(64),
        ..TaskShape::gpus(8)
    };
    assert_eq!(spec.groups[0].task, learner);
    assert_eq!(spec.groups[1].name, Name::from("actors"));
    assert_eq!(spec.groups[1].tasks, TaskCount { min: 2, max: 4 });
}

#[test]
fn submission_reads_who_and_under_which_promise() {
    let spec = submitted(
        "submit \"a\" 1 gpu, by vision-1, team vision, queue research/vision, class batch, \
         weight -1, hold",
    );
    let usual = JobSpec::gang("a", 1, 1).user("vision-1").team("vision").queue("research/vision");
    assert_eq!(spec, usual.class("batch").weight(-1).hold());
}

#[test]
fn submission_reads_times() {
    let spec = submitted(
        "submit \"a\" 1 gpu, limit 2h, warning USR1 5m before, estimate 1h to 3h, deadline +6h, \
         begin +30m",
    );
    assert_eq!(spec.timing.limit, Some(Millis::hours(2)));
    assert_eq!(spec.timing.warning, Some(Warning { signal: 10, before: Millis::minutes(5) }));
    let estimate = Estimate { median: Millis::hours(1), p90: Millis::hours(3) };
    assert_eq!(spec.timing.estimate, Some(estimate));
    assert_eq!(spec.timing.deadline, Some(START + Millis::hours(6)));
    assert_eq!(spec.timing.begin, Some(START + Millis::minutes(30)));
}

#[test]
fn submission_reads_wishes_for_places() {
    let spec = submitted("submit \"a\" 8 x 8 gpus, require zone, prefer node, segment 4 in rack");
    assert_eq!(spec.topology.require, Some(Level::Named(Name::from("zone"))));
    assert_eq!(spec.topology.prefer, Some(Level::Node));
    let segment = Segment { tasks: 4, level: Level::Named(Name::from("rack")) };
    assert_eq!(spec.topology.segment, Some(segment));
    assert!(submitted("submit \"a\" 2 x 1 gpu, spread").topology.spread);
    assert!(submitted("submit \"a\" 2 x 1 gpu, apart").topology.apart);
}

#[test]
fn submission_reads_questions_about_nodes_to_the_end_of_their_clause() {
    let spec = submitted(
        "submit \"a\" 1 gpu, only-on disk=fast,ram & !spot | @n1, rather-on a & (b | c), hold",
    );
    let disk = Expression::Is(Name::from("disk"), vec![Name::from("fast"), Name::from("ram")]);
    let has = |label: &str| Expression::Has(Name::from(label));
    let fast = Expression::And(vec![disk, Expression::Not(Box::new(has("spot")))]);
    let either = Expression::Or(vec![fast, Expression::Node(vec![Name::from("n1")])]);
    assert_eq!(spec.constraint.require, Some(Box::new(either)));
    let inner = Expression::Or(vec![has("b"), has("c")]);
    let both = Expression::And(vec![has("a"), inner]);
    assert_eq!(spec.constraint.prefer, Some(Box::new(both)));
    assert!(spec.hold);
}

#[test]
fn submission_reads_arrays_and_dependencies() {
    let spec = submitted("submit \"a\" 1 gpu, array 0-2,7 at most 2, afterok 3 5-6, singleton");
    let array = spec.array.expect("it is an array");
    assert_eq!((array.indexes, array.throttle), (vec![0, 1, 2, 7], Some(2)));
    let ok = |job| Dependency::on(JobId(job), DependencyKind::AfterOk);
    assert_eq!(spec.after, [ok(3), ok(5), ok(6), Dependency::Singleton]);
}

#[test]
fn submission_reads_when_it_is_started_again() {
    let requeue = |text: &str| submitted(&format!("submit \"a\" 1 gpu, requeue {text}")).requeue;
    let usual = Requeue::default();
    assert_eq!(requeue("never"), Requeue { when_lost: false, ..usual });
    let failed = Requeue { when_lost: false, when_failed: true, ..usual };
    assert_eq!(requeue("when failed"), failed);
    let both = Requeue { when_lost: true, when_failed: true, most: 2 };
    assert_eq!(requeue("when lost or failed at most 2"), both);
    assert_eq!(requeue("at most 3"), Requeue { most: 3, ..usual });
}

#[test]
fn nodes_of_a_bracket_are_alike_but_for_their_names() {
    let Act::Tell(Tell::Join(nodes)) = read("node n[01-03] H100x8 in a/r1, 32 cpus, disk=fast")
    else {
        panic!("nodes join");
    };
    let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["n01", "n02", "n03"]);
    let spec = NodeSpec::new("n02", "H100", 8).domains(["a", "r1"]).cpus(32).label("disk", "fast");
    assert_eq!(nodes[1], spec);
}

#[test]
fn reports_name_the_attempt_and_nodes_or_mean_the_current_ones() {
    let ended = |text: &str| match read(text) {
        Act::Tell(Tell::Report { runs, nodes, report }) => (runs, nodes.len(), report),
        other => panic!("{other:?}"),
    };
    assert_eq!(ended("started 4-5"), (vec![run(4, None), run(5, None)], 0, Report::Started));
    let code = Report::Ended(Exit::Code(3));
    assert_eq!(ended("ended 4.1 on n[1-2], exit 3"), (vec![run(4, Some(1))], 2, code));
    let refusal = Report::Refused(Refusal::Node(Name::from("disk-full")));
    assert_eq!(ended("refused 4 on n1, node disk-full"), (vec![run(4, None)], 1, refusal));
    let memory = Report::Ended(Exit::OutOfMemory);
    assert_eq!(ended("ended 4, out of memory"), (vec![run(4, None)], 0, memory));
}

#[test]
fn nodes_are_lost_together_by_name_or_by_their_domain() {
    let lease = Millis::minutes(5);
    let nodes = Together::Nodes(vec![Name::from("n1"), Name::from("n2")]);
    let lost = Tell::LostTogether { nodes, lease };
    assert_eq!(read("lost together n[1-2], lease 5m"), Act::Tell(lost));
    let lost = Tell::LostTogether { nodes: Together::Domain(Name::from("rack-1")), lease };
    assert_eq!(read("lost together in rack-1, lease 5m"), Act::Tell(lost));
}

#[test]
fn nodes_are_lost_with_a_lease_and_return_with_what_runs() {
    let nodes = vec![Name::from("n1"), Name::from("n2")];
    let lost = Tell::Lost { nodes, lease: Millis::minutes(5) };
    assert_eq!(read("lost n1 n2, lease 5m"), Act::Tell(lost));
    let back = Tell::Returned(Name::from("n1"), vec![run(3, None), run(4, Some(1))]);
    assert_eq!(read("returned n1, running 3 4.1"), Act::Tell(back));
    let rejoin = Tell::Rejoin(Name::from("n1"), Vec::new());
    assert_eq!(read("rejoin n1, running nothing"), Act::Tell(rejoin));
}

#[test]
fn queue_reads_each_quota_in_its_own_unit() {
    let queue = QueueSpec::new("research/vision")
        .guarantee(Quota::of_gpus(8))
        .limit(Quota::of_gpus(16).model("H100", 8).cpus(64))
        .user_limit(Quota::of_gpus(4))
        .weight(2)
        .idle(IdleRule { after: Millis::hours(2), below_milli: 50, then: WhenIdle::Lend });
    let text = "queue research/vision guarantee 8, limit 16 and H100x8 and 64 cpus, user limit 4, \
                weight 2, idle 2h below 50 lend";
    assert_eq!(read(text), Act::Queue(queue));
}

#[test]
fn booking_reads_its_span_nodes_and_who_may_use_it() {
    let Act::Tell(Tell::Booked(booking)) =
        read("book demo from +1h to +3h, nodes n[1-2], domains z1/r1 z2, users user-a user-b")
    else {
        panic!("a booking was written");
    };
    let hour = |hours| START + Millis::hours(hours);
    let expected = Booking::new("demo", hour(1)).until(hour(3)).node("n1").node("n2");
    let expected = expected.domain(["z1", "r1"]).domain(["z2"]).user("user-a").user("user-b");
    assert_eq!(*booking, expected);
    let Act::Tell(Tell::Booked(drain)) = read("book out from +0h, everything, requeue") else {
        panic!("a booking was written");
    };
    assert_eq!(*drain, Booking::new("out", START).domain([]).requeue_leftovers());
    assert_eq!(read("unbook out"), Act::Tell(Tell::Unbooked("out".into())));
    assert_eq!(problem("book out from +0h, node n1").meant.as_deref(), Some("nodes"));
}

#[test]
fn policy_lines_add_up() {
    let mut policy = Policy::default();
    command("policy order fifo", &mut policy).unwrap();
    let Act::Setup(Setup::Policy(whole)) = command("policy floor 10%", &mut policy).unwrap() else {
        panic!("a policy is set up");
    };
    assert_eq!((whole.order, whole.floor.share_ppm), (Order::Fifo, 100_000));
}

#[test]
fn every_order_can_be_named_and_levels_are_separated_by_strokes() {
    let orders = [
        ("muster", Order::Muster),
        ("fifo", Order::Fifo),
        ("sjf", Order::Sjf),
        ("fair", Order::Fair),
        ("srtf", Order::Srtf),
        ("las", Order::Las),
    ];
    for (name, order) in orders {
        let mut policy = Policy::default();
        command(&format!("policy order {name}, las-limits 90m/5h"), &mut policy).unwrap();
        assert_eq!(policy.order, order);
        assert_eq!(policy.las_limits, [Millis::minutes(90), Millis::hours(5)]);
    }
    let wrong = command("policy las-limits 90m/soon", &mut Policy::default());
    assert!(wrong.is_err(), "a limit is a span");
}

#[test]
fn time_passes_to_a_moment_or_by_a_span() {
    assert_eq!(read("at +2h"), Act::Until(Moment::At(START + Millis::hours(2))));
    assert_eq!(read("advance 90s"), Act::Until(Moment::In(Millis::seconds(90))));
    assert_eq!(read("clock back 5m"), Act::ClockBack(Millis::minutes(5)));
}

#[test]
fn requests_and_questions_name_jobs() {
    let jobs = vec![JobId(2), JobId(4), JobId(5)];
    assert_eq!(read("cancel 2 4-5"), Act::Tell(Tell::Request(Request::Cancel, jobs)));
    assert_eq!(read("why 3"), Act::Ask(Ask::Why(JobId(3))));
}

#[test]
fn unknown_verb_is_answered_with_the_one_that_was_meant() {
    let problem = problem("sumbit \"a\" 1 gpu");
    assert!(problem.what.starts_with("unknown verb `sumbit`, expected one of: levels"));
    assert_eq!(problem.meant.as_deref(), Some("submit"));
}

#[test]
fn unknown_clause_is_answered_with_the_one_that_was_meant() {
    assert_eq!(problem("submit \"a\" 1 gpu, requrie rack").meant.as_deref(), Some("require"));
    assert_eq!(problem("policy flor 5%").meant.as_deref(), Some("floor"));
}

#[test]
fn value_that_cannot_be_read_is_answered_in_the_words_of_the_model() {
    let problem = problem("submit \"a\" 8xH100");
    assert_eq!(problem.meant.as_deref(), Some("H100x8"), "{}", problem.what);
}

#[test]
fn words_left_over_are_refused() {
    assert_eq!(problem("tick tock").what, "expected the end of the line, but found `tock`");
}

#[test]
fn range_that_goes_down_or_is_endless_is_refused() {
    assert!(problem("node n[4-1] H100x8").what.contains("a range that goes up"));
    assert!(problem("node n[1-4000000] H100x8").what.contains("a range that goes up"));
}

#[test]
fn loss_without_a_lease_says_what_is_missing() {
    assert_eq!(problem("lost n1").what, "expected `, lease ...`, but the line ends");
}

#[test]
fn submission_reads_how_it_scales() {
    let spec = submitted("submit \"a\" 2..8 x 1 gpu, speeds 2:100 8:340, resize 1m");
    let usual = JobSpec::gang("a", 2, 1).elastic(2, 8).queue("");
    assert_eq!(spec, usual.speeds([(2, 100), (8, 340)]).resize(Millis::minutes(1)));
    let found = problem("submit \"a\" 2..8 x 1 gpu, speeds 2-100").what;
    assert!(found.contains("sizes with speeds such as"), "{found}");
}

#[test]
fn words_about_elastic_jobs_are_read() {
    let report = |runs, nodes, number| {
        Act::Tell(Tell::Report { runs, nodes, report: Report::Resized(number) })
    };
    assert_eq!(read("resized 4"), report(vec![run(4, None)], Vec::new(), None));
    let on_n1 = report(vec![run(4, Some(2))], vec![Name::from("n1")], Some(3));
    assert_eq!(read("resized 4.2 on n1, number 3"), on_n1);
    let progress = |rate, done_ppm| Act::Tell(Tell::Progress { run: run(4, None), rate, done_ppm });
    assert_eq!(read("progress 4 rate 1200"), progress(1200, None));
    assert_eq!(read("progress 4 rate 0, done 250000 ppm"), progress(0, Some(250_000)));
}
