//! Each format: how it is told, and what its rows become.

mod slurm;
mod workload;

use muster_model::{Mib, MilliCpu, MilliGpu, Millis, Time};

use super::Format;
use crate::job::{Gpus, Job, Outcome};
use crate::read::{OnBadRow, ReadOptions};
use crate::trace::Trace;

/// Reads a text whose format is told by itself, bad rows left out.
fn read(text: &str) -> Trace {
    let options = ReadOptions { on_bad_row: OnBadRow::Skip, ..ReadOptions::default() };
    Trace::read("test", text.as_bytes(), &options).unwrap()
}

fn only(text: &str) -> Job {
    let trace = read(text);
    assert_eq!(trace.tally.bad, 0, "{:?}", trace.tally.first_bad);
    let [job] = trace.jobs.as_slice() else { panic!("{} jobs", trace.jobs.len()) };
    job.clone()
}

fn bad(text: &str) -> Vec<String> {
    read(text).tally.first_bad.iter().map(ToString::to_string).collect()
}

#[test]
fn words_name_the_formats_and_no_others() {
    for format in Format::ALL {
        assert_eq!(format.word().parse(), Ok(format));
    }
    assert!("Venus".parse::<Format>().unwrap_err().contains("expected one of venus, philly"));
}

#[test]
fn formats_are_told_by_their_first_line() {
    let cases = [
        (Format::Venus, "job_id,user,vc,gpu_num,cpu_num,state,submit_time,duration\n"),
        (Format::Philly, "timestamp,duration,num_gpus,gpu_time,cluster\n"),
        (
            Format::Itp,
            "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration",
        ),
        (Format::Alibaba2023, "seq,name,cpu_milli,memory_mib,num_gpu,gpu_milli\n"),
        (Format::Sacct, "JobID|JobName|Submit\n"),
        (Format::Swf, "; Version: 2.2\n"),
        (Format::Swf, "1 0 3 60 8 -1 -1 8 100 -1 1 1 1 1 1 1 -1 -1\n"),
        (Format::Simple, "job_id,arrival_s,service_sec,gpu_count\n"),
        (Format::Muster, "id,submit_ms,duration_ms,gpus\n"),
        (Format::Muster, "{\"id\":\"1\"}\n"),
    ];
    for (format, text) in cases {
        assert_eq!(Format::detect(text.as_bytes()), Some(format), "{text}");
    }
    for text in ["", "job_id,user\n", "1 2 3\n", "JobID,Submit\n"] {
        assert_eq!(Format::detect(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn venus_has_users_virtual_clusters_and_states() {
    let head = "job_id,user,vc,gpu_num,cpu_num,state,submit_time,duration\n";
    let job = only(&format!("{head}765472,user-a,vc-1,16,4,NODE_FAIL,13219203,97\n"));
    let expected = Job {
        cpus: Some(MilliCpu::whole(4)),
        user: Some("user-a".into()),
        pool: Some("vc-1".into()),
        outcome: Outcome::NodeLost,
        ..Job::new("765472", Time(13_219_203_000), Millis::seconds(97), Gpus::Whole(16))
    };
    assert_eq!(job, expected);
    let rows = format!("{head}1,u,v,1,1,DONE,0,1\n");
    let reason = "line 2: state: `DONE` is not a state of Slurm, such as COMPLETED or FAILED";
    assert_eq!(bad(&rows), [reason]);
}

#[test]
fn philly_counts_its_rows_and_sorts_its_moments() {
    let trace = read(
        "timestamp,duration,num_gpus,gpu_time,cluster\n\
         2017-10-09 07:01:55,66.0,1,66.0,aaa\n\
         2017-10-09 06:00:00,2951.5,8,1.0,bbb\n\
         never,1.0,1,1.0,bbb\n",
    );
    let jobs: Vec<_> = trace.jobs.iter().map(|job| (&*job.id, job.duration.0)).collect();
    assert_eq!(jobs, [("2", 2_951_500), ("1", 66_000)]);
    assert_eq!(trace.pools(), ["aaa".into(), "bbb".into()]);
    let reason = "timestamp: `never` is not a moment such as 2017-10-09 07:01:55";
    assert_eq!(trace.tally.first_bad[0].to_string(), format!("line 4: {reason}"));
}

#[test]
fn itp_has_deadlines_and_templates() {
    let head = "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,\
                duration\n";
    let job = only(&format!("{head}5dc7-03,2266647,6503,bert,2267101,128,16,604\n"));
    assert_eq!(job.deadline, Some(Time(2_267_101_000)));
    assert_eq!(job.name.as_deref(), Some("bert-128"));
    assert_eq!((job.gpus, job.duration), (Gpus::Whole(16), Millis::seconds(604)));
}

const PODS: &str = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,\
                    creation_time,deletion_time,scheduled_time\n";

#[test]
fn pods_have_shares_models_and_times() {
    let job = only(&format!("{PODS}pod-1,6000,12288,1,460,V100M16|V100M32,LS,Failed,10,95,15\n"));
    let expected = Job {
        waited: Some(Millis::seconds(5)),
        cpus: Some(MilliCpu(6_000)),
        memory: Some(Mib(12_288)),
        models: vec!["V100M16".into(), "V100M32".into()],
        class: Some("LS".into()),
        outcome: Outcome::Failed,
        ..Job::new("pod-1", Time(10_000), Millis::seconds(80), Gpus::Share(MilliGpu(460)))
    };
    assert_eq!(job, expected);
    let waits = only(&format!("{PODS}pod-2,1,1,8,1000,,BE,Pending,10,95,\n"));
    assert_eq!((waits.gpus, waits.duration), (Gpus::Whole(8), Millis::seconds(85)));
    assert_eq!((waits.waited, waits.outcome), (None, Outcome::Unfinished));
}

#[test]
fn a_list_of_pods_without_times_keeps_its_order() {
    let head = "seq,name,cpu_milli,memory_mib,num_gpu,gpu_milli\n";
    let trace = read(&format!("{head}0,pod-9,1,1,1,1000\n1,pod-3,1,1,1,50\n2,pod-5,1,1,0,0\n"));
    let ids: Vec<_> = trace.jobs.iter().map(|job| &*job.id).collect();
    assert_eq!(ids, ["pod-9", "pod-3", "pod-5"]);
    assert!(trace.jobs.iter().all(|job| job.submit == Time(0) && job.duration == Millis::ZERO));
}

#[test]
fn pods_that_cannot_be_are_bad_rows() {
    let share = "line 2: gpu_milli: `500` is not 1000, or 1 to 999 of a single GPU";
    assert_eq!(bad(&format!("{PODS}p,1,1,2,500,,LS,Running,0,1,0\n")), [share]);
    let order = "line 2: deletion_time: expected creation, scheduling and deletion in this order";
    assert_eq!(bad(&format!("{PODS}p,1,1,1,500,,LS,Running,5,6,4\n")), [order]);
    assert_eq!(bad(&format!("{PODS}p,1,1,1,500,,LS,Running,5,4,\n")), [order]);
    assert_eq!(bad(&format!("{PODS}p,1,1,1,500,,LS,Gone,5,6,\n")).len(), 1);
}
