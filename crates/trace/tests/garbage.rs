//! Nothing that is fed to the readers makes them panic, loop or lose a row: random bytes, and
//! good files with something changed.

use std::path::Path;

use muster_trace::{Cluster, Format, OnBadRow, ReadOptions, Trace, WithoutGpus};
use proptest::prelude::*;

/// A good file of each format.
const GOOD: [(Format, &str); 9] = [
    (
        Format::Venus,
        "job_id,user,vc,gpu_num,cpu_num,state,submit_time,duration\n\
         1,u,v,8,1,COMPLETED,100,60\n2,u,v,1,1,FAILED,200,5\n",
    ),
    (
        Format::Philly,
        "timestamp,duration,num_gpus,gpu_time,cluster\n2017-10-09 07:01:55,66.0,1,66.0,a\n\
         2017-10-09 06:13:03,2951.0,8,2951.0,b\n",
    ),
    (
        Format::Itp,
        "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration\n\
         a,9940,42613,vgg16,25913,128,1,16235\n",
    ),
    (
        Format::Alibaba2023,
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,\
         deletion_time,scheduled_time\np,6000,12288,1,460,T4|P100,LS,Running,10,95,15\n",
    ),
    (
        Format::Sacct,
        "JobID|JobName|Submit|Start|End|Elapsed|State|Timelimit|NNodes|AllocTRES\n\
         1|a|2024-03-01T12:00:00|2024-03-01T12:30:00|2024-03-02T14:30:05|1-02:00:05|\
         CANCELLED by 10|2-00:00:00|4|cpu=2,gres/gpu:a=32,gres/gpu=32,mem=2T,node=4\n\
         1.batch|a|2024-03-01T12:00:00|Unknown|Unknown|00:00:05|FAILED||1|cpu=2\n",
    ),
    (Format::Swf, "; UnixStartTime: 1000\n7 10 5 60 8 -1 -1 16 3600 1024 5 3 2 9 1 4 -1 -1\n"),
    (Format::Simple, "job_id,arrival_s,service_sec,gpu_count\n1,0,60.5,8\n2,30,10,1\n"),
    (
        Format::Muster,
        "id,submit_ms,duration_ms,gpus,gpu_milli,models,name,outcome,gpus_min,gpus_max\n\
         1,0,1,2,,A|B,\"x \"\"y\"\"\nz\",failed,1,4\n2,0,1,,500,,,,,\n",
    ),
    (
        Format::Muster,
        "{\"id\":\"1\",\"submit_ms\":0,\"duration_ms\":1,\"gpus\":2,\"models\":[\"A\"]}\n\
         {\"id\":\"2\",\"submit_ms\":0,\"duration_ms\":1,\"gpu_milli\":2,\"name\":\"\\u00e9\"}\n",
    ),
];

/// Pieces that have broken readers before.
const PIECES: [&[u8]; 22] = [
    b"",
    b"\"",
    b"\n",
    b"\r",
    b",",
    b"|",
    b";",
    b"-1",
    b"-",
    b".",
    b"\xff",
    b"\0",
    b"99999999999",
    b"18446744073709551616",
    b"1e9",
    b"\xef\xbb\xbf",
    b"{",
    b"\\",
    b"=",
    b"9999-12-31 23:59:60",
    b"\xc3",
    b"[",
];

/// Reads in every way and checks the account.
fn feed(bytes: &[u8], format: Option<Format>) {
    for on_bad_row in [OnBadRow::Skip, OnBadRow::Fail] {
        let options = ReadOptions { format, on_bad_row, without_gpus: WithoutGpus::Keep };
        let Ok(trace) = Trace::read("test", bytes, &options) else { continue };
        let tally = &trace.tally;
        assert_eq!(tally.rows, tally.jobs + tally.bad + tally.left_out_in_all());
        assert_eq!(tally.jobs, trace.jobs.len() as u64);
        assert!(tally.bad == 0 || on_bad_row == OnBadRow::Skip);
        assert!(trace.jobs.is_sorted_by_key(|job| job.submit));
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        assert!(tally.rows <= lines, "{} rows in {lines} lines", tally.rows);
    }
}

#[test]
fn the_good_files_are_good() {
    for (format, text) in GOOD {
        let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
        let trace = Trace::read("test", text.as_bytes(), &options).unwrap();
        assert!(!trace.jobs.is_empty(), "{format}");
        assert_eq!(trace, Trace::read("test", text.as_bytes(), &Default::default()).unwrap());
    }
}

proptest! {
    #[test]
    fn random_bytes_are_refused_in_peace(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        feed(&bytes, None);
        for format in Format::ALL {
            feed(&bytes, Some(format));
        }
    }

    #[test]
    fn good_files_with_something_changed_are_accounted_for(
        (which, cuts) in (0..GOOD.len(), prop::collection::vec(
            (any::<prop::sample::Index>(), 0..8_usize, 0..PIECES.len()), 1..4)),
    ) {
        let (format, text) = GOOD[which];
        let mut bytes = text.as_bytes().to_vec();
        for (place, length, piece) in cuts {
            if bytes.is_empty() {
                break;
            }
            let begin = place.index(bytes.len());
            let end = (begin + length).min(bytes.len());
            bytes.splice(begin..end, PIECES[piece].iter().copied());
        }
        feed(&bytes, Some(format));
        feed(&bytes, None);
    }

    #[test]
    fn packed_garbage_is_refused_in_peace(
        (kind, bytes) in (0..3_usize, prop::collection::vec(any::<u8>(), 0..300)),
    ) {
        let magic: &[u8] = [
            &[0x1f, 0x8b, 8, 0][..], &[0x28, 0xb5, 0x2f, 0xfd], &[0x50, 0x2a, 0x4d, 0x18],
        ][kind];
        feed(&[magic, &bytes].concat(), Some(Format::Simple));
    }

    #[test]
    fn lines_of_clusters_are_read_or_refused(text in "[0-9x:+/=.a-zA-Z -]{0,40}") {
        if let Ok(cluster) = Cluster::find(&text, Path::new("nowhere")) {
            let _ = cluster.declare();
        }
    }

    #[test]
    fn sensible_lines_of_clusters_are_read(
        (nodes, gpus, rack, block) in (1..200_u32, 1..=16_u32, 1..20_u32, 1..5_u32),
    ) {
        let line = format!("{nodes}x{gpus}:A100/rack={rack}/block={block}");
        let cluster = Cluster::find(&line, Path::new("nowhere")).unwrap();
        let declared = cluster.declare().unwrap();
        prop_assert_eq!(declared.nodes.len() as u64, u64::from(nodes));
        let racks: std::collections::BTreeSet<_> =
            declared.nodes.iter().map(|node| &node.domains[1]).collect();
        prop_assert_eq!(racks.len() as u64, u64::from(nodes.div_ceil(rack)));
    }
}
