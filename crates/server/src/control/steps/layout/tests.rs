//! Steps laid out, in the words of `srun`.

use muster_api::step::{GpuBinding, StepDistribution, StepRequest, StepSize};
use muster_model::{GpuSet, Name};

use super::{LaidPart, Misfit, Room, Takes, lay_out};

/// Nodes `n1`, `n2` and so on with so many CPUs and GPUs each.
fn rooms(cpus: &[u64], gpus: u32) -> Vec<Room> {
    (1..)
        .zip(cpus)
        .map(|(number, cpus)| Room {
            name: Name::from(format!("n{number}").as_str()),
            cpus_milli: cpus * 1000,
            gpus: GpuSet::first(gpus),
            memory_mib: 1000,
            used: Takes::default(),
        })
        .collect()
}

fn request(size: StepSize) -> StepRequest {
    StepRequest { size, ..StepRequest::default() }
}

fn tasks(tasks: u32) -> StepSize {
    StepSize { tasks: Some(tasks), ..StepSize::default() }
}

/// A layout as `n1:0,1 n2:2`.
fn told(rooms: &[Room], laid: &[LaidPart]) -> String {
    let part = |part: &LaidPart| {
        let ranks: Vec<String> = part.tasks.iter().map(|task| task.rank.to_string()).collect();
        format!("{}:{}", rooms[part.room].name, ranks.join(","))
    };
    laid.iter().map(part).collect::<Vec<_>>().join(" ")
}

/// Lays out; the words of why not otherwise.
fn lay(request: &StepRequest, rooms: &[Room]) -> String {
    match lay_out(request, rooms) {
        Ok(laid) => told(rooms, &laid),
        Err(Misfit::Busy) => "busy".to_owned(),
        Err(Misfit::Never(why)) => format!("never: {}", why.field),
    }
}

#[test]
fn tasks_go_where_srun_puts_them() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let cases: [(&str, StepSize, &str); 14] = [
        ("nothing said", StepSize::default(), "n1:0 n2:1 n3:2"),
        ("-n1", tasks(1), "n1:0"),
        ("-n6", tasks(6), "n1:0,1,2 n2:3,4,5"),
        ("-n4 -N2", StepSize { nodes: Some(2), ..tasks(4) }, "n1:0,1 n2:2,3"),
        ("-n5 -N2", StepSize { nodes: Some(2), ..tasks(5) }, "n1:0,1,2 n2:3,4"),
        ("-n1 -N3", StepSize { nodes: Some(3), ..tasks(1) }, "n1:0"),
        ("-n9 -N3", StepSize { nodes: Some(3), ..tasks(9) }, "n1:0,1,2,3 n2:4,5,6,7 n3:8"),
        (
            "--ntasks-per-node=2 -N2",
            StepSize { tasks_per_node: Some(2), nodes: Some(2), ..StepSize::default() },
            "n1:0,1 n2:2,3",
        ),
        ("-w n2", StepSize { nodelist: names(&["n2"]), ..StepSize::default() }, "n2:0"),
        ("-w n3 -n2", StepSize { nodelist: names(&["n3"]), ..tasks(2) }, "never: tasks"),
        ("-x n1", StepSize { exclude: names(&["n1"]), ..StepSize::default() }, "n2:0 n3:1"),
        ("-r1 -n1", StepSize { relative: Some(1), ..tasks(1) }, "n2:0"),
        ("-n10", tasks(10), "never: tasks"),
        ("-w n9", StepSize { nodelist: names(&["n9"]), ..StepSize::default() }, "never: nodelist"),
    ];
    for (words, size, expected) in cases {
        assert_eq!(lay(&request(size), &rooms(&[4, 4, 1], 0)), expected, "{words}");
    }
}

#[test]
fn tasks_are_dealt_out_as_asked() {
    let names = ["n2", "n1", "n2"].map(str::to_owned).to_vec();
    let cases = [
        (StepDistribution::Block, "n1:0,1,2 n2:3,4"),
        (StepDistribution::Cyclic, "n1:0,2,4 n2:1,3"),
        (StepDistribution::Plane(2), "n1:0,1,4 n2:2,3"),
        (StepDistribution::Arbitrary(names), "n2:0,2 n1:1"),
    ];
    for (distribution, expected) in cases {
        let size = StepSize { nodes: Some(2), ..tasks(5) };
        let request = StepRequest { distribution: distribution.clone(), ..request(size) };
        assert_eq!(lay(&request, &rooms(&[4, 4], 0)), expected, "{distribution:?}");
    }
}

