//! What each command says of known jobs, held against Slurm's own lines.

use super::fixed::{NOW, element, running};
use crate::report::{account_rows, job_paragraph, queue_value};
use crate::words::format::{self, Field, Separators, sacct, squeue};
use crate::words::{ExitCode, Reason, State};

fn list(job: &crate::report::JobFacts, text: &str) -> String {
    let format = format::percent(text, squeue::FIELDS).expect("a good format");
    let row = |field: &Field| queue_value(job, field, NOW, 0);
    format.table(false, &[row]).remove(0)
}

#[test]
fn queue_lists_a_running_job_as_slurm_does() {
    assert_eq!(
        list(&running(), squeue::LIST),
        "                 2      main     s.sh     root  R       0:03      2 n[1-2]"
    );
    assert_eq!(
        list(&element(3), squeue::LIST),
        "               4_3      main     s.sh     root PD       0:00      1 (JobArrayTaskLimit)"
    );
}

#[test]
fn every_column_of_a_running_job_is_slurms() {
    assert_eq!(
        list(&running(), "%all"),
        "root|gres:gpu:h100:2|1|0|2026-11-16T08:06:42|(null)|root|OK|2|s.sh|(null)|10:00|100M||\
         /tmp/work/s.sh|0.00000023283064|normal|None||R|root|(null)|(null)||0|*:*:*|2|n1|2|2|\
         (null)|2|0|*|*|*|N/A|9:57|0:03|n[1-2]|0|main|1000|n[1-2]|2026-11-16T07:56:42|RUNNING|0|\
         2026-11-16T07:56:42|(null)|N/A|(null)|/tmp/work"
    );
}

#[test]
fn accounting_has_a_line_for_the_script() {
    let format =
        format::accounting("jobid,state,nodelist,elapsed,reqtres,alloctres,ntasks", sacct::FIELDS)
            .expect("known fields");
    let job = running();
    let rows: Vec<_> = account_rows(&job, true)
        .into_iter()
        .map(|row| move |field: &Field| row.value(field, NOW, 0))
        .collect();
    assert_eq!(
        format.table(false, Separators::Between, &rows),
        [
            "2|RUNNING|n[1-2]|00:00:03|billing=2,cpu=2,gres/gpu=4,mem=200M,node=2|\
             billing=2,cpu=2,gres/gpu=4,mem=200M,node=2|",
            "2.batch|RUNNING|n1|00:00:03||cpu=1,gres/gpu=2,mem=100M,node=1|1",
        ]
    );
}

#[test]
fn job_that_was_cancelled_says_by_whom_and_its_script_by_which_signal() {
    let mut job = running();
    (job.state, job.cancelled_by) = (State::Cancelled, Some(1000));
    (job.exit, job.batch_exit) = (ExitCode::default(), ExitCode { code: 0, signal: 15 });
    let format = format::accounting("jobid,state,exitcode", sacct::FIELDS).expect("known fields");
    let rows: Vec<_> = account_rows(&job, true)
        .into_iter()
        .map(|row| move |field: &Field| row.value(field, NOW, 0))
        .collect();
    let expected = ["2|CANCELLED by 1000|0:0", "2.batch|CANCELLED|0:15"];
    assert_eq!(format.table(false, Separators::Between, &rows), expected);
    job.reason = Reason::None;
    assert_eq!(list(&job, "%R"), "n[1-2]");
}

#[test]
fn job_is_shown_in_full_as_slurm_shows_it() {
    let expected = "\
JobId=2 JobName=s.sh
   UserId=root(0) GroupId=root(0) MCS_label=N/A
   Priority=1000 Nice=0 Account=root QOS=normal
   JobState=RUNNING Reason=None Dependency=(null)
   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0
   RunTime=00:00:03 TimeLimit=00:10:00 TimeMin=N/A
   SubmitTime=2026-11-16T07:56:42 EligibleTime=2026-11-16T07:56:42
   AccrueTime=2026-11-16T07:56:42
   StartTime=2026-11-16T07:56:42 EndTime=2026-11-16T08:06:42 Deadline=N/A
   SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-16T07:56:42 Scheduler=Main
   Partition=main AllocNode:Sid=localhost:0
   ReqNodeList=(null) ExcNodeList=(null)
   NodeList=n[1-2]
   BatchHost=n1
   NumNodes=2 NumCPUs=2 NumTasks=2 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
   TRES=cpu=2,mem=200M,node=2,billing=2,gres/gpu=4
   Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*
   MinCPUsNode=1 MinMemoryCPU=100M MinTmpDiskNode=0
   Features=(null) DelayBoot=00:00:00
   OverSubscribe=OK Contiguous=0 Licenses=(null) Network=(null)
   Command=/tmp/work/s.sh
   WorkDir=/tmp/work
   StdErr=/tmp/work/slurm-2.out
   StdIn=/dev/null
   StdOut=/tmp/work/slurm-2.out
   Power=
   TresPerNode=gres:gpu:h100:2
   

";
    assert_eq!(job_paragraph(&running(), NOW, 0, false), expected);
    let line = job_paragraph(&running(), NOW, 0, true);
    assert_eq!(line.lines().count(), 1);
    assert!(line.ends_with("Power= TresPerNode=gres:gpu:h100:2 \n"), "{line}");
}
