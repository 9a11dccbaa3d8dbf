//! The summary of a small trace, for people and for programs.

use super::Summary;
use crate::read::{OnBadRow, ReadOptions};
use crate::trace::Trace;

const TEXT: &str = "job_id,user,vc,gpu_num,cpu_num,state,submit_time,duration
1,user-a,vc-1,1,1,COMPLETED,0,60
2,user-a,vc-1,1,1,FAILED,0,3600
3,user-b,vc-1,8,1,COMPLETED,3600,7200
4,user-b,vc-2,24,1,CANCELLED,86400,36000
5,user-c,vc-2,0,1,COMPLETED,90000,1
6,user-c,vc-2,many,1,COMPLETED,90000,1
4,user-c,vc-2,2,1,NODE_FAIL,172800,5400
";

fn summary(text: &str) -> Summary {
    let options = ReadOptions { on_bad_row: OnBadRow::Skip, ..ReadOptions::default() };
    Summary::of(&Trace::read("small.csv", text.as_bytes(), &options).unwrap())
}

#[test]
fn people_get_a_screen_of_text() {
    insta::assert_snapshot!(summary(TEXT).to_string(), @r#"
    small.csv
      jobs       5 over 2.0 days
      durations  mean 10,452 s, median 5,400 s, p99 36,000 s
      GPU time   260 GPU-hours, 5.4 GPUs busy on average if nothing waited, largest job 24
      people     3 users, 0 teams, 2 pools, 0 names
      outcomes   1 cancelled, 2 completed, 1 failed, 1 node-lost

             GPUs        jobs      %     GPU-hours      %   median s
                1           2   40.0           1.0    0.4      3,600
                2           1   20.0           3.0    1.2      5,400
              5-8           1   20.0            16    6.2      7,200
            17-32           1   20.0           240   92.3     36,000

      rows       7 read: 5 jobs, 1 bad, left out: 1 jobs without GPUs
        line 7: gpu_num: `many` is not a whole number
      1 jobs have the id of another
    "#);
}

#[test]
fn programs_get_the_same_figures() {
    insta::assert_snapshot!(serde_json::to_string_pretty(&summary(TEXT)).unwrap(), @r#"
    {
      "trace": "small.csv",
      "jobs": 5,
      "first_submit_ms": 0,
      "span_s": 172800.0,
      "mean_duration_s": 10452.0,
      "median_duration_s": 5400.0,
      "p99_duration_s": 36000.0,
      "gpu_hours": 260.01666666666665,
      "mean_busy_gpus": 5.417013888888889,
      "largest_gpus": 24.0,
      "sizes": [
        {
          "gpus": "1",
          "jobs": 2,
          "gpu_hours": 1.0166666666666666,
          "median_duration_s": 3600.0
        },
        {
          "gpus": "2",
          "jobs": 1,
          "gpu_hours": 3.0,
          "median_duration_s": 5400.0
        },
        {
          "gpus": "5-8",
          "jobs": 1,
          "gpu_hours": 16.0,
          "median_duration_s": 7200.0
        },
        {
          "gpus": "17-32",
          "jobs": 1,
          "gpu_hours": 240.0,
          "median_duration_s": 36000.0
        }
      ],
      "outcomes": {
        "cancelled": 1,
        "completed": 2,
        "failed": 1,
        "node-lost": 1
      },
      "users": 3,
      "teams": 0,
      "pools": 2,
      "names": 0,
      "repeated_ids": 1,
      "rows": 7,
      "bad_rows": 1,
      "first_bad_rows": [
        "line 7: gpu_num: `many` is not a whole number"
      ],
      "left_out": {
        "jobs without GPUs": 1
      }
    }
    "#);
}

#[test]
fn a_trace_without_jobs_has_a_summary_too() {
    let summary = summary("job_id,arrival_s,service_sec,gpu_count\n");
    assert_eq!((summary.jobs, summary.sizes.len()), (0, 0));
    assert!(summary.mean_duration_s.abs() < f64::EPSILON);
    assert!(summary.to_string().contains("rows       0 read: 0 jobs, 0 bad, left out: none"));
}
