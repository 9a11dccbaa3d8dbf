//! `sacct --parsable2`, as sites export it.

use muster_model::{Mib, MilliCpu, Millis, Time};

use super::{bad, only, read};
use crate::job::{Gpus, Job, Outcome};
use crate::trace::LeftOut;

const HEAD: &str = "JobID|JobName|User|Account|Partition|QOS|Submit|Start|End|Elapsed|State|\
                    Timelimit|NNodes|AllocTRES\n";

#[test]
fn everything_a_row_tells_is_kept() {
    let row = "4711_3|train \"big, one|user-a|vision|gpu|high|2024-03-01T12:00:00|\
               2024-03-01T12:30:00|2024-03-02T14:30:05|1-02:00:05|CANCELLED by 1001|2-00:00:00|4|\
               billing=256,cpu=256,gres/gpu:a100=32,gres/gpu=32,mem=2T,node=4\n";
    let submit = Time(1_709_294_400_000);
    let expected = Job {
        waited: Some(Millis::minutes(30)),
        cpus: Some(MilliCpu::whole(256)),
        memory: Some(Mib::gib(2048)),
        nodes: Some(4),
        models: vec!["a100".into()],
        user: Some("user-a".into()),
        team: Some("vision".into()),
        pool: Some("gpu".into()),
        name: Some("train \"big, one".into()),
        class: Some("high".into()),
        outcome: Outcome::Cancelled,
        limit: Some(Millis::days(2)),
        ..Job::new("4711_3", submit, Millis::seconds(93_605), Gpus::Whole(32))
    };
    assert_eq!(only(&format!("{HEAD}{row}")), expected);
}

#[test]
fn columns_may_be_few_and_in_any_order() {
    let text = "ReqTRES|State|Submit|Start|End|JobIDRaw|ReqCPUS\n\
                gres/gpu=2|COMPLETED|2024-03-01T00:00:00|2024-03-01T00:00:10|\
                2024-03-01T00:01:10|77|16\n";
    let job = only(text);
    assert_eq!((&*job.id, job.gpus, job.duration), ("77", Gpus::Whole(2), Millis::minutes(1)));
    assert_eq!((job.cpus, job.waited), (Some(MilliCpu::whole(16)), Some(Millis::seconds(10))));

    let raw = "JobID|Submit|ElapsedRaw|TimelimitRaw|AllocTRES\n\
               1|2024-03-01T00:00:00|90|60|gres/gpu=1\n";
    let job = only(raw);
    assert_eq!((job.duration, job.limit), (Millis::seconds(90), Some(Millis::hours(1))));
}

#[test]
fn steps_and_jobs_that_never_ran_are_left_out_and_counted() {
    let moments = "2024-03-01T00:00:00|2024-03-01T00:00:00|2024-03-01T00:01:00|00:01:00";
    let text = format!(
        "{HEAD}\
         1|a|u|t|p|q|{moments}|COMPLETED|UNLIMITED|1|cpu=1,gres/gpu=1\n\
         1.batch|batch||t|||{moments}|COMPLETED||1|cpu=1,gres/gpu=1\n\
         1.extern|extern||t|||{moments}|COMPLETED||1|cpu=1,gres/gpu=1\n\
         1.0|python||t|||{moments}|COMPLETED||1|cpu=1\n\
         2|a|u|t|p|q|2024-03-01T00:00:00|Unknown|Unknown|00:00:00|PENDING|01:00:00|1|\n\
         3|a|u|t|p|q|2024-03-01T00:00:00|None|2024-03-01T00:05:00|00:00:00|CANCELLED|01:00:00|1|\n\
         4|a|u|t|p|q|{moments}|COMPLETED|Partition_Limit|1|cpu=1,mem=1G\n"
    );
    let trace = read(&text);
    assert_eq!(trace.jobs.len(), 1);
    let left_out: Vec<_> = trace.tally.left_out.clone().into_iter().collect();
    let wanted = [(LeftOut::Step, 3), (LeftOut::WithoutGpus, 1), (LeftOut::NeverStarted, 2)];
    assert_eq!(left_out, wanted);
    assert_eq!((trace.tally.rows, trace.tally.bad), (7, 0));
}

#[test]
fn what_still_runs_is_kept_as_far_as_it_came() {
    let text = format!(
        "{HEAD}1|a|u|t|p|q|2024-03-01T00:00:00|2024-03-01T00:00:00|Unknown|03:00:00|RUNNING|\
         1-00:00:00|1|gres/gpu=8\n"
    );
    let job = only(&text);
    assert_eq!((job.outcome, job.duration), (Outcome::Unfinished, Millis::hours(3)));
}

#[test]
fn states_of_slurm_become_outcomes() {
    let cases = [
        ("COMPLETED", Outcome::Completed),
        ("OUT_OF_MEMORY", Outcome::Failed),
        ("OUT_OF_ME+", Outcome::Failed),
        ("CANCELLED+", Outcome::Cancelled),
        ("TIMEOUT", Outcome::TimedOut),
        ("BOOT_FAIL", Outcome::NodeLost),
        ("PREEMPTED", Outcome::Preempted),
    ];
    for (state, outcome) in cases {
        let text = format!(
            "JobID|Submit|ElapsedRaw|State|AllocTRES\n1|2024-03-01T00:00:00|1|{state}|gres/gpu=1\n"
        );
        assert_eq!(only(&text).outcome, outcome, "{state}");
    }
}

#[test]
fn bad_values_are_told_by_the_names_of_sacct() {
    let row = |submit, elapsed, state, limit, tres| {
        format!(
            "JobID|Submit|Elapsed|State|Timelimit|AllocTRES\n\
             1|{submit}|{elapsed}|{state}|{limit}|{tres}\n"
        )
    };
    let (moment, tres) = ("2024-03-01T00:00:00", "gres/gpu=1");
    let cases = [
        (row("yesterday", "00:01:00", "FAILED", "", tres), "Submit: `yesterday`"),
        (row(moment, "long", "FAILED", "", tres), "Elapsed: `long`"),
        (row(moment, "00:01:00", "MAYBE", "", tres), "State: `MAYBE`"),
        (row(moment, "00:01:00", "FAILED", "soon", tres), "Timelimit: `soon`"),
        (row(moment, "00:01:00", "FAILED", "", "gpu"), "AllocTRES: `gpu`"),
        (row(moment, "00:01:00", "FAILED", "", "gres/gpu=1|x"), "7 columns, expected 6"),
    ];
    for (text, wanted) in cases {
        let told = bad(&text);
        assert!(told[0].starts_with(&format!("line 2: {wanted}")), "{told:?}");
    }
}
