//! What shares a connection, and what must not.

use std::io::Read;
use std::process::Stdio;

use super::patience::until;
use super::plane::Plane;

#[test]
fn reader_who_does_not_take_what_a_task_wrote_does_not_hold_up_the_node() {
    let plane = Plane::start();
    let token = plane.ok(&["token", "join"]);
    let _agent = Plane::keep(&mut plane.agent("node-1", Some(&token)));
    plane.until_nodes(1);
    // More than any connection holds on its way.
    let write = "head -c 67108864 /dev/zero; sleep 600";
    let job = plane.ok(&["submit", "--gpus", "1", "--", "sh", "-c", write]);
    // Two of them: together they could fill any connection that they shared with the node.
    let mut readers = Vec::new();
    for _ in 0..2 {
        let mut reader = plane.admin_command(&["logs", &job, "--follow"]);
        let mut reader = Plane::keep(reader.stdout(Stdio::piped()));
        let out = reader.child.stdout.as_mut().expect("its output is ours");
        out.read_exact(&mut [0; 4096]).expect("the task has written something");
        readers.push(reader);
    }
    // From here on nobody reads.
    for _ in 0..20 {
        let next = plane.ok(&["submit", "--gpus", "1", "--", "true"]);
        let look = || plane.ok(&["job", &next, "--json"]).contains("completed").then_some(());
        assert!(until(look).is_some(), "the node is held up: {}", plane.ok(&["job", &next]));
    }
    drop(readers);
    plane.ok(&["cancel", &job]);
}
