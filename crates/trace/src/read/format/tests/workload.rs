//! The Standard Workload Format, and our own.

use muster_model::{Mib, MilliGpu, Millis, Time};

use super::{bad, only, read};
use crate::job::{GpuRange, Gpus, Job, Outcome, Saving};
use crate::trace::LeftOut;

#[test]
fn swf_counts_from_the_moment_in_its_comments() {
    let text = "; Version: 2.2\n; UnixStartTime: 1000\n;\n\
                7 10 5 60 8 -1 -1 16 3600 1024 5 3 2 9 1 4 -1 -1\n";
    let expected = Job {
        waited: Some(Millis::seconds(5)),
        memory: Some(Mib(16)),
        user: Some("user-3".into()),
        team: Some("group-2".into()),
        pool: Some("partition-4".into()),
        name: Some("executable-9".into()),
        class: Some("queue-1".into()),
        limit: Some(Millis::hours(1)),
        outcome: Outcome::Cancelled,
        ..Job::new("7", Time(1_010_000), Millis::minutes(1), Gpus::Whole(16))
    };
    assert_eq!(only(text), expected);
}

#[test]
fn swf_takes_what_was_granted_where_nothing_was_asked_and_leaves_out_what_never_ran() {
    let text = "1 0 -1 30 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n\
                2 0 -1 -1 -1 -1 -1 4 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n\
                3 0 -1 30 -1 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n\
                4 0 -1\n";
    let trace = read(text);
    assert_eq!(trace.jobs.len(), 1);
    assert_eq!((trace.jobs[0].gpus, trace.jobs[0].user.clone()), (Gpus::Whole(4), None));
    assert_eq!(trace.tally.left_out[&LeftOut::NeverStarted], 1);
    let wanted = ["line 3: requested processors: unknown", "line 4: 3 numbers, expected 18"];
    assert_eq!(bad(text), wanted);
}

#[test]
fn our_own_rows_say_as_much_as_a_job_can() {
    let json = "{\"id\":\"1\",\"submit_ms\":5,\"duration_ms\":7,\"gpu_milli\":250,\
                \"models\":[\"T4\"],\"outcome\":\"timed-out\",\"save_ms\":9,\"state_mib\":3,\
                \"gpus_min\":1,\"gpus_max\":4,\"name\":\"a, \\\"b\\\"\\n\"}\n";
    let saving = Saving { save: Some(Millis(9)), state: Some(Mib(3)), ..Saving::default() };
    let expected = Job {
        models: vec!["T4".into()],
        name: Some("a, \"b\"\n".into()),
        outcome: Outcome::TimedOut,
        saving: Some(Box::new(saving)),
        elastic: Some(GpuRange { min: 1, max: 4 }),
        ..Job::new("1", Time(5), Millis(7), Gpus::Share(MilliGpu(250)))
    };
    assert_eq!(only(json), expected);
    let csv = "duration_ms,submit_ms,id,gpu_milli,models,outcome,save_ms,state_mib,gpus_min,\
               gpus_max,name\n7,5,1,250,T4,timed-out,9,3,1,4,\"a, \"\"b\"\"\n\"\n";
    assert_eq!(only(csv), expected);
}

#[test]
fn our_own_rows_are_read_strictly() {
    let head = "id,submit_ms,duration_ms,gpus,gpu_milli,outcome,gpus_min,models\n";
    let cases = [
        ("1,0,1,,,,,", "gpus: empty, expected it or gpu_milli"),
        ("1,0,1,1,500,,,", "gpu_milli: expected either it or gpus"),
        ("1,0,1,,1000,,,", "gpu_milli: 1000 is not allowed, expected 1 to 999"),
        ("1,0,1,1,,good,,", "outcome: `good`: expected one of completed, failed"),
        ("1,0,1,1,,,2,", "gpus_max: empty, expected it beside gpus_min"),
        ("1,0,,1,,,,", "duration_ms: empty, expected a value"),
        ("1,-1,1,1,,,,", "submit_ms: `-1` is not a whole number"),
    ];
    for (row, wanted) in cases {
        let told = bad(&format!("{head}{row}\n"));
        assert!(told[0].starts_with(&format!("line 2: {wanted}")), "{told:?}");
    }
    let lines = [
        ("{\"id\":\"1\",\"submit_ms\":0}", "duration_ms: empty, expected a value"),
        ("{\"id\":\"1\",\"when\":0}", "unknown field `when`, expected one of `id`"),
        ("{\"id\":", "EOF while parsing a value"),
        ("[1]", "invalid type: integer `1`"),
    ];
    for (line, wanted) in lines {
        let told = bad(&format!(
            "{{\"id\":\"0\",\"submit_ms\":0,\"duration_ms\":0,\"gpus\":1}}\n{line}\n"
        ));
        assert!(told[0].starts_with(&format!("line 2: {wanted}")), "{told:?}");
    }
}
