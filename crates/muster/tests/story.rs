//! `muster story` as people and scripts meet it: what it prints, writes and exits with.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const AS_TOLD: &str = "# One node\n\n    node n1 H100x8\n      > n1 joined\n";
const DIFFERENT: &str = "# One node\n\n    node n1 H100x8\n      > n1 exploded\n";

/// A story in a folder of its own.
fn story(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("the folder for tests can be written");
    let path = folder.join("one.story");
    fs::write(&path, text).expect("the folder for tests can be written");
    path
}

fn muster(arguments: &[&str]) -> Output {
    let muster = Command::new(env!("CARGO_BIN_EXE_muster")).args(arguments).output();
    muster.expect("the binary was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

#[test]
fn story_that_is_as_told_succeeds() {
    let path = story("as-told", AS_TOLD);
    let output = muster(&["story", path.to_str().unwrap()]);
    assert_eq!(text(&output.stdout), "as told: One node (1 commands)\n");
    assert!(output.status.success());
}

#[test]
fn story_is_shown_as_the_engine_tells_it() {
    let path = story("shown", AS_TOLD);
    let output = muster(&["story", "--show", path.to_str().unwrap()]);
    let expected = format!("{AS_TOLD}\nas told: One node (1 commands)\n");
    assert_eq!(text(&output.stdout), expected);
    assert!(output.status.success());
}

#[test]
fn story_that_differs_fails_and_shows_where() {
    let path = story("differs", DIFFERENT);
    let output = muster(&["story", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("  - n1 exploded\n  + n1 joined\n"));
    assert!(text(&output.stderr).contains("hint: read the lines above"));
    assert_eq!(fs::read_to_string(path).unwrap(), DIFFERENT, "comparing writes nothing");
}

#[test]
fn update_writes_what_is_printed_into_the_story() {
    let path = story("update", DIFFERENT);
    let output = muster(&["story", "--update", path.to_str().unwrap()]);
    assert!(output.status.success());
    assert_eq!(fs::read_to_string(path).unwrap(), AS_TOLD);
}

#[test]
fn json_has_every_command_with_its_answer() {
    let path = story("json", AS_TOLD);
    let output = muster(&["story", "--json", path.to_str().unwrap()]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["differences"], 0);
    assert_eq!(value["story"]["exchanges"][0]["command"], "node n1 H100x8");
    assert_eq!(value["story"]["exchanges"][0]["printed"][0], "n1 joined");
}

#[test]
fn slip_of_the_pen_is_named_with_file_line_and_hint() {
    let path = story("slip", "# One node\n\n    nod n1 H100x8\n");
    let output = muster(&["story", path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert!(error.contains("one.story:3: unknown verb `nod`"), "{error}");
    assert!(error.contains("hint: did you mean `node`?"), "{error}");
}

#[test]
fn story_that_is_not_there_is_named() {
    let output = muster(&["story", "no-such.story"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("cannot read the story no-such.story"));
}

#[test]
fn version_is_the_one_of_the_package() {
    let output = muster(&["--version"]);
    assert_eq!(text(&output.stdout), format!("muster {}\n", env!("CARGO_PKG_VERSION")));
}