#[test]
fn more_cpus_for_each_task_leave_room_for_fewer() {
    let asked = |cpus| StepSize { cpus_per_task: Some(cpus), ..tasks(2) };
    let exact = |cpus| StepRequest { exact: true, ..request(asked(cpus)) };
    assert_eq!(lay(&exact(4), &rooms(&[4, 4], 0)), "n1:0 n2:1");
    assert_eq!(lay(&exact(2), &rooms(&[4, 4], 0)), "n1:0,1");
    assert_eq!(lay(&exact(5), &rooms(&[4, 4], 0)), "never: nodes");
    let many = StepRequest { overcommit: true, ..request(tasks(9)) };
    assert_eq!(lay(&many, &rooms(&[1], 0)), "n1:0,1,2,3,4,5,6,7,8");
}

#[test]
fn a_step_waits_for_what_others_have_unless_it_shares() {
    let mut used = rooms(&[4, 4], 4);
    used[0].used = Takes { cpus_milli: 3000, gpus: GpuSet::first(3), ..Takes::default() };
    used[1].used = Takes { all_cpus: true, ..Takes::default() };
    let exact = |size| StepRequest { exact: true, ..request(size) };
    let gpus = |each| StepSize { gpus_per_task: Some(each), ..tasks(1) };
    assert_eq!(lay(&request(tasks(1)), &used), "busy", "it would have all CPUs of a node");
    assert_eq!(lay(&exact(tasks(1)), &used), "n1:0");
    assert_eq!(lay(&exact(tasks(2)), &used), "busy");
    assert_eq!(lay(&exact(gpus(1)), &used), "n1:0");
    assert_eq!(lay(&exact(gpus(2)), &used), "busy");
    assert_eq!(lay(&exact(gpus(5)), &used), "never: nodes");
    let shared = StepRequest { overlap: true, ..request(tasks(8)) };
    assert_eq!(lay(&shared, &used), "n1:0,1,2,3 n2:4,5,6,7");
    let laid = lay_out(&shared, &used).expect("it shares");
    assert!(laid.iter().all(|part| part.takes == Takes::default()), "it keeps nothing");
}

#[test]
fn tasks_see_the_gpus_their_binding_says() {
    let seen = |binding: GpuBinding, size: StepSize| -> Vec<Vec<u32>> {
        let request = StepRequest { gpu_binding: binding, ..request(size) };
        let laid = lay_out(&request, &rooms(&[8], 4)).expect("it fits");
        laid[0].tasks.iter().map(|task| task.gpus.iter().collect()).collect()
    };
    let node = |gpus| StepSize { gpus_per_node: Some(gpus), ..tasks(2) };
    let own = StepSize { gpus_per_task: Some(2), ..tasks(2) };
    let all = vec![0, 1, 2, 3];
    assert_eq!(seen(GpuBinding::All, tasks(2)), [all.clone(), all]);
    assert_eq!(seen(GpuBinding::All, node(2)), [[0, 1], [0, 1]]);
    assert_eq!(seen(GpuBinding::All, node(0)), [[0; 0], [0; 0]]);
    assert_eq!(seen(GpuBinding::PerTask(2), own), [[0, 1], [2, 3]]);
    assert_eq!(seen(GpuBinding::Single(1), node(2)), [[0], [1]]);
    assert_eq!(seen(GpuBinding::Single(2), node(2)), [[0], [0]]);
    assert_eq!(seen(GpuBinding::Map(vec![1, 0]), node(2)), [[1], [0]]);
}

#[test]
fn gpus_in_all_are_dealt_out_among_the_nodes() {
    let size = StepSize { gpus: Some(3), nodes: Some(2), ..tasks(2) };
    let laid = lay_out(&request(size), &rooms(&[4, 4], 4)).expect("it fits");
    let counts: Vec<u32> = laid.iter().map(|part| part.gpus.count()).collect();
    assert_eq!(counts, [2, 1]);
    let size = StepSize { gpus_per_node: Some(5), ..tasks(1) };
    assert_eq!(lay(&request(size), &rooms(&[4], 4)), "never: gpus-per-node");
    let size = StepSize { memory_mib: Some(1001), ..tasks(1) };
    assert_eq!(lay(&request(size), &rooms(&[4], 4)), "never: memory");
}
